// Integration on panels: Gauss-Legendre nodes, the Legendre coefficients of what was sampled there,
// and how far that was enough. Reference: docs/09-percentiles-and-bounds.md. It knows no laws.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

namespace quincunx {

/// Points of a panel. Sixteen: the polynomial through them carries 13 digits over a range in which
/// an exponential falls by e^4, and a Gauss sum of them twice that range.
inline constexpr size_t panelPoints = 16;
using PanelValues = std::array<double, panelPoints>;
/// One number of each of four panels, beside each other.
using PanelQuad = std::array<double, 4>;

/// Gauss-Legendre nodes (ascending) and weights on [-1, 1].
const PanelValues &gaussNodes();
const PanelValues &gaussWeights();

/// a_k of the polynomial sum a_k P_k(x) through `values` at the nodes.
PanelValues legendre(const PanelValues &values);
/// About the size of the coefficients beyond the last two against the largest value: how far the
/// function is from being resolved.
double unresolved(const PanelValues &coefficients);
/// About the errors of the Gauss sums of two functions over [-1, 1]: much less than they are
/// unresolved when they are smooth.
std::pair<double, double> gaussErrors(const PanelValues &first, const PanelValues &second);
/// c_k of the same polynomials as sum c_k x^k, row k in place of coefficients a_k of four panels.
/// Where these fall faster than 2.4^-k, as those of what is resolved do, nothing is lost.
void toPowers(std::array<PanelQuad, panelPoints> &rows);

} // namespace quincunx
