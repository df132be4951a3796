// Gauss-Legendre panels.
// The idea: a function sampled at the 16 nodes of a panel is a polynomial of degree 15, of which
// the last coefficients say whether the panel was narrow enough; the same coefficients give the
// integral to any place in the panel. Halving what is not resolved makes kinks and steep places
// cost a few panels and smooth ones none. Reference: Trefethen, Approximation Theory and
// Approximation Practice, ch. 8 and 19. It does not transform variables: who has a singular end
// gives edges that approach it geometrically.
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
};

/// P_0(x) .. P_n(x): (k+1) P_{k+1} = (2k+1) x P_k - k P_{k-1}
std::array<double, n + 1> polynomials(double x) {
  std::array<double, n + 1> P{1, x};
  for (size_t k = 1; k < n; ++k) {
    const double K = static_cast<double>(k);
    P[k + 1] = ((2 * K + 1) * x * P[k] - K * P[k - 1]) / (K + 1);
  }
  return P;
}

Rule makeRule() {
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
  return r;
}

const Rule rule = makeRule();

} // namespace

const PanelValues &gaussNodes() { return rule.node; }
const PanelValues &gaussWeights() { return rule.weight; }

PanelValues legendre(const PanelValues &values) {
  Lanes sum[n / 2]{};
  for (size_t i = 0; i < n; ++i)
    for (size_t k = 0; k < n / 2; ++k)
      sum[k] += load(&rule.transform[i][2 * k]) * values[i];
  PanelValues a;
  for (size_t k = 0; k < n / 2; ++k)
    store(sum[k], &a[2 * k]);
  return a;
}

namespace {

/// |a_k| + |a_{k+1}| of the polynomial through the values.
double pairAt(const PanelValues &values, size_t k) {
  double first = 0, second = 0;
  for (size_t i = 0; i < n; ++i) {
    first += rule.transform[i][k] * values[i];
    second += rule.transform[i][k + 1] * values[i];
  }
  return std::abs(first) + std::abs(second);
}

double largestOf(const PanelValues &values) {
  double largest = 0;
  for (const double v : values)
    largest = std::max(largest, std::abs(v));
  return largest;
}

} // namespace

// The last coefficients are known; what comes after them is smaller by as much as they are smaller
// than those before them.
double unresolved(const PanelValues &values) {
  const double largest = largestOf(values);
  const double last = pairAt(values, n - 2), before = std::max(pairAt(values, n - 4), last);
  return before > 0 ? last * (last / before) / largest : last;
}

// Coefficients that fall like rho^-k make an error of about rho^-2n = a_n (a_n/a_n/2)^2; those of a
// kink fall like a power, and then this is about a_n.
double gaussError(const PanelValues &values) {
  const double last = pairAt(values, n - 2), middle = std::max(pairAt(values, n / 2 - 2), last);
  return middle > 0 ? last * (last / middle) * (last / middle) : 0;
}

// int_{-1}^x P_0 = P_1 + P_0;  int_{-1}^x P_k = (P_{k+1} - P_{k-1})/(2k+1)
PanelIntegral integralOf(const PanelValues &a) {
  PanelIntegral b{};
  b[0] = a[0] - a[1] / 3;
  for (size_t j = 1; j <= n; ++j) {
    const double J = static_cast<double>(j);
    b[j] = a[j - 1] / (2 * J - 1) - (j + 1 < n ? a[j + 1] / (2 * J + 3) : 0);
  }
  return b;
}

/// (k-1)/k
const auto recurrence = [] {
  std::array<double, n + 1> r{};
  for (size_t k = 1; k <= n; ++k)
    r[k] = static_cast<double>(k - 1) / static_cast<double>(k);
  return r;
}();

// P_k = x P_{k-1} + (k-1)/k (x P_{k-1} - P_{k-2})
double legendreSum(const PanelIntegral &c, double x) {
  double before = 1, now = x, sum = c[0] + c[1] * x;
  for (size_t k = 2; k <= n; ++k) {
    const double next = now * x + recurrence[k] * (now * x - before);
    before = now;
    now = next;
    sum += c[k] * next;
  }
  return sum;
}

// As above for many x at once: a chain of dependent steps for one x, but independent ones beside
// each other.
void legendreSums(const PanelIntegral &c, std::span<const double> x, std::span<double> out) {
  constexpr size_t beside = 4;
  const size_t count = x.size();
  for (size_t from = 0; from < count; from += 2 * beside) {
    Lanes X[beside], before[beside], now[beside], sum[beside];
    for (size_t i = 0; i < beside; ++i) {
      const size_t at = from + 2 * i;
      X[i] = Lanes{x[std::min(at, count - 1)], x[std::min(at + 1, count - 1)]};
      before[i] = lanes(1), now[i] = X[i], sum[i] = c[0] + c[1] * X[i];
    }
    for (size_t k = 2; k <= n; ++k) {
      const Lanes r = lanes(recurrence[k]), a = lanes(c[k]);
      for (size_t i = 0; i < beside; ++i) {
        const Lanes xP = now[i] * X[i], next = xP + r * (xP - before[i]);
        before[i] = now[i], now[i] = next;
        sum[i] += a * next;
      }
    }
    for (size_t i = from; i < std::min(count, from + 2 * beside); ++i)
      out[i] = sum[(i - from) / 2][(i - from) % 2];
  }
}

void sweep(std::span<const double> edges, int depth,
           const std::function<bool(double, double, bool)> &panel) {
  const auto visit = [&](const auto &self, double low, double high, int left) -> void {
    const double middle = low + (high - low) / 2;
    const bool last = left == 0 || !(middle > low && middle < high);
    if (!(high > low) || panel(low, high, last) || last)
      return;
    self(self, low, middle, left - 1);
    self(self, middle, high, left - 1);
  };
  for (size_t i = 1; i < edges.size(); ++i)
    visit(visit, edges[i - 1], edges[i], depth);
}

} // namespace quincunx
