// The order of what is shown, largest first.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace quincunx {

/// Numbers of the `n` things with the largest |key(i)|, largest first, ties in their order; `top`
/// of them, 0 for all.
template <class Key> std::vector<size_t> ranked(size_t n, size_t top, Key key) {
  std::vector<size_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return std::abs(key(a)) > std::abs(key(b)); });
  if (top != 0 && top < n)
    order.resize(top);
  return order;
}

} // namespace quincunx
