// The normal law.
// The idea: mean and variance decide; skewness and kurtosis are not asked for, since who wants them
// takes another family. Reference: docs/09-percentiles-and-bounds.md.
#include "base/Infinity.h"
#include "quincunx/dist/Families.h"
#include "quincunx/numeric/Special.h"

#include <cmath>

namespace quincunx {

namespace {

class Normal final : public Distribution {
public:
  Normal(double center, double sd) : mean(center), deviation(sd) {}
  double cdf(double t) const override { return normalCdf((t - mean) / deviation); }
  double survival(double t) const override { return normalSurvival((t - mean) / deviation); }
  double quantile(double p) const override {
    return p > 0 && p < 1 ? mean + deviation * normalQuantile(p) : p > 0 ? inf : -inf;
  }
  double upperQuantile(double q) const override {
    return q > 0 && q < 1 ? mean - deviation * normalQuantile(q) : q > 0 ? -inf : inf;
  }
  std::optional<double> density(double t) const override {
    return normalDensity((t - mean) / deviation) / deviation;
  }
  Moments moments() const override { return {mean, deviation * deviation, 0, 3}; }
  Range support() const override { return {-inf, inf}; }
  std::vector<double> knots() const override {
    // e^-(14^2/2) = 1e-43
    std::vector<double> k;
    for (const double z : {-14., -11., -9., -7., -5.5, -4., -2.8, -1.6, -0.5, 0.5, 1.6, 2.8, 4.,
                           5.5, 7., 9., 11., 14.})
      k.push_back(mean + deviation * z);
    return k;
  }

private:
  double mean, deviation;
};

} // namespace

Result<DistributionPtr> fitNormal(const Moments &m, Range) {
  if (const auto error = unfit(m))
    return *error;
  return DistributionPtr(std::make_shared<Normal>(m.mean, m.deviation()));
}

} // namespace quincunx
