// A law that was moved and stretched.
// The idea: all questions go to the law of X at (t - shift) / scale. Knots are mapped once, and
// what lies between two of them stays between theirs: a step is not missed by rounding. Reference:
// docs/09-percentiles-and-bounds.md.
#include "quincunx/dist/Affine.h"
#include "base/Infinity.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace quincunx {

namespace {

class Affine final : public Distribution {
public:
  Affine(DistributionPtr law, double shift, double scale)
      : of(std::move(law)), shift_(shift), scale_(scale), inner(of->knots()) {
    for (const double x : inner)
      outer.push_back(mapped(x));
  }

  double cdf(double t) const override { return of->cdf(back(t)); }
  double survival(double t) const override { return of->survival(back(t)); }
  double quantile(double p) const override { return mapped(of->quantile(p)); }
  double upperQuantile(double q) const override { return mapped(of->upperQuantile(q)); }
  std::optional<double> density(double t) const override {
    const std::optional<double> f = of->density(back(t));
    return f ? std::optional(*f / scale_) : std::nullopt;
  }
  Moments moments() const override {
    Moments m = of->moments();
    m.mean = mapped(m.mean), m.variance *= scale_ * scale_;
    return m;
  }
  Range support() const override {
    const Range r = of->support();
    return {mapped(r.low), mapped(r.high)};
  }
  std::vector<double> knots() const override { return outer; }
  void tails(std::span<const double> ascending, TailSpans out) const override {
    std::vector<double> x;
    for (const double t : ascending)
      x.push_back(back(t));
    of->tails(x, out);
  }

private:
  double mapped(double x) const { return shift_ + scale_ * x; }
  /// Between the knots of X as t is between those of the law.
  double back(double t) const {
    const auto above = std::upper_bound(outer.begin(), outer.end(), t);
    const auto i = static_cast<size_t>(above - outer.begin());
    const double low = i == 0 ? -inf : inner[i - 1];
    const double high = i == inner.size() ? inf : std::nextafter(inner[i], -inf);
    return i != 0 && t == outer[i - 1] ? low : std::min(std::max((t - shift_) / scale_, low), high);
  }

  DistributionPtr of;
  double shift_, scale_;
  std::vector<double> inner, outer; ///< knots of X, and where they are
};

} // namespace

DistributionPtr makeAffine(DistributionPtr law, double shift, double scale) {
  assert(scale > 0 && std::isfinite(scale) && std::isfinite(shift) && "a line that rises");
  return std::make_shared<Affine>(std::move(law), shift, scale);
}

} // namespace quincunx
