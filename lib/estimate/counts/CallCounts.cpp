// Calls of each run.
// The idea: calls by name follow from the counts of their blocks. Entries that neither these nor
// threads that were started explain are those of calls through pointers, or come from outside, as
// into main. Reference: docs/17-what-if.md. It does not know who called a library that called back.
#include "CallCounts.h"

#include "LibraryCalls.h"
#include "quincunx/map/CallType.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace quincunx {

namespace {

/// Two columns that are one up to a factor.
bool isProportional(const std::vector<double> &a, const std::vector<double> &b) {
  const double most = *std::max_element(a.begin(), a.end());
  const double other = *std::max_element(b.begin(), b.end());
  for (size_t d = 0; d < a.size(); ++d)
    if (std::fabs(a[d] * other - b[d] * most) > 1e-12 * most * other)
      return false;
  return true;
}

} // namespace

bool CallCounts::isEntryPoint(const Function &f) {
  return f.name == "main" || f.name.starts_with("_GLOBAL__sub_I_");
}

std::vector<CallCounts::Out> CallCounts::callsOutOf(uint32_t number) const {
  const std::vector<CallSite> &counted = graph.calls[number];
  std::vector<Out> out;
  for (const Call &call : graph.functions[number]->calls) {
    const bool isCounted = std::ranges::any_of(counted, [&](const CallSite &c) {
      return c.block == call.block && graph.functions[c.callee]->name == call.callee;
    });
    if (!call.callee.empty() && !isCounted && (anyMayCallBack || !callsNothingBack(call.callee)))
      out.push_back({call.block, callsComparison(call.callee)});
  }
  return out;
}

CallCounts::CallCounts(const CountMatrix &matrix, const std::vector<Map> &maps)
    : graph(maps), functionOf(graph.functions.size(), SIZE_MAX), outside(graph.functions.size()),
      teams(graph.functions.size()) {
  for (const Function *f : graph.functions)
    anyMayCallBack = anyMayCallBack || std::ranges::any_of(f->calls, [](const Call &call) {
                       return leavesCallbacks(call.callee);
                     });
  const size_t runs = matrix.rows.size();
  std::vector<PerRun> called(graph.functions.size()), started(graph.functions.size());
  for (size_t f = 0; f < matrix.functions.size(); ++f) {
    const CountMatrix::Columns &own = matrix.functions[f];
    const uint32_t number = graph.numberOf(own.map, own.function);
    functionOf[number] = f;
    for (auto *of : {&outside, &called, &started})
      (*of)[number].assign(runs, 0);
  }
  for (uint32_t number = 0; number < functionOf.size(); ++number)
    if (functionOf[number] != SIZE_MAX) {
      const FlowSolver flow(*graph.functions[number]);
      outside[number] = matrix.perRun(functionOf[number], {flow.frameForms().entered, {}});
      count(matrix, number, called, started);
    }
  for (uint32_t number = 0; number < functionOf.size(); ++number)
    for (size_t d = 0; d < outside[number].size(); ++d) {
      double &left = outside[number][d];
      left = isEntryPoint(*graph.functions[number])
                 ? 0
                 : std::max(0.0, std::round(left - called[number][d]));
      if (const double starts = started[number][d]; starts > 0) {
        teams[number].resize(runs, 1.0);
        teams[number][d] = left / starts;
        left = 0;
      }
    }
  if (!sites.empty())
    findTargets();
}

void CallCounts::count(const CountMatrix &matrix, uint32_t number, std::vector<PerRun> &called,
                       std::vector<PerRun> &started) {
  const Function &function = *graph.functions[number];
  const FlowSolver flow(function);
  std::map<uint32_t, PerRun> ofBlock;
  const auto times = [&](uint32_t block) -> const PerRun & {
    PerRun &known = ofBlock[block];
    if (known.empty()) {
      std::vector<double> weights(function.blocks.size());
      weights[block] = 1;
      known = matrix.perRun(functionOf[number], flow.linear(weights));
    }
    return known;
  };
  const auto add = [&](const std::vector<CallSite> &calls, std::vector<PerRun> &to) {
    for (const CallSite &call : calls)
      if (functionOf[call.callee] != SIZE_MAX)
        for (size_t d = 0; d < to[call.callee].size(); ++d)
          to[call.callee][d] += std::max(0.0, times(call.block)[d]);
  };
  add(graph.calls[number], called);
  add(graph.starts[number], started);
  std::map<uint32_t, PointersOfBlock> pointers;
  for (const Call &call : function.calls)
    if (call.callee.empty()) {
      pointers[call.block].calls += 1;
      pointers[call.block].types.insert(call.type);
    }
  for (const auto &[block, of] : pointers)
    addSite(number, block, of, times(block));
}

void CallCounts::addSite(uint32_t number, uint32_t block, const PointersOfBlock &of,
                         const PerRun &times) {
  const double calls = of.calls;
  PerRun own;
  for (const double n : times)
    own.push_back(std::max(0.0, calls * n));
  if (std::all_of(own.begin(), own.end(), [](double n) { return n == 0; }))
    return;
  const auto same = std::find_if(sites.begin(), sites.end(), [&](const Site &s) {
    return s.function == number && s.types == of.types && isProportional(s.times, own);
  });
  if (same == sites.end()) {
    sites.push_back({number, {{block, calls}}, std::move(own), of.types});
    return;
  }
  same->types.insert(of.types.begin(), of.types.end());
  same->perBlock.emplace_back(block, calls);
  for (size_t d = 0; d < own.size(); ++d)
    same->times[d] += own[d];
}

/// Sites that may call it by their type: where it is the same at some, these.
PointerTargets::Sites CallCounts::callersOf(uint32_t number) const {
  PointerTargets::Sites exact, fitting;
  for (size_t s = 0; s < sites.size(); ++s) {
    TypeFit best = TypeFit::none;
    for (const std::string &type : sites[s].types)
      best = std::max(best, fitOfTypes(type, graph.functions[number]->type));
    if (best == TypeFit::exact)
      exact.push_back(s);
    if (best != TypeFit::none)
      fitting.push_back(s);
  }
  return exact.empty() ? fitting : exact;
}

/// What pointers call is not called back.
void CallCounts::findTargets() {
  std::vector<PerRun> calls, entries;
  std::vector<PointerTargets::Sites> callers;
  for (const Site &site : sites)
    calls.push_back(site.times);
  for (uint32_t number = 0; number < outside.size(); ++number) {
    if (std::ranges::none_of(outside[number], [](double n) { return n > 0; }))
      continue;
    PointerTargets::Sites of = callersOf(number);
    if (of.empty())
      continue;
    targets.push_back(number);
    entries.push_back(outside[number]);
    callers.push_back(std::move(of));
  }
  shares =
      std::make_unique<PointerTargets>(std::move(calls), std::move(entries), std::move(callers));
  for (size_t s = 0; s < sites.size(); ++s)
    for (const PointerTargets::Share &share : shares->of(s))
      for (size_t d = 0; d < share.value.size() && share.target != shares->elsewhere(); ++d) {
        double &left = outside[targets[share.target]][d];
        left = std::max(0.0, std::round(left - share.value[d] * sites[s].times[d]));
      }
}

std::vector<CallCounts::Named> CallCounts::named(uint32_t number) const {
  std::vector<Named> all;
  for (const CallSite &call : graph.calls[number])
    if (functionOf[call.callee] != SIZE_MAX)
      all.push_back({call.callee, call.block, call.scope, nullptr});
  for (const CallSite &start : graph.starts[number])
    if (!teams[start.callee].empty())
      all.push_back({start.callee, start.block, start.scope, &teams[start.callee]});
  return all;
}

std::vector<CallCounts::Times> CallCounts::timesByName(uint32_t number, const CountMatrix &matrix,
                                                       const FlowSolver &flow) const {
  std::map<std::pair<size_t, const PerRun *>, std::vector<double>> perBlock;
  for (const Named &call : named(number)) {
    std::vector<double> &calls = perBlock[{functionOf[call.callee], call.times}];
    calls.resize(graph.functions[number]->blocks.size());
    calls[call.block] += 1;
  }
  std::vector<Times> all;
  for (const auto &[to, calls] : perBlock) {
    Times &times =
        all.emplace_back(to.first, matrix.perRun(functionOf[number], flow.linear(calls)));
    for (size_t d = 0; d < times.perRun.size() && to.second != nullptr; ++d)
      times.perRun[d] *= (*to.second)[d];
  }
  return all;
}

} // namespace quincunx
