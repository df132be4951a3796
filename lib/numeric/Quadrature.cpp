// Gauss-Legendre panels.
// The idea: a function sampled at the 16 nodes of a panel is a polynomial of degree 15, of which
// the last coefficients say whether the panel was narrow enough. Whoever integrates halves what is
// not (lib/dist/Distribution.cpp). Reference: Trefethen, Approximation Theory and Approximation
// Practice, ch. 8 and 19. It does not transform variables: who has a singular end gives edges that
// approach it geometrically.
#include "quincunx/numeric/Quadrature.h"

#include "quincunx/numeric/Elementary.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace quincunx {

namespace {

constexpr size_t n = panelPoints;

struct Rule {
  PanelValues node{}, weight{};
  std::array<PanelValues, n> transform{}; ///< [i][k]: from the value at node i to a_k
  std::array<PanelValues, n> power{};     ///< [k][j]: from a_k to the coefficient of x^j
};

/// P_0(x) .. P_n(x): (k+1) P_{k+1} = (2k+1) x P_k - k P_{k-1}
std::array<double, n + 1> polynomials(double x) noexcept {
  std::array<double, n + 1> P{1, x};
  for (size_t k = 1; k < n; ++k) {
    const auto K = static_cast<double>(k);
    P[k + 1] = ((2 * K + 1) * x * P[k] - K * P[k - 1]) / (K + 1);
  }
  return P;
}

Rule makeRule() noexcept {
  Rule r;
  constexpr double N = n;
  for (size_t i = 0; i < n; ++i) {
    double x = -std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (N + 0.5));
    double slope = 1;
    for (int step = 0; step < 8; ++step) {
      const auto P = polynomials(x);
      slope = N * (x * P[n] - P[n - 1]) / (x * x - 1);
      x -= P[n] / slope;
    }
    r.node[i] = x;
    r.weight[i] = 2 / ((1 - x * x) * slope * slope);
    // a_k = (2k+1)/2 sum_i w_i P_k(x_i) v_i, exact because the rule is so to degree 31
    const auto P = polynomials(x);
    for (size_t k = 0; k < n; ++k)
      r.transform[i][k] = (static_cast<double>(k) + 0.5) * r.weight[i] * P[k];
  }
  // k P_k = (2k-1) x P_{k-1} - (k-1) P_{k-2}
  r.power[0][0] = r.power[1][1] = 1;
  for (size_t k = 2; k < n; ++k)
    for (size_t j = 0; j <= k; ++j) {
      const double K = static_cast<double>(k), up = j > 0 ? r.power[k - 1][j - 1] : 0;
      r.power[k][j] = ((2 * K - 1) * up - (K - 1) * r.power[k - 2][j]) / K;
    }
  return r;
}

const Rule rule = makeRule();

} // namespace

const PanelValues &gaussNodes() { return rule.node; }
const PanelValues &gaussWeights() { return rule.weight; }

PanelValues legendre(const PanelValues &values) {
  PanelValues a;
  widely([&] {
    Lanes sum[n / laneCount]{};
    for (size_t i = 0; i < n; ++i)
      for (size_t k = 0; k < n / laneCount; ++k)
        sum[k] += load(&rule.transform[i][laneCount * k]) * values[i];
    for (size_t k = 0; k < n / laneCount; ++k)
      store(sum[k], &a[laneCount * k]);
  });
  return a;
}

namespace {

double pairOf(const PanelValues &a, size_t k) { return std::abs(a[k]) + std::abs(a[k + 1]); }

} // namespace

// The last coefficients are known; what comes after them is smaller by as much as they are smaller
// than those before them. The largest value is at most the sum of all.
double unresolved(const PanelValues &a) {
  double sum = 0;
  for (const double x : a)
    sum += std::abs(x);
  const double last = pairOf(a, n - 2), before = std::max(pairOf(a, n - 4), last);
  return before > 0 ? last * (last / before) / sum : last;
}

// Coefficients that fall like rho^-k make an error of about rho^-2n = a_n (a_n/a_n/2)^2; those of a
// kink fall like a power, and then this is about a_n.
std::pair<double, double> gaussErrors(const PanelValues &first, const PanelValues &second) {
  std::array<PanelQuad, 4> a; // the highest and the middle coefficients of both
  widely([&] {
    Lanes high1{}, low1{}, high2{}, low2{};
    for (size_t i = 0; i < n; ++i) {
      const Lanes high = load(&rule.transform[i][n - laneCount]),
                  low = load(&rule.transform[i][n / 2 - laneCount]);
      high1 += high * first[i], low1 += low * first[i];
      high2 += high * second[i], low2 += low * second[i];
    }
    store(high1, a[0].data()), store(low1, a[1].data());
    store(high2, a[2].data()), store(low2, a[3].data());
  });
  const auto errorOf = [](const PanelQuad &high, const PanelQuad &low) {
    const double last = std::abs(high[2]) + std::abs(high[3]),
                 middle = std::max(std::abs(low[2]) + std::abs(low[3]), last);
    return middle > 0 ? last * (last / middle) * (last / middle) : 0;
  };
  return {errorOf(a[0], a[1]), errorOf(a[2], a[3])};
}

// P_k has the powers k, k - 2, ... only.
void toPowers(std::array<PanelQuad, panelPoints> &rows) {
  widely([&] {
    for (size_t j = 0; j < n; ++j) {
      Lanes sum{};
      for (size_t k = j; k < n; k += 2)
        sum += rule.power[k][j] * load(rows[k].data());
      store(sum, rows[j].data());
    }
  });
}

} // namespace quincunx
