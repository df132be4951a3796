// Special functions at values from tables (Abramowitz & Stegun, and mpmath with 30 digits).
#include "quincunx/numeric/Special.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace quincunx;

TEST(Special, Normal) {
  EXPECT_DOUBLE_EQ(normalCdf(0), 0.5);
  EXPECT_NEAR(normalCdf(1.6448536269514722), 0.95, 1e-15);
  EXPECT_NEAR(normalSurvival(10) / 7.6198530241605260e-24, 1, 1e-12);
  EXPECT_NEAR(normalQuantile(0.999), 3.0902323061678132, 1e-13);
  EXPECT_NEAR(normalQuantile(0.05), -1.6448536269514722, 1e-14);
  EXPECT_NEAR(normalDensity(1), 0.24197072451914337, 1e-16);
}

TEST(Special, Gamma) {
  // Shape 1 is the exponential law, shape 3 has Q = e^-x (1 + x + x^2/2).
  for (const double x : {0.0, 0.1, 1.0, 5.0, 40.0}) {
    EXPECT_NEAR(gammaCdf(1, x), -std::expm1(-x), 1e-15);
    EXPECT_NEAR(gammaSurvival(3, x) / (std::exp(-x) * (1 + x + x * x / 2)), 1, 1e-13);
    EXPECT_NEAR(gammaDensity(3, x), x * x / 2 * std::exp(-x), 1e-15);
  }
  EXPECT_EQ(gammaCdf(2, INFINITY), 1);
  EXPECT_EQ(gammaSurvival(2, INFINITY), 0);
  EXPECT_EQ(gammaDensity(2, 0), 0);
}

TEST(Special, DifferencesWithoutCancellation) {
  // mpmath, 30 digits
  EXPECT_NEAR(expm1MinusX(1e-5) / 5.0000166667083334e-11, 1, 1e-15);
  EXPECT_NEAR(expm1MinusX(-0.4) / 0.070320046035639300744, 1, 1e-15);
  EXPECT_NEAR(expm1MinusX(2) / 4.3890560989306502272, 1, 1e-15);
}

TEST(Special, Student) {
  EXPECT_NEAR(studentQuantile(1, 0.95), 6.3137515146750411, 1e-10);
  EXPECT_NEAR(studentQuantile(9, 0.95), 1.8331129326536335, 1e-10);
  EXPECT_NEAR(studentQuantile(1e6, 0.95), 1.6448551506, 1e-8);
}

TEST(Special, BinomialAgainstItsSum) {
  for (const unsigned n : {1u, 2u, 10u, 57u})
    for (const double p : {0.01, 0.3, 0.5, 0.99}) {
      double sum = 0, term = std::pow(1 - p, n);
      for (unsigned k = 0; k <= n; ++k) {
        sum += term;
        EXPECT_NEAR(binomialCdf(k, n, p), sum, 1e-13) << n << " " << k << " " << p;
        term *= (n - k) / (k + 1.0) * p / (1 - p);
      }
    }
  EXPECT_EQ(binomialCdf(-1, 5, 0.5), 0);
  EXPECT_EQ(binomialCdf(5, 5, 0.5), 1);
}

TEST(Special, BetaIsABinomialTail) {
  for (const unsigned n : {1u, 5u, 40u})
    for (const double x : {0.05, 0.4, 0.97})
      for (unsigned k = 1; k <= n; ++k)
        EXPECT_NEAR(betaCdf(k, n - k + 1.0, x), 1 - binomialCdf(k - 1, n, x), 1e-13)
            << n << " " << k;
  EXPECT_EQ(betaCdf(2, 3, -1), 0);
  EXPECT_EQ(betaCdf(2, 3, 2), 1);
}
