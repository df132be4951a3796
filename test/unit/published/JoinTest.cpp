// Two different tasks: the heuristic, graphical, beta and Newton methods of Gautama's thesis
// against its examples (figures 5.3 to 5.18) and against exact results.
#include "published/Compare.h"
#include "published/Workloads.h"

#include <cmath>

using namespace quincunx;
using namespace quincunx::test;
using namespace quincunx::published;

namespace {

RawMoments rawOfExponential(double theta) {
  return {1 / theta, 2 / std::pow(theta, 2), 6 / std::pow(theta, 3), 24 / std::pow(theta, 4)};
}
// E[max^r] + E[min^r] = E[X_1^r] + E[X_2^r]
RawMoments exponentialLast(double a, double b) {
  const RawMoments x = rawOfExponential(a), y = rawOfExponential(b), z = rawOfExponential(a + b);
  return {x.m1 + y.m1 - z.m1, x.m2 + y.m2 - z.m2, x.m3 + y.m3 - z.m3, x.m4 + y.m4 - z.m4};
}

RawMoments rawOfNormal(double mean, double sd) {
  return rawMoments(cumulants(Moments{mean, sd * sd, 0, 3}));
}
Workload normal(double mean, double sd) {
  const Workload z = workloads()[1];
  const auto at = [=](const std::function<double(double)> &f, double scale) {
    return [=](double x) { return scale * f((x - mean) / sd); };
  };
  return {"normal",          {mean, sd * sd, 0, 3}, at(z.cdf, 1),
          at(z.survival, 1), at(z.density, 1 / sd), mean - 12 * sd,
          mean + 12 * sd};
}
RawMoments normalFirst(double mean, double sd) { // of normal(1,1) and normal(mean,sd)
  const RawMoments x = rawOfNormal(1, 1), y = rawOfNormal(mean, sd),
                   z = exactLast(normal(1, 1), normal(mean, sd));
  return {x.m1 + y.m1 - z.m1, x.m2 + y.m2 - z.m2, x.m3 + y.m3 - z.m3, x.m4 + y.m4 - z.m4};
}

Workload uniform(double a, double b) {
  const double w = b - a;
  return {"uniform",
          {},
          [=](double x) { return std::clamp((x - a) / w, 0.0, 1.0); },
          [=](double x) { return std::clamp((b - x) / w, 0.0, 1.0); },
          [=](double x) { return x > a && x < b ? 1 / w : 0; },
          a,
          b};
}

// X_1 uniform on (0, 1/m), X_2 uniform on (1, 3/2); (5.26), (5.27)
struct Example53 {
  double m;
  Lambda x1 = uniformLambda(0, 1 / m), x2 = uniformLambda(1, 1.5);
  RawMoments exact = exactLast(uniform(0, 1 / m), uniform(1, 1.5));
  RawMoments heuristic() const { return heuristicLast(kthOf(x1, 1, 1), kthOf(x2, 1, 1)); }
};

TEST(Heuristic, TakesTheLargerMeanThenTheLargerSecondMoment) { // (5.21)
  const RawMoments a{2, 5, 1, 1}, b{1, 9, 2, 2}, c{2, 6, 3, 3};
  EXPECT_EQ(heuristicLast(a, b).m2, 5);
  EXPECT_EQ(heuristicLast(b, a).m2, 5);
  EXPECT_EQ(heuristicLast(a, c).m2, 6);
  EXPECT_EQ(heuristicLast(c, a).m2, 6);
}

TEST(Graphical, Figure53) {
  double worst = 0, worstMean = 0, worstPrinted = 0;
  for (double m = 0.1; m < 0.995; m += 0.05) {
    const Example53 e{m};
    const auto p = percent(graphicalLast(e.x1, e.x2), e.exact), h = percent(e.heuristic(), e.exact);
    worstMean = std::max(worstMean, std::abs(p[0]));
    for (size_t r = 0; r < 4; ++r) {
      worst = std::max(worst, std::abs(p[r]));
      if (m > 2 / 3.0) // "both methods yield the same error"
        EXPECT_NEAR(p[r], h[r], 1e-3) << m;
      else // "the graphical interpretation method is much better"
        EXPECT_LT(std::abs(p[r]), std::abs(h[r])) << m;
    }
    worstPrinted =
        std::max(worstPrinted, std::abs(percent(graphicalLastAsPrinted(e.x1, e.x2), e.exact)[0]));
  }
  EXPECT_LT(worst, 15);    // "the maximum error is 15 %"
  EXPECT_GT(worst, 12);    //
  EXPECT_LT(worstMean, 5); // "while eps_1 is less than 5 %"
  EXPECT_GT(worstMean, 4);
  EXPECT_GT(worstPrinted, 28); // (5.29) with the factor that is printed in it
}

TEST(Graphical, Figure53AtAHalf) { // the example of figure 5.2
  const Example53 e{0.5};
  expectPercent(graphicalLast(e.x1, e.x2), e.exact, {-4.48, -7.89, -10.17, -11.37}, 0.01);
  expectPercent(e.heuristic(), e.exact, {-10.4, -21.2, -32.0, -42.5}, 0.1);
  expectPercent(graphicalLastAsPrinted(e.x1, e.x2), e.exact, {-28.9, -27.8, -26.0, -23.7}, 0.1);
  // Disjoint supports: "for m >= 1 both methods have no error"
  const Example53 apart{1.25};
  expectBelow(graphicalLast(apart.x1, apart.x2), apart.exact, 1e-6);
  expectBelow(apart.heuristic(), apart.exact, 1e-6);
}

TEST(Newton,
     UniformHasNoError) { // "For binary parallel composition, the error is also equal to zero"
  for (const double m : {0.2, 0.5, 0.8}) {
    const Example53 e{m};
    expectBelow(newtonJoin(Wait::Last, e.x1, e.x2), e.exact, 1e-3);
  }
}

TEST(Graphical, Figure55ExponentialIsTheHeuristic) {
  const Lambda one = exponentialLambda(1);
  for (const double theta : {0.1, 0.3, 1.0, 3.0, 10.0}) {
    const RawMoments exact = exponentialLast(1, theta);
    const double g = percent(graphicalLast(one, exponentialLambda(theta)), exact)[0];
    const double h = percent(heuristicLast(rawOfExponential(1), rawOfExponential(theta)), exact)[0];
    EXPECT_NEAR(g, h, 0.02) << theta;
    EXPECT_GE(h, -33.34); // "the largest when E[X_1] = E[X_2]"
  }
  const double equal = percent(rawOfExponential(1), exponentialLast(1, 1))[0];
  EXPECT_NEAR(equal, -100 / 3.0, 1e-9);
}

TEST(BetaAndNewton, Figures56And57Exponential) {
  // "in the few percent range and insensitive to theta_2. Specifically, eps_1 is less than 1 %"
  const Lambda one = exponentialLambda(1);
  for (const double theta : {0.1, 0.3, 1.0, 3.0, 10.0}) {
    SCOPED_TRACE(theta);
    const Lambda two = exponentialLambda(theta);
    const RawMoments exact = exponentialLast(1, theta);
    const RawMoments n = newtonJoin(Wait::Last, one, two);
    const RawMoments b =
        betaJoin(Wait::Last, {one, exponentialBeta(1)}, {two, exponentialBeta(theta)});
    expectBelow(n, exact, 1.01);
    expectBelow(b, exact, 1.0);
    EXPECT_LT(std::abs(percent(n, exact)[0]), 0.02);
    EXPECT_LT(std::abs(percent(b, exact)[0]), 0.06);
    // Figure 5.9, or-parallel by Newton's method
    expectBelow(newtonJoin(Wait::First, one, two), rawOfExponential(1 + theta), 0.51);
    // As printed, at the right ends, the sum reads R(1), which is infinite.
    EXPECT_FALSE(std::isfinite(newtonJoin(Wait::Last, one, two, 1).m1));
  }
}

TEST(Graphical, Figures511And512Normal) {
  const Lambda one = normalLambda(1, 1);
  const auto errors = [&](double mean, double sd) {
    return std::pair{percent(graphicalLast(one, normalLambda(mean, sd)),
                             exactLast(normal(1, 1), normal(mean, sd))),
                     percent(heuristicLast(rawOfNormal(1, 1), rawOfNormal(mean, sd)),
                             exactLast(normal(1, 1), normal(mean, sd)))};
  };
  // Equal deviations: both methods return X_2
  for (const double mean : {1.0, 2.0, 5.0}) {
    const auto [g, h] = errors(mean, 1);
    for (size_t r = 0; r < 4; ++r)
      EXPECT_NEAR(g[r], h[r], 0.1) << mean;
  }
  // "The maximum error of E[Y] is 35 %": 36.1 %
  EXPECT_NEAR(errors(1, 1).first[0], -36.07, 0.01);
  // "the error of the graphical interpretation method decreases with Var[X_2] whereas the error of
  // the heuristic steadily increases"
  double g = 36.1, h = 36.0;
  for (const double sd : {2.0, 5.0, 10.0}) {
    const auto [a, b] = errors(1, sd);
    EXPECT_LT(std::abs(a[0]), g);
    EXPECT_GT(std::abs(b[0]), h);
    g = std::abs(a[0]);
    h = std::abs(b[0]);
  }
}

// Figures 5.13 to 5.18: "In all cases eps_r is below 1 %": so it is with the sum read in the middle
// of its intervals. As printed, at their right ends, the fourth moment is off by up to 3 %.
TEST(BetaAndNewton, Figures513To518Normal) {
  const Lambda one = normalLambda(1, 1);
  const LambdaBeta oneB{one, normalBeta(1, 1)};
  const std::pair<double, double> cases[] = {{1, 1}, {2, 1}, {5, 1}, {10, 1},
                                             {1, 2}, {1, 5}, {1, 10}};
  for (const auto &[mean, sd] : cases) {
    SCOPED_TRACE(std::to_string(mean) + " " + std::to_string(sd));
    const Lambda two = normalLambda(mean, sd);
    const LambdaBeta twoB{two, normalBeta(mean, sd)};
    const RawMoments exact = exactLast(normal(1, 1), normal(mean, sd));
    expectBelow(newtonJoin(Wait::Last, one, two), exact, 0.18);
    expectBelow(betaJoin(Wait::Last, oneB, twoB), exact, 0.18);
    expectBelow(newtonJoin(Wait::First, one, two), normalFirst(mean, sd), 0.88);
  }
  const RawMoments wide = exactLast(normal(1, 1), normal(1, 10));
  const Lambda two = normalLambda(1, 10);
  EXPECT_NEAR(percent(newtonJoin(Wait::Last, one, two, 1), wide)[3], 3.04, 0.01);
  EXPECT_NEAR(percent(betaJoin(Wait::Last, oneB, {two, normalBeta(1, 10)}, 1), wide)[3], 3.04,
              0.01);
}

TEST(Beta, Table52AndMoments) {
  expectBelow(rawMoments(uniformBeta(2, 5)), {3.5, 13, 50.75, 206.2}, 1e-10);
  // "L = 10^3 is sufficiently large": one per cent is missing in the exponential's fourth moment
  expectPercent(rawMoments(exponentialBeta(1)), rawOfExponential(1), {-.1, -.3, -.6, -1.0}, 0.01);
  const Moments n = moments(cumulants(rawMoments(normalBeta(5, 2))));
  EXPECT_NEAR(n.mean, 5, 1e-9);
  EXPECT_NEAR(n.variance, 4, 0.003);
  EXPECT_NEAR(n.kurtosis, 3, 0.004);
}

TEST(Beta, CdfAgreesWithItsLimitsAndSymmetry) {
  for (const double x : {0.1, 0.7, 2.0, 6.0})
    EXPECT_NEAR(cdf(exponentialBeta(1, 1e7), x), 1 - std::exp(-x), 1e-5);
  for (const double x : {-2.0, -0.5, 0.0, 1.0})
    EXPECT_NEAR(cdf(normalBeta(0, 1, 1e6), x), workloads()[1].cdf(x), 1e-6);
  EXPECT_NEAR(cdf(Beta{0, 1, 2, 3}, 0.4), 0.5248, 1e-14); // 6x^2 - 8x^3 + 3x^4
  EXPECT_NEAR(cdf(Beta{0, 1, 2, 3}, 0.9) + cdf(Beta{0, 1, 3, 2}, 0.1), 1, 1e-14);
  EXPECT_EQ(cdf(Beta{}, -1), 0);
  EXPECT_EQ(cdf(Beta{}, 2), 1);
}

TEST(Beta, FitGivesBackTheMomentsOrRefuses) {
  for (const Moments &m : {Moments{0.5, 1 / 12.0, 0, 1.8}, Moments{3, 2, 0.6, 2.9},
                           Moments{3, 2, -0.6, 2.9}, Moments{0, 1, 1.0, 2.6}}) {
    const Result<Beta> x = fitBeta(m);
    ASSERT_TRUE(x);
    const Moments got = moments(cumulants(rawMoments(*x)));
    EXPECT_NEAR(got.mean, m.mean, 1e-10);
    EXPECT_NEAR(got.variance, m.variance, 1e-10);
    EXPECT_NEAR(got.skewness, m.skewness, 1e-9);
    EXPECT_NEAR(got.kurtosis, m.kurtosis, 1e-9);
  }
  for (const Moments &m : {Moments{0, 1, 0, 3}, Moments{1, 1, 2, 9}, Moments{0, 1, 0, 1},
                           Moments{0, 0, 0, 3}, Moments{0, 1, std::nan(""), 2}})
    EXPECT_FALSE(fitBeta(m));
}

} // namespace
