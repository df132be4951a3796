// A straight line through points by least squares, all of them alike.
#pragma once

#include <algorithm>
#include <cmath>

namespace quincunx {

class LineFit {
public:
  void add(double x, double y) {
    n += 1;
    const double dx = x - meanX, dy = y - meanY;
    meanX += dx / n, meanY += dy / n;
    xx += dx * (x - meanX), xy += dx * (y - meanY), yy += dy * (y - meanY);
  }
  double count() const { return n; }
  /// 0 where all x are equal, up to rounding.
  double slope() const { return isFlat() ? 0 : xy / xx; }
  /// The line at `x`; 0 of no points.
  double at(double x) const { return meanY + slope() * (x - meanX); }
  /// The share of the variance of y that the line makes (R^2); 0 where all x or all y are equal.
  double explained() const { return isFlat() || yy <= 0 ? 0 : xy * xy / xx / yy; }
  /// Standard error of the slope, for points that lie about the line independently and equally far;
  /// infinite for less than three points or where all x are equal.
  double slopeError() const {
    if (n < 3 || isFlat())
      return HUGE_VAL;
    return std::sqrt(std::max(0.0, yy - xy * xy / xx) / (n - 2) / xx);
  }

private:
  bool isFlat() const { return xx <= 1e-12 * n * std::max(1e-300, meanX * meanX); }
  double n = 0, meanX = 0, meanY = 0;
  double xx = 0, xy = 0, yy = 0; ///< about the means
};

} // namespace quincunx
