// How far the last of N is off when only four moments of a task are known.
#include "TrueLaws.h"
#include "quincunx/cost/Join.h"
#include "quincunx/dist/Pearson.h"

#include <gtest/gtest.h>

using namespace quincunx;
using namespace quincunx::test;

namespace {
RawMoments lastOf(const DistributionPtr &law, double n) {
  const Task task[] = {{law, n}};
  return joinLast(0, task)->raw;
}
} // namespace

TEST(Accuracy, TrueMomentsAreTheTextbook) {
  // lognormal: w = e^(sigma^2); Weibull 1.5: mean Gamma(5/3)
  const double w = std::exp(0.25);
  const Moments m = lognormal(0.5)->moments();
  EXPECT_NEAR(m.mean, std::sqrt(w), 1e-13);
  EXPECT_NEAR(m.variance / (w * (w - 1)), 1, 1e-12);
  EXPECT_NEAR(m.skewness / ((w + 2) * std::sqrt(w - 1)), 1, 1e-11);
  EXPECT_NEAR(weibull(1.5)->moments().mean, std::tgamma(5.0 / 3), 1e-13);
}

TEST(Accuracy, PearsonForTheLastOfMany) {
  for (const NamedLaw &named : trueLaws()) {
    SCOPED_TRACE(named.name);
    const DistributionPtr fitted = *fitPearson(named.law->moments(), {});
    for (const double n : {2.0, 128.0, 1e4}) {
      const RawMoments is = lastOf(fitted, n), truth = lastOf(named.law, n);
      if (named.exact) {
        EXPECT_NEAR(is.m1 / truth.m1, 1, 1e-10) << n;
        EXPECT_NEAR(is.m4 / truth.m4, 1, 1e-10) << n;
      } else if (n == 128 && named.name != "bimodal") {
        EXPECT_NEAR(is.m1 / truth.m1, 1, 0.002) << n;
      }
    }
  }
}
