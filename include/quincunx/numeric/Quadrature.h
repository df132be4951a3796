// Integration on panels: Gauss-Legendre nodes, the Legendre coefficients of what was sampled there,
// and a panel-by-panel sweep that halves a panel until its function is resolved. Reference:
// docs/09-percentiles-and-bounds.md. It knows no laws.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>

namespace quincunx {

/// Points of a panel. Sixteen: the polynomial through them carries 13 digits over a range in which
/// an exponential falls by e^4, and a Gauss sum of them twice that range.
inline constexpr size_t panelPoints = 16;
using PanelValues = std::array<double, panelPoints>;
/// Legendre coefficients of an integral over a panel: one degree more.
using PanelIntegral = std::array<double, panelPoints + 1>;

/// Gauss-Legendre nodes (ascending) and weights on [-1, 1].
const PanelValues &gaussNodes();
const PanelValues &gaussWeights();

/// a_k of the polynomial sum a_k P_k(x) through `values` at the nodes.
PanelValues legendre(const PanelValues &values);
/// About the size of the coefficients beyond the last two against the largest value: how far the
/// values are from being resolved.
double unresolved(const PanelValues &values);
/// About the error of the Gauss sum of these values over [-1, 1]: much less than they are
/// unresolved when they are smooth.
double gaussError(const PanelValues &values);
/// Coefficients of the integral from -1 to x.
PanelIntegral integralOf(const PanelValues &coefficients);
/// sum c_k P_k(x) for |x| <= 1.
double legendreSum(const PanelIntegral &c, double x);
/// The same at up to 16 places.
void legendreSums(const PanelIntegral &c, std::span<const double> x, std::span<double> out);

/// Calls `panel(low, high, last)` for each pair of neighbours in the ascending `edges`, from the
/// lowest, and for both halves of every panel it answers false for. A panel that was halved `depth`
/// times is the `last` of its line: its answer is not asked.
void sweep(std::span<const double> edges, int depth,
           const std::function<bool(double low, double high, bool last)> &panel);

} // namespace quincunx
