// Loops with known trip counts, by the rules.
// The idea: given how a loop is left, its cost is the whole passes in series with the last one, and
// the ways to leave it are alternatives. For a counted loop with a break only the law of the number
// of passes is missing: a geometric law cut at n. It is an exponentially tilted uniform law, so its
// cumulants are n^r phi_r(n s) - phi_r(s) with e^s = 1 - b and phi_r the derivatives of
// ln((e^z - 1)/z), smooth at 0; or, away from 0, g_r(b) - n^r g_r(1 - e^{ns}) with g_r the
// cumulants of a geometric law. Doubling C^i in log2 n steps (sum C^i B + C^n E) finds the same,
// but has to be centred at n passes, which loses all digits when breaks come much sooner.
// Reference: docs/06-loops-and-exits.md; Abramowitz & Stegun 23.1 for the series. It does not know
// probabilities of ways through the body (Eliminate.cpp).
#include "quincunx/cost/Loop.h"

#include "quincunx/cost/Rules.h"

#include <array>
#include <cassert>
#include <cmath>
#include <numbers>
#include <vector>

namespace quincunx {

namespace {

bool finite(const Cumulants &k) { return std::isfinite(k.k1 + k.k2 + k.k3 + k.k4); }

// d^r/dz^r of ln((e^z - 1)/z) = z/2 + sum_j B_2j z^2j/(2j (2j)!), for |z| <= 3.
Cumulants smooth(double z) {
  // B_2j/(2j (2j)!) by B_2j = 2 (-1)^{j+1} (2j)! zeta(2j)/(2 pi)^2j, so that the coefficients are
  // (-1)^{j+1} zeta(2j)/(j (2 pi)^2j).
  constexpr int terms = 26;
  static const auto coefficients = [] {
    std::array<double, terms + 1> c{};
    for (int j = 1; j <= terms; ++j)
      c[static_cast<size_t>(j)] = (j % 2 ? 1 : -1) * std::riemann_zeta(2.0 * j) /
                                  (j * std::pow(4 * std::numbers::pi * std::numbers::pi, j));
    return c;
  }();
  Cumulants k{0.5, 0, 0, 0};
  for (int j = terms; j >= 1; --j) {
    const double e = 2 * j, c = coefficients[static_cast<size_t>(j)], p = std::pow(z, 2 * j - 4);
    k.k1 += c * e * std::pow(z, 2 * j - 1);
    k.k2 += c * e * (e - 1) * std::pow(z, 2 * j - 2);
    if (j >= 2) {
      k.k3 += c * e * (e - 1) * (e - 2) * p * z;
      k.k4 += c * e * (e - 1) * (e - 2) * (e - 3) * p;
    }
  }
  return k;
}

/// Failures before the first success, with chance p > 0 of success and q = 1 - p.
Cumulants geometric(double p, double q) {
  return scaled(1 / p, {q, q, q * (1 + q), q * (1 + 4 * q + q * q)});
}

} // namespace

Cumulants truncatedGeometric(uint64_t n, double b) {
  assert(n >= 1 && b >= 0 && b <= 1 && "a break within n trials has a chance");
  if (n == 1 || b == 1)
    return {};
  const double m = static_cast<double>(n), s = std::log1p(-b);
  if (-m * s <= 3)
    return scaled(m, smooth(m * s)) - smooth(s);
  const Cumulants cut = scaled(m, geometric(-std::expm1(m * s), std::exp(m * s)));
  return geometric(b, 1 - b) - cut;
}

Result<Cumulants> measuredLoop(const Cumulants &body, std::span<const LoopExit> exits) {
  std::vector<Cumulants> ways;
  std::vector<double> weights;
  double total = 0;
  for (const LoopExit &e : exits) {
    if (!(e.weight >= 0))
      return Error{"an exit of the loop has a negative weight or none"};
    if (e.weight == 0)
      continue;
    ways.push_back(inSeries(repeated(e.trips, body), e.last));
    weights.push_back(e.weight);
    total += e.weight;
  }
  if (ways.empty())
    return Error{"no exit of the loop was ever taken"};
  if (!std::isfinite(total))
    return Error{"the weights of the loop's exits are not finite"};
  const Cumulants k = oneOf(ways, weights);
  if (!finite(k))
    return Error{"the cost of the loop is not finite"};
  return k;
}

Result<CountedLoopCost> countedLoop(const CountedLoop &loop) {
  if (!(loop.b >= 0 && loop.b <= 1))
    return Error{"the probability of a break is not between 0 and 1"};
  const double n = static_cast<double>(loop.n), s = std::log1p(-loop.b);
  CountedLoopCost cost;
  cost.completes = loop.n == 0 ? 1 : std::exp(n * s);
  cost.completed = inSeries(repeated(n, loop.iteration), loop.after);
  const double breaks = loop.n == 0 ? 0 : -std::expm1(n * s);
  if (breaks > 0)
    cost.broken =
        inSeries(repeated(truncatedGeometric(loop.n, loop.b), loop.iteration), loop.breaking);
  const Cumulants ways[] = {cost.broken, cost.completed};
  const double weights[] = {breaks, cost.completes};
  cost.k = oneOf(ways, weights);
  if (!finite(cost.k))
    return Error{"the cost of the loop is not finite"};
  return cost;
}

} // namespace quincunx
