// The mixture over runs when costs are random given the run: F(t) = sum_d w_d F(t|d).
// The idea: each part is a law fitted to its own three cumulants; parts are never blurred into the
// four moments of the whole, which would lose its modes. Quantiles by Newton's method inside a
// bracket that only shrinks. Reference: docs/03-runs-kept-apart.md; the Chernoff bound of the gamma
// law. It does not use the fourth cumulant of a part in the law, only in the moments.
#include "quincunx/dist/Mixture.h"
#include "Invert.h"
#include "base/Infinity.h"

#include "Steps.h"
#include "quincunx/numeric/Special.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

/// ln of the Chernoff bound of the gamma law's tail beyond x, on the side of x away from the mean
/// `a`.
double chernoff(double a, double x) { return a - x + a * std::log(x / a); }

/// Where bounds are this small, a tail is 0, or 1 minus it is 1, in double precision.
constexpr double vanishes = -745, invisible = -42;

enum class Tail : uint8_t { lower, upper };

/// The most of a positive cost that may be below 0 before its third cumulant gives way.
constexpr double strayed = 0.1;

/// P(G <= x) or P(G > x) of the gamma law of shape and mean `a`.
double tailOf(Tail tail, double a, double x) {
  const bool upper = tail == Tail::upper;
  if (x <= 0)
    return upper ? 1 : 0;
  const bool beyondMean = (x < a) != upper; // the mean is not in the tail
  if (chernoff(a, x) < (beyondMean ? vanishes : invisible))
    return beyondMean ? 0 : 1;
  return upper ? gammaSurvival(a, x) : gammaCdf(a, x);
}
} // namespace

// Pearson III: T = mean + deviation sign (G - a)/sqrt(a), G gamma with shape a = 4/skewness^2. It
// begins at 0 when skewness = 2 deviation/mean.
ComponentLaw::ComponentLaw(const Cumulants &k) : mean(k.k1), deviation(std::sqrt(k.k2)) {
  const auto bend = [&](double skewness) {
    shape = std::abs(skewness) < 0.05 ? 0 : 4 / (skewness * skewness);
    sign = skewness < 0 ? -1 : 1;
  };
  bend(moments(k).skewness);
  if (mean > 0 && cdf(0) > strayed)
    bend(2 * deviation / mean);
}

double ComponentLaw::cdf(double t) const {
  const double z = (t - mean) / deviation;
  if (shape == 0)
    return normalCdf(z);
  const double x = shape + sign * z * std::sqrt(shape);
  return tailOf(sign > 0 ? Tail::lower : Tail::upper, shape, x);
}

double ComponentLaw::survival(double t) const {
  const double z = (t - mean) / deviation;
  if (shape == 0)
    return normalSurvival(z);
  const double x = shape + sign * z * std::sqrt(shape);
  return tailOf(sign > 0 ? Tail::upper : Tail::lower, shape, x);
}

double ComponentLaw::density(double t) const {
  const double z = (t - mean) / deviation;
  if (shape == 0)
    return normalDensity(z) / deviation;
  const double x = shape + sign * z * std::sqrt(shape);
  return x < 0 ? 0 : gammaDensity(shape, x) * std::sqrt(shape) / deviation;
}

Range ComponentLaw::support() const {
  if (shape == 0)
    return {-inf, inf};
  const double end = mean - sign * deviation * std::sqrt(shape);
  return sign > 0 ? Range{end, inf} : Range{-inf, end};
}

// In d = ln(G/a) the gamma density falls by a (e^d - 1 - d): steps over which it falls by about
// e^4, and a factor of 3.3 at most towards the end.
void ComponentLaw::addKnots(std::vector<double> &out) const {
  if (shape == 0) {
    for (int i = -9; i <= 9; ++i)
      out.push_back(mean + deviation * i * (1 + 0.05 * std::abs(i)));
    return;
  }
  for (const int way : {-1, 1}) {
    double d = 0;
    while (shape * expm1MinusX(d) < 64 && std::abs(d) < 42) {
      out.push_back(mean + sign * deviation * std::sqrt(shape) * std::expm1(d));
      d += way * std::min(1.2, 4 / (shape * std::abs(std::expm1(d)) + 2 * std::sqrt(shape)));
    }
  }
  out.push_back(mean - sign * deviation * std::sqrt(shape));
}

namespace {

class Spread final : public Distribution {
public:
  Spread(std::span<const MixtureComponent> parts, const Moments &m) : known(m) {
    std::vector<std::pair<double, double>> steps;
    for (const MixtureComponent &p : parts) {
      total += p.weight;
      if (p.open)
        open += p.weight;
      else if (p.k.k2 > 0)
        laws.push_back({ComponentLaw(p.k), p.weight});
      else
        steps.emplace_back(p.k.k1, p.weight);
      if (!p.open)
        frame(p.k);
    }
    std::sort(steps.begin(), steps.end());
    std::vector<double> values, weights;
    for (const auto &[value, weight] : steps)
      values.push_back(value), weights.push_back(weight), stepWeight += weight;
    atoms = values;
    if (!values.empty())
      staircase = stepLaw(std::move(values), std::move(weights), 0, {});
    if (laws.size() >= 4 * groups)
      coarse = std::make_unique<Spread>(compress(parts, groups), m);
  }

  double cdf(double t) const override {
    double sum = staircase ? stepWeight * staircase->cdf(t) : 0;
    for (const auto &[law, weight] : laws)
      sum += weight * law.cdf(t);
    return sum / total;
  }
  double survival(double t) const override {
    double sum = open + (staircase ? stepWeight * staircase->survival(t) : 0);
    for (const auto &[law, weight] : laws)
      sum += weight * law.survival(t);
    return sum / total;
  }
  /// The density of the continuous part; a law with steps has no density of the whole.
  std::optional<double> density(double t) const override {
    if (staircase)
      return std::nullopt;
    return slope(t);
  }
  Moments moments() const override { return known; }
  Range support() const override {
    Range r{inf, -inf};
    if (staircase)
      r = staircase->support();
    for (const auto &[law, weight] : laws) {
      const Range own = law.support();
      r = {std::min(r.low, own.low), std::max(r.high, own.high)};
    }
    return {r.low, open > 0 ? inf : r.high};
  }
  double quantile(double p) const override {
    const double reachable = (total - open) / total;
    const bool never = p > reachable || (p >= reachable && unbounded());
    return never ? inf : find(p, 1 - p);
  }
  double upperQuantile(double q) const override {
    const double unreachable = open / total;
    const bool never = q < unreachable || (q <= unreachable && unbounded());
    return never ? inf : find(1 - q, q);
  }
  std::vector<double> knots() const override;

private:
  /// More than these are thinned out: whoever integrates over so many parts is content with less.
  static constexpr size_t maxKnots = 4000;
  /// A quantile of many parts starts from that of this many merged ones.
  static constexpr size_t groups = 64;
  struct Weighted {
    ComponentLaw law;
    double weight;
  };
  void frame(const Cumulants &k) {
    const double d = std::sqrt(k.k2);
    low = std::min(low, k.k1 - 8 * d), high = std::max(high, k.k1 + 8 * d);
    if (d > 0)
      narrowest = std::min(narrowest, d);
  }
  double slope(double t) const {
    double sum = 0;
    for (const auto &[law, weight] : laws)
      sum += weight * law.density(t);
    return sum / total;
  }
  bool unbounded() const { return !laws.empty() && support().high == inf; }
  /// F(t) - p with q = 1 - p, from whichever tail is the smaller. Between parts that are far from
  /// each other F may be p, which sums of weights are but for rounding.
  double excess(double t, double p, double q) const {
    return p <= 0.5 ? cdf(t) - p * (1 - massRounding) : q * (1 + massRounding) - survival(t);
  }
  Range bracket(double p, double q) const;
  double find(double p, double q) const;

  std::vector<Weighted> laws;
  std::vector<double> atoms;
  DistributionPtr staircase;
  double stepWeight = 0, open = 0, total = 0;
  double low = inf, high = -inf, narrowest = inf;
  std::unique_ptr<const Spread> coarse;
  Moments known;
};

/// An interval with F(low) < p <= F(high), or an end that is infinite where none can be reached.
Range Spread::bracket(double p, double q) const {
  Range r{low, high};
  double width = std::max({high - low, std::abs(high), std::abs(low), 1e-300});
  for (double step = width; excess(r.low, p, q) >= 0; step *= 2)
    if (r.low -= step; !std::isfinite(r.low))
      return r;
  for (double step = width; excess(r.high, p, q) < 0; step *= 2)
    if (r.high += step; !std::isfinite(r.high))
      return {r.low, inf};
  return r;
}

std::vector<double> Spread::knots() const {
  std::vector<double> k = atoms;
  for (const auto &[law, weight] : laws)
    law.addKnots(k);
  std::sort(k.begin(), k.end());
  k.erase(std::unique(k.begin(), k.end()), k.end());
  if (k.size() <= maxKnots + atoms.size())
    return k;
  std::vector<double> few = atoms;
  for (size_t i = 0; i < maxKnots; ++i)
    few.push_back(k[i * (k.size() - 1) / (maxKnots - 1)]);
  std::sort(few.begin(), few.end());
  few.erase(std::unique(few.begin(), few.end()), few.end());
  return few;
}

double Spread::find(double p, double q) const {
  Range r = bracket(p, q);
  if (!std::isfinite(r.high) || !std::isfinite(r.low))
    return r.high;
  double t = coarse ? coarse->find(p, q) : r.low;
  if (!(t > r.low && t < r.high))
    t = r.low + (r.high - r.low) / 2;
  double before = 0;
  for (int i = 0; i < 200; ++i) {
    const double tolerance = 1e-14 * std::max({std::abs(r.low), std::abs(r.high), narrowest});
    if (r.high - r.low <= tolerance)
      break;
    const double g = excess(t, p, q), f = slope(t);
    (g < 0 ? r.low : r.high) = t;
    // Newton's step, pushed a little beyond the root so that the other end of the bracket closes in
    // too; past a few, every fourth step halves, for steps and flat places.
    const double step = std::abs(g / f), next = t - g / f + (g < 0 ? 0.4 : -0.4) * tolerance;
    const bool newton = f > 0 && next > r.low && next < r.high && (i < 8 || i % 4 != 3);
    // Its error goes as the square of the one before, so this is what the next step would be.
    if (newton && !staircase && step * (step / before) * (step / before) <= tolerance)
      return t - g / f;
    before = newton ? step : 0;
    t = newton ? next : r.low + (r.high - r.low) / 2;
  }
  const auto atom = std::upper_bound(atoms.begin(), atoms.end(), r.low);
  return atom != atoms.end() && *atom <= r.high && excess(*atom, p, q) >= 0 ? *atom : r.high;
}

std::optional<Error> refuse(std::span<const MixtureComponent> parts) {
  double total = 0;
  for (const MixtureComponent &p : parts) {
    const Cumulants &k = p.k;
    if (!std::isfinite(k.k1) || !std::isfinite(k.k2) || !std::isfinite(k.k3) ||
        !std::isfinite(k.k4) || !std::isfinite(p.weight))
      return Error{"the cost of a run is not finite"};
    if (k.k2 < 0)
      return Error{"the variance of a run's cost is negative"};
    if (p.weight < 0)
      return Error{"the weight of a run is negative"};
    total += p.weight;
  }
  if (!(total > 0) || !std::isfinite(total))
    return Error{"a law over runs needs at least one run"};
  return std::nullopt;
}

DistributionPtr weightedSteps(std::span<const MixtureComponent> parts, const Moments &m) {
  std::vector<std::pair<double, double>> steps;
  double open = 0;
  for (const MixtureComponent &p : parts)
    if (p.open)
      open += p.weight;
    else
      steps.emplace_back(p.k.k1, p.weight);
  std::sort(steps.begin(), steps.end());
  std::vector<double> values, weights;
  for (const auto &[value, weight] : steps)
    values.push_back(value), weights.push_back(weight);
  return stepLaw(std::move(values), std::move(weights), open, m);
}

/// One part with the weight and the moments of several.
MixtureComponent merged(std::span<const MixtureComponent> parts) {
  std::vector<Cumulants> k;
  std::vector<double> w;
  MixtureComponent sum{{}, 0, parts.front().open};
  for (const MixtureComponent &p : parts)
    k.push_back(p.k), w.push_back(p.weight), sum.weight += p.weight;
  sum.k = sum.weight > 0 ? mixture(k, w) : parts.front().k;
  return sum;
}

} // namespace

Result<DistributionPtr> makeMixture(std::span<const MixtureComponent> parts) {
  if (const auto error = refuse(parts))
    return *error;
  const Moments m = moments(merged(parts).k);
  const bool constant = std::all_of(parts.begin(), parts.end(), [](const MixtureComponent &p) {
    return p.open || !(p.k.k2 > 0);
  });
  if (constant)
    return weightedSteps(parts, m);
  return DistributionPtr(std::make_shared<Spread>(parts, m));
}

std::vector<MixtureComponent> compress(std::span<const MixtureComponent> parts, size_t groups) {
  std::vector<MixtureComponent> sorted(parts.begin(), parts.end());
  const bool constant = std::all_of(parts.begin(), parts.end(),
                                    [](const MixtureComponent &p) { return !(p.k.k2 > 0); });
  if (constant || parts.size() <= groups || groups < 4)
    return sorted;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const MixtureComponent &a, const MixtureComponent &b) {
                     return a.open != b.open ? b.open : a.k.k1 < b.k.k1;
                   });
  const auto split =
      std::find_if(sorted.begin(), sorted.end(), [](const MixtureComponent &p) { return p.open; });
  const std::span<const MixtureComponent> closed(sorted.begin(), split), open(split, sorted.end());
  std::vector<MixtureComponent> out;
  // Half of the groups are the costliest runs, one each: they are the tail that p99.9 looks at.
  const size_t kept = std::min(closed.size(), groups / 2), rest = closed.size() - kept;
  const size_t slots = std::min(rest, groups - kept - 1);
  for (size_t i = 0; i < slots; ++i) {
    const size_t from = i * rest / slots, to = (i + 1) * rest / slots;
    out.push_back(merged(closed.subspan(from, to - from)));
  }
  out.insert(out.end(), closed.end() - static_cast<std::ptrdiff_t>(kept), closed.end());
  if (!open.empty())
    out.push_back(merged(open));
  return out;
}

} // namespace quincunx
