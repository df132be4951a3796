// Units of time by name.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

namespace quincunx {

/// Seconds in one; none: it is no unit of time.
inline std::optional<double> secondsIn(std::string_view unit) {
  for (const auto &[name, seconds] : {std::pair<std::string_view, double>{"ps", 1e-12},
                                      {"ns", 1e-9},
                                      {"us", 1e-6},
                                      {"ms", 1e-3},
                                      {"s", 1.0}})
    if (unit == name)
      return seconds;
  return {};
}

} // namespace quincunx
