// How long runs of programs with threads are waited for, on so many processors.
// The idea: what the threads of a run did and waited for is known in counts, and what the run takes
// of the processor is known in time, so a strand takes its share of that; who has to wait for whom,
// and for a processor, is simulated (parallel/Simulate.h). Threads that are busy at once slow each
// other down, as they share caches, memory and cores: where the plain program was timed with so
// many, that is told by the processor time that it took, over what its counts say. Each run is
// simulated by itself: the law of the time is that of runs. Of other numbers of threads than were
// recorded it can tell where these are teams of OpenMP, from the iterations of their loops.
// Reference: docs/27-parallel.md.
#pragma once

#include "quincunx/estimate/Observed.h"
#include "quincunx/estimate/ParallelRuns.h"
#include "quincunx/profile/Timing.h"
#include "quincunx/strands/StrandDescription.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace quincunx {

/// Time that threads waited for something, in one run.
struct WaitedFor {
  StrandWait what;
  double time = 0;
};

/// What a run is told to take, in the unit of Observed.
struct SimulatedTime {
  double alone = 0;    ///< on one processor: all that it costs
  double time = 0;     ///< on those processors, jobs and locks had by who comes first
  double withJobs = 0; ///< the same, each job done by who did it
  double inOrder = 0;  ///< the same, and locks had in the order in which they were
  /// What is kept in `time`, as threads would else wait for each other forever.
  Kept needed = Kept::nothing;
  double ofChunks = 0;          ///< as StrandDescription has it
  bool hasHardlyWorked = false; ///< the same
  uint64_t missed = 0;          ///< locks that were tried, and not free
  double evenness = 1;          ///< as StrandDescription has it
  bool hasSpins = false;        ///< as long as threads waited so, they worked
  bool hasFolded = false;       ///< in which order locks were had is not known
  bool isPartial = false;       ///< what threads do, or wait for, is not all in it
  bool isOfOtherTeams = false;  ///< teams that ask for a number of threads are told with others
  /// As threads race for tasks: `time` is the median of what it may come to, these least and most.
  double soonest = 0, latest = 0;

  double speedup() const { return time > 0 ? alone / time : 1; }
  /// What was chance when it was recorded, or coming to chunks, makes more of a difference than
  /// that.
  bool isGuess() const {
    const double most = std::max({withJobs, inOrder, latest}),
                 least = std::min({withJobs, inOrder, soonest});
    return needed != Kept::nothing || hasSpins || hasFolded || isPartial || isOfOtherTeams ||
           ofChunks > 0.05 || evenness < 0.95 || most > 1.05 * time || least < 0.95 * time;
  }
};

/// One run; times in the unit of Observed.
struct ParallelTime : SimulatedTime {
  RunWork run;
  uint32_t threads = 1;  ///< that it was asked to have; else those that it had
  uint32_t toldFrom = 0; ///< it ran with so many, and teams are given `threads`; 0: it had those
  double start = 0;      ///< of the process, before any thread
  double first = 0;      ///< work of the first thread, and the start
  double other = 0;      ///< of that one of the others which works longest
  std::optional<SimulatedTime> changed; ///< with the changes that were asked for
  std::vector<WaitedFor> waits;         ///< the longest first
  /// What `time` consists of behind `start`, one after another: pieces of which each let the next
  /// one begin.
  std::map<StrandPlace, double> chain;
  std::vector<uint32_t> queues; ///< sites at which threads take jobs as they come
  std::optional<double> clock;  ///< the least wall time of the plain program, seconds
  double here = 0; ///< what that should be, in seconds, on the processors it had, by other inputs

  /// Of so many threads as were asked for, or of all where more of them worked, the share that did.
  double efficiency() const {
    const double share = speedup() / threads;
    constexpr double hardly = 0.02; // work of a thread that only hands it on
    return share <= 1 + hardly ? std::min(share, 1.0)
                               : speedup() / static_cast<double>(run.threads);
  }
  /// The factors of efficiency(), as the POP metrics have them (Rosas, Gimenez and Labarta,
  /// Scalability prediction for fundamental performance factors, Supercomputing Frontiers and
  /// Innovations 1(2), 2014). The share of the time in which the busiest thread is at work:
  double serialisation() const {
    return time > 0 ? std::min(1.0, std::max(std::max(first, other) / time, efficiency())) : 1;
  }
  /// and what a thread works in the mean, over what the busiest does. Where more threads work than
  /// were asked for, that may be more than one of them does, and is taken for the busiest.
  double loadBalance() const { return efficiency() / serialisation(); }
};

/// Predicted and measured wall times of runs with so many threads: relative errors.
struct ClockTest {
  size_t runs = 0;            ///< with a measured time
  double bias = 0;            ///< median of the errors
  double median = 0, p90 = 0; ///< of their sizes
  /// The share within which the clock of another session is of the time of a run, in nine of ten;
  /// of fewer than five runs nobody can say.
  std::optional<double> within() const {
    return runs < 5 ? std::nullopt : std::optional(std::hypot(p90, betweenSessions));
  }
};

struct ParallelTimes : LeftOut {
  std::string unit;
  std::vector<ParallelTime> runs;      ///< not empty; in the order of the corpus
  std::map<uint32_t, ClockTest> tests; ///< by number of threads
  /// How many times as long as prices say the work of so many threads takes, in the median of the
  /// inputs that were timed with them.
  std::map<uint32_t, double> slowdowns;
  /// Where prices of strands were learnt from runs with several threads: by how much these would
  /// be off by counts alone, in the median; else 0.
  double offByCounts = 0;
  /// Inputs that were recorded with several numbers of threads: how far one such run is, in its
  /// counts, from what another one of them tells of it. Relative errors.
  std::vector<double> retold;
  struct NotTold {
    size_t runs = 0;
    std::string why; ///< of the first
  };
  std::map<uint32_t, NotTold> notTold; ///< by number of threads that was asked for
};

struct Processors {
  /// Threads share these; infinite: each has one.
  double asked = std::numeric_limits<double>::infinity();
  /// On which the plain program was timed, unless that was kept on one; 0: not known.
  double timed = 0;
  /// Numbers of threads to tell of: of each input those runs that had so many, or else the run with
  /// most. Empty: as they were recorded.
  std::vector<uint32_t> threads = {};
};

/// One run, as it can be done again by threads that sleep.
struct ReplayedRun {
  std::string label, identity;
  StrandDescription strands; ///< jobs and locks had by who comes first
  double perCount = 0;       ///< seconds
  double predicted = 0; ///< seconds without the start of the process, a processor for each thread
};
/// The run of that label or identity; an error where `observed` is not in time.
Result<ReplayedRun> replayedRun(const Corpus &corpus, const Observed &observed,
                                const std::string &name);

/// On how the times agree with the clock and with each other. An error where they cannot be
/// believed: where the clock says otherwise by more than a quarter, in the median of an input.
Result<std::vector<Note>> notesOnTimes(const ParallelTimes &times);

/// `observed`: of the same runs, whole. An error when there is no run to tell of.
Result<ParallelTimes> parallelTimes(const Corpus &corpus, const Observed &observed,
                                    const ClockCosts &costs, const Processors &processors,
                                    const StrandChanges &changes = {});

} // namespace quincunx
