// One branch or loop of which the flow is to change: the direction in which the counts of each run
// move, how far, and the variance that outcomes make on the way.
#pragma once

#include "ChangedFlows.h"
#include "estimate/scaling/PairedBootstrap.h"
#include "quincunx/estimate/Change.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace quincunx {

/// What changes of flow do to the cost of each run.
struct FlowEffect {
  /// Per power of the variable and run, to be added to CostChanges::runs().
  std::vector<std::vector<Cumulants>> delta;
  /// Per run: the variance that outcomes make within it, and that part of the spread between runs
  /// which came of outcomes that are drawn anew.
  std::vector<double> within, redrawn;
  /// Per run: how often one like it happens, for each time it did.
  std::vector<double> weights;
  /// The same where run d is drawn times[d] times; empty: weights of runs play no part.
  ReweighRuns redraw;
  double rarerRuns = HUGE_VAL; ///< so many equal runs tell what the rarest side of a branch costs
  /// Half of the 90 % interval that all costs share: of what is not known about where flow goes to.
  double error = 0;

  /// The within/between split: runs keep that spread which is not drawn anew. False, and nothing
  /// done, where independent outcomes would make more variance than there is.
  bool spread(const std::vector<double> &perRun, std::vector<Cumulants> &costs) const;
};

/// Runs, and standard errors of a slope, from which on something is said to follow something else.
inline constexpr double minFollowing = 10, minSlopeRatio = 3;
/// And of the largest to the smallest, as a power of what hardly differs says nothing of twice
/// that.
inline constexpr double minSpread = 1.25;
template <class Points> bool isSpread(const Points &points) {
  const auto [least, most] =
      std::ranges::minmax_element(points, {}, [](const auto &point) { return point.first; });
  return least != points.end() && most->first >= minSpread * least->first;
}

class FlowChange {
public:
  FlowChange(const Change &what, size_t f) : change(what), function(f) {}
  virtual ~FlowChange() = default;
  /// How far run `run` goes along its direction, at the value `x` of the variable. Errors: a
  /// probability above 1, a loop that would never end.
  virtual Result<double> distance(size_t run, double x) const = 0;
  /// Adds the variance that outcomes make in each run, and what of the spread is drawn anew.
  virtual void addVariance(double x, FlowEffect &effect) const = 0;
  /// Adds what is known about the way of costs from few runs only.
  virtual void addError(double x, FlowEffect &effect) const = 0;
  bool hasVariable() const { return !change.variable.empty(); }

  const Change change;
  const size_t function; ///< index in CountMatrix::functions
  /// Per run and edge: by how much it is passed more often, for a distance of 1. Empty for a run
  /// that does not change, or where some flow would never end.
  std::vector<std::vector<double>> direction;
  /// Per power and run: what the direction costs, with all that it calls.
  std::vector<std::vector<Cumulants>> slope;

protected:
  /// What the direction costs run `run`, at the value `x` of the variable.
  double slopeAt(size_t run, double x) const {
    double sum = 0, factor = 1;
    for (const auto &term : slope) {
      sum += factor * term[run].k1;
      factor *= x;
    }
    return sum;
  }
  /// The value asked for.
  double valueAt(double x) const { return change.value.k1 * (hasVariable() ? x : 1); }
};

} // namespace quincunx
