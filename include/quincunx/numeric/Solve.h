// The root of an increasing function inside a bracket. It does not look for brackets.
#pragma once

#include <functional>

namespace quincunx {

/// A function at a place: its value and, where known, its slope (0: not known).
struct Curve {
  double value = 0, slope = 0;
};

/// The smallest x in [low, high] with f(x) >= 0, up to 2 units in the last place of max(|x|,
/// scale), for an increasing f that may jump, with f(low) < 0 <= f(high). Newton's method where
/// there is a slope, else the secant, both inside a bracket that only shrinks. `start` may lie
/// anywhere.
double solve(const std::function<Curve(double)> &f, double low, double high, double start,
             double scale = 0);

} // namespace quincunx
