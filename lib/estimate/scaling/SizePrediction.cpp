// What runs would cost at other sizes, by a law of growth.
// The idea: each run keeps its deviation from the law, scaled by a power of the size that is
// regressed from the deviations. The smaller half has to predict the larger one by the same steps
// before anything is said. Seeded. Reference: docs/17-what-if.md. It cannot know of what changes
// beyond the sizes that ran.
#include "SizeFit.h"

#include "estimate/figures/Notes.h"
#include "quincunx/base/Text.h"
#include "quincunx/numeric/Quantile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

namespace quincunx {

namespace {

using Form = SizeLaw::Form;
constexpr int bootstraps = 200;
/// A form may be the right one as well when its error is not more than this much larger.
constexpr double asSure = 1.5;
/// Exponent with which deviations from the law grow.
double spreadPower(const SizeLaw &law, const SizePoints &points) {
  SizePoints away;
  for (const SizePoint &p : points)
    away.push_back({p.n, std::fabs(p.y - law.at(p.n, p.other))});
  const double largest =
      std::max_element(away.begin(), away.end(), [](const SizePoint &a, const SizePoint &b) {
        return a.y < b.y;
      })->y;
  std::erase_if(away, [&](const SizePoint &p) { return p.y <= 1e-9 * largest; });
  return away.size() < 3 ? 0 : std::clamp(logSlope(away), 0.0, 4.0);
}

/// What the run of `p` would have cost as one of size `n` and another feature `other`.
double moved(const SizeLaw &law, double power, const SizePoint &p, double n, double other) {
  const double away = p.y - law.at(p.n, p.other);
  return std::max(0.0, law.at(n, other) + std::pow(n / p.n, power) * away);
}

double mean(const std::vector<double> &values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Errors of what small runs say of large ones (of mean and p99 relative to these; of the shares of
/// runs below the quartiles), and how far sampling alone moves these errors.
using Errors = std::array<double, 5>;
struct Check {
  Errors is{}, floor{};
};
/// With which a law holds, and what sampling alone may do to them.
constexpr Errors most{0.03, 0.06, 0.03, 0.03, 0.03}, mostFloor{0.10, 0.35, 0.15, 0.15, 0.15};

Errors errorsOf(std::vector<double> is, std::vector<double> should) {
  std::sort(is.begin(), is.end());
  std::sort(should.begin(), should.end());
  const auto below = [&](double p) { // half of what is equal
    const double q = is[static_cast<size_t>(p * static_cast<double>(is.size()))];
    const auto share = [q](const std::vector<double> &x) {
      const auto [low, high] = std::equal_range(x.begin(), x.end(), q);
      return static_cast<double>((low - x.begin()) + (high - x.begin())) /
             static_cast<double>(2 * x.size());
    };
    return share(should) - share(is);
  };
  return {mean(is) / mean(should) - 1, percentile(is, 0.99) / percentile(should, 0.99) - 1,
          below(0.25), below(0.5), below(0.75)};
}

Check check(Form form, const SizeHalves &h) {
  constexpr size_t each = 8; // predictions for the size of every large run
  const SizeLaw law = fitted(form, h.small);
  const double power = spreadPower(law, h.small);
  std::mt19937_64 random(1);
  std::vector<double> predicted, truth;
  for (const SizePoint &p : h.large) {
    truth.push_back(p.y);
    for (size_t i = 0; i < each; ++i)
      predicted.push_back(moved(law, power, h.small[random() % h.small.size()], p.n, p.other));
  }
  Check c{errorsOf(predicted, truth), {}};
  std::vector<double> is(predicted.size()), should(truth.size());
  for (int i = 0; i < bootstraps; ++i) {
    for (size_t k = 0; k < truth.size(); ++k) {
      const size_t drawn = random() % truth.size();
      should[k] = truth[drawn];
      for (size_t j = 0; j < each; ++j)
        is[each * k + j] = predicted[each * drawn + random() % each];
    }
    const Errors again = errorsOf(is, should);
    for (size_t e = 0; e < again.size(); ++e)
      c.floor[e] += std::pow(again[e] - c.is[e], 2) / bootstraps;
  }
  for (double &f : c.floor)
    f = std::sqrt(f);
  return c;
}

/// How far the targets are from the runs, by the logarithm of the size, as a multiple of how far
/// the larger half is from the smaller one; at least 1.
double reach(const SizeHalves &h, std::span<const double> n, std::span<const double> targets) {
  const auto meanLog = [](const SizePoints &points) {
    double sum = 0;
    for (const SizePoint &p : points)
      sum += std::log(p.n);
    return sum / static_cast<double>(points.size());
  };
  double asked = 0, moving = 0;
  for (size_t i = 0; i < n.size(); ++i)
    if (targets[i] != n[i]) {
      asked += std::fabs(std::log(targets[i] / n[i]));
      moving += 1;
    }
  return moving == 0 ? 1 : std::max(1.0, asked / moving / (meanLog(h.large) - meanLog(h.small)));
}

/// What the runs would cost at their targets, by the law.
std::vector<double> costsAt(const SizeLaw &law, const SizePoints &points,
                            std::span<const double> targets) {
  const double power = spreadPower(law, points);
  std::vector<double> costs;
  for (size_t i = 0; i < points.size(); ++i) {
    const SizePoint &p = points[i];
    costs.push_back(targets[i] == p.n ? p.y : moved(law, power, p, targets[i], p.other));
  }
  return costs;
}

/// Over samples of runs, and over forms that predict the larger half about as well.
void forEachOther(const SizePoints &points, std::span<const double> targets,
                  const std::vector<SizeLaw> &all, double error, const TakePrediction &take) {
  std::mt19937_64 random(2);
  std::vector<uint32_t> runs(points.size());
  SizePoints again(points.size());
  std::vector<double> to(points.size());
  for (const SizeLaw &law : all) {
    if (law.error > std::max(asSure * error, 2 * exactly))
      continue;
    for (int i = 0; i < bootstraps; ++i) {
      for (size_t k = 0; k < runs.size(); ++k) {
        runs[k] = static_cast<uint32_t>(random() % points.size());
        again[k] = points[runs[k]];
        to[k] = targets[runs[k]];
      }
      take(runs, costsAt(fitted(law.form, again), again, to));
    }
  }
}

/// "+1 % in the mean and +2 % in p99, and shares of runs are off by up to +3 %".
std::string inWords(const Errors &e) {
  const double share = std::max({std::fabs(e[2]), std::fabs(e[3]), std::fabs(e[4])});
  return signedPercent(e[0]) + " in the mean and " + signedPercent(e[1]) +
         " in p99 (in shares of runs, up to " + signedPercent(share) + ")";
}

/// Why the check does not allow an answer; empty when it does.
std::string refusal(const Check &c, double further, size_t runs) {
  double more = 0;
  bool holds = true;
  for (size_t e = 0; e < most.size(); ++e) {
    more = std::max(more, c.floor[e] / mostFloor[e]);
    holds = holds && further * std::fabs(c.is[e]) <= most[e] + 2 * c.floor[e];
  }
  if (!(more <= 1))
    return "there are too few runs to check a size law: sampling alone moves what the smaller half "
           "of the sizes predicts of the larger half by " +
           inWords(c.floor) +
           (std::isfinite(more)
                ? "; about " + brief(std::ceil(static_cast<double>(runs) * more * more), 2) +
                      " runs of these sizes would do"
                : "");
  if (!holds)
    return "no size law holds: from the smaller half of the sizes the larger half is predicted "
           "with an error of " +
           inWords(c.is) +
           (further > 1 ? ", and what is asked lies " + brief(further, 2) + " times as far" : "");
  return {};
}

} // namespace

Result<SizePrediction> predictAtSizes(std::span<const double> n, std::span<const double> y,
                                      std::span<const double> targets, const TakePrediction &others,
                                      std::span<const double> other) {
  const Result<SizeHalves> h = halvesOf(n, y, other);
  if (!h)
    return h.error();
  const std::vector<SizeLaw> all = candidates(*h, !other.empty());
  SizePrediction out;
  out.law = chosen(all);
  const Check c = check(out.law.form, *h);
  out.meanCheck = c.is[0];
  out.p99Check = c.is[1];
  const double further = reach(*h, n, targets);
  out.meanDoubt = further * std::max(0.0, std::fabs(c.is[0]) - c.floor[0]);
  out.p99Doubt = further * std::max(0.0, std::fabs(c.is[1]) - c.floor[1]);
  if (const std::string why = refusal(c, further, n.size()); !why.empty())
    return Error{why};
  SizePoints points;
  for (size_t i = 0; i < n.size(); ++i)
    points.push_back({n[i], y[i], other.empty() ? 1 : other[i]});
  out.costs = costsAt(out.law, points, targets);
  if (others)
    forEachOther(points, targets, all, out.law.error, others);
  return out;
}

} // namespace quincunx
