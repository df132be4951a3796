// Parallel map and divide and conquer.
// The idea: the cost of j tasks in a row is a Pearson law with j times their cumulants (gamma,
// normal and constant tasks: exactly). A fixed placement is then a join of such sums, a random one
// an average over placements (RandomPlacement), and a recursion is either a join of all leaves or,
// level by level, the join of `arity` copies of the level below. Reference:
// docs/08-parallel-composition.md. It models no communication and no queues.
#include "quincunx/cost/Skeleton.h"

#include "RandomPlacement.h"
#include "quincunx/cost/Join.h"
#include "quincunx/cost/Rules.h"
#include "quincunx/dist/Mixture.h"
#include "quincunx/dist/Pearson.h"
#include "quincunx/numeric/Solve.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace quincunx {

namespace {

constexpr double maxLeaves = 1e9;
/// Tails this small have no part in any moment up to the fourth.
constexpr double negligible = 1e-28;

/// n tasks in a row.
Result<DistributionPtr> sumLaw(const Cumulants &task, uint64_t n) {
  const Cumulants k = repeated(static_cast<double>(n), task);
  if (n == 0 || k.k2 == 0)
    return makeSteps(std::vector<double>{n == 0 ? 0 : k.k1});
  return fitPearson(moments(k), {});
}

Status checkTask(const Cumulants &task) {
  if (task.k2 < 0 || !admissible(moments(task)))
    return Error{"no law has the cumulants of the task"};
  return Done{};
}

/// The busiest processor, from the sums of tasks that it may have.
class Busiest final : public Distribution {
public:
  Busiest(RandomPlacement p, std::vector<DistributionPtr> laws)
      : placement(std::move(p)), sums(std::move(laws)) {
    const Range all = support();
    const double middle = sums[sums.size() / 2]->quantile(0.5);
    const double step = sums.back()->moments().deviation() + 1e-300;
    const double low = edge(middle, -step, all.low), high = edge(middle, step, all.high);
    constexpr int panels = 24;
    for (int i = 0; i <= panels; ++i)
      places.push_back(i == panels ? high : low + (high - low) * i / panels);
    addIslands();
    k = integrateCumulants(*this);
  }
  const Cumulants &cumulants() const { return k; }

  double cdf(double t) const override { return at(t).below; }
  double survival(double t) const override { return at(t).above; }
  double quantile(double p) const override {
    return p < 0.5 ? root([&](double t) { return cdf(t) - p; })
                   : root([&](double t) { return (1 - p) - survival(t); });
  }
  double upperQuantile(double q) const override {
    return root([&](double t) { return q - survival(t); });
  }
  std::optional<double> density(double) const override { return std::nullopt; }
  Moments moments() const override { return quincunx::moments(k); }
  Range support() const override {
    Range r = sums.front()->support();
    for (const DistributionPtr &law : sums) {
      r.low = std::min(r.low, law->support().low);
      r.high = std::max(r.high, law->support().high);
    }
    return r;
  }
  std::vector<double> knots() const override { return places; }

private:
  Tails at(double t) const {
    std::vector<Tails> sum;
    sum.reserve(sums.size());
    for (const DistributionPtr &law : sums)
      sum.push_back({law->cdf(t), law->survival(t)});
    return placement.tails(sum);
  }
  /// The first place on the way from `t`, or the `end` of the support, beyond which a tail is
  /// negligible.
  double edge(double t, double step, double end) const {
    while (step > 0 ? t < end : t > end) {
      const Tails x = at(t);
      if ((step > 0 ? x.above : x.below) < negligible)
        return t;
      t += step, step *= 1.5;
    }
    return end;
  }
  /// Knots at sums that lie apart from each other, as those of tasks that are nearly constant, or
  /// are but for a long tail: it takes long to find them by halving panels.
  void addIslands() {
    const double low = places.front(), high = places.back();
    for (const double outside : {1e-9, 0.02}) { // of the mass of an island, on either side
      double end = -HUGE_VAL;
      for (const DistributionPtr &law : sums) {
        const double from = law->quantile(outside), to = law->upperQuantile(outside);
        if (from > end)
          for (const double place : {from, law->quantile(0.5), to})
            if (place > low && place < high)
              places.push_back(place);
        end = std::max(end, to);
      }
    }
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
  }
  /// The root of an increasing function between the knots at the ends.
  double root(const std::function<double(double)> &f) const {
    const double low = places.front(), high = places.back();
    if (f(low) >= 0)
      return low;
    if (f(high) < 0)
      return high;
    return solve([&](double t) { return Curve{f(t), 0}; }, low, high, k.k1,
                 quincunx::moments(k).deviation());
  }

  RandomPlacement placement;
  std::vector<DistributionPtr> sums; ///< of placement.least() .. placement.most() tasks
  std::vector<double> places;
  Cumulants k;
};

/// Constant tasks: c times the largest number of tasks on a processor.
Result<Makespan> occupancy(double c, const RandomPlacement &placement) {
  const uint64_t least = placement.least(), most = placement.most();
  std::vector<MixtureComponent> parts;
  double before = 0;
  for (uint64_t n = least; n <= most; ++n) {
    std::vector<Tails> sum;
    for (uint64_t j = least; j <= most; ++j)
      sum.push_back(j <= n ? Tails{1, 0} : Tails{0, 1});
    const double upTo = placement.tails(sum).below;
    if (upTo > before)
      parts.push_back({{static_cast<double>(n) * c, 0, 0, 0}, upTo - before});
    before = upTo;
  }
  Result<DistributionPtr> law = makeMixture(parts);
  if (!law)
    return law.error();
  std::vector<Cumulants> costs;
  std::vector<double> weights;
  for (const MixtureComponent &p : parts) {
    costs.push_back(p.k);
    weights.push_back(p.weight);
  }
  return Makespan{oneOf(costs, weights), *law};
}

Result<Makespan> place(const Cumulants &task, uint64_t tasks,
                       std::span<const ProcessorClass> classes) {
  if (const Status s = checkTask(task); !s)
    return s.error();
  if (tasks == 0)
    return Error{"there are no tasks"};
  const Result<RandomPlacement> placement = RandomPlacement::make(tasks, classes);
  if (!placement)
    return placement.error();
  if (task.k2 == 0)
    return occupancy(task.k1, *placement);
  std::vector<DistributionPtr> sums;
  for (uint64_t j = placement->least(); j <= placement->most(); ++j) {
    const Result<DistributionPtr> law = sumLaw(task, j);
    if (!law)
      return law.error();
    sums.push_back(*law);
  }
  const auto law = std::make_shared<Busiest>(*placement, std::move(sums));
  return Makespan{law->cumulants(), law};
}

Makespan inSeries(const Makespan &a, const Makespan &b) { return {a.k + b.k, nullptr}; }

/// The law of a makespan that is known by its cumulants.
Result<Makespan> fitted(const Cumulants &k) {
  const Result<DistributionPtr> law = sumLaw(k, 1);
  if (!law)
    return law.error();
  return Makespan{k, *law};
}

Result<Makespan> last(const DistributionPtr &law, double n, const Cumulants &around) {
  const Task task{law, n};
  const Result<Join> join = joinLast(n, std::span(&task, 1));
  if (!join)
    return join.error();
  return Makespan{join->k + around, nullptr};
}

Status checkRecursion(const Recursion &r, double &leaves, double &inner) {
  for (const Cumulants *k : {&r.split, &r.leaf, &r.combine})
    if (const Status s = checkTask(*k); !s)
      return s;
  if (r.arity < 2 || r.depth < 1)
    return Error{"a recursion splits into two parts or more, once or more"};
  leaves = std::pow(static_cast<double>(r.arity), static_cast<double>(r.depth));
  if (!(leaves <= maxLeaves))
    return Error{"the recursion has more than 10^9 leaves"};
  inner = std::round((leaves - 1) / (static_cast<double>(r.arity) - 1));
  return Done{};
}

} // namespace

Result<Makespan> fixedPlacement(const Cumulants &task, std::span<const uint64_t> share) {
  if (const Status s = checkTask(task); !s)
    return s.error();
  std::map<uint64_t, double> processors; // by their number of tasks
  for (const uint64_t n : share)
    if (n != 0)
      ++processors[n];
  if (processors.empty())
    return Error{"there are no tasks, or no processors"};
  std::vector<Task> tasks;
  for (const auto &[n, count] : processors) {
    const Result<DistributionPtr> law = sumLaw(task, n);
    if (!law)
      return law.error();
    tasks.push_back({*law, count});
  }
  const Result<Join> join = joinLast(0, tasks);
  if (!join)
    return join.error();
  return Makespan{join->k, join->law};
}

Result<Makespan> evenPlacement(const Cumulants &task, uint64_t tasks, uint64_t processors) {
  if (processors == 0)
    return Error{"there are no processors"};
  const uint64_t used = std::min(tasks, processors);
  if (used > 10'000'000)
    return Error{"so many processors are too much to compute"};
  std::vector<uint64_t> share(used, tasks / processors);
  for (uint64_t i = 0; i < tasks % processors; ++i)
    ++share[i];
  return fixedPlacement(task, share);
}

Result<Makespan> randomPlacement(const Cumulants &task, uint64_t tasks,
                                 std::span<const double> weights) {
  double sum = 0;
  std::map<double, uint64_t> processors; // by their weight
  for (const double w : weights) {
    if (!(w >= 0))
      return Error{"the weight of a processor is negative or no number"};
    sum += w;
    if (w > 0)
      ++processors[w];
  }
  if (!(sum > 0) || !std::isfinite(sum))
    return Error{"the weights of processors have no positive sum"};
  std::vector<ProcessorClass> classes;
  classes.reserve(processors.size());
  for (const auto &[w, count] : processors)
    classes.push_back({w / sum, count});
  return place(task, tasks, classes);
}

Result<Makespan> randomPlacement(const Cumulants &task, uint64_t tasks, uint64_t processors) {
  if (processors == 0)
    return Error{"there are no processors"};
  const ProcessorClass all{1 / static_cast<double>(processors), processors};
  return place(task, tasks, std::span(&all, 1));
}

Result<Makespan> divideAndConquer(const Recursion &r) {
  double leaves = 0, inner = 0;
  if (const Status s = checkRecursion(r, leaves, inner); !s)
    return s.error();
  const Cumulants around = r.split + r.combine;
  const auto depth = static_cast<double>(r.depth), arity = static_cast<double>(r.arity);
  Result<Makespan> level = fitted(r.leaf);
  if (!level)
    return level.error();
  if (around.k2 == 0) {
    level = last(level->law, leaves, repeated(depth, around));
  } else {
    for (uint64_t i = 0; i + 1 < r.depth; ++i) {
      level = last(level->law, arity, around);
      if (level)
        level = fitted(level->k);
      if (!level)
        return level.error();
    }
    level = last(level->law, arity, around);
  }
  return level ? fitted(level->k) : level.error();
}

Result<Makespan> divideAndConquer(const Recursion &r, uint64_t processors) {
  double leaves = 0, inner = 0;
  if (const Status s = checkRecursion(r, leaves, inner); !s)
    return s.error();
  Makespan sum;
  for (const auto &[task, n] : {std::pair{r.split, inner}, {r.leaf, leaves}, {r.combine, inner}}) {
    const Result<Makespan> phase = randomPlacement(task, static_cast<uint64_t>(n), processors);
    if (!phase)
      return phase.error();
    sum = inSeries(sum, *phase);
  }
  return fitted(sum.k);
}

} // namespace quincunx
