// Totals of functions from a sparse system of linear equations per run.
// The idea: a call of g costs its own share of what g cost in the run, and as many calls of each
// callee as g made per call there: e_g I_g - sum_h c_gh I_h = k_g. So of recursion, too, a call
// costs I_g with all calls of g within it. With N the inverse of that system times e, N_gg is how
// many calls of g are in one from outside (Kemeny & Snell 1960), so that e_g / N_gg calls come from
// outside, and e_g I_g / N_gg is what they cost: phi_h e_h = sum_g phi_g c_gh with phi_g = 1 gives
// the same. It does not know which caller made a dear call: every call of g is the average one of
// its run.
#include "TotalCosts.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {
constexpr double rounding = 1e-6;
constexpr double unknown = 0.01; ///< of entries: whom pointers call is known about as well
} // namespace

TotalCosts::TotalCosts(const CountMatrix &matrix, const std::vector<Map> &maps, size_t r)
    : program(matrix, maps), callees(matrix.functions.size()), root(r) {
  for (size_t f = 0; f < matrix.functions.size(); ++f) {
    const CountMatrix::Columns &own = matrix.functions[f];
    const Function &function = maps[own.map].functions[own.function];
    numbers.push_back(program.graph.numberOf(own.map, own.function));
    isStart.push_back(CallCounts::isEntryPoint(function));
    entered.push_back(matrix.perRun(f, {FlowSolver(function).frameForms().entered, {}}));
  }
  for (size_t f = 0; f < numbers.size(); ++f)
    addNamed(f, matrix);
  addPointers();
  explainEntries();
  findRecursion();
  layOut();
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
  const Function &function = *program.graph.functions[numbers[f]];
  std::optional<FlowSolver> flow;
  for (const CallCounts::Named &call : program.named(numbers[f])) {
    if (!flow)
      flow.emplace(function);
    std::vector<double> perBlock(function.blocks.size());
    perBlock[call.block] = 1;
    PerRun times = matrix.perRun(f, flow->linear(perBlock));
    for (size_t d = 0; call.times && d < times.size(); ++d)
      times[d] *= (*call.times)[d];
    add(f, program.functionOf[call.callee], times, true);
  }
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

std::map<uint32_t, TotalCosts::PerRun> TotalCosts::callsIn(size_t f,
                                                           const std::vector<PerRun> &each) const {
  std::map<uint32_t, PerRun> out;
  const auto addTo = [&](uint32_t block, double times, const PerRun *share, size_t callee) {
    PerRun &sum = out.try_emplace(block, each[callee].size(), 0.0).first->second;
    for (size_t d = 0; d < sum.size(); ++d)
      sum[d] += times * (share ? (*share)[d] : 1) * each[callee][d];
  };
  for (const CallCounts::Named &call : program.named(numbers[f]))
    addTo(call.block, 1, call.times, program.functionOf[call.callee]);
  for (size_t s = 0; s < program.sites.size(); ++s)
    for (const PointerTargets::Share &share : program.pointers()->of(s))
      if (program.sites[s].function == numbers[f] &&
          share.target != program.pointers()->elsewhere())
        for (const auto &[block, times] : program.sites[s].perBlock)
          addTo(block, times, &share.value, program.functionOf[program.targets[share.target]]);
  return out;
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

void TotalCosts::findRecursion() {
  for (size_t f = 0; f < callees.size(); ++f) {
    std::vector<bool> reached(callees.size());
    std::vector<size_t> open{f};
    while (!open.empty() && !reached[f]) {
      const size_t at = open.back();
      open.pop_back();
      for (const Calls &c : callees[at])
        if (!reached[c.callee]) {
          reached[c.callee] = true;
          open.push_back(c.callee);
        }
    }
    recursive.push_back(reached[f]);
  }
}

/// The places of the equations, in the order in which set() fills them.
void TotalCosts::layOut() {
  std::vector<std::pair<uint32_t, uint32_t>> places;
  for (uint32_t f = 0; f < callees.size(); ++f) {
    places.emplace_back(f, f);
    for (const Calls &c : callees[f])
      places.emplace_back(f, static_cast<uint32_t>(c.callee));
  }
  for (uint32_t f = 0; f < callees.size() && root != none; ++f)
    places.emplace_back(static_cast<uint32_t>(root), f);
  system.emplace(callees.size(), places);
}

/// How often each function was entered without being called by another one.
TotalCosts::PerRun TotalCosts::fromRoot(size_t run, bool withPointers) const {
  PerRun times(callees.size());
  if (withPointers) {
    for (const Calls &c : back)
      times[c.callee] = c.times[run];
    return times;
  }
  for (size_t f = 0; f < times.size(); ++f)
    times[f] = isStart[f] || f == root ? 0 : std::max(0.0, entered[f][run]);
  for (const std::vector<Calls> &of : callees)
    for (const Calls &c : of)
      times[c.callee] = std::max(0.0, times[c.callee] - c.named[run]);
  return times;
}

bool TotalCosts::set(size_t run, bool withPointers) {
  std::vector<double> values;
  for (size_t f = 0; f < callees.size(); ++f) {
    const bool ran = entered[f][run] > 0;
    values.push_back(ran ? entered[f][run] : 1);
    for (const Calls &c : callees[f])
      values.push_back(ran ? -(withPointers ? c.times : c.named)[run] : 0);
  }
  if (root != none)
    for (const double times : fromRoot(run, withPointers))
      values.push_back(entered[root][run] > 0 ? -times : 0);
  return system->set(values);
}

/// What a call of each function costs; empty: nothing makes sense.
std::vector<double> TotalCosts::solveRun(size_t run, const std::vector<double> &costs) {
  double all = 0;
  for (const double cost : costs)
    all += std::fabs(cost);
  const auto sound = [&](double x) { return std::fabs(x) <= (1 + rounding) * all; };
  for (const bool withPointers : {true, false}) {
    std::vector<double> each;
    if (set(run, withPointers))
      each = system->solve(costs);
    if (!each.empty() && std::all_of(each.begin(), each.end(), sound))
      return each;
    contradicted.insert(run);
  }
  return {};
}

TotalCosts::Costs TotalCosts::solve(const std::vector<PerRun> &own) {
  const size_t functions = own.size(), runs = own.empty() ? 0 : own.front().size();
  Costs out{own, std::vector<PerRun>(functions, PerRun(runs))};
  for (size_t d = 0; d < runs; ++d) {
    std::vector<double> costs, unit(functions);
    for (size_t f = 0; f < functions; ++f)
      costs.push_back(entered[f][d] > 0 ? own[f][d] : 0);
    const std::vector<double> each = solveRun(d, costs);
    for (size_t f = 0; f < functions; ++f) {
      if (!(entered[f][d] > 0) || each.empty())
        continue;
      double within = 1; // calls of f in one from outside
      if (recursive[f]) {
        unit[f] = 1;
        within = std::max(1.0, entered[f][d] * system->solve(unit)[f]);
        unit[f] = 0;
      }
      out.each[f][d] = each[f];
      out.total[f][d] = entered[f][d] * each[f] / within;
    }
  }
  return out;
}

} // namespace quincunx
