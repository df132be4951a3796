// Mixtures of arbitrary laws, and histograms.
// The idea: tails add up with their weights, so several modes stay several modes; a histogram is
// mass spread evenly in each of its bins. Both are exact under integration, because their knots are
// those of the parts. Reference: docs/09-percentiles-and-bounds.md. Mixtures over runs, of laws
// known by their cumulants, are lib/dist/Mixture.cpp.
#include "Invert.h"
#include "quincunx/dist/Mixture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace quincunx {

namespace {

class Weighted final : public Distribution {
public:
  Weighted(std::span<const DistributionPtr> parts, std::vector<double> shares)
      : laws(parts.begin(), parts.end()), weights(std::move(shares)) {
    std::vector<Cumulants> k;
    for (const DistributionPtr &law : laws) {
      k.push_back(cumulants(law->moments()));
      const std::vector<double> own = law->knots();
      places.insert(places.end(), own.begin(), own.end());
    }
    sortKnots(places);
    known = quincunx::moments(mixture(k, weights));
  }

  double cdf(double t) const override {
    double sum = 0;
    for (size_t i = 0; i < laws.size(); ++i)
      sum += weights[i] * laws[i]->cdf(t);
    return std::min(sum, 1.0); // shares add up to 1 but for rounding
  }
  double survival(double t) const override {
    double sum = 0;
    for (size_t i = 0; i < laws.size(); ++i)
      sum += weights[i] * laws[i]->survival(t);
    return std::min(sum, 1.0);
  }
  double quantile(double p) const override { return invert(*this, places, p, 1 - p); }
  double upperQuantile(double q) const override { return invert(*this, places, 1 - q, q); }
  std::optional<double> density(double t) const override {
    double sum = 0;
    for (size_t i = 0; i < laws.size(); ++i) {
      const std::optional<double> f = laws[i]->density(t);
      if (!f)
        return std::nullopt;
      sum += weights[i] * *f;
    }
    return sum;
  }
  Moments moments() const override { return known; }
  Range support() const override {
    Range r = laws.front()->support();
    for (const DistributionPtr &law : laws)
      r = {std::min(r.low, law->support().low), std::max(r.high, law->support().high)};
    return r;
  }
  std::vector<double> knots() const override { return places; }
  void tails(std::span<const double> ascending, TailSpans out) const override {
    const size_t count = ascending.size();
    std::vector<double> below(count), above(count);
    std::fill_n(out.below.begin(), count, 0.0);
    std::fill_n(out.above.begin(), count, 0.0);
    for (size_t i = 0; i < laws.size(); ++i) {
      laws[i]->tails(ascending, {below, above});
      for (size_t j = 0; j < count; ++j) {
        out.below[j] += weights[i] * below[j];
        out.above[j] += weights[i] * above[j];
      }
    }
    for (size_t j = 0; j < count; ++j)
      out.below[j] = std::min(out.below[j], 1.0), out.above[j] = std::min(out.above[j], 1.0);
  }

private:
  std::vector<DistributionPtr> laws;
  std::vector<double> weights, places;
  Moments known;
};

/// Even mass within each bin.
class Histogram final : public Distribution {
public:
  Histogram(std::span<const double> e, std::span<const double> masses)
      : edges(e.begin(), e.end()), below(e.size()), above(e.size()) {
    for (size_t i = 0; i < masses.size(); ++i)
      below[i + 1] = below[i] + masses[i];
    for (size_t i = masses.size(); i-- > 0;)
      above[i] = above[i + 1] + masses[i];
    const double total = below.back(), other = above.front();
    for (size_t i = 0; i < edges.size(); ++i)
      below[i] /= total, above[i] /= other;
    known = quincunx::moments(integrateCumulants(*this));
  }

  double cdf(double t) const override { return between(below, t, 0, 1); }
  double survival(double t) const override { return between(above, t, 1, 0); }
  double quantile(double p) const override {
    const auto at = std::lower_bound(below.begin() + 1, below.end() - 1, p);
    return inBin(below, static_cast<size_t>(at - below.begin()), p);
  }
  double upperQuantile(double q) const override {
    const auto at =
        std::partition_point(above.begin() + 1, above.end() - 1, [q](double x) { return x > q; });
    return inBin(above, static_cast<size_t>(at - above.begin()), q);
  }
  std::optional<double> density(double t) const override {
    const size_t i = bin(t);
    return i == 0 || i == edges.size() ? 0 : (below[i] - below[i - 1]) / (edges[i] - edges[i - 1]);
  }
  Moments moments() const override { return known; }
  Range support() const override { return {edges.front(), edges.back()}; }
  std::vector<double> knots() const override { return edges; }

private:
  size_t bin(double t) const {
    return static_cast<size_t>(std::upper_bound(edges.begin(), edges.end(), t) - edges.begin());
  }
  double between(const std::vector<double> &tail, double t, double first, double last) const {
    const size_t i = bin(t);
    if (i == 0 || i == edges.size())
      return i == 0 ? first : last;
    const double u = (t - edges[i - 1]) / (edges[i] - edges[i - 1]);
    return tail[i - 1] + u * (tail[i] - tail[i - 1]);
  }
  /// Within the bin below edge i, where the tail is p.
  double inBin(const std::vector<double> &tail, size_t i, double p) const {
    const double step = tail[i] - tail[i - 1];
    const double u = step == 0 ? 1 : std::clamp((p - tail[i - 1]) / step, 0.0, 1.0);
    return edges[i - 1] + u * (edges[i] - edges[i - 1]);
  }

  std::vector<double> edges, below, above;
  Moments known;
};

/// Weights that sum up to 1, or why there are none.
Result<std::vector<double>> sharesOf(std::span<const double> weights) {
  double total = 0;
  for (const double w : weights) {
    if (!(w >= 0) || !std::isfinite(w))
      return Error{"a weight is negative or not finite"};
    total += w;
  }
  if (!(total > 0) || !std::isfinite(total))
    return Error{"the weights have no sum"};
  std::vector<double> shares;
  for (const double w : weights)
    shares.push_back(w / total);
  return shares;
}

} // namespace

Result<DistributionPtr> makeWeighted(std::span<const DistributionPtr> laws,
                                     std::span<const double> weights) {
  if (laws.size() != weights.size())
    return Error{"a mixture needs a weight for every law"};
  Result<std::vector<double>> shares = sharesOf(weights);
  if (!shares)
    return shares.error();
  return DistributionPtr(std::make_shared<Weighted>(laws, std::move(*shares)));
}

Result<DistributionPtr> makeHistogram(std::span<const double> edges,
                                      std::span<const double> masses) {
  if (edges.size() != masses.size() + 1)
    return Error{"a histogram has one edge more than bins"};
  for (size_t i = 0; i < edges.size(); ++i)
    if (!std::isfinite(edges[i]) || (i > 0 && !(edges[i] > edges[i - 1])))
      return Error{"the edges of a histogram must be finite and ascend"};
  const Result<std::vector<double>> shares = sharesOf(masses);
  if (!shares)
    return shares.error();
  return DistributionPtr(std::make_shared<Histogram>(edges, *shares));
}

} // namespace quincunx
