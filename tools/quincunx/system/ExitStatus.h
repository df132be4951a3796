// Exit statuses of the tool, and what goes with them: the line on stderr about a failure, and the
// end of the standard output. It knows no verb.
#pragma once

#include "quincunx/base/Result.h"

#include <cstdio>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace quincunx::tool {

enum ExitStatus : int { ok = 0, failed = 1, usage = 2, someRunsFailed = 3 };
inline constexpr int interruptedStatus = 130; ///< what shells report for Ctrl-C

/// Sentences on what an answer is of: a line each on stderr with the answer (finishOutput()), or
/// part of the line that says why there is none (fail()).
inline std::vector<std::string> &besides() {
  static std::vector<std::string> sentences;
  return sentences;
}

/// Prints "quincunx: error: ..." on stderr and returns the status for it.
inline int fail(const Error &error) {
  std::string line = error.message();
  for (const std::string &sentence : besides())
    line += "; " + sentence;
  besides().clear();
  std::fprintf(stderr, "quincunx: %s\n", line.c_str());
  return failed;
}

/// Prints a mistake in the command line like fail() and returns the status for it.
inline int failUsage(const Error &error) {
  fail(error);
  return usage;
}

/// Flushes std::cout and returns `status`, or that of a failure to write `what` ("the report").
inline int finishOutput(const std::string &what, int status = ok) {
  std::cout.flush();
  if (std::cout)
    for (const std::string &sentence : std::exchange(besides(), {}))
      std::fprintf(stderr, "quincunx: %s\n", sentence.c_str());
  return std::cout ? status : fail(Error{"cannot write " + what});
}

} // namespace quincunx::tool
