// The clock of calls and strands counts by the prices of `usualMachine`.
#include "ClockOfCounts.h"

#include "quincunx/cost/Machine.h"

namespace quincunx::tool {

Result<Observed> observeInClock(const Corpus &corpus, const std::vector<Map> &maps) {
  const Result<Machine> machine = machineByName(usualMachine);
  return machine ? observe(corpus, maps, *machine) : machine.error();
}

ClockCosts clockCostsOf(const Observed &inClock) {
  ClockCosts costs;
  for (const RunFigures &r : inClock.runs)
    costs[r.identity] = r.cost.k1;
  return costs;
}

std::vector<std::string> libraryOf(const Observed &observed) {
  std::vector<std::string> names;
  for (const FunctionFigures &f : observed.library)
    names.push_back(f.name);
  return names;
}

} // namespace quincunx::tool
