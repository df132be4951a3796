// Threads of a run, and what they are in the middle of. Reference: docs/27-parallel.md.
#pragma once

#include "quincunx/parallel/Simulate.h"

#include <memory>
#include <vector>

namespace quincunx::parallel {

/// What a thread is in the middle of; the innermost is on top.
struct Frame {
  enum class Kind : uint8_t {
    thread,     ///< its body
    contestant, ///< its body, in a race
    member,     ///< the body of its team
    task,
    inner, ///< the body of a single or an iteration
    group, ///< the body of a taskgroup
    loop,  ///< dealt chunks
    await, ///< waits, and runs tasks while it does
  } kind = Kind::thread;
  enum class For : uint8_t { team, children, group } what = For::team; ///< of `await`
  bool nowait = false;
  uint32_t body = noIndex, at = 0;
  /// task: itself; loop, group: its number; await: the task or group, or how often the barrier had
  /// opened; member: 1 at the end of its body
  uint32_t number = 0;
  uint32_t construct = 0;     ///< loop: which one of its team; noIndex: it is a portion
  uint32_t outer = noIndex;   ///< task: the one that goes on after it; portion: whose it is
  uint64_t next = 0, end = 0; ///< loop: what is left of the chunk
};

/// What a thread was in before it joined a team that it leads.
struct Context {
  uint32_t team = noIndex, member = 0, construct = 0, task = noIndex;
};

struct Thread {
  enum class State : uint8_t {
    unused,
    ready,
    working,
    waiting,
    idle,
    inLine
  } state = State::unused;
  bool isOver = false;
  bool isSeated = false; ///< counts as one of those that work at a time
  bool isOnSeat = false; ///< and has a seat, which it leaves to others
  bool isTask = false;   ///< Description::firstTask
  uint32_t seat = 0; ///< its last; of a task that has not begun: of who made it, or let it begin
  bool keepsSeat = false;     ///< it left that to others, and goes on there
  bool waitsForTasks = false; ///< which it made
  bool isMember = false;      ///< of a team (StepKind::fork)
  uint32_t maker = noIndex;   ///< who forked it
  uint32_t depth = 0;         ///< of makers
  uint32_t locksHeld = 0;
  std::vector<uint32_t> notHad; ///< locks that it tried, and that it will give back
  uint32_t firstLock = 0;       ///< of those that it is to have together: that which it waits for
  bool hasFirst = false;        ///< it does not any more
  uint32_t gaveWay = 0;         ///< how often, as another one of them was not free
  Context in;
  std::vector<Context> before;
  std::vector<Frame> stack;
  std::vector<uint32_t> forked;
  uint32_t joiner = noIndex; ///< who waits for its end
  uint32_t race = noIndex;
  uint64_t event = 0;           ///< the one that is true
  double owed = 0;              ///< burdens to be worked off before anything else
  bool isPaid = false;          ///< the burden of the next step
  double since = 0;             ///< waiting: the time; working: the virtual time
  double amount = 0;            ///< of the work it does, or stands in line to do
  uint32_t workClass = noIndex; ///< of the work it stands in line to do
  Waits *waits = nullptr;
  uint32_t piece = noIndex; ///< its last, or of who let it go on
  Edge edge = Edge::order;  ///< why it goes on
  ThreadTime time;
};

/// All threads of a run; they stay where they are when others are added.
class ThreadTable {
public:
  Thread &operator[](uint32_t id) { return *all[id]; }
  const Thread &operator[](uint32_t id) const { return *all[id]; }
  uint32_t size() const { return static_cast<uint32_t>(all.size()); }
  uint32_t add() {
    all.push_back(std::make_unique<Thread>());
    return size() - 1;
  }

private:
  std::vector<std::unique_ptr<Thread>> all;
};

} // namespace quincunx::parallel
