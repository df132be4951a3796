// How tails of operands become the tail of the largest, the smallest or the k-th.
// The idea: logarithms of probabilities add up and keep both tails, so N may be 1e9 or not whole;
// the smallest is the largest with tails exchanged; the k-th of N copies is a beta law in u = F(t),
// tabulated in logit u, where any k and N are smooth. Reference: docs/08-parallel-composition.md;
// David & Nagaraja, Order Statistics, ch. 2. Operands are independent here, but for the two
// couplings that bound all others.
#include "LogRatio.h"
#include "PanelTable.h"
#include "quincunx/dist/OrderStatistic.h"
#include "quincunx/numeric/Elementary.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace quincunx {

namespace {

/// ln of a probability from it and its complement.
double logOf(double p, double complement) {
  return complement < 0.5 ? std::log1p(-complement) : std::log(p);
}

/// The largest; the smallest is the largest on the mirrored line.
class Extremum final : public Combination {
public:
  Extremum(std::vector<double> n, Coupling c, bool mirrored)
      : counts(std::move(n)), coupling(c), mirror(mirrored) {
    assert(std::all_of(counts.begin(), counts.end(), [](double x) { return x > 0; }) &&
           "operands that do not occur are left out");
  }

  Tails combine(std::span<const Tails> operands) const override {
    const double log = coupling == Coupling::independent ? logProduct(operands) : 0;
    Tails y{std::exp(log), -std::expm1(log)};
    if (coupling == Coupling::comonotone) {
      y = own(operands[piece(operands)]); // F = min F_i
    } else if (coupling == Coupling::extreme) {
      // 1 - F = min(1, sum n_i (1 - F_i))
      double above = 0;
      for (size_t i = 0; i < operands.size(); ++i)
        above += counts[i] * own(operands[i]).above;
      y = {std::max(0.0, 1 - above), std::min(1.0, above)};
    }
    return own(y);
  }

  void combineAll(TailSpans operands, size_t count, TailSpans out) const override {
    if (coupling != Coupling::independent)
      return Combination::combineAll(operands, count, out);
    const TailSpans x = own(operands), y = own(out);
    widely([&] {
      for (size_t j = 0; j < count; j += laneCount) {
        const size_t here = std::min(laneCount, count - j);
        Lanes log{};
        for (size_t i = 0; i < counts.size(); ++i)
          log += counts[i] * logOf(loadFirst(&x.below[i * count + j], here),
                                   loadFirst(&x.above[i * count + j], here));
        storeFirst(log, &y.below[j], here);
      }
      for (size_t j = 0; j < count; j += laneCount) {
        const size_t here = std::min(laneCount, count - j);
        const auto [all, less1] = quickExponential(loadFirst(&y.below[j], here));
        storeFirst(all, &y.below[j], here), storeFirst(-less1, &y.above[j], here);
      }
    });
  }

  double slope(std::span<const Tails> operands, size_t i) const override {
    const Tails x = own(operands[i]);
    switch (coupling) {
    case Coupling::independent: // n_i F/F_i
      return counts[i] * std::exp(logProduct(operands) - quincunx::logOf(x.below, x.above));
    case Coupling::comonotone:
      return piece(operands) == i ? 1 : 0;
    case Coupling::extreme:
      return piece(operands) == 0 ? counts[i] : 0;
    }
    return 0;
  }

  size_t pieces() const override {
    return coupling == Coupling::independent  ? 1
           : coupling == Coupling::comonotone ? counts.size()
                                              : 2;
  }
  size_t piece(std::span<const Tails> operands) const override {
    if (coupling == Coupling::extreme)
      return own(combine(operands)).above < 1 ? 0 : 1;
    size_t least = 0; // of F_i
    for (size_t i = 1; coupling == Coupling::comonotone && i < operands.size(); ++i)
      if (own(operands[i]).above > own(operands[least]).above)
        least = i;
    return least;
  }

private:
  Tails own(const Tails &x) const { return mirror ? Tails{x.above, x.below} : x; }
  TailSpans own(TailSpans x) const { return mirror ? TailSpans{x.above, x.below} : x; }

  /// ln F at four places.
  QUINCUNX_LANES static Lanes logOf(Lanes below, Lanes above) {
    const auto small = below <= 1e-300;
    if (small[0] | small[1] | small[2] | small[3]) {
      Lanes log;
      for (size_t k = 0; k < laneCount; ++k)
        log[k] = quincunx::logOf(below[k], above[k]);
      return log;
    }
    return quickLog(above < 0.5 ? 1 - above : below, above < 0.5 ? -above : below - 1);
  }
  // ln F = sum n_i ln F_i
  double logProduct(std::span<const Tails> operands) const {
    double sum = 0;
    for (size_t i = 0; i < operands.size(); ++i) {
      const Tails x = own(operands[i]);
      sum += counts[i] * quincunx::logOf(x.below, x.above);
    }
    return sum;
  }

  std::vector<double> counts;
  Coupling coupling;
  bool mirror;
};

/// F_Y = I_F(k, n - k + 1), a beta law of logit F.
class KthOfCopies final : public Combination {
public:
  KthOfCopies(PanelTable t, double k, double n)
      : shape(k, n - k + 1), table(std::move(t)), mode(shape.modeAbove()) {}

  Tails combine(std::span<const Tails> operands) const override {
    const Tails &x = operands[0];
    if (x.below <= 0)
      return {0, 1};
    if (x.above <= 0)
      return {1, 0};
    return table.tails(coordinate(x));
  }
  // f(logit u) / (u (1 - u))
  double slope(std::span<const Tails> operands, size_t) const override {
    const Tails &x = operands[0];
    if (x.below <= 0 || x.above <= 0)
      return 0;
    const double d[] = {coordinate(x)};
    double g[1];
    shape.logDensity(d, g);
    return std::exp(g[0] - table.logMass()) / (x.below * x.above);
  }

private:
  double coordinate(const Tails &x) const { return std::log(x.below) - std::log(x.above) - mode; }

  BetaShape shape;
  PanelTable table;
  double mode;
};

/// The number of tasks that have ended is a sum of binomial counts; probabilities only add up.
class KthOfClasses final : public Combination {
public:
  KthOfClasses(size_t order, std::vector<size_t> n) : k(order), counts(std::move(n)) {}

  Tails combine(std::span<const Tails> operands) const override {
    const std::vector<double> ended = endedOf(operands, counts);
    Tails y{0, 0};
    for (size_t j = 0; j < ended.size(); ++j)
      (j >= k ? y.below : y.above) += ended[j];
    return {std::min(y.below, 1.0), std::min(y.above, 1.0)}; // above it by rounding
  }
  // n_i P(k - 1 of the others have ended)
  double slope(std::span<const Tails> operands, size_t i) const override {
    std::vector<size_t> others = counts;
    --others[i];
    const std::vector<double> ended = endedOf(operands, others);
    return static_cast<double>(counts[i]) * ended[k - 1];
  }

private:
  static std::vector<double> endedOf(std::span<const Tails> operands,
                                     const std::vector<size_t> &copies) {
    std::vector<double> ended{1};
    for (size_t i = 0; i < operands.size(); ++i)
      for (size_t copy = 0; copy < copies[i]; ++copy) {
        ended.push_back(0);
        for (size_t j = ended.size() - 1; j > 0; --j)
          ended[j] = ended[j] * operands[i].above + ended[j - 1] * operands[i].below;
        ended[0] *= operands[i].above;
      }
    return ended;
  }

  size_t k;
  std::vector<size_t> counts;
};

} // namespace

size_t Combination::piece(std::span<const Tails>) const { return 0; }

void Combination::combineAll(TailSpans operands, size_t count, TailSpans out) const {
  std::vector<Tails> place(operands.below.size() / count);
  for (size_t j = 0; j < count; ++j) {
    for (size_t i = 0; i < place.size(); ++i)
      place[i] = {operands.below[i * count + j], operands.above[i * count + j]};
    const Tails y = combine(place);
    out.below[j] = y.below, out.above[j] = y.above;
  }
}

std::unique_ptr<const Combination> lastOf(std::vector<double> counts, Coupling coupling) {
  return std::make_unique<Extremum>(std::move(counts), coupling, false);
}

std::unique_ptr<const Combination> firstOf(std::vector<double> counts, Coupling coupling) {
  return std::make_unique<Extremum>(std::move(counts), coupling, true);
}

Result<std::unique_ptr<const Combination>> kthOf(double k, double n) {
  assert(k >= 1 && k <= n && "there are n of them");
  Result<PanelTable> table = PanelTable::make(BetaShape(k, n - k + 1));
  if (!table)
    return table.error();
  return std::unique_ptr<const Combination>(std::make_unique<KthOfCopies>(std::move(*table), k, n));
}

std::unique_ptr<const Combination> kthOfClasses(size_t k, std::vector<size_t> counts) {
  assert(k >= 1 && "orders count from 1");
  return std::make_unique<KthOfClasses>(k, std::move(counts));
}

} // namespace quincunx
