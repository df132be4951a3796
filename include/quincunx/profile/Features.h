// Features of runs that mean something here, and not to their users alone.
#pragma once

#include <string>

namespace quincunx {

/// How many threads a run was asked to have (`run --threads`).
inline constexpr const char *threadsFeature = "threads";
/// The label of a run without what `run --threads` puts behind it, so that runs of an input with
/// several numbers of threads have the same.
inline std::string inputOf(const std::string &label) {
  const std::string behind = std::string(" ") + threadsFeature + "=";
  const size_t at = label.rfind(behind);
  const bool isNumber =
      at != std::string::npos && at + behind.size() < label.size() &&
      label.find_first_not_of("0123456789", at + behind.size()) == std::string::npos;
  return isNumber ? label.substr(0, at) : label;
}

} // namespace quincunx
