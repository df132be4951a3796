// Makes timings in an open corpus of a list of inputs, one process at a time.
#pragma once

#include "Executor.h"
#include "InputsToTime.h"
#include "OutcomeLog.h"
#include "RecordRuns.h"
#include "Schedule.h"

#include <string>
#include <vector>

namespace quincunx::tool {

class TimedSession {
public:
  /// `folder` is for what programs say; all but `folder` must outlive us.
  TimedSession(const RecordOptions &options, const std::vector<InputToTime> &inputs, Corpus &into,
               std::string folder, size_t total);

  /// Runs every input once, nothing is kept: whether more than half of them use several processors
  /// at once. An error also when the user interrupts.
  Result<bool> isParallel();
  /// Runs everything on processor `pinned` (-1: any); the exit status.
  int work(const std::vector<TimedStep> &steps, int pinned);
  bool interrupted() const { return executor.interrupted(); }

private:
  LaunchOptions launchOptions(size_t input, uint32_t round, int processor) const;
  Result<std::optional<ChildResult>> runOnce(size_t input, const LaunchOptions &launch);
  Status repeat(const TimedStep &step, int pinned);
  Status startUp(const TimedStep &step, int pinned);
  void compare(const InputToTime &input, int exitStatus);

  const RecordOptions &options;
  const std::vector<InputToTime> &inputs;
  Corpus &corpus;
  std::string folder;
  OutcomeLog outcomes;
  Executor executor;
  bool noStartUps = false; ///< could not be measured
  size_t different = 0;    ///< ended with another exit status than the counted run
  std::string firstDifferent;
};

} // namespace quincunx::tool
