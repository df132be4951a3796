// Cdf, survival and quantiles from a log-density.
// The idea: march from the mode outwards with panels as wide as 16 points can resolve; add up mass
// from the lower end and, apart from it, from the upper end, so that both tails keep their digits;
// keep the Legendre coefficients, so that the mass up to any place in a panel is one sum. A
// quantile is Newton's method on the logarithm of the tail within one panel, from a cubic through
// its ends. Reference: docs/09-percentiles-and-bounds.md. It knows neither x nor units, only d.
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

/// (k-1)/k
const auto recurrence = [] {
  std::array<double, panelPoints + 1> r{};
  for (size_t k = 1; k <= panelPoints; ++k)
    r[k] = static_cast<double>(k - 1) / static_cast<double>(k);
  return r;
}();

/// sum a_k P_k(x) and sum b_k P_k(x) in one pass, where b has one term more;
/// P_k = x P_{k-1} + (k-1)/k (x P_{k-1} - P_{k-2}).
std::pair<double, double> both(const PanelValues &a, const PanelIntegral &b, double x) {
  double before = 1, now = x, f = a[0] + a[1] * x, F = b[0] + b[1] * x;
  for (size_t k = 2; k <= panelPoints; ++k) {
    const double next = now * x + recurrence[k] * (now * x - before);
    before = now;
    now = next;
    F += b[k] * now;
    if (k < panelPoints)
      f += a[k] * now;
  }
  return {f, F};
}

} // namespace

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
  const PanelValues &node = gaussNodes();
  double at = 0, width = std::min(2.5 * shape.spread(), 2.0);
  for (size_t tries = 0; tries < 4 * mostPanels; ++tries) {
    const double next = direction * (limit - (at + direction * width)) > 0.1 * width
                            ? at + direction * width
                            : limit;
    Panel p;
    p.low = std::min(at, next), p.high = std::max(at, next);
    PanelValues d, g, f;
    for (size_t i = 0; i < panelPoints; ++i)
      d[i] = p.low + p.half() * (1 + node[i]);
    shape.logDensity(d, g);
    for (size_t i = 0; i < panelPoints; i += 2)
      store(quickExp(load(&g[i])), &f[i]);
    const double error = unresolved(f);
    if (!std::isfinite(error) || p.high <= p.low)
      return false;
    const double allowed = tolerance(std::min(g.front(), g.back()));
    const double fit = 0.9 * std::pow(allowed / (error + 1e-20), 1.0 / 16);
    if (error > allowed) {
      width = std::abs(next - at) * std::max(fit, 0.2);
      continue;
    }
    p.density = legendre(f);
    out.push_back(p);
    if (out.size() > mostPanels)
      return false;
    const size_t last = direction > 0 ? panelPoints - 1 : 0, inner = direction > 0 ? last - 1 : 1;
    const double slope = (g[inner] - g[last]) / std::abs(d[last] - d[inner]);
    const double reach = std::log1p(std::abs(shape.place(d[last])));
    if (next == limit || g[last] < underflow ||
        (g[last] < negligible && g[last] + 4 * reach < negligibleMoment)) {
      if (next == limit && shape.endsThere())
        return true;
      end.slope = std::max(slope, 1e-300);
      end.mass = std::exp(g[last] - slope * std::abs(next - d[last])) / end.slope;
      return std::isfinite(end.mass);
    }
    width = std::abs(next - at) * std::clamp(fit, 0.5, 2.0);
    at = next;
  }
  return false;
}

void PanelTable::accumulate() {
  double total = lowEnd.mass + highEnd.mass;
  for (Panel &p : panels) {
    p.part = integralOf(p.density);
    for (double &b : p.part)
      b *= p.half();
    p.mass = 2 * p.half() * p.density[0];
    total += p.mass;
  }
  logTotal = std::log(total);
  lowEnd.mass /= total, highEnd.mass /= total;
  double below = lowEnd.mass, above = highEnd.mass;
  for (Panel &p : panels) {
    for (size_t k = 0; k < panelPoints; ++k) { // P_k(1) = 1, P_k(-1) = (-1)^k
      const double a = p.density[k] /= total;
      p.atHigh += a, p.atLow += k % 2 == 0 ? a : -a;
    }
    for (double &b : p.part)
      b /= total;
    p.mass /= total;
    p.below = below;
    below += p.mass;
  }
  for (size_t i = panels.size(); i-- > 0; above += panels[i].mass)
    panels[i].above = above;
}

size_t PanelTable::find(double d) const {
  const auto next = std::upper_bound(panels.begin() + 1, panels.end(), d,
                                     [](double x, const Panel &p) { return x < p.low; });
  return static_cast<size_t>(next - panels.begin()) - 1;
}

Tails PanelTable::tails(double d) const {
  const double at[] = {d};
  Tails out[1];
  tails(at, out);
  return out[0];
}

void PanelTable::tails(std::span<const double> d, std::span<Tails> out) const {
  const Panel &first = panels.front(), &last = panels.back();
  PanelValues x, part;
  for (size_t i = 0; i < d.size();) {
    if (!(d[i] > first.low)) {
      const double below = lowEnd.mass * std::exp(lowEnd.slope * (d[i] - first.low));
      out[i++] = {below, 1 - below};
      continue;
    }
    if (d[i] >= last.high) {
      const double above = highEnd.mass * std::exp(highEnd.slope * (last.high - d[i]));
      out[i++] = {1 - above, above};
      continue;
    }
    const Panel &p = panels[find(d[i])];
    size_t count = 0; // places in the same panel, one after another
    while (i + count < d.size() && count < panelPoints && d[i + count] >= p.low &&
           d[i + count] < p.high) {
      x[count] = (d[i + count] - p.low) / p.half() - 1;
      ++count;
    }
    legendreSums(p.part, std::span(x).first(count), part);
    for (size_t k = 0; k < count; ++k)
      out[i++] = {p.below + part[k], p.above + (p.mass - part[k])};
  }
}

double PanelTable::quantile(double p, bool upper) const {
  const Panel &first = panels.front(), &last = panels.back();
  if (!upper && p <= first.below)
    return first.low + std::log(p / lowEnd.mass) / lowEnd.slope;
  if (upper && p <= last.above)
    return last.high - std::log(p / highEnd.mass) / highEnd.slope;
  const auto at = upper
                      ? std::partition_point(panels.begin(), panels.end() - 1,
                                             [p](const Panel &x) { return x.above >= p; })
                      : std::partition_point(panels.begin(), panels.end() - 1,
                                             [p](const Panel &x) { return x.below + x.mass < p; });
  return refine(*at, p, upper);
}

// With y = ln(tail/p): y' = +-f/tail, and y is nearly a line where tails are exponential.
double PanelTable::refine(const Panel &panel, double p, bool upper) const {
  const double h = panel.half(), sign = upper ? -1 : 1;
  const auto newton = [&](double f, double part) {
    const double tail = upper ? panel.above + (panel.mass - part) : panel.below + part;
    return std::pair{std::log(tail / p), sign * h * f / tail};
  };
  const auto [y0, s0] = newton(panel.atLow, 0);
  const auto [y1, s1] = newton(panel.atHigh, panel.mass);
  // x(y) as a cubic through both ends with their slopes, at y = 0
  double x = 0;
  if (const double span = y1 - y0, u = -y0 / span; u > 0 && u < 1 && s0 != 0 && s1 != 0) {
    const double m0 = span / s0, m1 = span / s1, v = 1 - u;
    x = -v * v * (1 + 2 * u) + u * u * (3 - 2 * u) + u * v * (v * m0 - u * m1);
  }
  double low = -1, high = 1;
  x = std::clamp(x, low, high);
  for (int i = 0; i < 60; ++i) {
    const auto [f, part] = both(panel.density, panel.part, x);
    const auto [y, slope] = newton(f, part);
    (sign * y < 0 ? low : high) = x;
    double next = x - y / slope;
    if (!(next >= low && next <= high))
      next = low + (high - low) / 2;
    const double step = std::abs(next - x);
    x = next;
    if (step < 1e-9)
      break;
  }
  return panel.low + h * (1 + x);
}

std::vector<double> PanelTable::edges(double step, size_t most) const {
  std::vector<double> e{panels.front().low};
  for (size_t i = 0, joined = 1; i < panels.size(); ++i, ++joined) {
    const Panel &p = panels[i];
    if (i + 1 < panels.size() && joined < most && panels[i + 1].high - e.back() <= step)
      continue;
    const double from = e.back(), count = std::ceil((p.high - from) / step);
    for (double k = 1; k < count; ++k)
      e.push_back(from + (p.high - from) * k / count);
    e.push_back(p.high);
    joined = 0;
  }
  return e;
}

} // namespace quincunx
