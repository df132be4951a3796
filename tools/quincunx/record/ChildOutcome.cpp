// Judges how a child ended. The idea: a signal of a fault is the program's own doing; others come
// from outside and say nothing but that it was not done. It stores and prints nothing.
#include "ChildOutcome.h"

#include <algorithm>
#include <csignal>

#include <sys/wait.h>

namespace quincunx::tool {

static bool isFault(int signal) {
  constexpr int faults[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
  return std::find(std::begin(faults), std::end(faults), signal) != std::end(faults);
}

Outcome outcomeOf(const ChildResult &end, const std::vector<int> &good) {
  if (end.timedOut)
    return Outcome::timedOut;
  if (WIFSIGNALED(end.status) && !isFault(WTERMSIG(end.status)))
    return Outcome::cutShort;
  const bool isGood =
      WIFEXITED(end.status) &&
      (good.empty() || std::find(good.begin(), good.end(), WEXITSTATUS(end.status)) != good.end());
  return isGood ? Outcome::finished : Outcome::crashed;
}

int exitStatusOf(const ChildResult &end) {
  return WIFEXITED(end.status) ? WEXITSTATUS(end.status) : -WTERMSIG(end.status);
}

} // namespace quincunx::tool
