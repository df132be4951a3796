// Intervals that hold whatever calls through pointers may call, or cost under a function.
// The idea: all runs at their least are one world, all at their most another; the intervals of both
// and what lies between them hold those in which some are cheap and some dear, as every figure
// rises with every run's cost. Reference: docs/17-what-if.md.
#include "PossibleCosts.h"

namespace quincunx {

namespace {

/// The runs, each so much dearer.
template <class More> Result<CostSample> moved(const CostSample &world, More more) {
  std::vector<MixtureComponent> parts = world.parts;
  for (size_t i = 0; i < parts.size(); ++i)
    parts[i].k.k1 += more(world.run[i]);
  return CostSample::make(std::move(parts), world.run);
}

void hold(const CostSample &before, const CostSample &other, const std::vector<Statistic> &asked,
          size_t runs, std::vector<Compared> &figures) {
  const std::vector<IntervalEstimate> change = differences(before, other, asked, runs);
  for (size_t f = 0; f < asked.size(); ++f) {
    Compared &c = figures[f];
    c.after.trust = hull(c.after.trust, figureOf(other, asked[f]).trust);
    c.difference.trust = hull(c.difference.trust, change[f].trust);
  }
}

} // namespace

Status holdRange(const std::vector<PointerTargets::Bounds> &range, const CostSample &before,
                 const CostSample &after, const std::vector<Statistic> &asked,
                 std::vector<Compared> &figures) {
  for (const auto end : {&PointerTargets::Bounds::low, &PointerTargets::Bounds::high}) {
    if (range.empty())
      break;
    const Result<CostSample> other = moved(after, [&](size_t run) { return range[run].*end; });
    if (!other)
      return other.error();
    hold(before, *other, asked, range.size(), figures);
  }
  return Done{};
}

Status holdAlong(const std::vector<double> &more, const CostSample &before, const CostSample &after,
                 const std::vector<Statistic> &asked, std::vector<Compared> &figures) {
  const Result<CostSample> other = moved(after, [&](size_t run) { return more[run]; });
  if (!other)
    return other.error();
  hold(before, *other, asked, more.size(), figures);
  for (size_t f = 0; f < asked.size(); ++f)
    figures[f].along = valueOf(*other, asked[f]);
  return Done{};
}

} // namespace quincunx
