// The closed forms of the thesis' section 2.2.2 against plain quadrature.
#include "published/ClosedForms.h"

#include "quincunx/numeric/Special.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>

using namespace quincunx;
using namespace quincunx::test;

namespace {

using Cdf = std::function<double(double)>;

Cdf cdfOf(const Erlang &x) {
  return [=](double t) { return gammaCdf(x.r, x.lambda * t); };
}
Cdf cdfOf(const HyperExponential &x) {
  return [=](double t) {
    return 1 - x.l * std::exp(-x.lambda[0] * t) - (1 - x.l) * std::exp(-x.lambda[1] * t);
  };
}

// E[Y] = int 1 - F_1 F_2, E[Y^2] = int 2t (1 - F_1 F_2), by Simpson's rule
MeanAndSecond byQuadrature(const Cdf &F1, const Cdf &F2) {
  MeanAndSecond y;
  const int steps = 40000;
  const double h = 80.0 / steps;
  for (int i = 0; i <= steps; ++i) {
    const double t = i * h, w = h / 3 * (i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2);
    const double above = 1 - F1(t) * F2(t);
    y.mean += w * above;
    y.second += w * 2 * t * above;
  }
  return y;
}

void expectSame(const MeanAndSecond &got, const MeanAndSecond &want) {
  EXPECT_NEAR(got.mean, want.mean, 1e-9 * want.mean);
  EXPECT_NEAR(got.second, want.second, 1e-9 * want.second);
}

TEST(ClosedForms, LastOfNExponential) {
  // E = sum 1/(i theta), Var = sum 1/(i theta)^2
  for (const int N : {1, 2, 5, 20})
    for (const double theta : {0.5, 3.0}) {
      double mean = 0, variance = 0;
      for (int i = 1; i <= N; ++i) {
        mean += 1 / (i * theta);
        variance += 1 / (i * theta * i * theta);
      }
      EXPECT_NEAR(exponentialLast(N, theta, 1), mean, 1e-9 * mean);
      EXPECT_NEAR(exponentialLast(N, theta, 2), variance + mean * mean, 1e-9 * mean * mean);
    }
}

TEST(ClosedForms, Erlang) {
  for (const auto &[x1, x2] : {std::pair<Erlang, Erlang>{{1, 1}, {1, 1}},
                               {{1, 2}, {3, 5}},
                               {{2, 7}, {0.5, 2}},
                               {{4, 1}, {5, 1}}})
    expectSame(last(x1, x2), byQuadrature(cdfOf(x1), cdfOf(x2)));
}

TEST(ClosedForms, HyperExponential) {
  for (const auto &[x1, x2] :
       {std::pair<HyperExponential, HyperExponential>{{{1, 4}, .3}, {{2, 0.5}, .9}},
        {{{1, 1}, .5}, {{1, 1}, .5}}})
    expectSame(last(x1, x2), byQuadrature(cdfOf(x1), cdfOf(x2)));
}

TEST(ClosedForms, HyperExponentialAndErlang) {
  for (const auto &[x1, x2] :
       {std::pair<HyperExponential, Erlang>{{{1, 4}, .3}, {2, 3}}, {{{0.5, 6}, .1}, {1, 1}}})
    expectSame(last(x1, x2), byQuadrature(cdfOf(x1), cdfOf(x2)));
}

// The thesis' (2.14): rates 4 and 5.
TEST(ClosedForms, ExponentialOfRates4And5) {
  const MeanAndSecond y = last(Erlang{4, 1}, Erlang{5, 1});
  EXPECT_NEAR(y.mean, 1 / 4.0 + 1 / 5.0 - 1 / 9.0, 1e-15);
  EXPECT_NEAR(y.second, 2 * (1 / 16.0 + 1 / 25.0 - 1 / 81.0), 1e-15);
}

} // namespace
