// Runs inputs for their time, one process at a time. Each repetition is a transaction of its own,
// so that Ctrl-C loses the one that runs and no other; between two there is only our own
// bookkeeping. It does not choose the order (Schedule.cpp) and judges no times.
#include "TimedSession.h"

#include "ChildOutcome.h"
#include "ImportRecords.h"
#include "OutputFiles.h"
#include "system/ExitStatus.h"

#include "quincunx/base/Text.h"

namespace quincunx::tool {

TimedSession::TimedSession(const RecordOptions &from, const std::vector<InputToTime> &all,
                           Corpus &into, std::string forOutput, size_t total)
    : options(from), inputs(all), corpus(into), folder(std::move(forOutput)),
      outcomes(total, from.quiet, goodStatusesOf(from, into), true),
      executor(from.timeout, HardwareCounters::isGranted()) {
  if (!HardwareCounters::isGranted())
    outcomes.say(notGranted);
}

LaunchOptions TimedSession::launchOptions(size_t input, uint32_t round, int processor) const {
  LaunchOptions out;
  out.processor = processor;
  out.standardError = folder + "/stderr";
  if (!options.keepOutput.empty()) {
    const std::string base = outputBase(options.keepOutput, input, inputs[input].job.label) + "." +
                             std::to_string(round);
    out.standardOutput = base + ".out";
    out.standardError = base + ".err";
  }
  return out;
}

/// None when the user interrupted.
Result<std::optional<ChildResult>> TimedSession::runOnce(size_t input,
                                                         const LaunchOptions &launch) {
  if (Status s = executor.start(input, inputs[input].job, launch); !s)
    return s.error();
  while (!executor.interrupted())
    if (const std::vector<ChildResult> ended = executor.wait(); !ended.empty())
      return std::optional(ended.front());
  executor.stopAll();
  return std::optional<ChildResult>();
}

Result<bool> TimedSession::isParallel() {
  size_t busy = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    LaunchOptions launch;
    launch.standardError = folder + "/stderr";
    const Result<std::optional<ChildResult>> end = runOnce(i, launch);
    if (!end)
      return end.error();
    if (!*end)
      return Error{"interrupted"};
    busy += isBusy((*end)->user + (*end)->system, (*end)->wall);
  }
  return 2 * busy > inputs.size();
}

Status TimedSession::repeat(const TimedStep &step, int pinned) {
  const InputToTime &input = inputs[step.input];
  const LaunchOptions launch = launchOptions(step.input, step.round, pinned);
  const Result<std::optional<ChildResult>> ran = runOnce(step.input, launch);
  if (!ran)
    return ran.error();
  if (!*ran)
    return Done{};
  const ChildResult &end = **ran;
  Run run; // for the log
  run.label = input.timing.label;
  run.outcome = outcomeOf(end, options.okStatus);
  run.exitStatus = exitStatusOf(end);
  if (run.outcome == Outcome::finished) {
    Repetition r;
    r.identity = newIdentity();
    r.round = step.round;
    r.exitStatus = run.exitStatus;
    r.start = end.start;
    r.wall = end.wall;
    r.user = end.user;
    r.system = end.system;
    r.minorFaults = end.minorFaults;
    r.majorFaults = end.majorFaults;
    r.voluntarySwitches = end.voluntarySwitches;
    r.involuntarySwitches = end.involuntarySwitches;
    r.peakMemory = end.peakMemory;
    r.cycles = end.hardware.cycles;
    r.instructions = end.hardware.instructions;
    r.branchMisses = end.hardware.branchMisses;
    r.cacheMisses = end.hardware.cacheMisses;
    if (Status s = corpus.addRepetition(input.timing, r); !s)
      return s;
    compare(input, r.exitStatus);
  }
  outcomes.stored(run, options.timeout, launch.standardError);
  return Done{};
}

void TimedSession::compare(const InputToTime &input, int exitStatus) {
  if (input.expected.empty() || input.expected.contains(exitStatus) || ++different > 1)
    return;
  firstDifferent = escape(input.timing.label) + ": " + std::to_string(exitStatus) + ", counted " +
                   std::to_string(*input.expected.begin());
}

Status TimedSession::startUp(const TimedStep &step, int pinned) {
  if (noStartUps)
    return Done{};
  LaunchOptions launch;
  launch.processor = pinned;
  launch.standardError = folder + "/stderr";
  const Result<ChildResult> end = executor.runToEntry(inputs[step.input].job, launch);
  if (executor.interrupted())
    return Done{};
  if (!end) {
    noStartUps = true;
    outcomes.say("the start-up of the process is not measured: " + end.error().text);
    return Done{};
  }
  return corpus.addStartUp({newIdentity(), end->start, end->wall, end->user, end->system});
}

int TimedSession::work(const std::vector<TimedStep> &steps, int pinned) {
  Status status = Done{};
  for (const TimedStep &step : steps) {
    if (!status || executor.interrupted())
      break;
    status = step.isStartUp ? startUp(step, pinned) : repeat(step, pinned);
  }
  outcomes.clear();
  if (!status)
    return fail(status.error());
  if (different > 0)
    std::fprintf(stderr,
                 "quincunx: warning: %zu timed %s another exit status than the counted run (%s): "
                 "is it the same program on the same input?\n",
                 different, different == 1 ? "run has" : "runs have", firstDifferent.c_str());
  return outcomes.conclude(corpus.path(), executor.interrupted());
}

} // namespace quincunx::tool
