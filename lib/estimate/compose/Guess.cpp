// Estimates without runs.
// The idea: the compiler's guesses make the flow of a function a Markov chain, whose expected
// visits are counts of one call; where trips are known as an expression, the passes that come back
// are multiplied until there are as many. Then everything goes the way of a corpus: regions, the
// four rules, calls. It takes no profile, and it does not know whether a guess is a good one.
#include "quincunx/estimate/Guess.h"

#include "Callees.h"
#include "Laws.h"
#include "estimate/figures/Notes.h"
#include "estimate/price/Prices.h"
#include "quincunx/base/Text.h"
#include "quincunx/map/Symbolic.h"
#include "quincunx/model/Chain.h"
#include "quincunx/model/Loops.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace quincunx {

namespace {

/// Values of an index that stand for all it takes, when there are more.
constexpr int maxIndices = 64;
/// Loops whose indices an expression may hold.
constexpr size_t deepest = 3;

/// Is it left from its header, so that what else is in it is executed as often as it comes back?
bool testsFirst(const Function &f, const Loop &loop) {
  const std::vector<bool> body = bodyOf(f, loop);
  return std::any_of(f.edges.begin(), f.edges.end(), [&](const Edge &e) {
    return e.from == loop.header && (headOf(e) == noIndex || !body[e.to]);
  });
}

/// The trips of the loops of one function.
class Trips {
public:
  Trips(const Function &function, const Parameters &p) : f(function), parameters(p) {
    for (const Loop &l : f.loops) {
      const Result<Symbolic> parsed = Symbolic::parse(l.trips);
      expressions.push_back(l.trips.empty() || !parsed ? std::nullopt : std::optional(*parsed));
    }
  }
  bool known(uint32_t loop) const { return expressions[loop].has_value(); }
  /// Nothing when an unknown has no value: missing() says which.
  std::optional<Cumulants> of(uint32_t loop);
  std::vector<std::string> missing(uint32_t loop) const;
  const std::set<std::string> &used() const { return names; }

private:
  using Indices = std::map<std::string, double>;
  std::optional<uint32_t> indexOf(const std::string &name) const;
  std::optional<double> parameter(const std::string &name);
  bool collect(uint32_t loop, Indices &at, std::vector<double> &values);

  const Function &f;
  const Parameters &parameters;
  std::vector<std::optional<Symbolic>> expressions;
  std::set<std::string> names;
};

/// The loop of which `name` is the index, i0 of the first.
std::optional<uint32_t> Trips::indexOf(const std::string &name) const {
  double number = 0;
  if (!name.starts_with('i') || !parseNumber(std::string_view(name).substr(1), number) ||
      number < 0 || number >= static_cast<double>(f.loops.size()))
    return {};
  return static_cast<uint32_t>(number);
}

std::optional<double> Trips::parameter(const std::string &name) {
  for (const std::string &full : {f.name + "." + name, name})
    if (const auto at = parameters.find(full); at != parameters.end()) {
      names.insert(full);
      return at->second;
    }
  return {};
}

/// Adds the trips for every value of the outer indices that have none in `at`.
bool Trips::collect(uint32_t loop, Indices &at, std::vector<double> &values) {
  for (const std::string &name : expressions[loop]->unknowns()) {
    const std::optional<uint32_t> outer = indexOf(name);
    if (!outer || at.contains(name))
      continue;
    if (*outer == loop || at.size() >= deepest || !known(*outer))
      return false;
    std::vector<double> ends;
    if (!collect(*outer, at, ends) || ends.empty())
      return false;
    // Of the index, whose own outer indices are in `at`; at the last test in a header nothing
    // follows.
    const double last = ends.front() - testsFirst(f, f.loops[*outer]);
    if (last < 0) {
      values.push_back(0); // never entered
      return true;
    }
    const double step = std::max(1.0, last / maxIndices);
    for (double i = 0; i <= last + 1e-9; i += step) {
      at[name] = i;
      if (!collect(loop, at, values))
        return false;
    }
    at.erase(name);
    return true;
  }
  const std::optional<double> value =
      expressions[loop]->at([&](const std::string &name) -> std::optional<double> {
        const auto index = at.find(name);
        return index != at.end() ? index->second : parameter(name);
      });
  if (value)
    values.push_back(std::max(0.0, *value));
  return value.has_value();
}

std::optional<Cumulants> Trips::of(uint32_t loop) {
  Indices at;
  std::vector<double> values;
  if (!known(loop) || !collect(loop, at, values) || values.empty())
    return {};
  std::vector<Cumulants> constants;
  for (const double v : values)
    constants.push_back({v, 0, 0, 0});
  return mixture(constants, std::vector<double>(values.size(), 1.0));
}

std::vector<std::string> Trips::missing(uint32_t loop) const {
  std::set<std::string> out;
  std::vector<uint32_t> open{loop};
  std::set<uint32_t> seen{loop};
  while (!open.empty()) {
    const uint32_t at = open.back();
    open.pop_back();
    if (!known(at))
      continue;
    for (const std::string &name : expressions[at]->unknowns())
      if (const auto outer = indexOf(name)) {
        if (seen.insert(*outer).second)
          open.push_back(*outer);
      } else if (!parameters.contains(name) && !parameters.contains(f.name + "." + name)) {
        out.insert(name);
      }
  }
  return {out.begin(), out.end()};
}

/// What the compiler guessed, per edge, in any unit per block; an even share where it did not.
std::vector<double> guesses(const Function &f) {
  std::vector<double> all;
  for (const Edge &e : f.edges) {
    const bool never = e.from == noIndex || e.kind == EdgeKind::nonReturning;
    all.push_back(never ? 0 : e.guess == noIndex ? 65535 : e.guess);
  }
  return all;
}

/// Passes of each edge in one call; empty: it never ends.
std::vector<double> flowOf(const Function &f, const std::vector<double> &shares, Chain &chain) {
  std::vector<double> start(f.blocks.size());
  start[0] = 1;
  const std::vector<double> visits = chain.visits(shares, start);
  std::vector<double> edges;
  if (visits.empty() || std::any_of(visits.begin(), visits.end(),
                                    [](double v) { return !std::isfinite(v) || v < -1e-9; }))
    return {};
  for (size_t e = 0; e < f.edges.size(); ++e)
    edges.push_back(f.edges[e].kind == EdgeKind::entry ? 1
                    : f.edges[e].from == noIndex
                        ? 0
                        : std::max(0.0, visits[f.edges[e].from]) * shares[e]);
  return edges;
}

double sumOf(const std::vector<uint32_t> &which, const std::vector<double> &edges) {
  double sum = 0;
  for (const uint32_t e : which)
    sum += edges[e];
  return sum;
}

/// Multiplies the passes that come back, so that there are `trips` per entry.
void setTrips(const Function &f, const Loop &loop, double trips, const std::vector<double> &shares,
              Chain &chain, std::vector<double> &edges) {
  const double entered = sumOf(loop.entryEdges, edges), back = sumOf(loop.backEdges, edges);
  if (entered <= 0 || back <= 0)
    return;
  const std::vector<bool> body = bodyOf(f, loop);
  const std::vector<double> leaves = chain.leaving(shares, loop, body);
  const double more = trips * entered / back - 1;
  for (size_t e = 0; e < edges.size() && !leaves.empty(); ++e) {
    const uint32_t from = f.edges[e].from, to = headOf(f.edges[e]);
    if (from != noIndex && to != noIndex && body[from] && body[to])
      edges[e] += more * edges[e] * (to == loop.header ? 1 : 1 - leaves[to]);
  }
}

class Guesser {
public:
  Guesser(const std::vector<Map> &maps, const Machine &machine, const Parameters &p)
      : parameters(p), out{{}, CallGraph(maps), {}, {}, {}, {}, {}} {
    const Prices prices(maps, machine);
    for (size_t m = 0; m < maps.size(); ++m)
      for (size_t f = 0; f < maps[m].functions.size(); ++f)
        costs.push_back(prices.blocks(m, f));
    out.model.machine = machine.name;
    out.model.unit = machine.unit;
    out.model.guessed = true;
  }
  Result<Guessed> run();

private:
  ExecutionCounts oneCall(uint32_t number);
  void takeFunction(uint32_t number);
  void note();

  const Parameters &parameters;
  std::vector<std::vector<Cumulants>> costs; ///< of blocks, per function
  std::set<std::string> used;
  size_t endless = 0, pointers = 0;
  Guessed out;
};

ExecutionCounts Guesser::oneCall(uint32_t number) {
  const Function &f = *out.graph.functions[number];
  ExecutionCounts e;
  Chain chain(f);
  const std::vector<double> weights = guesses(f), shares = chain.shares(weights, weights);
  e.edges = flowOf(f, shares, chain);
  if (e.edges.empty())
    return e;
  e.entries = 1;
  e.loops.resize(f.loops.size());
  Trips trips(f, parameters);
  for (uint32_t l = 0; l < f.loops.size(); ++l) {
    if (!trips.known(l))
      continue;
    e.loops[l] = trips.of(l);
    if (e.loops[l])
      setTrips(f, f.loops[l], e.loops[l]->k1, shares, chain, e.edges);
    else if (std::vector<std::string> names = trips.missing(l); !names.empty())
      out.open.push_back({number, l, std::move(names)});
  }
  used.insert(trips.used().begin(), trips.used().end());
  e.blocks.assign(f.blocks.size(), 0);
  for (size_t i = 0; i < f.edges.size(); ++i)
    if (const uint32_t to = headOf(f.edges[i]); to != noIndex)
      e.blocks[to] += e.edges[i];
  e.costs = costs[number];
  return e;
}

void Guesser::takeFunction(uint32_t number) {
  ModelledFunction m;
  m.number = number;
  m.calls = 1;
  m.cost = out.composition.functions[number];
  if (!m.cost.endless)
    std::tie(m.law, m.family) = lawOf(m.cost.inclusive, {});
  out.model.functions.push_back(std::move(m));
}

void Guesser::note() {
  const auto add = [&](const char *kind, std::string text) {
    out.model.notes.push_back({kind, std::move(text)});
  };
  add("guessed", "no run stands behind any figure here: branches go as the compiler guesses, each "
                 "independent of all others");
  if (!out.open.empty()) {
    const OpenLoop &first = out.open.front();
    const std::string &name = out.graph.functions[first.number]->name;
    add("unknowns", plural(out.open.size(), "loop runs", "loops run") +
                        " as often as arguments say that have no value, and as often as the "
                        "compiler guesses for now; give some with --set, as in --set " +
                        escape(name) + "." + escape(first.unknowns.front()) + "=100");
  }
  for (Note &n : notesOnAssembly({out.graph.functions.begin(), out.graph.functions.end()}))
    out.model.notes.push_back(std::move(n));
  if (endless != 0)
    add("endless", plural(endless, "function never ends", "functions never end") +
                       " by these guesses, and cost nothing here");
  if (pointers != 0)
    add("pointers", plural(pointers, "function calls", "functions call") +
                        " through pointers; such calls, and those of what is not instrumented, "
                        "cost nothing here");
}

Result<Guessed> Guesser::run() {
  const auto count = static_cast<uint32_t>(out.graph.functions.size());
  for (uint32_t n = 0; n < count; ++n) {
    const Function &f = *out.graph.functions[n];
    out.executed.push_back(oneCall(n));
    out.regions.push_back(out.executed.back().edges.empty() ? Regions{} : reduce(f));
    endless += out.executed.back().edges.empty();
    pointers +=
        std::any_of(f.calls.begin(), f.calls.end(), [](const Call &c) { return c.callee.empty(); });
  }
  Result<Composition> composition = compose(out.graph, out.regions, out.executed, {false, true});
  if (!composition)
    return composition.error();
  out.composition = std::move(*composition);
  for (uint32_t n = 0; n < count; ++n)
    if (!out.executed[n].edges.empty())
      takeFunction(n);
  for (const auto &[name, value] : parameters)
    if (!used.contains(name))
      out.unused.push_back(name);
  note();
  return std::move(out);
}

} // namespace

Result<ModelledTree> Guessed::tree(uint32_t number) const {
  if (executed[number].edges.empty())
    return Error{escape(graph.functions[number]->name) + " never ends by the compiler's guesses"};
  const Function &f = *graph.functions[number];
  ModelledTree t{number, regions[number],
                 {},     executed[number],
                 {},     calleesOf(graph, executed, composition, number, {false, true}),
                 {}};
  const std::vector<Cumulants> blocks =
      blocksWithCalls(graph, executed, composition, number, {false, true});
  Result<std::vector<Cumulants>> all =
      evaluate(t.regions, {t.executed.edges, blocks, t.executed.branches, t.executed.loops});
  if (!all)
    return all.error();
  t.costs = std::move(*all);
  for (uint32_t b = 0; b < f.branches.size(); ++b) {
    const Branch &branch = f.branches[b];
    if (branch.isSwitch || branch.arms[0] == branch.arms[1])
      continue;
    const double taken = t.executed.edges[branch.arms[0]],
                 n = taken + t.executed.edges[branch.arms[1]];
    if (n > 0)
      t.branches.push_back({b, n, taken / n, {}, {}, {}});
  }
  return t;
}

Result<Guessed> guess(const std::vector<Map> &maps, const Machine &machine,
                      const Parameters &parameters) {
  return Guesser(maps, machine, parameters).run();
}

} // namespace quincunx
