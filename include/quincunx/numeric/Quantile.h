// Quantiles of a sample. It weighs nothing; estimates with weights have their own.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

namespace quincunx {

/// Between the two values next to place p (n - 1): smooth, for figures in which nothing counts but
/// the middle. `values` is not empty.
inline double quantile(std::vector<double> values, double p) {
  assert(!values.empty() && p >= 0 && p <= 1);
  std::sort(values.begin(), values.end());
  const double at = p * static_cast<double>(values.size() - 1);
  const auto below = static_cast<size_t>(at);
  const size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

/// As reports define it: the smallest of the values that a share p of them does not exceed.
inline double percentile(std::vector<double> values, double p) {
  assert(!values.empty() && p >= 0 && p <= 1);
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  return values[static_cast<size_t>(std::clamp(std::ceil(p * n - 1e-9), 1.0, n)) - 1];
}

} // namespace quincunx
