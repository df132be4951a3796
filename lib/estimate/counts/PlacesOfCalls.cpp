// Where in a function its calls stand, and how often each is made (TotalCosts.h).
// The idea: calls by name stand in a block and a scope; of pointers it is known for blocks together
// how often each target is called (CallCounts::Site), and calls in them are alike.
#include "TotalCosts.h"

#include <algorithm>

namespace quincunx {

std::map<uint32_t, TotalCosts::PerRun> TotalCosts::callsIn(size_t f, const Costs &costs) const {
  std::map<uint32_t, PerRun> out;
  const auto addTo = [&](uint32_t block, double times, const PerRun *share, size_t callee) {
    PerRun &sum = out.try_emplace(block, entered[f].size(), 0.0).first->second;
    for (size_t d = 0; d < sum.size(); ++d)
      sum[d] += times * (share ? (*share)[d] : 1) * costs.ofCall(f, callee, d);
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

std::set<uint32_t> TotalCosts::recursesIn(size_t f) const {
  std::set<uint32_t> out;
  const auto look = [&](uint32_t block, uint32_t callee) {
    if (recursive[f] && cycle[program.functionOf[callee]] == cycle[f])
      out.insert(block);
  };
  for (const CallCounts::Named &call : program.named(numbers[f]))
    look(call.block, call.callee);
  for (size_t s = 0; s < program.sites.size(); ++s)
    for (const PointerTargets::Share &share : program.pointers()->of(s))
      if (program.sites[s].function == numbers[f] &&
          share.target != program.pointers()->elsewhere())
        for (const auto &[block, times] : program.sites[s].perBlock)
          look(block, program.targets[share.target]);
  return out;
}

std::vector<TotalCosts::ScopeCalls> TotalCosts::callsByScope(size_t f,
                                                             const CountMatrix &matrix) const {
  const Function &function = *program.graph.functions[numbers[f]];
  const FlowSolver flow(function);
  std::vector<ScopeCalls> out;
  std::map<size_t, PerRun> made; // per callee
  const auto add = [&](uint32_t block, uint32_t scope, size_t callee, const PerRun *share) {
    std::vector<double> perBlock(function.blocks.size());
    perBlock[block] = 1;
    ScopeCalls calls{scope, callee, matrix.perRun(f, flow.linear(perBlock))};
    PerRun &all = made.try_emplace(callee, calls.times.size(), 0.0).first->second;
    for (size_t d = 0; d < calls.times.size(); ++d) {
      calls.times[d] = std::max(0.0, calls.times[d] * (share ? (*share)[d] : 1));
      all[d] += calls.times[d];
    }
    if (scope != 0)
      out.push_back(std::move(calls));
  };
  for (const CallCounts::Named &call : program.named(numbers[f]))
    add(call.block, call.scope, program.functionOf[call.callee], call.times);
  for (size_t s = 0; s < program.sites.size(); ++s)
    for (const Call &call : function.calls) {
      const auto isHere = [&](const auto &b) { return b.first == call.block; };
      if (program.sites[s].function == numbers[f] && call.callee.empty() &&
          std::ranges::any_of(program.sites[s].perBlock, isHere))
        for (const PointerTargets::Share &share : program.pointers()->of(s))
          if (share.target != program.pointers()->elsewhere())
            add(call.block, call.at.scope, program.functionOf[program.targets[share.target]],
                &share.value);
    }
  // Calls that never arrived are taken off all alike (explainEntries).
  for (ScopeCalls &calls : out) {
    const PerRun &all = made[calls.callee],
                 &arrived = std::ranges::find(callees[f], calls.callee, &Calls::callee)->times;
    for (size_t d = 0; d < all.size(); ++d)
      calls.times[d] *= all[d] > 0 ? arrived[d] / all[d] : 0;
  }
  return out;
}

} // namespace quincunx
