// How often lines were executed, function by function as they were compiled and with the calls that
// had been inlined by then inside each: what a compiler that optimises by a profile asks for.
// Reference: docs/23-exports.md. It knows no costs.
#pragma once

#include "quincunx/estimate/CountMatrix.h"

#include <compare>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace quincunx {

/// Code of a line: how far it is below the beginning of its function (in 16 bits, as LLVM has it),
/// and its discriminator.
struct CodeOfLine {
  uint32_t line = 0, discriminator = 0;
  auto operator<=>(const CodeOfLine &) const = default;
};

/// Of one function, or of one call of it that was inlined.
struct InlineCounts {
  double entered = 0; ///< 0 where it was inlined: that is not known
  /// The busiest of the blocks that have the code.
  std::map<CodeOfLine, double> lines;
  /// Calls by name that were made there, by linkage name.
  std::map<CodeOfLine, std::map<std::string, double>> calls;
  std::map<std::pair<CodeOfLine, std::string>, InlineCounts> inlined; ///< by linkage name
};

/// By linkage name, of functions that ran; several copies of one add up. `weights`: how many times
/// each run counts; empty: once.
std::map<std::string, InlineCounts> inlineCounts(const CountMatrix &matrix,
                                                 const std::vector<Map> &maps,
                                                 std::span<const double> weights = {});

} // namespace quincunx
