// A density on panels.
// The idea: march from the mode outwards, both ways at once, with panels as wide as 16 points can
// resolve; on a slope the exponential through the ends of the panel is taken out first, so that
// what is left is smooth and a tail takes few panels however far it falls. Reference:
// docs/09-percentiles-and-bounds.md. It integrates nothing (PanelTable.cpp does).
#include "Panels.h"

#include "quincunx/numeric/Elementary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>

namespace quincunx {

namespace {

/// Where the density is this far below the mode (e^-56 = 5e-25) and the fourth moment beyond is
/// this small, the law ends; or where the density itself would lose digits to underflow.
constexpr double negligible = -56, negligibleMoment = -44, underflow = -690;
/// Largest coefficients that a panel of the table leaves out, relative to its largest value; the
/// logarithm g of the density is known to about |g| eps.
double tolerance(double g) { return 1e-13 * (1 + std::abs(g) / 64); }
constexpr size_t maxPanels = 4000;

/// Panels with what was seen in them.
struct Trials {
  static constexpr size_t most = 2;
  size_t count = 0;
  std::array<SampledPanel, most> panels;
  std::array<PanelValues, most> d, g; ///< places, and ln of the density there
  std::array<double, most> off{};     ///< how far each is from being resolved
};

/// Samples them all at once: the arithmetic of one waits for itself longer than two take.
void sample(const Shape &shape, Trials &t) {
  const PanelValues &node = gaussNodes();
  for (size_t j = 0; j < t.count; ++j)
    for (size_t i = 0; i < panelPoints; ++i)
      t.d[j][i] = t.panels[j].low + t.panels[j].half() * (1 + node[i]);
  const size_t places = t.count * panelPoints;
  shape.logDensity({t.d[0].data(), places}, {t.g[0].data(), places});
  std::array<PanelValues, Trials::most> f;
  for (size_t j = 0; j < t.count; ++j) {
    const PanelValues &g = t.g[j];
    const double slope = (g.front() - g.back()) / (node.back() - node.front());
    const double tilt = std::abs(slope) < minTilt ? 0 : slope;
    const double reference = tilt == 0 ? 0 : (g.front() + g.back()) / 2;
    t.panels[j].tilt = tilt, t.panels[j].reference = reference;
    for (size_t i = 0; i < panelPoints; ++i)
      f[j][i] = g[i] - reference + tilt * node[i];
  }
  const std::span<double> values(f[0].data(), places);
  inLanes(values, values, [](Lanes x) QUINCUNX_INLINED { return quickExp(x); });
  for (size_t j = 0; j < t.count; ++j) {
    t.panels[j].legendreOf = legendre(f[j]);
    t.off[j] = unresolved(t.panels[j].legendreOf);
  }
}

/// One way from the mode to where the law ends, or to `limit`.
struct March {
  int direction;
  double limit, width, at = 0;
  std::vector<SampledPanel> panels{};
  PanelEnd end{};
  size_t tries = 0;
  bool done = false, failed = false;

  void propose(Trials &t) const {
    const double ahead = at + direction * width;
    const double to = direction * (limit - ahead) > 0.1 * width ? ahead : limit;
    SampledPanel &p = t.panels[t.count++];
    p.low = std::min(at, to), p.high = std::max(at, to);
  }

  /// Goes on from the end of this panel; or will try a narrower one.
  void take(const Shape &shape, const Trials &t, size_t which) {
    const PanelValues &d = t.d[which], &g = t.g[which];
    const double low = t.panels[which].low, high = t.panels[which].high, off = t.off[which];
    failed =
        !std::isfinite(off) || high <= low || ++tries > 4 * maxPanels || panels.size() == maxPanels;
    const double allowed = tolerance(std::min(g.front(), g.back()));
    const double fit = 0.9 * std::pow(allowed / (off + 1e-20), 1.0 / 16);
    if (failed || off > allowed) {
      width = (high - low) * std::max(fit, 0.2);
      return;
    }
    panels.push_back(t.panels[which]);
    width = (high - low) * std::clamp(fit, 0.5, 3.0);
    at = direction > 0 ? high : low;
    const size_t last = direction > 0 ? panelPoints - 1 : 0, inner = direction > 0 ? last - 1 : 1;
    const auto reach = [&] { return std::log1p(std::abs(shape.place(d[last]))); };
    if (at != limit && g[last] >= underflow &&
        (g[last] >= negligible || g[last] + 4 * reach() >= negligibleMoment))
      return;
    done = true;
    if (at == limit && shape.endsThere())
      return;
    const double slope = (g[inner] - g[last]) / std::abs(d[last] - d[inner]);
    end.slope = std::max(slope, 1e-300);
    end.mass = std::exp(g[last] - slope * std::abs(at - d[last])) / end.slope;
    failed = !std::isfinite(end.mass);
  }
};

/// `p` on the other side of 0: P_k(-x) = (-1)^k P_k(x).
SampledPanel mirror(const SampledPanel &p) {
  SampledPanel out{-p.high, -p.low, -p.tilt, p.reference, p.legendreOf};
  for (size_t k = 1; k < panelPoints; k += 2)
    out.legendreOf[k] = -out.legendreOf[k];
  return out;
}

} // namespace

std::optional<SampledDensity> samplePanels(const Shape &shape) {
  const Range window = shape.window();
  const double width = std::min(2.5 * shape.spread(), 2.0);
  March down{-1, window.low, width}, up{1, window.high, width};
  down.panels.reserve(16), up.panels.reserve(16);
  down.done = shape.isSymmetric();
  while (!down.done || !up.done) {
    Trials t;
    if (!down.done)
      down.propose(t);
    if (!up.done)
      up.propose(t);
    sample(shape, t);
    if (!up.done)
      up.take(shape, t, t.count - 1);
    if (!down.done)
      down.take(shape, t, 0);
    if (down.failed || up.failed)
      return std::nullopt;
  }
  if (shape.isSymmetric()) {
    std::transform(up.panels.begin(), up.panels.end(), std::back_inserter(down.panels), mirror);
    down.end = up.end;
  }
  SampledDensity out{{down.panels.rbegin(), down.panels.rend()}, down.end, up.end};
  out.panels.insert(out.panels.end(), up.panels.begin(), up.panels.end());
  return out;
}

std::vector<SampledPanel> cutPanel(const Shape &shape, const SampledPanel &panel) {
  const auto count = static_cast<int>(1.05 * std::abs(panel.tilt) / minTilt) + 2;
  std::vector<SampledPanel> out;
  for (int i = 1; i <= count; ++i) {
    Trials part;
    part.count = 1;
    part.panels[0].low = i == 1 ? panel.low : out.back().high;
    part.panels[0].high = i == count ? panel.high : panel.low + 2 * panel.half() * i / count;
    sample(shape, part);
    out.push_back(part.panels[0]);
  }
  return out;
}

} // namespace quincunx
