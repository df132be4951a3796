// What the threads of one run do, and how much work is in it; no times.
// The idea: a thread goes through a sequence of steps. Threads of a team all go through the same
// one, as often as there are threads, so that a description has no number of threads in it, and
// loops are given by the work of their iterations, so that every schedule can deal them. Work is in
// any unit; what answers it has the same. Reference: docs/27-parallel.md; OpenMP 5.2, 10 to 15.
// It has no memory, caches or bandwidth, and no code that does other things because of what others
// did first.
#pragma once

#include "quincunx/base/Index.h"
#include "quincunx/base/Result.h"

#include <cstdint>
#include <vector>

namespace quincunx::parallel {

/// Who does which iterations of a loop.
enum class Schedule : uint8_t {
#define QUINCUNX_SCHEDULE(enumerator, name, function, asks) enumerator,
#include "quincunx/parallel/Schedules.def"
#undef QUINCUNX_SCHEDULE
};

enum class StepKind : uint8_t {
  work, ///< `amount` of class `object`
  /// First come, first served, but for those that get ahead (unlock). With `nowait` it is tried:
  /// who finds it taken goes on, as if he had it, without it.
  lock,
  share,   ///< the same lock, together with others that share it
  lockAll, ///< Description::together[object..object + count): all or none, as std::lock does
  /// By the thread that has it. With `nowait` it comes for the same lock again before whoever
  /// waits for that has woken up, and gets ahead, as with mutexes of pthreads.
  unlock,
  barrier, ///< Description::barriers[object], or that of the team
  arrive,  ///< is counted there, and goes on
  pass,    ///< waits until `count` (0: all) have arrived there, once and for all
  once,    ///< the first to come goes through `body`, the others wait until all have arrived there
  last,    ///< is counted there, and goes through `body` if all have arrived with it
  post,    ///< one more on channel `object`; waits while it is full
  /// One less; waits while it is empty. The k-th to come gets the k-th that is posted. With `count`
  /// 1 it waits for tasks that it made, and its seat takes none but what comes from these.
  take,
  fork,      ///< a thread that goes through `body`; `count` 1: a member of a team, with the others
             ///< forked beside it: at its end it waits for the tasks of the team, and does them
  join,      ///< waits for the end of the thread that this one forked as its `object`-th, from 0
  team,      ///< a team goes through `body`, `count` threads or as many as asked for; ends together
  loop,      ///< its part of Description::loops[object]; together with the team unless `nowait`
  portion,   ///< the same of Loop::threads that are no team, as number `count`; waits for nobody
  single,    ///< the first of the team to come here goes through `body`
  task,      ///< a task `body` that uses Description::uses[object..object + count)
  taskwait,  ///< until the tasks that this one has made have ended
  taskgroup, ///< `body`, and until all tasks that were made in it have ended, theirs too
  put,       ///< the body Description::pools[object][count] can be dealt from here on
  /// Goes on with the next body of that pool, in place of its own, and waits while there is none:
  /// in the order in which they were put; one that nobody puts is there when all before it are.
  deal,
  firstOf, ///< a thread each for bodies[body..body + count): when one has ended, all have
};

struct Step {
  StepKind kind = StepKind::work;
  bool nowait = false;
  uint32_t object = noIndex;
  uint32_t body = noIndex;
  uint32_t count = 0;
  double amount = 0;
};
using Body = std::vector<Step>;

Step work(double amount, uint32_t workClass = 0);
Step lock(uint32_t number, bool isTried = false);
Step share(uint32_t number);
Step lockAll(uint32_t first, uint32_t locks);
Step unlock(uint32_t number, bool getsAhead = false);
Step barrier(uint32_t number);
Step arrive(uint32_t barrier);
Step pass(uint32_t barrier, uint32_t arrived = 0);
Step once(uint32_t barrier, uint32_t body);
Step last(uint32_t barrier, uint32_t body);
Step teamBarrier();
Step post(uint32_t channel);
Step take(uint32_t channel, bool isOfTasks = false);
Step fork(uint32_t body, bool isMember = false);
Step join(uint32_t which);
Step team(uint32_t body, uint32_t threads = 0);
Step loop(uint32_t number, bool nowait = false);
Step portion(uint32_t loop, uint32_t member);
Step single(uint32_t body, bool nowait = false);
Step task(uint32_t body, uint32_t firstUse = 0, uint32_t uses = 0);
Step taskwait();
Step taskgroup(uint32_t body);
Step put(uint32_t pool, uint32_t which);
Step deal(uint32_t pool);
Step firstOf(uint32_t firstBody, uint32_t bodies);

/// A worksharing loop: iterations are the works in `costs`, or bodies of their own (sections are
/// bodies with the schedule `fixed`).
struct Loop {
  Schedule schedule = Schedule::fixed;
  uint64_t chunk = 0; ///< 0: the default of the schedule
  std::vector<double> costs;
  uint32_t workClass = 0;
  uint32_t firstBody = noIndex, bodies = 0;
  uint32_t threads = 0; ///< that come to its portions, each once

  uint64_t size() const { return firstBody == noIndex ? costs.size() : bodies; }
};

struct Channel {
  uint64_t initial = 0;        ///< how many are on it at the start
  uint64_t bound = UINT64_MAX; ///< how many can be
};

/// What a task does with an object: it comes after the last that wrote it, and a writer after those
/// that read it since (`depend(in)`, `depend(out)` and `depend(inout)`).
struct Use {
  uint32_t object = 0;
  bool writes = true;
};

struct Description {
  std::vector<Body> bodies; ///< the first is that of the first thread
  std::vector<Loop> loops;
  std::vector<Channel> channels;
  std::vector<uint32_t> barriers; ///< how many threads each is for
  uint32_t locks = 0;
  std::vector<uint32_t> together; ///< locks
  std::vector<Use> uses;
  std::vector<std::vector<uint32_t>> pools; ///< bodies, each once
  /// Threads that go through this body, or a later one, are tasks that ran: while all seats are
  /// taken (Setting::atOnce) they wait in the queue of the one that made them, and whoever waits
  /// for something goes on in the seat that it had, when what was begun there meanwhile has ended.
  uint32_t firstTask = noIndex;
};

/// Who gives a lock back and comes for the same lock next.
class LockReturns {
public:
  /// `description` must outlive it, and keep its pools and what their bodies begin with.
  explicit LockReturns(const Description &description);
  /// Of that step: it does, whatever it is dealt to do, after work of `most` and what keeps it
  /// waiting for nobody.
  bool comesAgain(uint32_t body, size_t step, double most) const;

private:
  const Description &d;
  /// By pool, that all bodies begin with; noIndex: they do not, or one waits until they are put.
  std::vector<uint32_t> firstLocks;
};

/// Refuses numbers of what there is not, work that is negative or not finite, bodies that hold
/// themselves, races whose bodies do more than work, and who gets ahead and does not come again.
Status check(const Description &description);

} // namespace quincunx::parallel
