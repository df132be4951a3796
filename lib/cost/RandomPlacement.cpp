// The busiest of several processors under random placement.
// The idea: were the number of tasks Poisson, the loads of the processors would be independent;
// given that there were n in all they are what they are. So with b_kj = Pois(n p_k; j),
//   P(M <= t) = [z^n] prod_k (sum_j b_kj F_j(t) z^j) / Pois(n; n),
// and since prod_k sum_j b_kj z^j = sum_j Pois(n; j) z^j, the complement of every partial product
// is a sum of positive terms as well: nothing cancels in either tail. A product over processors
// with total probability q is kept only where Pois(n q; j) is not negligible. Reference:
// docs/08-parallel-composition.md; López, Núñez & Rubio state another formula, which is the largest
// load times one cost. It does not know what the costs are.
#include "RandomPlacement.h"

#include "quincunx/numeric/Elementary.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace quincunx {

namespace {

constexpr double maxOperations = 3e7; ///< per place; a law asks at some hundred places

/// Powers of z that have a part in the result when the rate is `rate` so far; mass outside is below
/// 1e-20.
struct Window {
  uint64_t low, high;
  Window(double rate, uint64_t tasks) {
    const double reach = 10 * std::sqrt(rate) + 40;
    low = rate > reach ? static_cast<uint64_t>(rate - reach) : 0;
    high = std::min(tasks, static_cast<uint64_t>(rate + reach));
    low = std::min(low, high);
  }
  uint64_t size() const { return high - low + 1; }
};

/// A partial product over processors of total probability `share`: coefficients of z^j in it
/// (`below`) and in its complement to the same product with every F_j = 1 (`above`).
struct Partial {
  double share;
  Window window;
  std::vector<double> below, above;
  Partial(double s, uint64_t tasks)
      : share(s), window(s * static_cast<double>(tasks), tasks), below(window.size()),
        above(window.size()) {}
};

/// Adds to `belowOut` and `aboveOut` what the factor (below, above) makes of `n` coefficients.
QUINCUNX_LANES void addTerms(double below, double above, const double *b, const double *ba,
                             size_t n, double *belowOut, double *aboveOut) {
  const Lanes x = lanes(below), y = lanes(above);
  size_t j = 0;
  for (; j + laneCount <= n; j += laneCount) {
    const Lanes bb = load(b + j), bc = load(ba + j);
    store(load(belowOut + j) + x * bb, belowOut + j);
    store(load(aboveOut + j) + y * (bb + bc) + x * bc, aboveOut + j);
  }
  for (; j < n; ++j) {
    belowOut[j] += below * b[j];
    aboveOut[j] += above * (b[j] + ba[j]) + below * ba[j];
  }
}

/// a b, and the complement: B1 B2 - A1 A2 = (B1 - A1) B2 + A1 (B2 - A2), with B = A + complement.
/// Where both are one, every pair of coefficients counts twice.
Partial product(const Partial &a, const Partial &b, uint64_t tasks) {
  Partial out(a.share + b.share, tasks);
  const auto &w = out.window;
  const bool isSquare = &a == &b;
  const auto add = [&](uint64_t i, uint64_t from, uint64_t to, double times) QUINCUNX_INLINED {
    if (from > to || i + from > w.high)
      return;
    const size_t first = from - b.window.low, n = std::min(to, w.high - i) - from + 1;
    addTerms(times * a.below[i - a.window.low], times * a.above[i - a.window.low], &b.below[first],
             &b.above[first], n, &out.below[i + from - w.low], &out.above[i + from - w.low]);
  };
  widely([&]() QUINCUNX_INLINED {
    for (uint64_t i = a.window.low; i <= a.window.high; ++i) {
      const uint64_t from = std::max(b.window.low, w.low > i ? w.low - i : 0);
      add(i, std::max(from, isSquare ? i + 1 : 0), b.window.high, isSquare ? 2 : 1);
      if (isSquare && from <= i)
        add(i, i, i, 1);
    }
  });
  return out;
}

/// [z^n] of the product.
Tails coefficient(const Partial &a, const Partial &b, uint64_t n) {
  Tails t{0, 0};
  for (uint64_t i = a.window.low; i <= std::min(a.window.high, n); ++i) {
    if (n - i < b.window.low || n - i > b.window.high)
      continue;
    const double below = a.below[i - a.window.low], above = a.above[i - a.window.low];
    const double bb = b.below[n - i - b.window.low], ba = b.above[n - i - b.window.low];
    t.below += below * bb;
    t.above += above * (bb + ba) + below * ba;
  }
  return t;
}

/// Pois(rate; j) for j of the window. By ratios from the middle and divided by their sum, which
/// keeps all digits where a difference of large logarithms would not.
std::vector<double> poisson(double rate, const Window &w) {
  const Window all(rate, UINT64_MAX);
  std::vector<double> p(all.size(), 0.0);
  const uint64_t middle = std::clamp(static_cast<uint64_t>(rate), all.low, all.high);
  p[middle - all.low] = 1;
  for (uint64_t j = middle; j < all.high; ++j)
    p[j + 1 - all.low] = p[j - all.low] * rate / static_cast<double>(j + 1);
  for (uint64_t j = middle; j > all.low; --j)
    p[j - 1 - all.low] = p[j - all.low] * static_cast<double>(j) / rate;
  const double sum = std::accumulate(p.begin(), p.end(), 0.0);
  std::vector<double> out;
  for (uint64_t j = w.low; j <= w.high; ++j)
    out.push_back(p[j - all.low] / sum);
  return out;
}

} // namespace

Result<RandomPlacement> RandomPlacement::make(uint64_t tasks,
                                              std::span<const ProcessorClass> classes) {
  RandomPlacement out;
  out.tasks = tasks;
  out.classes.assign(classes.begin(), classes.end());
  out.first = tasks;
  const auto n = static_cast<double>(tasks);
  const auto width = [&](double share) { return 20 * std::sqrt(share * n) + 80; };
  double operations = 0, share = 0;
  for (const ProcessorClass &c : classes) {
    const Window w(c.p * n, tasks);
    out.first = std::min(out.first, w.low);
    out.last = std::max(out.last, w.high);
    double square = c.p;
    for (uint64_t m = c.processors; m != 0; m >>= 1, square *= 2) {
      operations += width(square) * (width(square) + (m & 1 ? width(share) : 0));
      share += m & 1 ? square : 0;
    }
  }
  if (!(operations < maxOperations))
    return Error{"so many tasks on so many processors are too much to compute"};
  out.total = poisson(n, Window(n, UINT64_MAX))[tasks - Window(n, UINT64_MAX).low];
  return out;
}

Tails RandomPlacement::tails(std::span<const Tails> sum) const {
  std::optional<Partial> whole, next; // the last of all products needs one coefficient only
  const auto multiply = [&](const Partial &factor) {
    if (next)
      whole = whole ? product(*whole, *next, tasks) : std::move(*next);
    next = factor;
  };
  for (const ProcessorClass &c : classes) {
    Partial square(c.p, tasks);
    const Window &w = square.window;
    const std::vector<double> b = poisson(c.p * static_cast<double>(tasks), w);
    for (uint64_t j = w.low; j <= w.high; ++j) {
      square.below[j - w.low] = b[j - w.low] * sum[j - first].below;
      square.above[j - w.low] = b[j - w.low] * sum[j - first].above;
    }
    for (uint64_t m = c.processors; m != 0; m >>= 1) {
      if (m & 1)
        multiply(square);
      if (m > 1)
        square = product(square, square, tasks);
    }
  }
  if (!next)
    return {1, 0}; // no processors, no load
  const Tails t =
      whole ? coefficient(*whole, *next, tasks)
            : Tails{next->below[tasks - next->window.low], next->above[tasks - next->window.low]};
  return {std::min(1.0, t.below / total), std::min(1.0, t.above / total)};
}

} // namespace quincunx
