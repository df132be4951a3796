// Runs jobs as child processes, several at once: a process group of its own each, time limits,
// signals, resource usage. It knows nothing of counts and corpora.
#pragma once

#include "HardwareCounters.h"
#include "JobPlan.h"

#include <csignal>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace quincunx::tool {

/// A child that has ended.
struct ChildResult {
  size_t job = 0; ///< as given to start()
  int status = 0; ///< as wait(2) tells it
  bool timedOut = false;
  double start = 0;                      ///< seconds since the epoch
  double wall = 0, user = 0, system = 0; ///< seconds
  double peakMemory = 0;                 ///< bytes
  uint64_t minorFaults = 0, majorFaults = 0;
  uint64_t voluntarySwitches = 0, involuntarySwitches = 0;
  HardwareCounts hardware;
};

/// Looks on while a child runs.
class ChildWatcher {
public:
  virtual ~ChildWatcher() = default;
  /// The child waits before its exec.
  virtual Status attach(pid_t child) = 0;
};

/// What start() needs beyond the job.
struct LaunchOptions {
  std::vector<std::pair<std::string, std::string>> environment; ///< added to ours
  std::string standardOutput;                                   ///< file to write; empty: nowhere
  std::string standardError;                                    ///< file to write
  int processor = -1;                                           ///< the only one to run on; -1: any
  ChildWatcher *watcher = nullptr;
  /// Seconds of processor time that the child has used when it comes to its exec, or somewhat more;
  /// they are in what is told of its times.
  double headStart = 0;
};

class Executor {
public:
  /// `timeout` in seconds, 0 for none. Takes over SIGCHLD, SIGINT, SIGTERM and SIGHUP for its
  /// lifetime.
  Executor(double timeout, bool countHardware);
  ~Executor(); ///< kills what still runs
  Executor(const Executor &) = delete;
  Executor &operator=(const Executor &) = delete;

  Status start(size_t number, const Job &job, const LaunchOptions &options);
  size_t running() const { return children.size(); }
  /// Starts the job, lets it run up to the entry point of its program and ends it there
  /// (RunToEntry.cpp); nothing else may run. An error where that cannot be done.
  Result<ChildResult> runToEntry(const Job &job, const LaunchOptions &options);
  /// Waits until a child ends, half a second passes or the user interrupts; what has ended by then.
  std::vector<ChildResult> wait();
  /// True once the user asked to stop (Ctrl-C, SIGTERM, SIGHUP).
  bool interrupted() const { return stopSignal != 0; }
  /// Ends all children: SIGTERM, and SIGKILL a second later for those that stay.
  void stopAll();

private:
  struct Child {
    size_t job = 0;
    pid_t pid = 0;
    double start = 0, begun = 0; ///< real time and monotonic
    double killAt = 0;           ///< monotonic time of SIGKILL, after SIGTERM; 0: not asked to end
    bool timedOut = false;
    HardwareCounters hardware;
  };
  Result<Child> launch(size_t number, const Job &job, const LaunchOptions &options, bool traced);
  Status waitForStop(Child &child, int &status, ChildResult &end);
  Status leadToEntry(Child &child, ChildResult &end);
  void enforceLimits();
  void reap(std::vector<ChildResult> &ended);
  double nextDeadline() const;

  double timeout;
  bool countHardware;
  int stopSignal = 0;
  std::vector<Child> children;
  sigset_t watched{}, before{};
};

} // namespace quincunx::tool
