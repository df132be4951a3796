// What ran as a description that can be simulated (parallel/Simulate.h): what its threads did, and
// which of it came after what, with locks that are had by who comes first. Reference:
// docs/27-parallel.md. In the clock of counts; it simulates nothing.
#pragma once

#include "quincunx/parallel/Simulate.h"
#include "quincunx/strands/CriticalPath.h"
#include "quincunx/strands/Events.h"

#include <map>
#include <memory>
#include <set>
#include <vector>

namespace quincunx {

/// What threads wait for.
struct StrandWait {
  qx_strand_kind kind{}; ///< of the event at which they do
  uint32_t site = 0;     ///< of one of these events
};

/// What stays as it was when the threads ran.
enum class Kept : uint8_t {
  order, ///< the order in which locks are had, and whose post a semaphore gives to whom
  jobs, ///< who takes which job from a queue with a lock; locks and semaphores have who comes first
  nothing, ///< of several threads that take jobs from a queue, who comes first takes the next one
};

/// Chunks of loops that a team shares: dealt as the schedule says, or as they were.
enum class Chunks : bool { dealt, asTheyWere };

struct StrandDescription {
  parallel::Description description; ///< a body for each thread, task and member; one more is first
  std::vector<StrandWait> channels, barriers, locks; ///< as the description numbers them
  std::vector<bool> isQueued;     ///< by lock: who waits for longest is given it, before who comes
  std::vector<StrandPlace> works; ///< what strands are, by the class of their work
  /// By class: the first thread of the process does it, and not as one of a team.
  std::vector<bool> ofFirst;
  std::vector<uint32_t> queues; ///< sites at which threads take jobs as they come
  uint32_t atOnce = 1;          ///< threads of the process, which executed all that
  /// Chunks of some loops are had by who had them, though that was chance, or may have been.
  bool keepsChunks = false;
  /// Threads that come to one of several locks, or of which half are idle, may take work from each
  /// other, which is as it was:
  /// what one of them works in the mean over what the busiest does.
  double evenness = 1;
  /// Chunks are more or fewer than they were, and coming to one costs some 15 counts, which nothing
  /// here has: the largest share of the work of a loop that this is.
  double ofChunks = 0;
  /// Of threads that end with the first of them, that one did hardly anything beside the others: it
  /// may have been told to stop.
  bool hasHardlyWorked = false;
};

/// What is to be otherwise than when the threads ran, by sites (qx_strand_site).
struct StrandChanges {
  std::set<uint32_t> unlocked; ///< nobody waits for, or has, locks that are had there
  /// Who has a lock there keeps only those waiting who come to a site of the same number.
  std::map<uint32_t, uint32_t> apart;
  /// What threads, members of teams and tasks that are begun there work, times that.
  std::map<uint32_t, double> work;
  struct Dealing {
    parallel::Schedule schedule = parallel::Schedule::fixed;
    uint64_t chunk = 0;
    bool isSerial = false; ///< one thread went through the loop, which a team is to share
  };
  std::map<uint32_t, Dealing> schedules; ///< of the loops there
  std::set<uint32_t> first; ///< threads that are begun there end with the first of them
  /// Of teams that had as many as the largest ones, and of those that are to share loops; 0: as
  /// many as they, or the largest ones, had.
  uint32_t threads = 0;
  uint32_t asked = 0; ///< how many these were asked to have, where that is known

  bool empty() const {
    return unlocked.empty() && apart.empty() && work.empty() && schedules.empty() &&
           first.empty() && threads == 0;
  }
};

/// What ran, to be described with more or less of it as it was.
class StrandHistory {
public:
  /// Fails where parallelWork() does; where a loop is to be dealt otherwise of which not all
  /// iterations are known, or in which threads do more than work and have locks, also one that one
  /// thread went through (shareSerialLoops()); where threads are to end with the first of them that
  /// do more than work (endWithFirst()), or their number or shares are changed as well; and where
  /// teams are to have another number of threads and more than mostBesideLoops of what the threads
  /// did is neither before, behind and between teams nor in loops and tasks.
  static Result<StrandHistory> of(const ProcessStrands &strands, const StrandChanges &changes = {});
  StrandHistory(StrandHistory &&) noexcept;
  ~StrandHistory();

  /// A lock that one thread gives back for another is had as it was in any case; one that a thread
  /// has when it ends keeps nobody waiting then.
  StrandDescription describe(Kept kept, Chunks chunks = Chunks::dealt) const;
  /// What is kept least where that makes the same: without locks, semaphores and queues of jobs
  /// nothing can come otherwise.
  Kept least(Kept kept) const;

private:
  static constexpr double mostBesideLoops = 0.05;
  struct Known;
  explicit StrandHistory(std::unique_ptr<const Known> k);
  std::unique_ptr<const Known> known;
};
/// All that its threads work.
double workIn(const StrandDescription &description);

} // namespace quincunx
