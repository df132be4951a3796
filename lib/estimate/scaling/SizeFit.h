// Fits of size laws to runs, and how well what the smaller half of the sizes says holds for the
// larger one.
#pragma once

#include "quincunx/estimate/SizeLaw.h"

namespace quincunx {

/// A run: its size, its cost, and its other feature where the law has one.
struct SizePoint {
  double n = 0, y = 0, other = 1;
};
using SizePoints = std::vector<SizePoint>;

/// Points by size, and those of the smaller and larger half (sizes that are equal stay together).
struct SizeHalves {
  SizePoints all, small, large;
};

/// `other`: of a second feature; empty: none. Errors: as fitSizeLaw.
Result<SizeHalves> halvesOf(std::span<const double> n, std::span<const double> y,
                            std::span<const double> other = {});
/// Weighted least squares; weights are 1 over the square of what the law says.
SizeLaw fitted(SizeLaw::Form form, const SizePoints &points);
/// Of the size alone, or beside another feature: each form fitted to all, its error that at the
/// larger half when it is fitted to the smaller one.
std::vector<SizeLaw> candidates(const SizeHalves &h, bool beside);
/// The simplest of the good ones.
SizeLaw chosen(const std::vector<SizeLaw> &all);
/// Slope of ln y against ln n, over points where y > 0.
double logSlope(const SizePoints &points);

/// A simpler form is taken when its error is not more than this much larger, or below 0.1 %.
inline constexpr double asGood = 1.1, exactly = 1e-3;

} // namespace quincunx
