// Exports loops as processes, and what is no tree. The idea: a bound is an expression where that
// gives the number that was measured, so evaluating the model as it stands changes nothing. What is
// no tree is what it costs without its calls, and as many calls as there are on average: cumulants
// of independent parts add up, so the difference of cumulants is exact as long as some law has it.
#include "Exporter.h"
#include "quincunx/base/Text.h"
#include "quincunx/pamela/Parse.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace quincunx {

using pamela::Op;
using pamela::Tree;

namespace {

/// Numbers that differ by less than this share differ by rounding.
constexpr double roundedTrips = 1e-12;
/// Most passes of a shared loop that are dealt out one by one.
constexpr double maxPasses = 1e5;

bool close(double a, double b) {
  return std::fabs(a - b) <= roundedTrips * std::max({1.0, std::fabs(a), std::fabs(b)});
}

bool isNumber(const std::string &text) {
  double x = 0;
  return parseNumber(text, x);
}

/// Without + 0 and * 1.
Tree simplified(const Tree &tree) {
  std::vector<Tree> args;
  for (const Tree &t : tree->args)
    args.push_back(simplified(t));
  const auto is = [&](size_t i, double x) {
    return args[i]->op == Op::number && args[i]->value == x;
  };
  if (tree->op == Op::add || tree->op == Op::multiply)
    for (const size_t i : {0, 1})
      if (is(i, tree->op == Op::add ? 0 : 1))
        return args[1 - i];
  if (tree->op == Op::negate && args[0]->op == Op::number)
    return constant(-args[0]->value);
  return args.empty() ? tree : node(tree->op, std::move(args), tree->text);
}

} // namespace

/// Trips as the map has them, with the parameters of this function in place of its values.
Tree Exporter::expression(const std::string &trips) {
  const auto isName = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '@' ||
           c == '$' || (c & 0x80) != 0;
  };
  std::string text;
  for (size_t i = 0; i < trips.size();) {
    const size_t from = i;
    while (i < trips.size() && isName(trips[i]))
      ++i;
    if (i == from) {
      text.push_back(trips[i++]);
      continue;
    }
    const std::string word = trips.substr(from, i - from);
    const auto value = bounds.values.find(word);
    if (value == bounds.values.end()) { // a number, an index, min and its like
      text += word;
      continue;
    }
    const std::string &name = plan.names.parameter(tree.number, word);
    text += name;
    const std::string what =
        word.starts_with('@') ? "computed on line " + word.substr(1) : "argument " + word;
    out.parameters.insert({name, value->second, escape(what)});
  }
  const Result<pamela::Model> parsed = pamela::parseText("numeric bound = " + text, "map");
  return parsed ? simplified(parsed->definitions[0].body) : nullptr;
}

/// Passes of a loop with n trips: one more where it is tested behind them.
Tree Exporter::bound(uint32_t loop, const Cumulants &n, bool testsLast) {
  const LoopBounds::Kind kind = bounds.of(loop);
  const bool isMeasured = n.k2 == 0 && loop < tree.executed.loops.size() &&
                          tree.executed.loops[loop] && close(n.k1, tree.executed.loops[loop]->k1);
  const bool ofIndex =
      plan.usesIndices && kind == LoopBounds::Kind::ofIndex && around == f.loops[loop].parent;
  const std::string &trips = loop == noIndex ? "" : f.loops[loop].trips;
  if (isMeasured && (kind == LoopBounds::Kind::expression || ofIndex) && !isNumber(trips))
    if (const Tree known = expression(trips)) {
      usesIndex = usesIndex || ofIndex;
      const Tree passes = plus(known, testsLast ? 1 : 0);
      return ofIndex || n.k1 == std::round(n.k1) ? passes : average(passes);
    }
  return randomNumber({n.k1 + (testsLast ? 1 : 0), n.k2, n.k3, n.k4});
}

std::string Exporter::loopComment(uint32_t loop, bool known) const {
  if (loop == noIndex)
    return "loop";
  const std::string &trips = f.loops[loop].trips;
  const std::string text = place("loop", f.loops[loop].at);
  return known || trips.empty() || isNumber(trips) ? text
                                                   : text + ": " + escape(trips) + " times back";
}

/// The body once, and trips times the way back and the body.
TreeSequence Exporter::loop(const Region &r) {
  const double back = weight(r.links[0].edges), left = weight(r.links[1].edges);
  const double mean = left > 0 ? back / left : back;
  const auto &trips = tree.executed.loops;
  Cumulants n{mean, 0, 0, 0};
  if (!fixed()) {
    const double v = mean * (mean + 1);
    n = r.item < trips.size() && trips[r.item]
            ? *trips[r.item]
            : Cumulants{mean, v, v * (2 * mean + 1), v * (6 * v + 1)};
  }
  if (mean <= 0)
    return of(r.parts[0]);
  const bool testsLast = r.links[0].region == noIndex;
  const auto team = plan.teams.find(tree.number);
  if (plan.onProcessors && depth == 0 && team != plan.teams.end() &&
      std::ranges::count(team->second.shared, r.item) != 0)
    return shared(r, n, testsLast);
  return loopAround(r, n, testsLast);
}

TreeSequence Exporter::loopAround(const Region &r, const Cumulants &n, bool testsLast) {
  const size_t startedBefore = started.size();
  const uint32_t outer = std::exchange(around, noIndex);
  const bool outerIsUsed = std::exchange(usesIndex, false);
  TreeSequence once, again;
  if (!testsLast)
    once = of(r.parts[0]);
  around = r.item;
  again = repeated(testsLast ? r.parts[0] : r.links[0].region);
  around = noIndex;
  if (!testsLast)
    again.add(repeated(r.parts[0]));
  around = outer;
  const bool isUsed = std::exchange(usesIndex, outerIsUsed);
  if (again.empty())
    return once;
  const Tree times = bound(r.item, n, testsLast);
  if (bounds.of(r.item) !=
      LoopBounds::Kind::ofIndex) // nobody knows the index where threads are joined
    startedInLoop(startedBefore, times, {n.k1 + (testsLast ? 1 : 0), n.k2, n.k3, n.k4});
  const bool known = times->op != Op::number && times->op != Op::law;
  Tree repetition = isUsed ? repeat(Op::seq, indexName(r.item), 0, times, of(again))
                           : repeat(Op::seq, index, 1, times, of(again));
  once.add(note(std::move(repetition), loopComment(r.item, known)));
  return once;
}

/// The passes of all threads of a team, dealt out to processors: one by one, where they cost the
/// same; else each thread has its share.
TreeSequence Exporter::shared(const Region &r, const Cumulants &n, bool testsLast) {
  const ExportPlan::Team &team = plan.teams.at(tree.number);
  double all = (n.k1 + (testsLast ? 1 : 0)) * team.threads;
  const bool whole = close(all, std::round(all));
  if (whole)
    all = std::round(all);
  const std::string what = team.shared.size() == 1 ? "N" : "N" + std::to_string(r.item);
  const Tree N = named(plan.names.parameter(tree.number, what)), P = named(team.parameter);
  out.parameters.insert({N->text, all, place("passes of all threads", f.loops[r.item].at)});
  const Tree own = processor;
  const Cumulants again =
      tree.costs[r.parts[0]] + (testsLast ? Cumulants{} : tree.costs[r.links[0].region]);
  const bool oneByOne = plan.usesIndices && whole && all <= maxPasses && again.k2 == 0;
  if (oneByOne) {
    processor = node(Op::mod, {named("i"), P});
    index = "j";
  }
  TreeSequence body;
  if (!testsLast)
    body = repeated(r.links[0].region);
  body.add(repeated(r.parts[0]));
  Tree passes = of(body);
  processor = own;
  index = "i";
  Tree par =
      oneByOne
          ? repeat(Op::par, "i", 0, N, std::move(passes))
          : repeat(Op::par, "p", 0, P,
                   repeat(Op::seq, "i", 1, average(node(Op::divide, {N, P})), std::move(passes)));
  TreeSequence parts;
  if (!testsLast)
    parts = of(r.parts[0]);
  parts.all.push_back({note(std::move(par), place("shared loop", f.loops[r.item].at)), {}, true});
  return parts;
}

void Exporter::blocksOf(uint32_t region, std::set<uint32_t> &blocks) const {
  if (region == noIndex)
    return;
  const Region &r = tree.regions.all[region];
  if (r.kind == Region::Kind::block)
    blocks.insert(r.item);
  for (const uint32_t part : r.parts)
    blocksOf(part, blocks);
  for (const Link &l : r.links)
    blocksOf(l.region, blocks);
}

double Exporter::executions(uint32_t block, uint32_t region) {
  std::vector<double> &all = visits[block];
  if (all.empty()) {
    std::vector<Cumulants> ones(f.blocks.size());
    ones[block].k1 = 1;
    const ExecutionCounts &e = tree.executed;
    const Result<std::vector<Cumulants>> costs =
        evaluate(tree.regions, {e.edges, ones, e.branches, e.loops, fixed()});
    all.assign(tree.regions.all.size(), 0);
    for (size_t i = 0; costs && i < costs->size(); ++i)
      all[i] = (*costs)[i].k1;
  }
  return all[region];
}

/// A loop with several ways out, or flow that is no tree.
TreeSequence Exporter::collapsed(uint32_t region) {
  const Region &r = tree.regions.all[region];
  const Region &whole = r.kind == Region::Kind::left ? tree.regions.all[r.parts[0]] : r;
  const char *what =
      whole.kind == Region::Kind::flow ? "flow that is no tree" : "loop with several ways out";
  const Location at = whole.kind == Region::Kind::exits && whole.item != noIndex
                          ? f.loops[whole.item].at
                          : Location{};
  std::set<uint32_t> blocks;
  blocksOf(region, blocks);
  Counted often;
  for (const ModelledCall &c : tree.calls)
    if (blocks.contains(c.block))
      often.emplace_back(&c, executions(c.block, region));
  return ownAndCalls(tree.costs[region], often, place(what, at));
}

/// What costs `all`, as its own cost and so many calls and forks.
TreeSequence Exporter::ownAndCalls(const Cumulants &all, const Counted &callsAndForks,
                                   std::string comment) {
  Cumulants own = all;
  std::map<std::pair<uint32_t, size_t>, std::pair<const ModelledCall *, double>> often;
  for (const auto &[c, n] : callsAndForks)
    if (c->threads == 0 && n > 0) {
      const auto pointer = c->among.empty() ? 0 : static_cast<size_t>(c - tree.calls.data());
      auto &[one, times] = often[{c->callee, pointer}];
      one = c;
      times += n * c->share;
      own = own - n * c->share * c->cost;
    }
  if (own.k1 < -roundedTrips * all.k1) { // they are some other function's, or were cut short
    comment += ", with its calls";
    often.clear();
  }
  if (often.empty())
    own = all;
  else
    comment += ": its own cost, then its calls, not in their order";
  if (std::fabs(own.k1) <= roundedTrips * all.k1)
    own.k1 = 0;
  if (std::fabs(own.k2) <= roundedTrips * std::max(all.k2, roundedTrips * all.k1 * all.k1))
    own = {own.k1, 0, 0, 0};
  const Projected possible = project(moments(own));
  if (possible.changed && (!often.empty() || own.k2 < 0)) {
    comment += ";\nits mean is that of the model, it varies otherwise";
    own = cumulants(possible.moments);
  }
  TreeSequence parts;
  parts.add(note(taking(own, processor), comment));
  for (const auto &[callee, call] : often)
    parts.add(calls(*call.first, call.second));
  for (const auto &[c, n] : callsAndForks)
    if (c->threads > 0 && n > 0)
      start(*c, n, parts);
  return parts;
}

} // namespace quincunx
