// A child up to its exec: what it needs is made before, as after a fork only
// async-signal-safe calls are allowed; what fails there comes back through a pipe that a successful
// exec closes. It waits for nobody (Executor.cpp does).
#pragma once

#include "Executor.h"

#include "quincunx/base/Result.h"

#include <ctime>

#include <sys/resource.h>

namespace quincunx::tool {

/// What failed in the child, sent to the parent.
struct LaunchFailure {
  enum Step : int { folder, input, output, program, processor, trace } step;
  int reason;
};

struct PreparedChild {
  std::vector<char *> arguments, environment;
  std::vector<std::string> strings; ///< owns the environment's text
  const char *folder = nullptr, *input = "/dev/null";
  const char *output = "/dev/null", *error = "/dev/null";
  const sigset_t *mask = nullptr;
  int processor = -1;       ///< to run on; -1: any
  double headStart = 0;     ///< LaunchOptions::headStart
  bool traced = false;      ///< stops when its exec is done, for its parent
  int go = -1, report = -1; ///< its ends of the two pipes
  int parentsGo = -1;       ///< which it closes, or it would not see its parent go
};

/// `job` and `options` must outlive it.
PreparedChild prepare(const Job &job, const LaunchOptions &options);
/// Starts it: its process, -1 with errno when there is none. Without `go` the caller stands still
/// until the exec and nothing of its memory is copied; with it the child waits for a byte.
pid_t startChild(const PreparedChild &p);
/// For people.
Error describe(const LaunchFailure &failure, const Job &job, const PreparedChild &p);

/// Seconds.
double clockSeconds(clockid_t clock);
/// Sets status, times and the rest of what the system says of a child that has ended.
void describeEnd(ChildResult &end, int status, const rusage &usage);

} // namespace quincunx::tool
