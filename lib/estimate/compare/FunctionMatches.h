// Which row of functions of one build is which of another.
#pragma once

#include "FunctionBodies.h"
#include "quincunx/estimate/Compare.h"

#include <set>
#include <string>

namespace quincunx {

/// A function in both builds, or in one of them.
struct FunctionMatch {
  static constexpr size_t none = SIZE_MAX;
  size_t before = none, after = none; ///< rows
  FunctionState state = FunctionState::same;
  bool isChanged = false; ///< FunctionChange::isChanged
};

/// The functions of a build.
struct BuildFunctions {
  const FunctionRows &rows;
  std::vector<FunctionBody> bodies; ///< by row
  std::set<std::string> names;      ///< of all, also of those that did not run
};

/// Each row of both once; first by name, then by the name without parameters (where `shortName` is
/// given), then by code, then by place.
std::vector<FunctionMatch> matchFunctions(const BuildFunctions &before, const BuildFunctions &after,
                                          const ShortName &shortName);

} // namespace quincunx
