// The law of a place-by-place combination of independent laws.
// The idea: nothing of the operands is needed but their tails at a place, whatever they are:
// smooth, with several modes, steps. The new law answers the same questions, so it can be an
// operand again, and its moments are integrals of its tails like those of any law. Reference:
// docs/08-parallel-composition.md. The combinations themselves are lib/dist/Combinations.cpp.
#include "quincunx/dist/OrderStatistic.h"
#include "base/Infinity.h"

#include "Invert.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <ranges>
#include <utility>

namespace quincunx {

namespace {

class Combined final : public Distribution {
public:
  Combined(std::vector<DistributionPtr> laws, std::unique_ptr<const Combination> how)
      : operands(std::move(laws)), combination(std::move(how)) {
    known = quincunx::moments(integrateCumulants(*this));
  }

  double cdf(double t) const override { return at(t).below; }
  double survival(double t) const override { return at(t).above; }
  double quantile(double p) const override { return invert(*this, allKnots(), p, 1 - p); }
  double upperQuantile(double q) const override { return invert(*this, allKnots(), 1 - q, q); }

  std::optional<double> density(double t) const override {
    const std::vector<Tails> x = operandsAt(t);
    double sum = 0;
    for (size_t i = 0; i < operands.size(); ++i) {
      const std::optional<double> f = operands[i]->density(t);
      if (!f)
        return std::nullopt;
      if (*f > 0)
        sum += *f * combination->slope(x, i);
    }
    return sum;
  }
  Moments moments() const override { return known; }
  Range support() const override {
    // An end is where Y can be at all: where the combination of what lies below has some mass.
    std::vector<double> ends;
    for (const DistributionPtr &law : operands) {
      ends.push_back(law->support().low);
      ends.push_back(law->support().high);
    }
    std::sort(ends.begin(), ends.end());
    Range r{ends.front(), ends.back()};
    for (const double end : ends)
      if (std::isfinite(end) && at(std::nextafter(end, -inf)).below == 0)
        r.low = end;
    for (const double end : std::views::reverse(ends))
      if (std::isfinite(end) && at(end).above == 0)
        r.high = end;
    return r;
  }
  std::vector<double> knots() const override { return allKnots(); }
  // One operand without kinks is combined in its own coordinate.
  std::vector<double> edges() const override {
    return ownCoordinate() ? operands[0]->edges() : allKnots();
  }
  void stations(std::span<const double> u, StationSpans out) const override {
    if (!ownCoordinate())
      return Distribution::stations(u, out);
    operands[0]->stations(u, out);
    combination->combineAll(out.tails, u.size(), out.tails);
  }

  void tails(std::span<const double> ascending, TailSpans out) const override {
    const size_t count = ascending.size(), places = operands.size() * count;
    std::vector<double> below(places), above(places);
    const TailSpans x{below, above};
    for (size_t i = 0; i < operands.size(); ++i)
      operands[i]->tails(ascending, x.part(i * count, count));
    combination->combineAll(x, count, out);
  }

private:
  bool ownCoordinate() const { return operands.size() == 1 && combination->pieces() == 1; }
  /// Knots of all operands, and where the combination changes from one smooth piece to another
  /// between two of them; found when first asked for.
  const std::vector<double> &allKnots() const {
    std::call_once(searched, [this] {
      for (const DistributionPtr &law : operands) {
        const std::vector<double> k = law->knots();
        all.insert(all.end(), k.begin(), k.end());
      }
      sortKnots(all);
      if (combination->pieces() > 1)
        addKinks();
    });
    return all;
  }
  void addKinks() const {
    std::vector<double> kinks;
    for (size_t i = 1; i < all.size(); ++i) {
      double low = all[i - 1], high = all[i];
      const size_t before = pieceAt(low), after = pieceAt(high);
      for (int step = 0; step < 60 && before != after; ++step) {
        const double middle = low + (high - low) / 2;
        (pieceAt(middle) == before ? low : high) = middle;
      }
      if (before != after)
        kinks.push_back(high);
    }
    all.insert(all.end(), kinks.begin(), kinks.end());
    sortKnots(all);
  }
  size_t pieceAt(double t) const { return combination->piece(operandsAt(t)); }
  std::vector<Tails> operandsAt(double t) const {
    std::vector<Tails> x(operands.size());
    std::transform(operands.begin(), operands.end(), x.begin(), [t](const DistributionPtr &law) {
      return Tails{law->cdf(t), law->survival(t)};
    });
    return x;
  }
  Tails at(double t) const {
    Tails out;
    tails(std::span(&t, 1), {std::span(&out.below, 1), std::span(&out.above, 1)});
    return out;
  }

  std::vector<DistributionPtr> operands;
  std::unique_ptr<const Combination> combination;
  mutable std::once_flag searched;
  mutable std::vector<double> all;
  Moments known;
};

} // namespace

DistributionPtr makeCombined(std::vector<DistributionPtr> operands,
                             std::unique_ptr<const Combination> combination) {
  return std::make_shared<Combined>(std::move(operands), std::move(combination));
}

} // namespace quincunx
