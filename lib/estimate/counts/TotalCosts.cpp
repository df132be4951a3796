// Totals of functions: recorded, else from a sparse system of linear equations per run.
// The idea: calls were recorded while the program ran, each with all it called (record=calls); of
// a function that calls itself the outermost ones: their sum is the total, by the clock of the
// build. By other costs it is multiplied by what the equations make of both, with as much below
// each caller as was recorded there. Where calls were not
// recorded (functions that did not return, or start threads), a call of g costs its own share of
// what g cost in the run, and as many calls of each callee as g made per call there: e_g I_g -
// sum_h c_gh I_h = k_g. So of recursion, too, a call costs I_g with all calls of g within it. With
// N the inverse of that system times e, N_gg is how many calls of g are in one from outside (Kemeny
// & Snell 1960), so that e_g / N_gg calls come from outside, and e_g I_g / N_gg is what they cost:
// phi_h e_h = sum_g phi_g c_gh with phi_g = 1 gives the same. It does not know which call of a
// caller was the dear one: what its calls cost over what they do on average is the same for all of
// them. Recursion that goes deep in few of many entries is nothing that averages describe (calls
// would cost more than the run): there all of a cycle have one price of their clock.
#include "TotalCosts.h"

#include "RecordedCalls.h"
#include "quincunx/base/Parallel.h"
#include "quincunx/numeric/Cycles.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quincunx {

namespace {
constexpr double rounding = 1e-6;
constexpr double unknown = 0.01;    ///< of entries: whom pointers call is known about as well
constexpr double alike = 1e-9;      ///< of a cost: what rounding leaves
constexpr double estimated = 0.2;   ///< of a cost: what recorded totals by other prices may be off
constexpr size_t runsOfSystem = 16; ///< that have one system of equations after the other

bool wasStopped(const CountMatrix::Row &row) { return isCensored(row.outcome); }
} // namespace

TotalCosts::TotalCosts(const CountMatrix &matrix, const std::vector<Map> &maps, size_t r)
    : program(matrix, maps), callees(matrix.functions.size()), root(r) {
  for (size_t f = 0; f < matrix.functions.size(); ++f) {
    const CountMatrix::Columns &own = matrix.functions[f];
    const Function &function = maps[own.map].functions[own.function];
    numbers.push_back(program.graph.numberOf(own.map, own.function));
    isStart.push_back(CallCounts::isEntryPoint(function));
    entered.push_back(entriesOf(matrix, f, function));
    callsBack.push_back(program.callsOut(numbers.back()));
  }
  for (size_t f = 0; f < numbers.size(); ++f)
    addNamed(f, matrix);
  addPointers();
  explainEntries();
  findOnlyCallers();
  findRecursion();
  readRecorded(matrix, maps);
  layOut();
}

/// A function that a run was stopped in may have its entry counted when it is left.
TotalCosts::PerRun TotalCosts::entriesOf(const CountMatrix &matrix, size_t f,
                                         const Function &function) {
  const FlowSolver flow(function);
  PerRun entries = matrix.perRun(f, {flow.frameForms().entered, {}});
  if (std::ranges::none_of(matrix.rows, wasStopped))
    return entries;
  const PerRun executed =
      matrix.perRun(f, flow.linear(std::vector<double>(function.blocks.size(), 1.0)));
  for (size_t d = 0; d < entries.size(); ++d)
    if (wasStopped(matrix.rows[d]) && executed[d] > 0)
      entries[d] = std::max(1.0, entries[d]);
  return entries;
}

void TotalCosts::add(size_t f, size_t callee, const PerRun &times, bool isNamed) {
  auto at = std::find_if(callees[f].begin(), callees[f].end(),
                         [&](const Calls &known) { return known.callee == callee; });
  if (at == callees[f].end())
    at = callees[f].insert(at, {callee, PerRun(times.size()), PerRun(times.size())});
  for (size_t d = 0; d < times.size(); ++d) {
    at->times[d] += std::max(0.0, times[d]);
    at->named[d] += isNamed ? std::max(0.0, times[d]) : 0;
  }
}

void TotalCosts::addNamed(size_t f, const CountMatrix &matrix) {
  const uint32_t number = numbers[f];
  if (program.named(number).empty())
    return;
  const FlowSolver flow(*program.graph.functions[number]);
  for (const CallCounts::Times &call : program.timesByName(number, matrix, flow))
    add(f, call.callee, call.perRun, true);
}

void TotalCosts::addPointers() {
  for (size_t s = 0; s < program.sites.size(); ++s)
    for (const PointerTargets::Share &share : program.pointers()->of(s)) {
      if (share.target == program.pointers()->elsewhere())
        continue;
      PerRun times = share.value;
      for (size_t d = 0; d < times.size(); ++d)
        times[d] *= program.sites[s].times[d];
      add(program.functionOf[program.sites[s].function],
          program.functionOf[program.targets[share.target]], times, false);
    }
}

/// Entries that are left are callbacks. Where there are more calls than entries, of calls that
/// never arrived, all are fewer; where they are about as many, they are as many.
void TotalCosts::explainEntries() {
  std::vector<PerRun> called(entered.size(), PerRun(entered.empty() ? 0 : entered[0].size()));
  for (const std::vector<Calls> &of : callees)
    for (const Calls &c : of)
      for (size_t d = 0; d < c.times.size(); ++d)
        called[c.callee][d] += c.times[d];
  const auto isAll = [&](size_t f, size_t d) {
    const double own = entered[f][d];
    return called[f][d] > own - std::max(0.5, unknown * own);
  };
  for (std::vector<Calls> &of : callees)
    for (Calls &c : of)
      for (size_t d = 0; d < c.times.size(); ++d)
        if (c.times[d] > 0 && isAll(c.callee, d))
          c.times[d] *= std::max(0.0, entered[c.callee][d]) / called[c.callee][d];
  for (size_t f = 0; f < entered.size() && root != none; ++f) {
    PerRun left;
    for (size_t d = 0; d < entered[f].size(); ++d)
      left.push_back(isAll(f, d) ? 0 : std::round(entered[f][d] - called[f][d]));
    if (f != root && !isStart[f] &&
        std::any_of(left.begin(), left.end(), [](double n) { return n > 0; }))
      back.push_back({f, std::move(left), {}});
  }
}

/// Callees that are entered as often as one function calls them by name, in all runs.
void TotalCosts::findOnlyCallers() {
  onlyCaller.assign(callees.size(), none);
  for (size_t f = 0; f < callees.size(); ++f)
    for (const Calls &c : callees[f]) {
      bool alone = c.callee != f;
      for (size_t d = 0; d < c.named.size() && alone; ++d)
        alone = std::fabs(c.named[d] - entered[c.callee][d]) < 0.5;
      if (alone)
        onlyCaller[c.callee] = f;
    }
}

void TotalCosts::findRecursion() {
  std::vector<std::vector<size_t>> next(callees.size());
  for (size_t f = 0; f < callees.size(); ++f)
    for (const Calls &c : callees[f])
      next[f].push_back(c.callee);
  cycle = cyclesOf(next);
  for (size_t f = 0; f < callees.size(); ++f)
    recursive.push_back(
        std::ranges::any_of(next[f], [&](size_t callee) { return cycle[callee] == cycle[f]; }));
}

/// Functions that start threads, or call such: what these cost goes by another clock.
std::vector<bool> TotalCosts::startThreads() const {
  std::vector<bool> starts;
  for (const uint32_t number : numbers) {
    const std::vector<CallCounts::Named> named = program.named(number);
    starts.push_back(std::any_of(named.begin(), named.end(),
                                 [](const CallCounts::Named &call) { return call.times; }));
  }
  for (bool more = true; more;) {
    more = false;
    for (size_t f = 0; f < callees.size(); ++f)
      if (!starts[f] && std::any_of(callees[f].begin(), callees[f].end(),
                                    [&](const Calls &c) { return starts[c.callee]; }))
        starts[f] = more = true;
  }
  return starts;
}

/// Per run: calls of each function by name.
std::vector<TotalCosts::PerRun> TotalCosts::calledByName() const {
  std::vector<PerRun> called(callees.size(), PerRun(entered.empty() ? 0 : entered[0].size()));
  for (const std::vector<Calls> &of : callees)
    for (const Calls &c : of)
      for (size_t d = 0; d < c.named.size(); ++d)
        called[c.callee][d] += c.named[d];
  return called;
}

/// A sum is of use where every call that began has ended, and all that was called under it. A run
/// that was stopped has calls under way: those that were made and did not end, and those that have
/// cost more by themselves than all that ended with what they call.
void TotalCosts::readRecorded(const CountMatrix &matrix, const std::vector<Map> &maps) {
  bool isClosed = program.targets.empty(); // names explain all entries
  for (const uint32_t number : numbers)
    for (const double n : program.calledBack(number))
      isClosed = isClosed && n <= 0;
  for (size_t f = 0; f < callees.size(); ++f)
    recordedAll.push_back(f == root || (callees[f].empty() && (isClosed || !callsBack[f])));
  const std::vector<ClassCount> clock = recordingClock(matrix, maps);
  if (clock.empty())
    return;
  const std::vector<bool> starts = startThreads();
  const std::vector<PerRun> called = calledByName();
  const std::vector<std::vector<bool>> loses = losesUnder(matrix, maps, program);
  for (size_t f = 0; f < callees.size(); ++f) {
    const CountMatrix::Columns &own = matrix.functions[f];
    const Function &function = maps[own.map].functions[own.function];
    const FlowSolver flow(function);
    clocked.push_back(matrix.perRun(f, flow.linear(clockCosts(function, clock))));
    PerRun &sums = recorded.emplace_back(entered[f].size(), NAN);
    if (own.calls.empty() || starts[f] || f == root)
      continue;
    const PerRun stopped = stopsOf(matrix, f, function, flow);
    bool all = true;
    for (size_t d = 0; d < sums.size(); ++d) {
      const double calls = own.calls.at(d);
      const bool ended = recursive[f] ? calls > 0 && std::fabs(stopped[d]) < 0.5
                                      : std::fabs(calls - entered[f][d]) < 0.5;
      const bool isUnderWay =
          wasStopped(matrix.rows[d]) &&
          (isStart[f] || called[f][d] > calls + 0.5 || clocked[f][d] > own.callCosts.at(d) + 0.5);
      const bool whole = ended && !isUnderWay && (loses.empty() || !loses[f][d]);
      sums[d] = whole ? own.callCosts.at(d) : NAN;
      all = all && (whole || entered[f][d] <= 0);
    }
    recordedAll[f] = recordedAll[f] || all;
  }
}

/// The places of the equations, in the order in which set() fills them.
void TotalCosts::layOut() {
  for (uint32_t f = 0; f < callees.size(); ++f) {
    places.emplace_back(f, f);
    for (const Calls &c : callees[f])
      places.emplace_back(f, static_cast<uint32_t>(c.callee));
  }
}

void TotalCosts::forEachRun(size_t runs,
                            const std::function<void(size_t, SparseSystem &)> &work) const {
  forEachParallel((runs + runsOfSystem - 1) / runsOfSystem, [&](size_t part) {
    SparseSystem system(callees.size(), places);
    for (size_t d = part * runsOfSystem; d < std::min(runs, (part + 1) * runsOfSystem); ++d)
      work(d, system);
  });
}

/// `known`: of one call of each function; NaN: not known. `context`: Costs::context; none: 1.
bool TotalCosts::set(SparseSystem &system, size_t run, bool withPointers,
                     const std::vector<double> &known, const std::vector<double> &context) const {
  std::vector<double> values;
  for (size_t f = 0; f < callees.size(); ++f) {
    const bool asks = entered[f][run] > 0 && std::isnan(known[f]);
    values.push_back(asks ? entered[f][run] : 1);
    for (const Calls &c : callees[f]) {
      const double usual = context.empty() || onlyCaller[c.callee] == f ? 1 : context[f];
      values.push_back(asks ? -usual * (withPointers ? c.times : c.named)[run] : 0);
    }
  }
  return system.set(values);
}

std::vector<std::vector<double>> TotalCosts::callsWithin(size_t run, std::span<const size_t> inner,
                                                         SparseSystem &system) const {
  const std::vector<double> unknown(callees.size(), NAN);
  if (!set(system, run, true, unknown) && !set(system, run, false, unknown))
    return {};
  std::vector<std::vector<double>> entries;
  for (const size_t f : inner)
    entries.emplace_back(callees.size())[f] = entered[f][run];
  std::vector<std::vector<double>> within = system.solveAll(std::move(entries));
  for (const std::vector<double> &of : within)
    if (of.empty() || !std::ranges::all_of(of, [](double n) { return n > -rounding; }))
      return {};
  return within;
}

/// What a unit of the clock costs below each function, by these costs. 0: nothing was recorded.
/// `inCycles`: cycles of calls are taken as a whole.
TotalCosts::Units TotalCosts::perClockIn(size_t run, const std::vector<double> &costs,
                                         bool inCycles, SparseSystem &system) const {
  if (recorded.empty())
    return {std::vector<double>(costs.size()), false};
  std::vector<double> clock;
  double all = 0, allClock = 0;
  bool same = true;
  for (size_t f = 0; f < costs.size(); ++f) {
    clock.push_back(entered[f][run] > 0 ? clocked[f][run] : 0);
    all += costs[f], allClock += clock[f];
    same = same && std::fabs(costs[f] - clock[f]) <= alike * clock[f];
  }
  if (same || allClock <= 0)
    return {std::vector<double>(costs.size(), same ? 1 : 0), false};
  std::vector<double> units = inCycles ? perClockOfCycles(run, costs, clock)
                                       : composedPerClock(run, costs, clock, true, system);
  if (units.empty())
    units = composedPerClock(run, costs, clock, false, system);
  units.resize(costs.size());
  for (size_t f = 0; f < units.size(); ++f) {
    units[f] = units[f] > 0 ? units[f] : all / allClock;
    if (const double most = all / recorded[f][run]; units[f] > most)
      units[f] = most; // what an estimate puts above the run
  }
  return {std::move(units), true};
}

/// What the costs make of calls of each function over what the clock does, with what each function
/// was recorded to spend below it. 0: not known; empty: calls contradict each other.
std::vector<double> TotalCosts::composedPerClock(size_t run, const std::vector<double> &costs,
                                                 const std::vector<double> &clock,
                                                 bool withPointers, SparseSystem &system) const {
  std::vector<double> known(costs.size(), NAN), context(costs.size(), 1.0), units(costs.size());
  for (size_t f = 0; f < costs.size(); ++f)
    if (!recursive[f] && entered[f][run] > 0)
      known[f] = recorded[f][run] / entered[f][run];
  std::vector<double> right = clock;
  for (size_t f = 0; f < costs.size(); ++f)
    right[f] = std::isnan(known[f]) ? clock[f] : known[f];
  const std::vector<double> ofClock =
      set(system, run, withPointers, known) ? system.solve(right) : std::vector<double>{};
  if (ofClock.empty())
    return {};
  for (size_t f = 0; f < costs.size(); ++f)
    if (!std::isnan(known[f]))
      context[f] = contextOf(f, run, recorded[f][run] - clock[f], ofClock);
  const std::vector<double> unknown(costs.size(), NAN);
  const std::vector<double> each = set(system, run, withPointers, unknown, context)
                                       ? system.solve(costs)
                                       : std::vector<double>{};
  for (size_t f = 0; f < each.size(); ++f) {
    double explained = clock[f]; // the clock of what is priced: callbacks are not
    for (const Calls &c : callees[f])
      explained += (onlyCaller[c.callee] == f ? 1 : context[f]) *
                   (withPointers ? c.times : c.named)[run] * ofClock[c.callee];
    units[f] = explained > 0 ? entered[f][run] * each[f] / explained : 0;
  }
  return each.empty() ? each : units;
}

/// The same where functions that call each other have one figure together: what all of them cost in
/// the run with what they call, over its clock. It is always known, and of each of them an average.
std::vector<double> TotalCosts::perClockOfCycles(size_t run, const std::vector<double> &costs,
                                                 const std::vector<double> &clock) const {
  struct Cycle {
    std::vector<size_t> functions;
    double cost = 0, clock = 0; ///< of one call from outside, with what it calls
  };
  std::vector<Cycle> cycles(callees.empty() ? 0 : 1 + *std::ranges::max_element(cycle));
  for (size_t f = 0; f < cycle.size(); ++f)
    cycles[cycle[f]].functions.push_back(f);
  std::vector<double> units(costs.size());
  for (Cycle &c : cycles) { // callees come first
    double cost = 0, below = 0, own = 0, belowClock = 0, calls = 0;
    for (const size_t f : c.functions) {
      own += clock[f], cost += costs[f], calls += std::max(0.0, entered[f][run]);
      for (const Calls &call : callees[f]) {
        const Cycle &callee = cycles[cycle[call.callee]];
        if (&callee == &c)
          calls -= call.times[run];
        below += &callee == &c ? 0 : call.times[run] * callee.cost;
        belowClock += &callee == &c ? 0 : call.times[run] * callee.clock;
      }
    }
    const size_t f = c.functions.front();
    const double spent = recursive[f] ? NAN : recorded[f][run] - clock[f];
    const double context = !std::isnan(spent) && belowClock > 0 ? spent / belowClock : 1;
    const double all = own + std::max(0.0, context) * belowClock;
    cost += std::max(0.0, context) * below;
    for (const size_t of : c.functions)
      units[of] = all > 0 ? cost / all : 0;
    c.cost = cost / std::max(1.0, calls), c.clock = all / std::max(1.0, calls);
  }
  return units;
}

/// Of one call of each function what was recorded of all, recursion too: its total over its
/// entries. Empty: it is not known of all functions that call themselves.
std::vector<double> TotalCosts::averageCalls(size_t run, const std::vector<double> &costs,
                                             const std::vector<double> &totals, double off,
                                             SparseSystem &system) const {
  std::vector<double> known(costs.size(), NAN);
  for (size_t f = 0; f < costs.size(); ++f) {
    if (!(entered[f][run] > 0))
      continue;
    if (recursive[f] && std::isnan(totals[f]))
      return {};
    known[f] = totals[f] / entered[f][run];
  }
  return solveRun(run, costs, known, true, off, system);
}

/// All that the run costs, without what the system calls before and after.
double TotalCosts::underRoot(size_t run, const std::vector<double> &costs,
                             const std::vector<double> &totals) const {
  double sum = std::accumulate(costs.begin(), costs.end(), 0.0);
  for (size_t f = 0; f < costs.size(); ++f)
    if (isStart[f] && f != root && entered[f][run] > 0)
      sum -= std::isnan(totals[f]) ? costs[f] : totals[f];
  return sum;
}

/// What a call of each function costs; empty: that makes no sense, by more than a share `off` of
/// the run.
std::vector<double> TotalCosts::solveRun(size_t run, const std::vector<double> &costs,
                                         const std::vector<double> &known, bool withPointers,
                                         double off, SparseSystem &system) const {
  double all = 0;
  for (const double cost : costs)
    all += std::fabs(cost);
  const auto sound = [&](double x) { return std::fabs(x) <= (1 + off) * all; };
  std::vector<double> right = costs;
  for (size_t f = 0; f < costs.size(); ++f)
    right[f] = std::isnan(known[f]) ? costs[f] : known[f];
  std::vector<double> each;
  if (set(system, run, withPointers, known))
    each = system.solve(right);
  if (!std::ranges::all_of(each, sound))
    each.clear();
  return each;
}

/// `spent`: by all calls of `f` in what they call. Code that is not counted may have called back.
double TotalCosts::contextOf(size_t f, size_t run, double spent,
                             const std::vector<double> &each) const {
  double usual = 0;
  for (const Calls &c : callees[f]) {
    const double cost = c.times[run] * each[c.callee];
    if (onlyCaller[c.callee] == f)
      spent -= cost;
    else
      usual += cost;
  }
  const double context = usual > 0 ? std::max(0.0, spent / usual) : 1;
  return callsBack[f] ? std::min(1.0, context) : context;
}

TotalCosts::Costs TotalCosts::solve(const std::vector<PerRun> &own) {
  const size_t functions = own.size(), runs = own.empty() ? 0 : own.front().size();
  Costs out{own, std::vector<PerRun>(functions, PerRun(runs)),
            std::vector<PerRun>(functions, PerRun(runs, 1.0)), onlyCaller,
            std::vector<PerRun>(functions, PerRun(runs))};
  std::vector<uint8_t> isSolved(runs), isByUnits(runs); // not of bool: threads write to them
  forEachRun(runs, [&](size_t d, SparseSystem &system) {
    const Solved how = solveIn(d, own, out, system);
    isSolved[d] = how.withPointers, isByUnits[d] = how.converted;
  });
  for (size_t d = 0; d < runs; ++d) {
    converted = converted || isByUnits[d] != 0;
    if (isSolved[d] == 0)
      contradicted.insert(d);
  }
  return out;
}

/// Fills in what one run is of `out`.
TotalCosts::Solved TotalCosts::solveIn(size_t d, const std::vector<PerRun> &own, Costs &out,
                                       SparseSystem &system) const {
  const size_t functions = own.size();
  std::vector<double> costs;
  for (size_t f = 0; f < functions; ++f)
    costs.push_back(entered[f][d] > 0 ? own[f][d] : 0);
  Solved how;
  std::vector<double> totals; // that were recorded, by these costs
  const auto read = [&](bool inCycles) {
    const Units units = perClockIn(d, costs, inCycles, system);
    how.converted = units.converted;
    totals.assign(functions, NAN);
    for (size_t f = 0; f < functions; ++f) {
      out.perClock[f][d] = units.of[f];
      if (units.of[f] > 0)
        totals[f] = units.of[f] * recorded[f][d];
    }
    if (root != none && entered[root][d] > 0)
      totals[root] = underRoot(d, costs, totals);
    std::vector<double> known(functions, NAN); // of one call
    for (size_t f = 0; f < functions; ++f)
      if (entered[f][d] > 0 && !recursive[f])
        known[f] = totals[f] / entered[f][d];
    return known;
  };
  std::vector<double> known = read(false);
  const double off = how.converted ? estimated : rounding;
  std::vector<double> each = solveRun(d, costs, known, true, off, system);
  if (each.empty()) { // recursion that averages do not describe
    read(true);
    each = averageCalls(d, costs, totals, off, system);
  }
  if (each.empty()) {
    how.withPointers = false;
    known = read(false);
    each = solveRun(d, costs, known, false, off, system);
  }
  std::vector<size_t> open; // functions that call themselves, and were not recorded
  std::vector<std::vector<double>> units;
  for (size_t f = 0; f < functions; ++f) {
    const bool isRecorded = !std::isnan(totals[f]);
    if (isRecorded)
      out.total[f][d] = totals[f];
    if (!(entered[f][d] > 0) || each.empty())
      continue;
    out.each[f][d] = each[f];
    if (isRecorded) {
      if (!recursive[f])
        out.context[f][d] = contextOf(f, d, totals[f] - costs[f], each);
      continue;
    }
    out.total[f][d] = entered[f][d] * each[f];
    if (recursive[f]) {
      open.push_back(f);
      units.emplace_back(functions)[f] = 1;
    }
  }
  units = system.solveAll(std::move(units));
  for (size_t i = 0; i < open.size(); ++i) { // by calls of f in one from outside
    const size_t f = open[i];
    out.total[f][d] /= std::max(1.0, entered[f][d] * units[i][f]);
  }
  return how;
}

} // namespace quincunx
