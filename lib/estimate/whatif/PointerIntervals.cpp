// Intervals that hold whatever calls through pointers may call.
// The idea: all runs with their cheapest targets are one world, all with their dearest another; the
// intervals of both and what lies between them hold those in which some are cheap and some dear,
// as every figure rises with every run's cost. Reference: docs/17-what-if.md.
#include "PointerIntervals.h"

namespace quincunx {

Status holdPointers(const FlowChanges &flow, const CostSample &before, const CostSample &after,
                    const std::vector<Statistic> &asked, std::vector<Compared> &figures) {
  const std::vector<PointerTargets::Bounds> range = flow.pointerRange();
  for (const auto end : {&PointerTargets::Bounds::low, &PointerTargets::Bounds::high}) {
    if (range.empty())
      break;
    std::vector<MixtureComponent> parts = after.parts;
    for (size_t i = 0; i < parts.size(); ++i)
      parts[i].k.k1 += range[after.run[i]].*end;
    const Result<CostSample> other = CostSample::make(std::move(parts), after.run);
    if (!other)
      return other.error();
    const std::vector<IntervalEstimate> change = differences(before, *other, asked, range.size());
    for (size_t f = 0; f < asked.size(); ++f) {
      Compared &c = figures[f];
      c.after.trust = hull(c.after.trust, figureOf(*other, asked[f]).trust);
      c.difference.trust = hull(c.difference.trust, change[f].trust);
    }
  }
  return Done{};
}

} // namespace quincunx
