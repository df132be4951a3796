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
#include <span>

namespace quincunx {

namespace {

/// Where the density is this far below the mode (e^-56 = 5e-25) and the fourth moment beyond is
/// this small, the law ends; or where the density itself would lose digits to underflow.
constexpr double negligible = -56, negligibleMoment = -44, underflow = -690;
/// Largest coefficients that a panel of the table leaves out, relative to its largest value; the
/// logarithm g of the density is known to about |g| eps.
double tolerance(double g) { return 1e-13 * (1 + std::abs(g) / 64); }
constexpr size_t mostPanels = 4000;

/// A panel with what was seen in it: places, ln of the density there, and how far it is resolved.
struct Trial {
  SampledPanel panel;
  PanelValues d, g;
  double unresolved = 0;
};

/// Samples them all at once: the arithmetic of one waits for itself longer than two take.
void sample(const Shape &shape, std::span<Trial> trials) {
  const PanelValues &node = gaussNodes();
  constexpr size_t n = panelPoints;
  std::array<double, 2 * n> d, g;
  const std::span<double> places(d.data(), trials.size() * n), values(g.data(), places.size());
  for (size_t j = 0; j < trials.size(); ++j)
    for (size_t i = 0; i < n; ++i)
      d[j * n + i] = trials[j].panel.low + trials[j].panel.half() * (1 + node[i]);
  shape.logDensity(places, values);
  for (size_t j = 0; j < trials.size(); ++j) {
    Trial &t = trials[j];
    std::copy_n(&d[j * n], n, t.d.begin());
    std::copy_n(&g[j * n], n, t.g.begin());
    const double slope = (t.g.front() - t.g.back()) / (node.back() - node.front());
    t.panel.tilt = std::abs(slope) < leastTilt ? 0 : slope;
    t.panel.reference = t.panel.tilt == 0 ? 0 : (t.g.front() + t.g.back()) / 2;
    for (size_t i = 0; i < n; ++i)
      g[j * n + i] = t.g[i] - t.panel.reference + t.panel.tilt * node[i];
  }
  inLanes(values, values, [](Lanes x) { return quickExp(x); });
  for (size_t j = 0; j < trials.size(); ++j) {
    PanelValues f;
    std::copy_n(&g[j * n], n, f.begin());
    trials[j].panel.legendreOf = legendre(f);
    trials[j].unresolved = unresolved(trials[j].panel.legendreOf);
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

  Trial next() const {
    const double ahead = at + direction * width;
    const double to = direction * (limit - ahead) > 0.1 * width ? ahead : limit;
    return {{std::min(at, to), std::max(at, to)}, {}, {}};
  }

  /// Goes on from the end of this panel; or will try a narrower one.
  void take(const Shape &shape, const Trial &t) {
    const double low = t.panel.low, high = t.panel.high;
    failed = !std::isfinite(t.unresolved) || high <= low || ++tries > 4 * mostPanels ||
             panels.size() == mostPanels;
    const double allowed = tolerance(std::min(t.g.front(), t.g.back()));
    const double fit = 0.9 * std::pow(allowed / (t.unresolved + 1e-20), 1.0 / 16);
    if (failed || t.unresolved > allowed) {
      width = (high - low) * std::max(fit, 0.2);
      return;
    }
    panels.push_back(t.panel);
    width = (high - low) * std::clamp(fit, 0.5, 3.0);
    at = direction > 0 ? high : low;
    const size_t last = direction > 0 ? panelPoints - 1 : 0, inner = direction > 0 ? last - 1 : 1;
    const auto reach = [&] { return std::log1p(std::abs(shape.place(t.d[last]))); };
    if (at != limit && t.g[last] >= underflow &&
        (t.g[last] >= negligible || t.g[last] + 4 * reach() >= negligibleMoment))
      return;
    done = true;
    if (at == limit && shape.endsThere())
      return;
    const double slope = (t.g[inner] - t.g[last]) / std::abs(t.d[last] - t.d[inner]);
    end.slope = std::max(slope, 1e-300);
    end.mass = std::exp(t.g[last] - slope * std::abs(at - t.d[last])) / end.slope;
    failed = !std::isfinite(end.mass);
  }
};

} // namespace

std::optional<SampledDensity> samplePanels(const Shape &shape) {
  const Range window = shape.window();
  const double width = std::min(2.5 * shape.spread(), 2.0);
  March down{-1, window.low, width}, up{1, window.high, width};
  down.panels.reserve(16), up.panels.reserve(16);
  while (!down.done || !up.done) {
    std::array<Trial, 2> trials;
    const size_t count = down.done || up.done ? 1 : 2;
    trials[0] = down.done ? up.next() : down.next();
    if (count == 2)
      trials[1] = up.next();
    sample(shape, std::span(trials).first(count));
    if (!up.done)
      up.take(shape, trials[count - 1]);
    if (!down.done)
      down.take(shape, trials[0]);
    if (down.failed || up.failed)
      return std::nullopt;
  }
  SampledDensity out{{down.panels.rbegin(), down.panels.rend()}, down.end, up.end};
  out.panels.insert(out.panels.end(), up.panels.begin(), up.panels.end());
  return out;
}

std::vector<SampledPanel> cutPanel(const Shape &shape, const SampledPanel &panel) {
  const auto count = static_cast<int>(1.05 * std::abs(panel.tilt) / leastTilt) + 2;
  std::vector<SampledPanel> out;
  for (int i = 1; i <= count; ++i) {
    Trial part;
    part.panel.low = i == 1 ? panel.low : out.back().high;
    part.panel.high = i == count ? panel.high : panel.low + 2 * panel.half() * i / count;
    sample(shape, std::span(&part, 1));
    out.push_back(part.panel);
  }
  return out;
}

} // namespace quincunx
