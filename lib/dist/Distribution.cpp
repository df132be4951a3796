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

void Distribution::stations(std::span<const double> u, std::span<Station> out) const {
  std::vector<Tails> at(u.size());
  tails(u, at);
  for (size_t i = 0; i < u.size(); ++i)
    out[i] = {u[i], 1, at[i]};
}

namespace {

/// Integrals of (t-c)^(r-1) tail, r = 1..4, on one side of c.
using Powers = std::array<double, 4>;
constexpr int depth = 45;

/// |t-c|^(r-1) dt/du tail, r = 1..4; the small factor first, so that nothing overflows.
Powers integrand(const Station &s, double center, bool upper) {
  const double x = std::abs(s.t - center);
  Powers y{(upper ? s.tails.above : s.tails.below) * s.stretch};
  for (size_t r = 1; r < 4; ++r)
    y[r] = y[r - 1] * x;
  return y;
}

class Integration {
public:
  Integration(const Distribution &integrated, std::vector<double> panelEdges)
      : law(integrated), edges(std::move(panelEdges)), at(edges.size()) {
    law.stations(edges, at);
    middle = median();
    const double u[] = {middle};
    Station s[1];
    law.stations(u, s);
    center = s[0].t;
    estimate();
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
  /// A step at or above which half of the mass lies, or a u where about half does.
  double median() const {
    const auto half = std::partition_point(at.begin(), at.end() - 1,
                                           [](const Station &s) { return s.tails.below < 0.5; });
    const size_t i = static_cast<size_t>(half - at.begin());
    const auto below = [this](double u) {
      const double us[] = {u};
      Station s[1];
      law.stations(us, s);
      return s[0].tails.below;
    };
    if (i == 0 || below(std::nextafter(edges[i], -std::numeric_limits<double>::infinity())) < 0.5)
      return edges[i];
    double low = edges[i - 1], high = edges[i], f = at[i - 1].tails.below;
    for (int step = 0; step < 8 && f < 0.2; ++step) {
      const double u = low + (high - low) / 2;
      f = below(u);
      (f < 0.5 ? low : high) = u;
    }
    return high;
  }

  /// The size of the integrals from the edges alone, to tell what is negligible.
  void estimate() {
    for (size_t i = 1; i < edges.size(); ++i) {
      const bool upper = edges[i] > middle;
      const Station &a = at[i - 1], &b = at[i];
      const double reach = std::max(std::abs(a.t - center), std::abs(b.t - center));
      double part =
          (b.t - a.t) / 2 * (upper ? a.tails.above + b.tails.above : a.tails.below + b.tails.below);
      for (size_t r = 0; r < 4; ++r, part *= reach)
        scale[r] += part;
    }
  }

  /// Allowed errors of the first and the fourth integral: beside the whole, or for places that are
  /// rounded themselves.
  std::pair<double, double> allowed() const {
    const double rounding = std::numeric_limits<double>::epsilon() * std::abs(center);
    return {std::max(1e-14 * scale[0], 1e-3 * rounding),
            std::max(1e-14, rounding / scale[0]) * scale[3]};
  }

  /// True when each of `part` times width is nothing beside the whole.
  bool small(const Powers &part, double width, double limit) const {
    for (size_t r = 0; r < 4; ++r)
      if (part[r] * width > limit * scale[r])
        return false;
    return true;
  }

  Powers side(bool upper) {
    // From the far end inwards, panels without weight are left out.
    const auto idle = [this, upper](size_t near, size_t far) {
      return small(integrand(at[near], center, upper), std::abs(edges[far] - edges[near]), 1e-16) &&
             small(integrand(at[far], center, upper), std::abs(edges[far] - edges[near]), 1e-16);
    };
    size_t first = 0, last = edges.size() - 1;
    while (!upper && first < last && edges[first + 1] < middle && idle(first + 1, first))
      ++first;
    while (upper && first < last && edges[last - 1] > middle && idle(last - 1, last))
      --last;
    std::vector<double> panels;
    if (upper)
      panels.push_back(middle);
    for (size_t i = first; i <= last; ++i)
      if (upper ? edges[i] > middle : edges[i] < middle)
        panels.push_back(edges[i]);
    if (!upper)
      panels.push_back(middle);
    Powers sum{};
    sweep(panels, depth,
          [&](double low, double high, bool end) { return panel(low, high, upper, end, sum); });
    return sum;
  }

  bool panel(double low, double high, bool upper, bool last, Powers &sum) {
    const PanelValues &node = gaussNodes(), &weight = gaussWeights();
    const double half = (high - low) / 2;
    PanelValues u, first, fourth;
    std::array<Station, panelPoints> s;
    for (size_t i = 0; i < panelPoints; ++i)
      u[i] = low + half * (1 + node[i]);
    law.stations(u, s);
    Powers part{};
    for (size_t i = 0; i < panelPoints; ++i) {
      const Powers y = integrand(s[i], center, upper);
      first[i] = y[0], fourth[i] = y[3];
      for (size_t r = 0; r < 4; ++r)
        part[r] += half * weight[i] * y[r];
    }
    // Below this width places are too coarse for their tails to be smooth, halved or not.
    const bool grainy = high - low < 1e-12 * std::max(std::abs(low), std::abs(high));
    const auto [one, four] = allowed();
    if (!last && !grainy &&
        (gaussError(first) * 2 * half > one || gaussError(fourth) * 2 * half > four))
      return false;
    for (size_t r = 0; r < 4; ++r)
      sum[r] += part[r];
    return true;
  }

  const Distribution &law;
  std::vector<double> edges; ///< in u
  std::vector<Station> at;
  double middle = 0, center = 0; ///< u of the median, about, and its place
  Powers scale{};
};

} // namespace

Cumulants integrateCumulants(const Distribution &law) {
  std::vector<double> edges = law.edges();
  if (edges.empty())
    return cumulants(law.moments());
  return Integration(law, std::move(edges)).cumulants();
}

} // namespace quincunx
