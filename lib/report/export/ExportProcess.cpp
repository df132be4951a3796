// Exports regions as processes. The idea: each kind of region is a construct of the language with
// the same rule behind it: series, if with rates, switch with probabilities, seq with a random
// number of copies. Costs of blocks that follow each other are one delay. It computes nothing but
// sums.
#include "ExportProcess.h"

#include "Exporter.h"
#include "quincunx/base/Text.h"
#include "report/model/ModelTree.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace quincunx {

using pamela::Op;
using pamela::Tree;

namespace {

/// Moments that differ by less than this share differ by rounding.
constexpr double roundedMoment = 1e-10;

bool isNothing(const Cumulants &k) { return k.k1 == 0 && k.k2 == 0; }

std::string identifier(const std::string &text) {
  std::string name;
  for (const char c : text)
    name.push_back(std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_');
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0)
    name.insert(0, "f_");
  return name;
}

} // namespace

bool alike(const Cumulants &a, const Cumulants &b) {
  const auto close = [](double x, double y, double scale) {
    return std::fabs(x - y) <= roundedMoment * std::max({scale, std::fabs(x), std::fabs(y)});
  };
  const double v = std::max(a.k2, b.k2), sd = std::sqrt(v);
  return close(a.k1, b.k1, 0) && close(a.k2, b.k2, 0) && close(a.k3, b.k3, v * sd) &&
         close(a.k4, b.k4, v * v);
}

std::string ExportNames::unique(std::string name) {
  while (!used.insert(name).second)
    name.push_back('_');
  return name;
}
const std::string &ExportNames::process(uint32_t function) {
  std::string &name = names[{function, ""}];
  if (name.empty())
    name = unique(identifier(cut(graph.functions[function]->name, mostShown)) + "_call");
  return name;
}
const std::string &ExportNames::parameter(uint32_t function, const std::string &what) {
  std::string &name = names[{function, what}];
  if (name.empty())
    name =
        unique(identifier(cut(graph.functions[function]->name, mostShown) + "_" +
                          cut(what.starts_with('@') ? "line" + what.substr(1) : what, mostShown)));
  return name;
}

Tree taking(const Cumulants &cost, const Tree &processor) {
  return processor ? node(Op::use, {named("cpu", {processor}), randomNumber(cost)})
                   : node(Op::delay, {randomNumber(cost)});
}

void TreeSequence::add(const Cumulants &plain) {
  if (isNothing(plain))
    return;
  if (all.empty() || all.back().tree)
    all.emplace_back();
  all.back().plain += plain;
}
void TreeSequence::add(const TreeSequence &others) {
  for (const Element &p : others.all)
    if (p.tree)
      all.push_back(p);
    else
      add(p.plain);
}

Tree Exporter::of(const TreeSequence &parts) const {
  std::vector<Tree> trees;
  for (const TreeSequence::Element &p : parts.all)
    trees.push_back(p.tree ? p.tree : taking(p.plain, processor));
  return inTurn(std::move(trees));
}

Tree Exporter::note(Tree commented, const std::string &comment) {
  out.comments[commented.get()] = comment;
  return commented;
}

std::string Exporter::place(const char *what, const Location &at) const {
  std::string text = what;
  const uint32_t file = f.scopes[at.scope].file;
  if (at.line != 0 && file < f.files.size())
    text.append(", ")
        .append(escape(fileName(f.files[file].path)))
        .append(":")
        .append(std::to_string(at.line));
  return text;
}

Tree Exporter::call(uint32_t callee) {
  out.callees.push_back(callee);
  return named(plan.names.process(callee),
               processor ? std::vector{processor} : std::vector<Tree>{});
}

/// What a call through a pointer calls; shares are what they are where counts are.
Tree Exporter::oneOfThem(const ModelledCall &c) {
  std::vector<Tree> choice{nullptr}, all;
  double nobody = 1;
  for (const ModelledCall::Target &t : c.among) {
    nobody -= t.share;
    choice.insert(choice.end(), {constant(t.share), call(t.callee)});
    all.push_back(repeat(Op::seq, index, 1, constant(t.share), call(t.callee)));
  }
  if (nobody > roundedMoment)
    choice.push_back(node(Op::delay, {constant(0)}));
  if (fixed())
    return inTurn(std::move(all));
  const bool isOne = c.among.size() == 1 && nobody <= roundedMoment;
  return note(isOne ? choice[2] : node(Op::select, std::move(choice)), "call through a pointer");
}

Tree Exporter::calls(const ModelledCall &c, double n) {
  Tree one = c.among.empty() ? call(c.callee) : oneOfThem(c);
  return std::fabs(n - 1) <= roundedMoment ? one
                                           : repeat(Op::seq, index, 1, constant(n), std::move(one));
}

/// Own cost, then calls, when these are all of it, and what it starts, in their order.
TreeSequence Exporter::block(uint32_t region) {
  const uint32_t block = tree.regions.all[region].item;
  Cumulants all = tree.executed.costs[block];
  std::vector<const ModelledCall *> inIt;
  for (const ModelledCall &c : tree.calls)
    if (c.block == block) {
      inIt.push_back(&c);
      all += c.threads == 0 ? c.share * c.cost : Cumulants{};
    }
  TreeSequence parts;
  const bool ofCalls = alike(all, tree.costs[region]);
  parts.add(ofCalls ? tree.executed.costs[block] : tree.costs[region]);
  const auto put = [&](const ModelledCall &c) {
    if (c.threads > 0)
      start(c, 1, parts);
    else if (ofCalls)
      parts.add(calls(c, c.share));
  };
  for (const Call &site : f.calls) {
    if (site.block != block)
      continue;
    if (depth == 0 && joinsThreads(site))
      join(parts);
    const auto is = std::find_if(inIt.begin(), inIt.end(), [&](const ModelledCall *c) {
      if (!c->among.empty())
        return site.callee.empty();
      return (c->threads > 0 ? site.starts : site.callee) == m.graph.functions[c->callee]->name;
    });
    if (is == inIt.end())
      continue;
    put(**is);
    inIt.erase(is);
  }
  for (const ModelledCall *c : inIt)
    put(*c);
  return parts;
}

TreeSequence Exporter::repeated(uint32_t region) {
  ++depth;
  TreeSequence parts = of(region);
  --depth;
  return parts;
}

/// Exports the arms of a switch: probabilities; or shares that are what they are, in turn.
TreeSequence Exporter::arms(const Region &r, double sum) {
  std::vector<Tree> args{nullptr};
  Tree chain;
  double rest = 0;
  for (size_t i = r.links.size(); i-- > 0;) {
    const double w = weight(r.links[i].edges);
    if (w <= 0)
      continue;
    rest += w;
    const Tree part = of(repeated(r.links[i].region));
    chain = chain ? node(Op::branch, {shares({w / rest, 0, 0, 0}), part, chain}) : part;
    args.insert(args.begin() + 1, {constant(w / sum), part});
  }
  TreeSequence parts;
  const Branch *b = branchOf(f, r);
  parts.add(note(fixed() ? chain : node(Op::select, std::move(args)),
                 place(b && b->isSwitch ? "switch" : "branch", b ? b->at : Location{})));
  return parts;
}

TreeSequence Exporter::branch(const Region &r) {
  double sum = 0;
  for (const Link &l : r.links)
    sum += weight(l.edges);
  if (sum <= 0)
    return {};
  for (const Link &l : r.links)
    if (weight(l.edges) == sum)
      return of(l.region);
  const uint32_t loopAroundIt = std::exchange(around, noIndex); // these are not all of its passes
  TreeSequence parts;
  if (r.links.size() != 2) {
    parts = arms(r, sum);
    around = loopAroundIt;
    return parts;
  }
  const double p = weight(r.links[0].edges) / sum;
  const auto &rates = tree.executed.branches;
  const Tree condition = r.item < rates.size() && rates[r.item] ? shares(*rates[r.item])
                         : fixed()                              ? shares({p, 0, 0, 0})
                                                                : constant(p);
  const TreeSequence onTrue = repeated(r.links[0].region), onFalse = repeated(r.links[1].region);
  around = loopAroundIt;
  if (onTrue.empty() && onFalse.empty())
    return {};
  std::vector<Tree> args{condition, of(onTrue)};
  if (!onFalse.empty())
    args.push_back(of(onFalse));
  const Branch *b = branchOf(f, r);
  parts.add(note(node(Op::branch, std::move(args)), place("branch", b ? b->at : Location{})));
  return parts;
}

TreeSequence Exporter::of(uint32_t region) {
  TreeSequence parts;
  const bool starts = std::any_of(tree.calls.begin(), tree.calls.end(),
                                  [](const ModelledCall &c) { return c.threads > 0; });
  if (region == noIndex || (isNothing(tree.costs[region]) && !starts))
    return parts;
  const Region &r = tree.regions.all[region];
  switch (r.kind) {
  case Region::Kind::block:
    return block(region);
  case Region::Kind::series:
    for (const uint32_t part : r.parts) {
      if (depth == 0 && joins(part))
        join(parts);
      parts.add(of(part));
    }
    return parts;
  case Region::Kind::branch:
    return branch(r);
  case Region::Kind::loop:
    return loop(r);
  case Region::Kind::exits: { // of one with several ways out the cost is where it leads to
    uint32_t most = 0;
    for (const Link &l : r.links)
      most = std::max(most, l.to);
    if (most - r.parts.size() > 1)
      return parts;
    break;
  }
  case Region::Kind::left:
  case Region::Kind::flow:
    break;
  }
  return collapsed(region);
}

ExportedProcess Exporter::run() {
  if (plan.onProcessors)
    processor = named("p");
  TreeSequence parts = of(tree.regions.root);
  join(parts);
  const auto team = plan.teams.find(tree.number);
  out.isTeam = plan.onProcessors && team != plan.teams.end() && !team->second.shared.empty();
  out.body = out.isTeam ? wholeTeam(parts) : of(parts);
  return std::move(out);
}

ExportedProcess exportProcess(ExportPlan &plan, const ModelledTree &tree) {
  return Exporter(plan, tree).run();
}

ExportedProcess Exporter::runAsOne(const Cumulants &cost) {
  if (plan.onProcessors)
    processor = named("p");
  Counted often;
  for (const ModelledCall &c : tree.calls)
    often.emplace_back(&c, c.perCall);
  TreeSequence parts = ownAndCalls(cost, often, "frames were lost in it");
  join(parts);
  out.body = of(parts);
  return std::move(out);
}

ExportedProcess exportAsOne(ExportPlan &plan, const ModelledTree &tree, const Cumulants &cost) {
  return Exporter(plan, tree).runAsOne(cost);
}

ExportedProcess exportAlone(const ExportPlan &plan, const Cumulants &cost) {
  ExportedProcess process;
  process.body = taking(cost, plan.onProcessors ? named("p") : nullptr);
  return process;
}

} // namespace quincunx
