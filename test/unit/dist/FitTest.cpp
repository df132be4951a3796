// The choice of a family, and histograms.
#include "quincunx/dist/Fit.h"

#include "Csv.h"
#include "quincunx/cost/Join.h"
#include "quincunx/dist/Families.h"
#include "quincunx/dist/Mixture.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace quincunx;
using namespace quincunx::test;

namespace {
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr Range line{-inf, inf};
} // namespace

TEST(Fit, Choice) {
  const struct {
    Moments m;
    const char *family;
  } table[] = {
      {{5, 0, 0, 3}, "point"},      {{0, 1, 0, 3}, "pearson"},
      {{0, 1, 0, 1.8}, "pearson"},  {{0.5, 1.0 / 12, 0, 1.8}, "pearson"},
      {{1, 1, 2, 9}, "pearson"},    {{0, 1, 0, 1.5}, "maxent"},
      {{0, 1, 0.3, 1.6}, "maxent"}, {{0, 1, 1.5, 3.4}, "pearson"},
      {{0, 1, 0, 1}, "pearson"},
  };
  for (const auto &[m, family] : table) {
    const Result<Fit> fit = fitLaw(m, line);
    ASSERT_TRUE(fit) << fit.error().text;
    EXPECT_EQ(fit->family, family) << m.skewness << " " << m.kurtosis << " " << fit->why;
    EXPECT_FALSE(fit->why.empty());
  }
  EXPECT_FALSE(fitLaw({0, 1, 0, 0.5}, line));
  EXPECT_FALSE(fitLaw({0, 1, 0, 3}, line, "gumbel"));
  EXPECT_EQ(fitLaw({0, 1, 0, 3}, line, "johnson")->family, "johnson");
}

TEST(Histogram, EvenWithinBins) {
  const DistributionPtr law =
      *makeHistogram(std::vector<double>{0, 1, 3, 4}, std::vector<double>{1, 0, 3});
  EXPECT_DOUBLE_EQ(law->cdf(0.5), 0.125);
  EXPECT_DOUBLE_EQ(law->survival(3.5), 0.375);
  EXPECT_DOUBLE_EQ(law->cdf(2), 0.25);
  EXPECT_DOUBLE_EQ(law->quantile(0.25), 1);
  EXPECT_DOUBLE_EQ(law->quantile(0.625), 3.5);
  EXPECT_DOUBLE_EQ(law->upperQuantile(0.375), 3.5);
  EXPECT_NEAR(law->moments().mean, 0.25 * 0.5 + 0.75 * 3.5, 1e-14);
  EXPECT_NEAR(law->moments().variance + 2.75 * 2.75, 0.25 / 3 + 0.75 * (64 - 27) / 3.0, 1e-13);
  EXPECT_FALSE(makeHistogram(std::vector<double>{0, 0}, std::vector<double>{1}));
  EXPECT_FALSE(makeHistogram(std::vector<double>{0, 1}, std::vector<double>{0}));
  EXPECT_FALSE(makeHistogram(std::vector<double>{0, 1}, std::vector<double>{-1}));
  EXPECT_FALSE(makeHistogram(std::vector<double>{0}, {}));
}
