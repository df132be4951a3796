// Cdf, survival and quantiles from a log-density.
// The idea: march from the mode outwards with panels as wide as 16 points can resolve; on a slope
// the exponential through the ends of the panel is taken out first, so that what is left is smooth
// and a tail takes few panels however far it falls. The integral of an exponential times a
// polynomial is one again. Mass is added up from the lower end and, apart from it, from the upper
// end, so that both tails keep their digits. A quantile is Halley's method on the logarithm of the
// tail within one panel, from a cubic through its ends. Reference:
// docs/09-percentiles-and-bounds.md. It knows neither x nor units, only d.
#include "PanelTable.h"

#include "quincunx/numeric/Elementary.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

/// Where the density is this far below the mode (e^-56 = 5e-25) and the fourth moment beyond is
/// this small, the law ends; or where the density itself would lose digits to underflow.
constexpr double negligible = -56, negligibleMoment = -44, underflow = -690;
/// Largest coefficients that a panel of the table leaves out, relative to its largest value; the
/// logarithm g of the density is known to about |g| eps.
double tolerance(double g) { return 1e-13 * (1 + std::abs(g) / 64); }
constexpr size_t mostPanels = 4000;
/// Below this tilt 16 points resolve the exponential itself.
constexpr double leastTilt = 1.8;
/// The integral of a tilted panel has terms at most this many times larger than itself.
constexpr double mostGrowth = 8;

/// sum c_k x^k of a multiple of four coefficients: four sums of every fourth beside each other.
template <size_t n> double polynomialAt(const std::array<double, n> &c, double x) {
  const double x2 = x * x, x4 = x2 * x2;
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (size_t k = n; k > 0; k -= 4)
    s0 = s0 * x4 + c[k - 4], s1 = s1 * x4 + c[k - 3], s2 = s2 * x4 + c[k - 2],
    s3 = s3 * x4 + c[k - 1];
  return s0 + x * s1 + x2 * (s2 + x * s3);
}

/// Its derivative.
template <size_t n> double slopeAt(const std::array<double, n> &c, double x) {
  std::array<double, n> d{};
  for (size_t k = 1; k < n; ++k)
    d[k - 1] = static_cast<double>(k) * c[k];
  return polynomialAt(d, x);
}

/// max |c_k| of a multiple of four coefficients.
template <size_t n> double largestOf(const std::array<double, n> &c) {
  std::array<double, 4> largest{};
  for (size_t k = 0; k < n; ++k)
    largest[k % 4] = std::max(largest[k % 4], std::abs(c[k]));
  return std::max({largest[0], largest[1], largest[2], largest[3]});
}

/// The polynomial at -1 and at 1.
template <size_t n> std::pair<double, double> endsOf(const std::array<double, n> &c) {
  double even = 0, odd = 0;
  for (size_t k = 0; k < n; k += 2)
    even += c[k], odd += c[k + 1];
  return {even - odd, even + odd};
}

} // namespace

/// A panel as sampled: not yet normalised.
struct PanelTable::Trial {
  PanelValues d, g;
  double error = 0, reference = 0;
  PanelValues legendreOf{};

  void sample(const Shape &shape, Panel &p) {
    const PanelValues &node = gaussNodes();
    for (size_t i = 0; i < panelPoints; ++i)
      d[i] = p.low + p.half() * (1 + node[i]);
    shape.logDensity(d, g);
    const double slope = (g.front() - g.back()) / (node.back() - node.front());
    p.tilt = std::abs(slope) < leastTilt ? 0 : slope;
    reference = p.tilt == 0 ? 0 : (g.front() + g.back()) / 2;
    PanelValues f;
    for (size_t i = 0; i < panelPoints; ++i)
      f[i] = g[i] - reference + p.tilt * node[i];
    inLanes(f, f, [](Lanes x) { return quickExp(x); });
    legendreOf = legendre(f);
    error = unresolved(legendreOf);
  }

  /// With P = sum part_k x^k: d/dx e^(-tilt x) P = half e^(-tilt x) q, or P' - tilt P = half q.
  /// Returns how much larger than the integral its terms are.
  double integrate(Panel &p) const {
    const double half = p.half();
    p.q = powers(legendreOf);
    if (p.tilt == 0) {
      for (size_t k = 0; k < panelPoints; ++k)
        p.part[k + 1] = half * p.q[k] / static_cast<double>(k + 1);
    } else {
      for (size_t k = panelPoints; k-- > 0;)
        p.part[k] = (static_cast<double>(k + 1) * p.part[k + 1] - half * p.q[k]) * (1 / p.tilt);
    }
    const double growth =
        p.tilt == 0 ? 0 : largestOf(p.part) * std::abs(p.tilt) / (half * largestOf(p.q));
    const double scale = std::exp(reference);
    for (double &x : p.q)
      x *= scale;
    for (double &x : p.part)
      x *= scale;
    return growth;
  }
};

Result<PanelTable> PanelTable::make(const Shape &shape) {
  PanelTable t;
  std::vector<Panel> down;
  const Range window = shape.window();
  if (!t.march(shape, -1, window.low, down, t.lowEnd) ||
      !t.march(shape, 1, window.high, t.panels, t.highEnd))
    return Error{"the density of this law cannot be resolved"};
  t.panels.insert(t.panels.begin(), down.rbegin(), down.rend());
  t.accumulate();
  return t;
}

/// Panels from d = 0 to where the law ends, or to `limit`; false when there is no end.
bool PanelTable::march(const Shape &shape, int direction, double limit, std::vector<Panel> &out,
                       End &end) {
  double at = 0, width = std::min(2.5 * shape.spread(), 2.0);
  Trial trial;
  out.reserve(16);
  for (size_t tries = 0; tries < 4 * mostPanels; ++tries) {
    const double next = direction * (limit - (at + direction * width)) > 0.1 * width
                            ? at + direction * width
                            : limit;
    Panel p;
    p.low = std::min(at, next), p.high = std::max(at, next);
    trial.sample(shape, p);
    const PanelValues &d = trial.d, &g = trial.g;
    if (!std::isfinite(trial.error) || p.high <= p.low)
      return false;
    const double allowed = tolerance(std::min(g.front(), g.back()));
    const double fit = 0.9 * std::pow(allowed / (trial.error + 1e-20), 1.0 / 16);
    if (trial.error > allowed) {
      width = std::abs(next - at) * std::max(fit, 0.2);
      continue;
    }
    if (trial.integrate(p) > mostGrowth) {
      width = std::abs(next - at) * 0.95 * leastTilt / std::abs(p.tilt);
      continue;
    }
    out.push_back(p);
    if (out.size() > mostPanels)
      return false;
    const size_t last = direction > 0 ? panelPoints - 1 : 0, inner = direction > 0 ? last - 1 : 1;
    const double slope = (g[inner] - g[last]) / std::abs(d[last] - d[inner]);
    const auto reach = [&] { return std::log1p(std::abs(shape.place(d[last]))); };
    if (next == limit || g[last] < underflow ||
        (g[last] < negligible && g[last] + 4 * reach() < negligibleMoment)) {
      if (next == limit && shape.endsThere())
        return true;
      end.slope = std::max(slope, 1e-300);
      end.mass = std::exp(g[last] - slope * std::abs(next - d[last])) / end.slope;
      return std::isfinite(end.mass);
    }
    width = std::abs(next - at) * std::clamp(fit, 0.5, 3.0);
    at = next;
  }
  return false;
}

void PanelTable::accumulate() {
  const size_t count = panels.size();
  struct Ends {
    double A0, A1, f0, f1; ///< integral and density at both ends
  };
  std::vector<Ends> ends(count);
  double total = lowEnd.mass + highEnd.mass;
  for (size_t i = 0; i < count; ++i) {
    const Panel &p = panels[i];
    const double e = p.tilt == 0 ? 1 : std::exp(-p.tilt);
    const auto [A0, A1] = endsOf(p.part);
    const auto [f0, f1] = endsOf(p.q);
    ends[i] = {A0 / e, A1 * e, f0 / e, f1 * e};
    total += ends[i].A1 - ends[i].A0;
  }
  logTotal = std::log(total);
  lowEnd.mass /= total, highEnd.mass /= total;
  std::vector<double> tail(2 * (count + 1)), log(tail.size());
  tail[0] = lowEnd.mass, tail[2 * count + 1] = highEnd.mass;
  for (size_t i = count; i-- > 0;) {
    panels[i].above = tail[2 * i + 3] + ends[i].A1 / total;
    tail[2 * i + 1] = panels[i].above - ends[i].A0 / total;
  }
  for (size_t i = 0; i < count; ++i) {
    panels[i].below = tail[2 * i] - ends[i].A0 / total;
    tail[2 * i + 2] = panels[i].below + ends[i].A1 / total;
    for (double &x : panels[i].q)
      x /= total;
    for (double &x : panels[i].part)
      x /= total;
  }
  inLanes(tail, log, [](Lanes x) { return quickLog(x); });
  for (size_t i = 0; i <= count; ++i) {
    const double f = (i < count ? ends[i].f0 : ends[count - 1].f1) / total;
    between.push_back({log[2 * i], log[2 * i + 1], f / tail[2 * i], -f / tail[2 * i + 1]});
  }
}

size_t PanelTable::find(double d) const {
  const auto next = std::upper_bound(panels.begin() + 1, panels.end(), d,
                                     [](double x, const Panel &p) { return x < p.low; });
  return static_cast<size_t>(next - panels.begin()) - 1;
}

Tails PanelTable::tails(double d) const {
  Tails out;
  tails(std::span(&d, 1), {std::span(&out.below, 1), std::span(&out.above, 1)});
  return out;
}

void PanelTable::tails(std::span<const double> d, TailSpans out) const {
  const Panel &first = panels.front(), &last = panels.back();
  for (size_t i = 0; i < d.size();) {
    if (!(d[i] > first.low)) {
      const double below = lowEnd.mass * std::exp(lowEnd.slope * (d[i] - first.low));
      out.below[i] = below, out.above[i++] = 1 - below;
      continue;
    }
    if (d[i] >= last.high) {
      const double above = highEnd.mass * std::exp(highEnd.slope * (last.high - d[i]));
      out.below[i] = 1 - above, out.above[i++] = above;
      continue;
    }
    const Panel &p = panels[find(d[i])];
    size_t count = 1; // places in the same panel, one after another
    while (i + count < d.size() && d[i + count] >= p.low && d[i + count] < p.high)
      ++count;
    const double middle = p.low + p.half(), perHalf = 1 / p.half();
    if (count == 1) {
      const double x = (d[i] - middle) * perHalf, E = p.tilt == 0 ? 1 : std::exp(-p.tilt * x);
      const double A = E * polynomialAt(p.part, x);
      out.below[i] = p.below + A, out.above[i++] = p.above - A;
      continue;
    }
    inLanes(d.subspan(i, count), out.below.subspan(i), out.above.subspan(i), [&](Lanes at) {
      const Lanes x = (at - middle) * perHalf;
      Lanes sum = lanes(p.part[panelPoints]);
      for (size_t k = panelPoints; k-- > 0;)
        sum = sum * x + p.part[k];
      const Lanes A = p.tilt == 0 ? sum : sum * quickExp(-p.tilt * x);
      return std::pair{p.below + A, p.above - A};
    });
    i += count;
  }
}

double PanelTable::quantile(double p, bool upper) const {
  const double log = std::log(p);
  if (!upper && log <= between.front().logBelow)
    return panels.front().low + (log - between.front().logBelow) / lowEnd.slope;
  if (upper && log <= between.back().logAbove)
    return panels.back().high - (log - between.back().logAbove) / highEnd.slope;
  const auto next = upper ? std::partition_point(between.begin() + 1, between.end() - 1,
                                                 [log](const Edge &x) { return x.logAbove >= log; })
                          : std::partition_point(between.begin() + 1, between.end() - 1,
                                                 [log](const Edge &x) { return x.logBelow < log; });
  return refine(static_cast<size_t>(next - between.begin()) - 1, p, log, upper);
}

// With y = ln(tail/p): y' = +-f/tail, y''/y' = f'/f - y', and y is nearly a line where tails are
// exponential. Halley's steps.
double PanelTable::refine(size_t at, double p, double logP, bool upper) const {
  const Panel &panel = panels[at];
  const double h = panel.half(), sign = upper ? -1 : 1;
  const auto end = [&](const Edge &e) {
    return upper ? std::pair{e.logAbove - logP, h * e.slopeAbove}
                 : std::pair{e.logBelow - logP, h * e.slopeBelow};
  };
  // x(y) as a cubic through both ends with their slopes, at y = 0
  const auto [y0, s0] = end(between[at]);
  const auto [y1, s1] = end(between[at + 1]);
  // A root that rounding puts beyond an end is there.
  double x = 0, low = -1 - 1e-9, high = 1 + 1e-9;
  if (const double span = y1 - y0, u = -y0 / span; u > 0 && u < 1 && s0 != 0 && s1 != 0) {
    const double m0 = span / s0, m1 = span / s1, v = 1 - u;
    x = -v * v * (1 + 2 * u) + u * u * (3 - 2 * u) + u * v * (v * m0 - u * m1);
  }
  x = std::clamp(x, low, high);
  for (int step = 0; step < 60; ++step) {
    const double E = panel.tilt == 0 ? 1 : std::exp(-panel.tilt * x);
    const double A = E * polynomialAt(panel.part, x), q = polynomialAt(panel.q, x);
    const double tail = upper ? panel.above - A : panel.below + A;
    const double y = std::log(tail / p), slope = sign * h * E * q / tail;
    const double bend = slopeAt(panel.q, x) / q - panel.tilt - slope; // y''/y'
    (sign * y < 0 ? low : high) = x;
    const double newton = y / slope, turn = newton * bend;
    double next = x - (std::abs(turn) < 1 ? newton / (1 - turn / 2) : newton);
    if (!(next >= low && next <= high))
      next = low + (high - low) / 2;
    x = next;
    if (std::abs(newton) * (newton * newton + turn * turn) < 3e-14) // what is left, about
      break;
  }
  return panel.low + h * (1 + x);
}

std::vector<double> PanelTable::edges(double step, double fall) const {
  std::vector<double> e{panels.front().low};
  for (const Panel &p : panels) {
    const double width = p.high - p.low;
    const double count = std::ceil(std::max(width / step, 2 * std::abs(p.tilt) / fall));
    for (int k = 1; k < count; ++k)
      e.push_back(p.low + width * k / count);
    e.push_back(p.high);
  }
  return e;
}

} // namespace quincunx
