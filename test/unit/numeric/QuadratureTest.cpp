// Gauss-Legendre panels.
#include "quincunx/numeric/Quadrature.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

using namespace quincunx;

TEST(Quadrature, NodesIntegratePolynomialsExactly) {
  for (int degree = 0; degree < 32; ++degree) {
    double sum = 0;
    for (size_t i = 0; i < panelPoints; ++i)
      sum += gaussWeights()[i] * std::pow(gaussNodes()[i], degree);
    EXPECT_NEAR(sum, degree % 2 ? 0 : 2.0 / (degree + 1), 3e-16 * 4) << degree;
  }
  EXPECT_NEAR(gaussNodes()[15], 0.9894009349916499325961542, 1e-16);
}

TEST(Quadrature, CoefficientsGiveTheFunctionAtAnyPlace) {
  PanelValues v;
  for (size_t i = 0; i < panelPoints; ++i)
    v[i] = std::exp(1.8 * gaussNodes()[i]);
  EXPECT_LT(unresolved(legendre(v)), 1e-13);
  std::array<PanelQuad, panelPoints> c;
  const PanelValues a = legendre(v);
  for (size_t k = 0; k < panelPoints; ++k)
    c[k] = {0, 0, a[k], 2 * a[k]};
  toPowers(c);
  for (int i = 0; i <= 20; ++i) {
    const double x = -1 + i / 10.0;
    double sum = 0;
    for (size_t k = panelPoints; k-- > 0;)
      sum = sum * x + c[k][2];
    EXPECT_NEAR(sum, std::exp(1.8 * x), 2e-13);
    EXPECT_EQ(c[3][3], 2 * c[3][2]);
  }
}

TEST(Quadrature, WhatIsNotSmoothIsNotResolved) {
  PanelValues kink;
  for (size_t i = 0; i < panelPoints; ++i)
    kink[i] = std::abs(gaussNodes()[i] - 0.1);
  EXPECT_GT(unresolved(legendre(kink)), 1e-4);
  EXPECT_EQ(unresolved(PanelValues{}), 0);
}
