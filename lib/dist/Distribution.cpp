// What every law answers without code of its own: tails at many places, and cumulants by panels.
// The idea: moments are integrals of the tails,
//   E (T-c)^r = r int_c^inf (t-c)^(r-1) S(t) dt + (-1)^r r int_-inf^c (c-t)^(r-1) F(t) dt,
// so steps, kinks and densities with poles need nothing but panels that end there. c is near the
// median, where both tails still have their digits. Reference: docs/09-percentiles-and-bounds.md.
// A moment that hangs on what lies beyond the last knot is not seen.
#include "quincunx/dist/Distribution.h"

#include "quincunx/numeric/Quadrature.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace quincunx {

void Distribution::tails(std::span<const double> ascending, std::span<Tails> out) const {
  for (size_t i = 0; i < ascending.size(); ++i)
    out[i] = {cdf(ascending[i]), survival(ascending[i])};
}

namespace {

/// Integrals of (t-c)^(r-1) tail, r = 1..4, on one side of c.
using Powers = std::array<double, 4>;
constexpr int depth = 45;

class Integration {
public:
  Integration(const Distribution &integrated, std::vector<double> panelEdges)
      : law(integrated), knots(std::move(panelEdges)), at(knots.size()) {
    law.tails(knots, at);
    center = median();
    scale = estimate();
  }

  Cumulants cumulants() {
    const Powers up = side(true), down = side(false);
    // E (T-c)^r, r = 1..4
    std::array<double, 4> m{};
    for (size_t r = 1; r <= 4; ++r)
      m[r - 1] = static_cast<double>(r) * (up[r - 1] + (r % 2 == 0 ? down[r - 1] : -down[r - 1]));
    Cumulants k = quincunx::cumulants(RawMoments{m[0], m[1], m[2], m[3]});
    k.k1 += center;
    return k;
  }

private:
  /// A step at or above which half of the mass lies, or a place where about half does.
  double median() const {
    const auto half = std::partition_point(at.begin(), at.end() - 1,
                                           [](const Tails &x) { return x.below < 0.5; });
    const size_t i = static_cast<size_t>(half - at.begin());
    if (i == 0 || law.cdf(std::nextafter(knots[i], -std::numeric_limits<double>::infinity())) < 0.5)
      return knots[i];
    double low = knots[i - 1], high = knots[i];
    for (int step = 0; step < 8; ++step) {
      const double middle = low + (high - low) / 2;
      (law.cdf(middle) < 0.5 ? low : high) = middle;
    }
    return high;
  }

  static double powerOf(double x, size_t r) { // x^(r-1)
    return r == 1 ? 1 : r == 2 ? x : r == 3 ? x * x : x * x * x;
  }
  double tailOf(const Tails &x, bool upper) const { return upper ? x.above : x.below; }

  /// The size of the integrals from the knots alone, to tell what is negligible.
  Powers estimate() const {
    Powers sum{};
    for (size_t i = 1; i < knots.size(); ++i) {
      const bool upper = knots[i] > center;
      const double width = knots[i] - knots[i - 1];
      const double reach = std::max(std::abs(knots[i] - center), std::abs(knots[i - 1] - center));
      const double tail = (tailOf(at[i - 1], upper) + tailOf(at[i], upper)) / 2;
      for (size_t r = 1; r <= 4; ++r)
        sum[r - 1] += width * powerOf(reach, r) * tail;
    }
    return sum;
  }

  /// True when `value` times width times any power up to the third is nothing beside the whole.
  bool small(double value, double width, double reach, double part) const {
    for (size_t r = 1; r <= 4; ++r)
      if (value * width * powerOf(reach, r) > part * scale[r - 1])
        return false;
    return true;
  }

  Powers side(bool upper) {
    // From the far end inwards, panels without weight are left out.
    size_t first = 0, final = knots.size() - 1;
    while (
        !upper && first < final && knots[first + 1] < center &&
        small(at[first + 1].below, knots[first + 1] - knots[first], center - knots[first], 1e-18))
      ++first;
    while (
        upper && first < final && knots[final - 1] > center &&
        small(at[final - 1].above, knots[final] - knots[final - 1], knots[final] - center, 1e-18))
      --final;
    std::vector<double> edges;
    if (upper)
      edges.push_back(center);
    for (size_t i = first; i <= final; ++i)
      if (upper ? knots[i] > center : knots[i] < center)
        edges.push_back(knots[i]);
    if (!upper)
      edges.push_back(center);
    Powers sum{};
    sweep(edges, depth,
          [&](double low, double high, bool last) { return panel(low, high, upper, last, sum); });
    return sum;
  }

  bool panel(double low, double high, bool upper, bool last, Powers &sum) {
    const PanelValues &node = gaussNodes(), &weight = gaussWeights();
    const double half = (high - low) / 2;
    PanelValues t, tail;
    std::array<Tails, panelPoints> s;
    for (size_t i = 0; i < panelPoints; ++i)
      t[i] = low + half * (1 + node[i]);
    law.tails(t, s);
    for (size_t i = 0; i < panelPoints; ++i)
      tail[i] = tailOf(s[i], upper);
    const double reach = std::max(std::abs(low - center), std::abs(high - center));
    // Below this width places are too coarse for their tails to be smooth, halved or not.
    const bool grainy = high - low < 1e-12 * std::max(std::abs(low), std::abs(high));
    if (!last && !grainy && !small(gaussError(tail), high - low, reach, 1e-14))
      return false;
    for (size_t i = 0; i < panelPoints; ++i) {
      const double x = std::abs(t[i] - center), w = half * weight[i] * tail[i];
      for (size_t r = 1; r <= 4; ++r)
        sum[r - 1] += w * powerOf(x, r);
    }
    return true;
  }

  const Distribution &law;
  std::vector<double> knots;
  std::vector<Tails> at;
  double center = 0;
  Powers scale{};
};

} // namespace

Cumulants integrateCumulants(const Distribution &law) {
  std::vector<double> knots = law.knots();
  if (knots.empty())
    return cumulants(law.moments());
  return Integration(law, std::move(knots)).cumulants();
}

} // namespace quincunx
