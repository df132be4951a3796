// Exit statuses of the tool, and the line on stderr that goes with a failure. It knows no verb.
#pragma once

#include "quincunx/base/Result.h"

#include <cstdio>

namespace quincunx::tool {

enum ExitStatus : int { ok = 0, failed = 1, usage = 2, someRunsFailed = 3 };
inline constexpr int interruptedStatus = 130; ///< what shells report for Ctrl-C

/// Prints "quincunx: error: ..." on stderr and returns the status for it.
inline int fail(const Error &error) {
  std::fprintf(stderr, "quincunx: %s\n", error.message().c_str());
  return failed;
}

/// Prints a mistake in the command line like fail() and returns the status for it.
inline int failUsage(const Error &error) {
  fail(error);
  return usage;
}

} // namespace quincunx::tool
