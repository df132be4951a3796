// A run of a description: its threads, and what they wait for. Reference: docs/27-parallel.md.
#pragma once

#include "SharedObjects.h"
#include "Thread.h"
#include "quincunx/base/EventQueue.h"
#include "quincunx/parallel/Simulate.h"

#include <deque>
#include <map>
#include <memory>
#include <random>
#include <string>

namespace quincunx::parallel {

class Simulation {
public:
  Simulation(const Description &description, const Setting &setting);
  Result<Simulated> run();

private:
  // Simulation.cpp: threads go on, work and wait
  void go(uint32_t id);
  void goReady();
  void happen(const TimedEvent &event);
  /// True when the thread goes on at once; else it works or waits.
  bool follow(uint32_t id, const Step &s);
  bool leave(uint32_t id);
  bool work(uint32_t id, double amount, uint32_t workClass);
  void startWork(uint32_t id);
  bool pay(uint32_t id, double amount) { return work(id, amount, noIndex); }
  bool wait(uint32_t id, Waits *what);
  void block(uint32_t id, Waits *what);
  /// It goes on, as another one let it, and pays for that.
  void wake(uint32_t id, uint32_t by, Edge why, double price);
  /// Pays for what comes next; true when that is done.
  bool hasPaid(uint32_t id, double price);
  void begin(uint32_t id, uint32_t by);
  bool fork(uint32_t id, const Step &s);
  bool join(uint32_t id, uint32_t which);
  bool endThread(uint32_t id);
  void push(uint32_t id, Frame::Kind kind, uint32_t body) {
    threads[id].stack.push_back({.kind = kind, .body = body});
  }
  void fail(const std::string &why) {
    if (failure.empty())
      failure = why;
  }
  std::string deadlock() const;
  // FirstOf.cpp
  bool race(uint32_t id, const Step &s);
  bool endContestant(uint32_t id);
  // Locks.cpp
  bool tryLock(uint32_t id, uint32_t number);
  bool lock(uint32_t id, uint32_t number, bool shares);
  bool lockAll(uint32_t id, const Step &s);
  bool unlock(uint32_t id, const Step &s);
  bool release(uint32_t id, uint32_t number);
  void grant(uint32_t number, uint32_t by);
  // Barriers.cpp
  bool meet(uint32_t id, uint32_t number);
  bool arrive(uint32_t id, uint32_t number);
  bool pass(uint32_t id, const Step &s);
  bool once(uint32_t id, const Step &s);
  bool last(uint32_t id, const Step &s);
  void goThrough(uint32_t id, uint32_t body);
  // Seats.cpp
  bool takeSeat(uint32_t id);
  void leaveSeat(uint32_t id);
  uint32_t seatFor(uint32_t id);
  uint32_t unkeptSeat();
  void claimSeat(uint32_t id);
  void sit(uint32_t id, uint32_t seat);
  struct Left {
    uint32_t seat, by;
  };
  void fillSeats();
  void fill(const Left &l, uint32_t next);
  uint32_t nextInLine(uint32_t seat);
  bool mayBegin(uint32_t id, uint32_t seat) const;
  bool isOfTeam(uint32_t task, uint32_t member) const;
  void forgetMembers(uint32_t id);
  // Pools.cpp
  void fillPools();
  void addUnput(uint32_t number);
  bool put(uint32_t id, const Step &s);
  bool dealBody(uint32_t id, uint32_t number);
  void goOnWith(uint32_t id, PoolState &pool);
  // Channels.cpp
  bool post(uint32_t id, uint32_t number);
  bool get(uint32_t id, uint32_t number);
  // Teams.cpp
  bool beginTeam(uint32_t id, const Step &s);
  bool endMember(uint32_t id);
  bool teamBarrier(uint32_t id);
  void openWhenAllAreHere(uint32_t by);
  bool single(uint32_t id, const Step &s);
  bool beginLoop(uint32_t id, const Step &s);
  bool beginPortion(uint32_t id, const Step &s);
  bool deal(uint32_t id);
  Construct &nextConstruct(uint32_t id);
  void enter(uint32_t id, uint32_t team, uint32_t member);
  /// Its team; one of its own when it has none.
  Team &teamOf(uint32_t id) {
    if (threads[id].in.team == noIndex) [[unlikely]]
      beginTeamOfOne(id);
    return *teams[threads[id].in.team];
  }
  void beginTeamOfOne(uint32_t id);
  // Tasks.cpp
  bool makeTask(uint32_t id, const Step &s);
  void depend(uint32_t task, const Step &s);
  bool runTask(uint32_t id, uint32_t task);
  bool endTask(uint32_t id);
  bool beginGroup(uint32_t id, uint32_t body);
  bool endGroup(uint32_t id);
  bool await(uint32_t id, Frame::For what, uint32_t number);
  /// With `await` on top: goes on, runs a task, or is idle.
  bool goOnAwaiting(uint32_t id);
  bool hasCome(uint32_t id, const Frame &awaited);
  bool mayRun(uint32_t id, uint32_t task) const;
  uint32_t newTask(uint32_t body, uint32_t parent);
  bool isDescendant(uint32_t task, uint32_t of) const;
  void wakeIdle(uint32_t id, uint32_t by, Edge why, double price);
  void wakeOneFor(uint32_t task, uint32_t by);

  const Description &d;
  const Setting &setting;
  Simulated out;
  EventQueue queue;
  std::mt19937_64 random;
  double now = 0, virtualNow = 0;
  double delay = 0; ///< now - virtualNow
  uint64_t eventCount = 0, tasksMade = 0;
  uint32_t working = 0;
  std::string failure;
  bool isOver = false;
  ThreadTable threads;
  std::vector<uint32_t> spare; ///< that were members of teams
  std::deque<uint32_t> ready;
  std::vector<std::vector<uint32_t>> seats; ///< who keeps each, from the first that left it on
  std::vector<uint32_t> membersOf;          ///< by seat, who ended on it last and does tasks there
  std::deque<uint32_t> freeSeats;           ///< the one that is free for longest first
  std::vector<Left> left;                   ///< at this moment
  std::deque<uint32_t> begun, fresh; ///< in line: those that worked before, and those that did not
  TaskQueues tasksInLine{0, UINT32_MAX}; ///< that have not begun, by seat
  std::vector<std::unique_ptr<Team>> teams;
  std::vector<TaskRecord> tasks;
  std::vector<Group> groups;
  std::vector<Race> races;
  std::map<std::pair<uint32_t, uint32_t>, LastUses> lastUses; ///< by parent and object
  std::vector<LockState> locks;
  std::vector<BarrierState> barriers;
  std::vector<ChannelState> channels;
  std::vector<PoolState> pools;
  std::vector<std::unique_ptr<LoopSchedule>> portions; ///< by loop; null: nobody has come to one
};

} // namespace quincunx::parallel
