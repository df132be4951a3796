// Runs the loops and takes their times.
// The idea: first each loop learns how many rounds make a batch; then the batches, one of every
// loop after the other, so that a disturbance does not hit one loop only. Before each batch the
// loop runs for a while without a clock: caches and predictors hold what this loop needs, not what
// the last one left. Times are processor time of this thread, which stands still while others have
// the processor. Reference: docs/13-machines.md. It does not know what the times mean (Costs.cpp).
#include "quincunx/probe/Probe.h"

#include "Times.h"

#include <algorithm>
#include <ctime>
#include <fstream>

#include <sched.h>

namespace quincunx {

namespace {

using probe::Loop, probe::Times, probe::Use, probe::Workspace;

double processorTime() { // ns
  timespec t{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

/// Keeps this thread on the processor it is on, for the lifetime of this.
class Pinned {
public:
  Pinned() {
    const int here = ::sched_getcpu();
    known = here >= 0 && ::sched_getaffinity(0, sizeof before, &before) == 0;
    if (!known)
      return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<unsigned>(here), &one);
    ::sched_setaffinity(0, sizeof one, &one); // without it times are only noisier
  }
  ~Pinned() {
    if (known)
      ::sched_setaffinity(0, sizeof before, &before);
  }
  Pinned(const Pinned &) = delete;
  Pinned &operator=(const Pinned &) = delete;

private:
  cpu_set_t before{};
  bool known = false;
};

struct Batch {
  Use used;
  uint64_t executions = 0;
};

Batch timed(Loop loop, Workspace &w, uint64_t rounds) {
  w.elsewhere.reset();
  const double begun = processorTime();
  const uint64_t executions = loop(w, rounds);
  const double here = processorTime() - begun;
  return {w.elsewhere.value_or(Use{here, 0}), executions};
}

/// How many rounds take about `wanted` ns; 0 when the loop is not possible here. Once for long is
/// not enough: a set of lines that comes from far at first is near later.
uint64_t roundsFor(Loop loop, Workspace &w, double wanted) {
  constexpr int refinements = 3;
  uint64_t rounds = 1;
  for (int refined = 0; refined < refinements;) {
    const Batch b = timed(loop, w, rounds);
    if (b.executions == 0)
      return 0;
    const double times = wanted / std::max(b.used.time, 1.0);
    refined += times <= 2;
    rounds = std::max<uint64_t>(
        1, static_cast<uint64_t>(static_cast<double>(rounds) * std::min(times, 16.0)));
  }
  return rounds;
}

/// Runs the loop until every line it comes to was brought from far, or for some milliseconds where
/// executions are long.
void settle(Loop loop, Workspace &w, uint64_t rounds) {
  constexpr uint64_t enough = 2 * probe::walkedPages;
  constexpr double longest = 8e6; // ns
  double time = 0;
  for (uint64_t executions = 0; executions < enough && time < longest;) {
    const Batch b = timed(loop, w, rounds);
    if (b.executions == 0)
      return;
    executions += b.executions, time += b.used.time;
  }
}

/// What the system's clocks count ("tsc"); empty when it does not say.
std::string clockSource() {
  std::ifstream in("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::string source;
  std::getline(in, source);
  return source;
}

} // namespace

Result<ProbedMachine> probeMachine(const ProbeEffort &effort,
                                   const std::function<void()> &batchDone) {
  const Pinned pinned;
  Workspace w;
  if (const Status s = probe::prepare(w); !s)
    return s.error();
  std::vector<std::pair<Loop, uint64_t>> plan;
  for (const Loop loop : probe::allLoops())
    if (const uint64_t rounds = roundsFor(loop, w, effort.batch * 1e9); rounds > 0)
      plan.emplace_back(loop, rounds);
  Times times;
  for (unsigned b = 0; b < effort.batches; ++b) {
    for (const auto &[loop, rounds] : plan) {
      settle(loop, w, rounds);
      const Batch batch = timed(loop, w, rounds);
      const auto each = static_cast<double>(batch.executions);
      if (batch.executions > 0) // else a batch is missing, and the loop will be left out
        times[loop].push_back({batch.used.time / each, batch.used.faults / each});
    }
    if (batchDone)
      batchDone();
  }
  std::erase_if(times, [&](const auto &t) { return t.second.size() != effort.batches; });
  const std::string source = clockSource();
  return ProbedMachine{"CLOCK_THREAD_CPUTIME_ID" + (source.empty() ? "" : " over " + source),
                       effort, probe::costsOf(times, effort.batches)};
}

} // namespace quincunx
