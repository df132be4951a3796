// A density sampled on panels.
#pragma once

#include "quincunx/dist/PanelLaw.h"
#include "quincunx/numeric/Quadrature.h"

#include <cmath>
#include <optional>
#include <vector>

namespace quincunx {

/// The density at d = low + half (1 + x) is e^(reference - tilt x) sum legendre_k P_k(x).
struct SampledPanel {
  double low = 0, high = 0, tilt = 0, reference = 0;
  PanelValues legendreOf;
  double half() const { return (high - low) / 2; }
};

/// What lies beyond the last panel: mass exp(-slope distance).
struct PanelEnd {
  double mass = 0, slope = 1;
};

struct SampledDensity {
  std::vector<SampledPanel> panels; ///< ascending
  PanelEnd lowEnd, highEnd;
};

/// Below this tilt 16 points resolve the exponential itself.
inline constexpr double minTilt = 1.8;

/// Panels from where the density is large to where it ends; nothing when it cannot be resolved.
std::optional<SampledDensity> samplePanels(const Shape &shape);

/// `panel` cut into equal ones narrow enough to need no tilt.
std::vector<SampledPanel> cutPanel(const Shape &shape, const SampledPanel &panel);

} // namespace quincunx
