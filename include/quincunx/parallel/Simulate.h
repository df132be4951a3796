// How long the threads of a description take on so many cores, event by event.
// The idea: threads go from step to step, and only work takes time. With more threads at work than
// cores all are slowed down alike, so that the ends of what they do keep their order in *virtual*
// time, which passes at the speed of a thread. Reference: docs/27-parallel.md; Kleinrock, Queueing
// Systems 2, 4.4 (processor sharing).
// It has no caches, bandwidth or frequencies: those belong to the work.
#pragma once

#include "quincunx/parallel/Description.h"

#include <limits>
#include <vector>

namespace quincunx::parallel {

/// What it costs to work together, in the unit of work; who pays is busy.
struct Burdens {
  double create = 0;  ///< making a thread: the one that forks
  double team = 0;    ///< each thread at the start of a team
  double barrier = 0; ///< each thread when a barrier of its team opens
  double chunk = 0;   ///< each chunk that is asked for
  double task = 0;    ///< making a task: the one that makes it
  double handOff = 0; ///< a thread that goes on as another one let it: lock, channel, join, task
};

struct Setting {
  uint32_t threads = 1;                                   ///< of a team
  double cores = std::numeric_limits<double>::infinity(); ///< they share these
  /// So many threads work or wait for a lock at a time. Others stand in line, those that have
  /// worked before in front, tasks that have not begun (Description::firstTask) behind all others;
  /// who has a lock does not. For tasks that are described as threads.
  uint32_t atOnce = UINT32_MAX;
  Burdens burdens;
  double jitter = 0;        ///< the other threads of a team begin up to so much later, at random
  uint64_t seed = 1;        ///< of that, and of whom threads rob of tasks at first
  uint32_t taskQueue = 256; ///< tasks that may wait in the queue of a thread; more run at once
  /// The span: an iteration has a thread of its own, whatever its schedule, when there are enough.
  bool oneIterationEach = false;
  bool keepChunks = false, keepPieces = false;
};

struct ThreadTime {
  double busy = 0, waited = 0;
};
/// How often threads waited for it, and for how long together.
struct Waits {
  uint64_t count = 0;
  double time = 0;
};
/// Iterations begin <= i < end of a loop, by this thread of its team.
struct DealtChunk {
  uint32_t loop = 0, thread = 0;
  uint64_t begin = 0, end = 0;
};

/// Why a piece of work began when it did.
enum class Edge : uint8_t {
  order,   ///< the thread had to do the other one before
  fork,    ///< it was forked, or its team began
  join,    ///< who it waited for ended
  lock,    ///< it got the lock
  barrier, ///< the last one came
  post,    ///< it was posted, or there was room
  line,    ///< another one left room (Setting::atOnce)
  task,    ///< the task was made, what it depends on ended, or the tasks that were waited for did
};
struct Piece {
  double begin = 0, end = 0;
  uint32_t thread = 0;
  uint32_t workClass = noIndex; ///< noIndex: a burden
  uint32_t previous = noIndex;  ///< the piece whose end let it begin
  Edge edge = Edge::order;
};

struct Simulated {
  double makespan = 0;
  std::vector<ThreadTime> threads; ///< in the order in which they were first needed
  std::vector<Waits> locks, barriers, channels, pools;
  Waits teams; ///< at barriers of teams, where no task was there to run
  Waits line;  ///< as enough others were at work (Setting::atOnce)
  uint64_t tasks = 0;
  std::vector<DealtChunk> chunks; ///< in the order in which they were dealt
  std::vector<Piece> pieces;      ///< in the order in which they began
  uint32_t last = noIndex;        ///< the piece whose end is the end
  uint64_t missed = 0;            ///< locks that were tried, and not free
  bool isDrawn = false;           ///< another seed may come to something else
};

/// Refuses what check() refuses, settings that cannot be, threads that wait for each other forever,
/// and locks that are given back by others than those who have them.
Result<Simulated> simulate(const Description &description, const Setting &setting);

/// The makespans for seeds from that of the setting on: what races between threads leave open.
/// One of them where nothing is drawn.
Result<std::vector<double>> makespans(const Description &description, const Setting &setting,
                                      uint64_t replicas);

} // namespace quincunx::parallel
