// Cumulants by panels, of the last of N copies: against the same integral over far more panels.
#include "quincunx/dist/OrderStatistic.h"
#include "quincunx/dist/Pearson.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace quincunx;

namespace {

/// The same law, asking for seven panels where it asked for one.
class Finer final : public Distribution {
public:
  explicit Finer(DistributionPtr known) : law(std::move(known)) {}
  double cdf(double t) const override { return law->cdf(t); }
  double survival(double t) const override { return law->survival(t); }
  double quantile(double p) const override { return law->quantile(p); }
  double upperQuantile(double q) const override { return law->upperQuantile(q); }
  std::optional<double> density(double t) const override { return law->density(t); }
  Moments moments() const override { return law->moments(); }
  Range support() const override { return law->support(); }
  std::vector<double> knots() const override { return law->knots(); }
  std::vector<double> edges() const override {
    const std::vector<double> e = law->edges();
    std::vector<double> out;
    for (size_t i = 1; i < e.size(); ++i)
      for (int k = 0; k < 7; ++k)
        out.push_back(e[i - 1] + (e[i] - e[i - 1]) * k / 7);
    out.push_back(e.back());
    return out;
  }
  void stations(std::span<const double> u, StationSpans out) const override {
    law->stations(u, out);
  }

private:
  DistributionPtr law;
};

} // namespace

// Not the U-shape at large N: next to the end of its support places are rounded.
TEST(Distribution, CumulantsByPanelsAreExact) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const Moments all[] = {{0, 1, 0, 3},          {0, 1, 0.6, 2.9},
                         {0, 1, 0, 2.33},       {0, 1, 1.265, 5.4},
                         {0, 1, -0.62, 4.9},    {0, 1, 1.763834207376393727, 9.8},
                         {0, 1, 1.7237, 8.764}, {0, 1, 0, 4.2}};
  for (const Moments &m : all)
    for (const double n : {2.0, 128.0, 1e4, 1e9}) {
      const DistributionPtr law =
          makeCombined({*fitPearson(m, {-inf, inf})}, lastOf({n}, Coupling::independent));
      const Cumulants k = integrateCumulants(*law), finer = integrateCumulants(Finer(law));
      const double sd = std::sqrt(finer.k2);
      EXPECT_NEAR(k.k1, finer.k1, 1e-13 * sd) << m.skewness << " " << m.kurtosis << " " << n;
      EXPECT_NEAR(k.k2, finer.k2, 2e-13 * sd * sd) << m.skewness << " " << m.kurtosis << " " << n;
      EXPECT_NEAR(k.k3, finer.k3, 5e-13 * std::pow(sd, 3)) << m.kurtosis << " " << n;
      EXPECT_NEAR(k.k4, finer.k4, 1e-12 * std::pow(sd, 4)) << m.kurtosis << " " << n;
    }
}
