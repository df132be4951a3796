// Counts, run by run, what prices are fitted to.
// The idea: a block's price is its first guess times 1 and the coefficients that apply to it: of
// all work, of its function, of itself, of the classes in it; and what it calls on top. So one
// feature per block is enough to follow any price, and those above it say what blocks have in
// common.
#include "TimeFeatures.h"

#include "estimate/price/Prices.h"

#include <algorithm>

namespace quincunx {

namespace {
/// A call of unknown code, in costs of an addition: a guess that says no more than its size.
constexpr double callGuess = 20;
/// Events, where the machine does not price them: orders of magnitude, in additions.
constexpr std::array<double, eventCount> eventGuess{20, 10, 40, 100, 20, 30, 3000};
} // namespace

TimeFeatures::TimeFeatures(const CountMatrix &counts, const std::vector<Map> &allMaps,
                           const Machine &machine, const std::vector<size_t> &chosen,
                           const MissRates &carried)
    : matrix(counts), maps(allMaps), work(chosen.size(), 0.0) {
  const auto classes = classCosts(machine);
  const double simple = std::max(classes[static_cast<size_t>(InstructionClass::add)].k1, 1e-9);
  for (size_t c = 0; c < classCount; ++c) // what is free by guess may cost something after all
    guess[c] = classes[c].k1 > 0 ? classes[c].k1 : simple;
  guess[static_cast<size_t>(InstructionClass::construct)] = 0;
  guessOfCallee = callGuess * simple;
  for (size_t e = 0; e < eventCount; ++e) {
    const double known = machine.event(eventNames[e]).k1;
    guessOfEvent[e] = known > 0 ? known : eventGuess[e] * simple;
  }
  happened.fill(Totals(chosen.size(), 0.0));
  kinds.fill(Totals(chosen.size(), 0.0));
  for (const Map &map : maps)
    for (const Function &f : map.functions)
      instrumented.insert(f.name);
  std::vector<std::vector<double>> rows;
  for (const size_t run : chosen)
    rows.push_back(matrix.row(run));
  for (uint32_t f = 0; f < matrix.functions.size(); ++f)
    addFunction(f, rows, carried);
  addOfRuns(Event::fault, &CountMatrix::Row::pageFaults, chosen);
  if (!met(Event::mispredict))
    addOfRuns(Event::mispredict, &CountMatrix::Row::branchMisses, chosen);
}

/// Where they are not known of one run, they tell nothing about the others.
void TimeFeatures::addOfRuns(Event event, std::optional<double> CountMatrix::Row::*number,
                             const std::vector<size_t> &chosen) {
  const auto e = static_cast<size_t>(event);
  const auto known = [&](size_t run) { return (matrix.rows[run].*number).has_value(); };
  if (!std::all_of(chosen.begin(), chosen.end(), known))
    return;
  isOfRuns[e] = true;
  for (size_t d = 0; d < chosen.size(); ++d) {
    happened[e][d] = *(matrix.rows[chosen[d]].*number);
    work[d] += guessOfEvent[e] * happened[e][d];
  }
}

TimeFeatures TimeFeatures::scaled(std::span<const double> factors) const {
  TimeFeatures out = *this;
  const auto multiply = [&](Totals &t) {
    for (size_t d = 0; d < t.size(); ++d)
      t[d] *= factors[d];
  };
  for (size_t d = 0; d < work.size(); ++d) {
    double ofRun = 0;
    for (size_t e = 0; e < eventCount; ++e)
      ofRun += isOfRuns[e] ? guessOfEvent[e] * happened[e][d] : 0;
    out.work[d] = ofRun + (work[d] - ofRun) * factors[d];
  }
  for (size_t e = 0; e < eventCount; ++e)
    if (!isOfRuns[e])
      multiply(out.happened[e]);
  for (Totals &t : out.kinds)
    multiply(t);
  for (auto *all : {&out.called, &out.functions})
    for (Totals &t : *all)
      multiply(t);
  for (BlockFeature &e : out.executed)
    multiply(e.counts);
  return out;
}

const Function &TimeFeatures::function(const BlockFeature &e) const {
  const CountMatrix::Columns &c = matrix.functions[e.function];
  return maps[c.map].functions[c.function];
}

uint32_t TimeFeatures::calleeOf(const std::string &name) {
  const auto [at, isNew] = calleeNumber.emplace(name, static_cast<uint32_t>(called.size()));
  if (isNew)
    called.emplace_back(runs(), 0.0);
  return at->second;
}

/// The blocks of function `f`, with what they cost by guess and miss; nothing is counted yet.
std::vector<TimeFeatures::BlockFeature> TimeFeatures::blocksOf(uint32_t f,
                                                               const MissRates &carried) const {
  const CountMatrix::Columns &columns = matrix.functions[f];
  const Function &code = maps[columns.map].functions[columns.function];
  const std::vector<MissRate> rates = carried.of(maps[columns.map], columns.function);
  std::vector<BlockFeature> own(code.blocks.size());
  for (uint32_t b = 0; b < own.size(); ++b) {
    own[b] = {f, b, static_cast<uint32_t>(functions.size()), 0, {}, {}, Totals(runs(), 0.0)};
    if (!rates.empty())
      own[b].missed = rates[b];
    for (const ClassCount &c : code.blocks[b].mix)
      own[b].guess += c.count * guess[static_cast<size_t>(c.kind)];
  }
  return own;
}

/// Counts the blocks in all runs, and the events that the function counts itself.
void TimeFeatures::countBlocks(uint32_t f, const std::vector<std::vector<double>> &rows,
                               std::vector<BlockFeature> &own) {
  const CountMatrix::Columns &columns = matrix.functions[f];
  const Function &code = maps[columns.map].functions[columns.function];
  const FlowSolver flowSolver(code);
  const std::vector<EventCounter> places = eventCounters(code);
  std::vector<double> counters(code.counterCount);
  for (size_t d = 0; d < rows.size(); ++d) {
    for (size_t i = 0; i < counters.size(); ++i)
      counters[i] = columns.counters[i] == noIndex ? 0 : rows[d][columns.counters[i]];
    for (const EventCounter &e : places) {
      const auto kind = static_cast<size_t>(e.event);
      happened[kind][d] += counters[e.counter];
      work[d] += guessOfEvent[kind] * counters[e.counter];
    }
    const FlowValues flow = flowSolver.flow(counters);
    for (size_t b = 0; b < own.size(); ++b)
      own[b].counts[d] = flow.blocks[b];
  }
}

/// Adds a block that ran to the totals of all groups.
void TimeFeatures::addBlock(const Function &code, const BlockFeature &e) {
  for (size_t d = 0; d < runs(); ++d) {
    work[d] += e.guess * e.counts[d];
    functions.back()[d] += e.guess * e.counts[d];
    for (const ClassCount &c : code.blocks[e.block].mix)
      kinds[static_cast<size_t>(c.kind)][d] +=
          c.count * guess[static_cast<size_t>(c.kind)] * e.counts[d];
    for (const uint32_t c : e.called)
      called[c][d] += e.counts[d];
    for (size_t kind = 0; kind < eventCount; ++kind) {
      happened[kind][d] += e.missed[kind] * e.counts[d];
      work[d] += guessOfEvent[kind] * e.missed[kind] * e.counts[d];
      isCarried[kind] = isCarried[kind] || e.missed[kind] > 0;
    }
  }
}

void TimeFeatures::addFunction(uint32_t f, const std::vector<std::vector<double>> &rows,
                               const MissRates &carried) {
  std::vector<BlockFeature> own = blocksOf(f, carried);
  countBlocks(f, rows, own);
  const auto ran = [](const BlockFeature &e) {
    return std::any_of(e.counts.begin(), e.counts.end(), [](double n) { return n > 0; });
  };
  if (std::none_of(own.begin(), own.end(), ran))
    return;
  const Function &code = function(own.front());
  for (const Call &call : code.calls)
    if (ran(own[call.block]) && !instrumented.contains(call.callee))
      own[call.block].called.push_back(calleeOf(call.callee));
  functions.emplace_back(runs(), 0.0);
  for (BlockFeature &e : own)
    if (ran(e)) {
      addBlock(code, e);
      executed.push_back(std::move(e));
    }
}

/// Calls visit(values of one feature, what to multiply them with), feature by feature.
template <class Visit> void TimeFeatures::forEach(Feature group, Visit visit) const {
  switch (group) {
  case Feature::work:
    visit(work, 1.0);
    return;
  case Feature::kind:
    for (const Totals &t : kinds)
      visit(t, 1.0);
    return;
  case Feature::event:
    for (size_t e = 0; e < eventCount; ++e)
      visit(happened[e], guessOfEvent[e]);
    return;
  case Feature::callee:
    for (const Totals &t : called)
      visit(t, guessOfCallee);
    return;
  case Feature::function:
    for (const Totals &t : functions)
      visit(t, 1.0);
    return;
  case Feature::block:
    for (const BlockFeature &e : executed)
      visit(e.counts, e.guess);
    return;
  }
}

Gram TimeFeatures::gram(Feature group) const {
  const size_t n = runs();
  Gram sum(n * n, 0.0);
  forEach(group, [&](const Totals &x, double times) {
    for (size_t i = 0; i < n; ++i) {
      const double xi = times * times * x[i];
      if (xi != 0)
        for (size_t j = 0; j <= i; ++j)
          sum[i * n + j] += xi * x[j];
    }
  });
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < i; ++j)
      sum[j * n + i] = sum[i * n + j];
  return sum;
}

std::vector<double> TimeFeatures::dot(Feature group, std::span<const double> weights) const {
  std::vector<double> out;
  forEach(group, [&](const Totals &x, double times) {
    double sum = 0;
    for (size_t d = 0; d < x.size(); ++d)
      sum += weights[d] * x[d];
    out.push_back(times * sum);
  });
  return out;
}

double TimeFeatures::weight(size_t number, const Coefficients &c) const {
  const BlockFeature &e = executed[number];
  double sum = e.guess * (1 + c[Feature::work][0] + c[Feature::function][e.ofTotals] +
                          c[Feature::block][number]);
  for (const ClassCount &k : function(e).blocks[e.block].mix)
    sum += k.count * guess[static_cast<size_t>(k.kind)] *
           c[Feature::kind][static_cast<size_t>(k.kind)];
  for (const uint32_t other : e.called)
    sum += guessOfCallee * c[Feature::callee][other];
  for (size_t kind = 0; kind < eventCount; ++kind)
    sum += e.missed[kind] * price(static_cast<Event>(kind), c);
  return sum;
}

double TimeFeatures::price(InstructionClass kind, const Coefficients &c) const {
  const auto k = static_cast<size_t>(kind);
  return guess[k] * std::max(0.25, 1 + c[Feature::work][0] + c[Feature::kind][k]);
}

double TimeFeatures::price(Event event, const Coefficients &c) const {
  const auto e = static_cast<size_t>(event);
  return guessOfEvent[e] * (1 + c[Feature::work][0] + c[Feature::event][e]);
}

bool TimeFeatures::met(Event event) const {
  const Totals &all = happened[static_cast<size_t>(event)];
  return std::any_of(all.begin(), all.end(), [](double n) { return n > 0; });
}

void TimeFeatures::forget(Event event) {
  const auto e = static_cast<size_t>(event);
  for (size_t d = 0; d < work.size(); ++d)
    work[d] -= guessOfEvent[e] * happened[e][d];
  guessOfEvent[e] = 0;
}

std::map<std::string, double> TimeFeatures::callees(const Coefficients &c) const {
  std::map<std::string, double> out;
  for (const auto &[name, number] : calleeNumber)
    if (const double price = guessOfCallee * c[Feature::callee][number]; price > 0 && !name.empty())
      out[name] = price;
  return out;
}

std::vector<double> TimeFeatures::events(const Coefficients &c) const {
  std::vector<double> sum(runs(), 0.0);
  for (size_t e = 0; e < eventCount; ++e)
    for (size_t d = 0; d < sum.size() && !isCarried[e]; ++d)
      sum[d] += price(static_cast<Event>(e), c) * happened[e][d];
  return sum;
}

std::vector<double> TimeFeatures::cost(const Coefficients &c) const {
  std::vector<double> sum = events(c);
  for (size_t b = 0; b < executed.size(); ++b) {
    const double p = weight(b, c);
    for (size_t d = 0; d < sum.size(); ++d)
      sum[d] += p * executed[b].counts[d];
  }
  return sum;
}

} // namespace quincunx
