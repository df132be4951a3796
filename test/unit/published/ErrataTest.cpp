// Formulas of Gautama's thesis, chapters 3 and 4, as printed, against the rules of cost/Rules.h:
// which are right, and how the others err. The list for readers is in docs/14.
#include "quincunx/cost/Rules.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace quincunx;

namespace {

struct Skewed { // powers of the deviation times the standardised moment, as the thesis writes them
  double E, Var, Skw, Kur;
  double third() const { return Skw * std::pow(Var, 1.5); }
};
Skewed withKurtosis(const Cumulants &k) {
  const Moments m = moments(k);
  return {m.mean, m.variance, m.skewness, m.kurtosis};
}
Skewed withExcess(const Cumulants &k) {
  Skewed s = withKurtosis(k);
  s.Kur -= 3;
  return s;
}

// (3.45d): the kurtosis of a sum of N costs, N random
double kurtosis345(const Skewed &N, const Skewed &X, double varY) {
  return (N.E * X.Kur * X.Var * X.Var + std::pow(X.E, 4) * N.Kur * N.Var * N.Var +
          6 * X.E * X.E * X.Var * N.third() + 4 * X.E * N.Var * X.third() +
          3 * X.Var * X.Var * N.Var) /
         (varY * varY);
}

const Cumulants trips{7, 3, 2, 5}, body{2, 0.5, 0.3, 0.4};

TEST(Errata, RandomTripCount345) {
  const Moments y = moments(repeated(trips, body));
  const Skewed N = withKurtosis(trips), X = withKurtosis(body);
  EXPECT_NEAR(y.mean, N.E * X.E, 1e-12);
  EXPECT_NEAR(y.variance, N.E * X.Var + X.E * X.E * N.Var, 1e-12);
  EXPECT_NEAR(y.skewness * std::pow(y.variance, 1.5),
              N.E * X.third() + std::pow(X.E, 3) * N.third() + 3 * X.E * X.Var * N.Var, 1e-12);
  // Right when every Kur is an excess, wrong by the thesis' own definition of it (3.13).
  EXPECT_NEAR(kurtosis345(withExcess(trips), withExcess(body), y.variance), y.kurtosis - 3, 1e-12);
  EXPECT_GT(std::abs(kurtosis345(N, X, y.variance) - y.kurtosis), 0.1);
}

// (3.53b): the variance of a branch
double variance353(double P, double varP, const Cumulants &x1, const Cumulants &x2) {
  const double Q = 1 - P;
  return P * x1.k2 + varP * x1.k1 * x1.k1 + Q * x2.k2 + varP * x2.k1 * x2.k1 -
         2 * P * Q * x1.k1 * x2.k1;
}

TEST(Errata, Branch353HoldsForBernoulliOnly) {
  const double p = 0.3, q = 0.7;
  const Cumulants x1{4, 1, 0.2, 0.1}, x2{1, 2, 0.5, 0.3};
  const double weights[] = {p, q};
  const Cumulants parts[] = {x1, x2};
  EXPECT_NEAR(variance353(p, p * q, x1, x2), oneOf(parts, weights).k2, 1e-12);
  // A constant share of one half of two equal constant costs has no variance:
  EXPECT_DOUBLE_EQ(variance353(0.5, 0, {1, 0, 0, 0}, {1, 0, 0, 0}), -0.5);
  EXPECT_DOUBLE_EQ(branched({0.5, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}).k2, 0);
}

// One branch's terms of (3.53d) with its probability P, Bernoulli; Kur is an excess
double fourth353(double p, const Cumulants &x) {
  const double q = 1 - p, v = p * q, P2 = v + p * p, P3 = v * (1 - 2 * p);
  const double excess = (1 - 6 * v) / v;
  return p * x.k4 + 4 * P2 * x.k1 * x.k3 +
         std::pow(x.k1, 4) * ((excess + 3) * v * v + 4 * p * P3 + 6 * p * p * v + p * p * p * p) +
         6 * x.k1 * x.k1 * x.k2 * (P3 + 3 * p * v + p * p * p) + 3 * (p + p * p + v) * x.k2 * x.k2;
}

TEST(Errata, BranchKurtosis353IsAFourthMomentAndMore) {
  const double p = 0.3, q = 0.7;
  const Cumulants x1{4, 1, 0.2, 0.1}, x2{1, 2, 0.5, 0.3};
  const double weights[] = {p, q};
  const Cumulants parts[] = {x1, x2};
  const Cumulants y = oneOf(parts, weights);
  const double printed = fourth353(p, x1) + fourth353(q, x2);
  EXPECT_NEAR(printed, rawMoments(y).m4 + 3 * (p * x1.k2 * x1.k2 + q * x2.k2 * x2.k2), 1e-9);
  EXPECT_GT(printed / moments(y).kurtosis, 10);
}

// (4.6): T of N Bernoulli trials must give back one trial.
TEST(Errata, EmpiricalBranch46) {
  const double N = 50, p = 0.2, v = p * (1 - p);
  const Cumulants trial{p, v, v * (1 - 2 * p), v * (1 - 6 * v)};
  const Moments one = moments(trial), T = moments(repeated(N, trial));
  EXPECT_NEAR(one.skewness, T.skewness * std::sqrt(N), 1e-12); // printed: / sqrt(N)
  EXPECT_NEAR(one.kurtosis, N * (T.kurtosis - 3) + 3, 1e-10);  // printed: (Kur - 3)/N + 3
}

TEST(Errata, DiscreteUniformVariance) { // 4.5.3 prints (b - a)^2/12
  for (const int b : {2, 6, 20}) {
    Sample s;
    for (int x = 1; x <= b; ++x)
      s.add(x);
    EXPECT_NEAR(s.moments().variance, (b * b - 1) / 12.0, 1e-12);
  }
}

} // namespace
