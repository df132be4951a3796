// The algebra of cut power series: identities on random series, and closed forms.
#include "quincunx/numeric/PowerSeries.h"

#include <gtest/gtest.h>
#include <random>

using namespace quincunx;

namespace {

PowerSeries randomSeries(std::mt19937_64 &random, double constant) {
  std::uniform_real_distribution<double> u(-2, 2);
  return {{constant, u(random), u(random), u(random), u(random)}};
}

void expectSame(const PowerSeries &a, const PowerSeries &b, double tolerance) {
  for (size_t i = 0; i < 5; ++i)
    EXPECT_NEAR(a[i], b[i], tolerance * std::max(1.0, std::abs(b[i]))) << "t^" << i;
}

// The coefficient of t^i of a product, from its definition.
double coefficient(const PowerSeries &a, const PowerSeries &b, size_t i) {
  double sum = 0;
  for (size_t j = 0; j <= i; ++j)
    sum += a[j] * b[i - j];
  return sum;
}

} // namespace

TEST(PowerSeries, ClosedForms) {
  const PowerSeries t{{0, 1, 0, 0, 0}}, one{{1, 0, 0, 0, 0}};
  struct {
    PowerSeries got, want;
  } const table[] = {
      {exp(t), {{1, 1, 1 / 2.0, 1 / 6.0, 1 / 24.0}}},
      {log(one + t), {{0, 1, -1 / 2.0, 1 / 3.0, -1 / 4.0}}},
      {inverse(one - t), {{1, 1, 1, 1, 1}}},
      {star(t, 1), {{1, 1, 1, 1, 1}}},
      {inverse(one + t), {{1, -1, 1, -1, 1}}},
      {star(0.5 * exp(t), 0.5), {{2, 2, 3, 13 / 3.0, 6.25}}}, // 1/(1 - e^t/2)
      {compose(exp(t), t + t * t), {{1, 1, 3 / 2.0, 7 / 6.0, 25 / 24.0}}},
      {exp(t) * exp(t), {{1, 2, 2, 4 / 3.0, 2 / 3.0}}},
      {shift(one, 2), {{1, 2, 2, 4 / 3.0, 2 / 3.0}}},
      {shift(exp(t), -1), one},
      {t - t, {}},
  };
  for (const auto &row : table)
    expectSame(row.got, row.want, 4e-16);
}

TEST(PowerSeries, IdentitiesOnRandomSeries) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000; ++i) {
    const PowerSeries a = randomSeries(random, 0.5 + 0.1 * (i % 20)), b = randomSeries(random, 0),
                      g = randomSeries(random, 0), one{{1, 0, 0, 0, 0}};
    const PowerSeries ab = a * b;
    for (size_t j = 0; j < 5; ++j)
      EXPECT_NEAR(ab[j], coefficient(a, b, j), 1e-14);
    expectSame(a * inverse(a), one, 1e-11);
    expectSame(exp(log(a)), a, 1e-10);
    expectSame(log(exp(b)), b, 1e-13);
    expectSame(exp(b + g), exp(b) * exp(g), 1e-13);
    expectSame(compose(exp(b), g), exp(compose(b, g)), 1e-11);
    expectSame(compose(a * b, g), compose(a, g) * compose(b, g), 1e-11);
    expectSame(compose(compose(a, b), g), compose(a, compose(b, g)), 1e-10);
    const PowerSeries loop = 0.1 * a;
    expectSame(star(loop, 1 - loop[0]), inverse(one - loop), 1e-13);
    expectSame(shift(shift(a, 1.5), -1.5), a, 1e-13);
  }
}

TEST(PowerSeries, StarKeepsTheDigitsOfASmallEscape) {
  // A loop of cost 1 left with probability e: geometric, k1 = 1/e - 1, k2 = (1 - e)/e^2.
  for (const double e : {0.5, 1e-3, 1e-9, 1e-15, 1e-60}) {
    const PowerSeries M = star((1 - e) * momentSeries({1, 0, 0, 0}), e);
    const double mean = M[1] / M[0];
    EXPECT_NEAR(mean * e / (1 - e), 1, 1e-15) << e;
    EXPECT_NEAR(fromMomentSeries(M).k2 * e * e / (1 - e), 1, 1e-14) << e;
  }
}

TEST(PowerSeries, CumulantsGoToSeriesAndBack) {
  const Cumulants table[] = {
      {0, 0, 0, 0}, {3, 0, 0, 0}, {2, 4, 16, 96}, {-1, 0.5, -3, 2}, {0.3, 0.21, 0.084, -0.0546}};
  for (const Cumulants &k : table) {
    const PowerSeries M = momentSeries(k);
    const RawMoments raw = rawMoments(k);
    expectSame(M, {{1, raw.m1, raw.m2 / 2, raw.m3 / 6, raw.m4 / 24}}, 1e-14);
    for (const double mass : {1.0, 0.25, 1e-200}) {
      const Cumulants back = fromMomentSeries(mass * M);
      EXPECT_NEAR(back.k1, k.k1, 1e-14);
      EXPECT_NEAR(back.k2, k.k2, 1e-13);
      EXPECT_NEAR(back.k3, k.k3, 1e-12);
      EXPECT_NEAR(back.k4, k.k4, 1e-11);
    }
    const Cumulants same = fromCumulantSeries(cumulantSeries(k));
    EXPECT_NEAR(same.k4, k.k4, 1e-14);
    EXPECT_EQ(same.k2, k.k2);
  }
}

TEST(PowerSeries, ShiftNearTheMeanKeepsTheDigitsThatRawMomentsLose) {
  // Mean 1e5, deviation 1: raw moments leave no digit of k4; shifted by the mean all are there.
  const Cumulants k{1e5, 1, 0.5, 2};
  EXPECT_GT(std::abs(fromMomentSeries(momentSeries(k)).k4 - k.k4), 1);
  const Cumulants kept = fromMomentSeries(momentSeries(k - Cumulants{1e5, 0, 0, 0}));
  EXPECT_NEAR(kept.k4, k.k4, 1e-14);
}
