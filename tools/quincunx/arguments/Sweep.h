// Values of parameters from the command line.
#pragma once

#include "quincunx/base/Result.h"

#include <string>
#include <string_view>
#include <vector>

namespace quincunx::tool {

/// A parameter and the values it takes.
struct Sweep {
  std::string name;
  std::vector<double> values;
};

/// Points of all sweeps together; more is a slip of the pen.
inline constexpr size_t maxPoints = 1000000;

/// "P=1..1024:x2", "P=1,2,5", or several as in "P=1..8,N=10,100"; `option` is named in errors.
Result<std::vector<Sweep>> parseSweeps(const std::string &text, const char *option);

/// The points of all sweeps, the last one fastest: a value for each sweep, point after point.
Result<std::vector<double>> pointsOf(const std::vector<Sweep> &sweeps);

} // namespace quincunx::tool
