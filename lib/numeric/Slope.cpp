// Differences, extrapolated.
#include "quincunx/numeric/Slope.h"

#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace quincunx {

namespace {

constexpr size_t steps = 9;
constexpr double firstStep = 1e-3; ///< of x

struct Limit {
  double value = 0, error = std::numeric_limits<double>::infinity();
};

/// Of values for steps h, h/2, h/4 ..., whose error is of the orders first, first + by, and so on
/// of the step.
Limit extrapolated(const std::vector<double> &values, int first, int by) {
  std::vector<double> row;
  Limit best;
  for (size_t i = 0; i < values.size(); ++i) {
    std::vector<double> next{values[i]};
    double factor = std::ldexp(1, first);
    for (size_t k = 0; k < row.size(); ++k, factor *= std::ldexp(1, by)) {
      next.push_back((factor * next[k] - row[k]) / (factor - 1));
      const double error =
          std::max(std::fabs(next[k + 1] - next[k]), std::fabs(next[k + 1] - row[k]));
      if (error <= best.error)
        best = {next[k + 1], error};
    }
    row = std::move(next);
  }
  return best;
}

/// Does a difference stay, however short the step?
bool isStep(double longest, double shortest, double scale) {
  return std::fabs(shortest) > 0.2 * std::fabs(longest) && std::fabs(shortest) > 1e-7 * scale;
}

} // namespace

Slope slopeAt(const std::function<std::optional<double>(double)> &f, double x) {
  const std::optional<double> here = f(x);
  if (!here || !std::isfinite(*here))
    return {};
  std::vector<double> above, below, both;
  std::array<double, 2> longest{}, shortest{};
  double h = firstStep * (x == 0 ? 1 : std::fabs(x));
  for (size_t i = 0; i < steps; ++i, h /= 2) {
    const double high = x + h, low = x - h;
    const std::optional<double> up = f(high), down = f(low);
    if (up && std::isfinite(*up))
      above.push_back((*up - *here) / (high - x)), shortest[0] = *up - *here;
    if (down && std::isfinite(*down))
      below.push_back((*here - *down) / (x - low)), shortest[1] = *here - *down;
    if (i == 0)
      longest = shortest;
    if (above.size() == i + 1 && below.size() == i + 1)
      both.push_back((*up - *down) / (high - low));
  }
  // Of rounding, largest in the shortest step, which is 2 h by now.
  const double rounding = std::numeric_limits<double>::epsilon() * std::fabs(*here) / (2 * h);
  const auto limit = [&](const std::vector<double> &values, int order) {
    Limit l = extrapolated(values, order, order);
    l.error = std::max(l.error, rounding);
    return l;
  };
  const Limit right = limit(above, 1), left = limit(below, 1);
  const bool hasRight = above.size() == steps, hasLeft = below.size() == steps;
  if (!hasRight && !hasLeft)
    return {};
  const double scale = std::fabs(*here);
  if ((hasRight && isStep(longest[0], shortest[0], scale)) ||
      (hasLeft && isStep(longest[1], shortest[1], scale)))
    return {Slope::Kind::step, 0, 0, 0, 0};
  if (!hasRight || !hasLeft) {
    const Limit &one = hasRight ? right : left;
    return {hasRight ? Slope::Kind::above : Slope::Kind::below, one.value, one.error, 0, 0};
  }
  const double error = left.error + right.error;
  const double size = std::fabs(left.value) + std::fabs(right.value);
  if (std::fabs(left.value - right.value) > 10 * error + 1e-6 * size)
    return {Slope::Kind::kink, 0, error, left.value, right.value};
  const Limit central = limit(both, 2);
  return {Slope::Kind::smooth, central.value, central.error, left.value, right.value};
}

} // namespace quincunx
