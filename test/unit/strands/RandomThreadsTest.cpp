// Work and span of random programs with threads. They are executed here, one step at a time, each
// by a thread that chance picks. The idea: a thread carries the longest chain up to where it is
// along with it, and takes over that of whom it waits for, as vector clocks do (Mattern 1989); so
// the span is known at the end without any graph. Of what may have to wait a step does only what
// can go on at once: waiting takes nothing in the clock of counts, so what is written down is the
// same. It does not do what nobody can know afterwards: two signals on their way at once.
#include "Strands.h"

#include "quincunx/strands/StrandDescription.h"

#include <array>
#include <deque>
#include <map>
#include <random>
#include <set>

namespace quincunx {
namespace {

using namespace test;

/// The longest chains up to somewhere.
struct Chain {
  uint64_t free = 0, locked = 0;
  void waitFor(const Chain &other) {
    free = std::max(free, other.free);
    locked = std::max(locked, other.locked);
  }
};

class RandomThreads {
public:
  explicit RandomThreads(uint64_t seed) : random(seed) {
    threads.emplace_back();
    strands.threads.push_back({0, {}});
    endsWithMain = oneIn(4);
    for (uint32_t k = 0; k < kinds; ++k) {
      barriers[k].size = 1 + below(3);
      if (oneIn(2))
        makeSemaphore(0, k);
      if (oneIn(2))
        makeBarrier(0, k);
    }
    size_t steps = 20 + below(200);
    while (std::ranges::any_of(threads, [](const Thread &t) { return t.state != State::ended; })) {
      step(below(static_cast<uint32_t>(threads.size())), steps == 0);
      steps -= steps > 0 ? 1 : 0;
    }
  }

  ProcessStrands strands; ///< what the threads wrote down
  Chain span;             ///< of the whole program

private:
  static constexpr uint32_t nobody = UINT32_MAX;
  static constexpr uint32_t kinds = 3; ///< locks and so on, each with its number for an address
  enum class State : uint8_t { runs, called, waits, passes, asleep, woken, locks, ended };
  struct Thread {
    State state = State::runs;
    Chain chain, wakes;                  ///< `wakes`: of who lets it go on
    std::vector<uint32_t> writes, reads; ///< locks that it has
    uint32_t object = 0;                 ///< barrier or condition variable that it waits at
    uint32_t mutex = 0;                  ///< that it needs behind the condition variable
    bool isJoined = false;
    std::array<size_t, kinds> seen{}, inherited{}; ///< how many parts; those before it was created
    uint32_t creator = nobody;
  };
  struct Lock {
    uint32_t writers = 0, readers = 0; ///< that have it
    uint64_t written = 0, read = 0;    ///< chains of who gave it up, readers since the last writer
  };
  struct Semaphore {
    bool isMade = false;
    std::deque<Chain> tokens; ///< those it began with are nobody's
  };
  struct Barrier {
    bool isMade = false;
    uint32_t size = 1, called = 0, passing = 0;
    Chain arrived;
  };

  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random() % n); }
  bool oneIn(uint32_t n) { return below(n) == 0; }

  /// Thread `t` works, and meets this, where it waits for who is `waited` for.
  void meets(uint32_t t, qx_strand_kind kind, uint64_t object, const Chain &waited = {},
             uint32_t site = 0) {
    const uint64_t work = oneIn(4) ? 0 : below(100);
    std::vector<StrandEvent> &events = strands.threads[t].events;
    order += 1 + below(3);
    events.push_back({(events.empty() ? 0 : events.back().clock) + work, kind, order,
                      site != 0 ? site : 1 + below(6), object});
    threads[t].chain.free += work;
    threads[t].chain.locked += work;
    threads[t].chain.waitFor(waited);
  }

  void step(uint32_t t, bool isLate) {
    Thread &thread = threads[t];
    switch (thread.state) {
    case State::runs:
      return isLate ? windDown(t) : act(t);
    case State::called:
      return arrive(t);
    case State::passes:
      meets(t, QX_STRAND_PASS, thread.object, thread.wakes);
      --barriers[thread.object].passing;
      thread.state = State::runs;
      return;
    case State::asleep:
      if (!oneIn(8))
        return;
      meets(t, QX_STRAND_TIMEOUT, thread.object);
      thread.state = State::locks;
      return;
    case State::woken:
      meets(t, QX_STRAND_WAKE, thread.object, thread.wakes);
      thread.state = State::locks;
      signalled[thread.object] = signalled[thread.object] == t ? nobody : signalled[thread.object];
      return;
    case State::locks:
      if (lock(t, thread.mutex))
        thread.state = State::runs;
      return;
    case State::waits:
    case State::ended:
      return;
    }
  }

  void act(uint32_t t) {
    const uint32_t k = below(kinds);
    switch (below(16)) {
    case 0:
    case 1:
      return create(t);
    case 2:
    case 3:
      return join(t);
    case 4:
      return static_cast<void>(lock(t, k));
    case 5:
      return readLock(t, k);
    case 6:
    case 7:
      return unlock(t);
    case 8:
      return post(t, k);
    case 9:
      return take(t, k);
    case 10:
      return callToBarrier(k);
    case 11:
      return sleep(t, k);
    case 12:
      return wake(t, k);
    case 13:
      return oneIn(2) ? awaitAll(t, k) : awaitChange(t, k);
    case 14:
      return oneIn(6) ? makeLatch(t, k) : doPart(t, k);
    default:
      return oneIn(8) ? makeAgain(t, k) : oneIn(8) ? windDown(t) : unlock(t);
    }
  }

  /// What it holds it gives up, and then it ends.
  void windDown(uint32_t t) {
    if (!threads[t].writes.empty() || !threads[t].reads.empty())
      return unlock(t);
    end(t, 0);
    if (t != 0 || !endsWithMain)
      return;
    for (uint32_t other = 1; other < threads.size(); ++other)
      if (threads[other].state != State::ended)
        end(other, 1);
  }
  void end(uint32_t t, uint64_t isAlive) {
    meets(t, QX_STRAND_END, isAlive);
    threads[t].state = State::ended;
    span.waitFor(threads[t].chain);
  }

  void create(uint32_t t) {
    if (threads.size() >= 10)
      return;
    const auto child = static_cast<uint32_t>(threads.size());
    meets(t, QX_STRAND_CREATE, child);
    threads.emplace_back().chain = threads[t].chain; // a deque: nothing moves
    threads[child].creator = t;
    for (uint32_t k = 0; k < kinds; ++k)
      threads[child].inherited[k] = parts[k].size();
    strands.threads.push_back({child, {}});
  }
  void join(uint32_t t) {
    const uint32_t other = below(static_cast<uint32_t>(threads.size()));
    if (threads[other].state != State::ended || threads[other].isJoined)
      return;
    threads[other].isJoined = true;
    meets(t, QX_STRAND_JOIN, other, threads[other].chain);
  }

  bool lock(uint32_t t, uint32_t k) {
    Lock &l = locks[k];
    if (l.writers + l.readers > 0)
      return false;
    ++l.writers;
    threads[t].writes.push_back(k);
    meets(t,
          oneIn(3)   ? QX_STRAND_WAITED
          : oneIn(3) ? QX_STRAND_TRIED
                     : QX_STRAND_LOCK,
          k, {0, std::max(l.written, l.read)});
    return true;
  }
  void readLock(uint32_t t, uint32_t k) {
    Lock &l = locks[k];
    if (l.writers > 0 || std::ranges::count(threads[t].reads, k) > 0)
      return;
    ++l.readers;
    threads[t].reads.push_back(k);
    meets(t, QX_STRAND_READ_LOCK, k, {0, l.written});
  }
  void unlock(uint32_t t) {
    Thread &thread = threads[t];
    std::vector<uint32_t> &of = thread.reads.empty() ? thread.writes : thread.reads;
    if (of.empty())
      return;
    const uint32_t k = of.back();
    const bool isRead = &of == &thread.reads;
    of.pop_back();
    meets(t, QX_STRAND_UNLOCK, k);
    Lock &l = locks[k];
    --(isRead ? l.readers : l.writers);
    if (isRead)
      l.read = std::max(l.read, thread.chain.locked);
    else
      l.written = thread.chain.locked, l.read = 0;
  }

  void makeSemaphore(uint32_t t, uint32_t k) {
    const uint32_t value = below(3);
    meets(t, QX_STRAND_SEMAPHORE, k, {}, value);
    strands.threads[t].events.back().site = value; // 0 as well
    semaphores[k] = {true, std::deque<Chain>(value)};
  }
  void post(uint32_t t, uint32_t k) {
    meets(t, QX_STRAND_POST, k);
    semaphores[k].tokens.push_back(threads[t].chain);
  }
  void take(uint32_t t, uint32_t k) {
    std::deque<Chain> &tokens = semaphores[k].tokens;
    if (tokens.empty())
      return;
    meets(t, QX_STRAND_TAKE, k, tokens.front());
    tokens.pop_front();
  }

  void makeLatch(uint32_t t, uint32_t k) {
    meets(t, QX_STRAND_LATCH, k);
    parts[k].clear();
    for (Thread &other : threads)
      other.seen[k] = other.inherited[k] = 0;
  }
  /// Not twice at once: that is telling of it.
  void doPart(uint32_t t, uint32_t k) {
    const std::vector<StrandEvent> &events = strands.threads[t].events;
    if (!events.empty() && events.back().kind == QX_STRAND_DONE && events.back().object == k)
      return;
    meets(t, QX_STRAND_DONE, k);
    parts[k].push_back({t, threads[t].chain});
  }
  void awaitAll(uint32_t t, uint32_t k) {
    Chain all;
    for (const auto &[who, chain] : parts[k])
      all.waitFor(chain);
    meets(t, QX_STRAND_AWAIT, k, all);
    threads[t].seen[k] = parts[k].size();
  }
  /// Was it done by one of those who created the thread, and each other, before that?
  bool isOlder(uint32_t t, uint32_t k, size_t part) const {
    for (; threads[t].creator != nobody; t = threads[t].creator)
      if (parts[k][part].first == threads[t].creator && part < threads[t].inherited[k])
        return true;
    return false;
  }
  /// The first part of another one that it has not seen.
  void awaitChange(uint32_t t, uint32_t k) {
    size_t &seen = threads[t].seen[k];
    size_t next = seen;
    while (next < parts[k].size() && (parts[k][next].first == t || isOlder(t, k, next)))
      ++next;
    const bool isThere = next < parts[k].size();
    meets(t, QX_STRAND_CHANGE, k, isThere ? parts[k][next].second : Chain{});
    seen = isThere ? next + 1 : parts[k].size();
  }

  void makeBarrier(uint32_t t, uint32_t k) {
    barriers[k] = {true, 1 + below(4), 0, 0, {}};
    meets(t, QX_STRAND_BARRIER, k, {}, barriers[k].size);
  }
  void makeAgain(uint32_t t, uint32_t k) {
    if (oneIn(2) && semaphores[k].isMade)
      makeSemaphore(t, k);
    else if (barriers[k].isMade && barriers[k].called + barriers[k].passing == 0)
      makeBarrier(t, k);
  }
  /// As many threads as it is for come to it next. Of one of which the size is written nowhere all
  /// pass before others come, as else nobody could know it.
  void callToBarrier(uint32_t k) {
    Barrier &b = barriers[k];
    std::vector<Thread *> able;
    for (Thread &t : threads)
      if (t.state == State::runs)
        able.push_back(&t);
    if (able.size() < b.size || b.called > 0 || (!b.isMade && b.passing > 0))
      return;
    std::ranges::shuffle(able, random);
    b.arrived = {};
    b.called = b.size;
    for (uint32_t i = 0; i < b.size; ++i)
      able[i]->state = State::called, able[i]->object = k;
  }
  void arrive(uint32_t t) {
    const uint32_t k = threads[t].object;
    Barrier &b = barriers[k];
    if (b.isMade && b.size > 1 && oneIn(8)) {
      meets(t, QX_STRAND_DROP, k);
      --b.size; // of the next meeting
    }
    meets(t, QX_STRAND_ARRIVE, k);
    b.arrived.waitFor(threads[t].chain);
    threads[t].state = State::waits;
    if (--b.called > 0)
      return;
    for (Thread &other : threads)
      if (other.state == State::waits && other.object == k) {
        other.state = State::passes;
        other.wakes = b.arrived;
        ++b.passing;
      }
  }

  /// With one lock alone, as others would wait for the rest of them.
  void sleep(uint32_t t, uint32_t k) {
    Thread &thread = threads[t];
    if (thread.writes.size() != 1 || !thread.reads.empty())
      return;
    thread.mutex = thread.writes.front();
    unlock(t);
    meets(t, QX_STRAND_SLEEP, k);
    thread.state = State::asleep;
    thread.object = k;
  }
  void wake(uint32_t t, uint32_t k) {
    if (signalled[k] != nobody)
      return;
    const bool all = oneIn(2);
    meets(t, all ? QX_STRAND_BROADCAST : QX_STRAND_SIGNAL, k);
    std::vector<uint32_t> sleepers;
    for (uint32_t other = 0; other < threads.size(); ++other)
      if (threads[other].state == State::asleep && threads[other].object == k)
        sleepers.push_back(other);
    std::ranges::shuffle(sleepers, random);
    if (!all && !sleepers.empty()) {
      sleepers.resize(1);
      signalled[k] = sleepers.front();
    }
    for (const uint32_t other : sleepers) {
      threads[other].state = State::woken;
      threads[other].wakes = threads[t].chain;
    }
  }

  std::mt19937_64 random;
  bool endsWithMain = false;
  uint32_t order = 0;
  std::deque<Thread> threads;
  std::array<Lock, kinds> locks;
  std::array<Semaphore, kinds> semaphores;
  std::array<Barrier, kinds> barriers;
  /// Who did a part, and the chain up to there.
  std::array<std::vector<std::pair<uint32_t, Chain>>, kinds> parts;
  std::array<uint32_t, kinds> signalled{nobody, nobody, nobody}; ///< who is to wake next
};

size_t numberOf(const ProcessStrands &strands, qx_strand_kind kind) {
  size_t n = 0;
  for (const StrandThread &t : strands.threads)
    n += static_cast<size_t>(std::ranges::count(t.events, kind, &StrandEvent::kind));
  return n;
}

/// Is there a semaphore from which somebody took, and to which all added only what they took
/// before? Those that were made again are several here, and it may be one of them.
bool limitsThreads(const ProcessStrands &strands) {
  struct Balance {
    std::map<uint32_t, int64_t> taken; ///< by thread
    bool isTaken = false, isHeld = true;
  };
  std::vector<std::pair<uint32_t, std::pair<uint32_t, const StrandEvent *>>> all;
  for (const StrandThread &t : strands.threads)
    for (const StrandEvent &e : t.events)
      all.push_back({e.order, {t.number, &e}});
  std::ranges::sort(all);
  std::map<uint64_t, Balance> now;
  bool any = false;
  const auto close = [&](Balance &b) {
    any = any || (b.isTaken && b.isHeld);
    b = {};
  };
  for (const auto &[order, met] : all) {
    const auto &[thread, e] = met;
    Balance &b = now[e->object];
    if (e->kind == QX_STRAND_SEMAPHORE)
      close(b);
    else if (e->kind == QX_STRAND_TAKE)
      ++b.taken[thread], b.isTaken = true;
    else if (e->kind == QX_STRAND_POST && b.taken[thread]-- <= 0)
      b.isHeld = false;
  }
  for (auto &[object, b] : now)
    close(b);
  return any;
}

TEST(StrandsAtRandom, AreAsLongAsWhatTheyCarryAlong) {
  std::array<size_t, QX_STRAND_KINDS> met{};
  size_t parallel = 0, held = 0, limited = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    const RandomThreads program(seed);
    const ParallelWork work = workOf(program.strands);
    if (limitsThreads(program.strands))
      ASSERT_LE(work.free.span, program.span.free) << "seed " << seed;
    else
      ASSERT_EQ(work.free.span, program.span.free) << "seed " << seed;
    limited += limitsThreads(program.strands) ? 1 : 0;
    ASSERT_EQ(work.locked.span, program.span.locked) << "seed " << seed;
    ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    for (uint32_t kind = 0; kind < met.size(); ++kind)
      met[kind] += numberOf(program.strands, static_cast<qx_strand_kind>(kind));
    parallel += work.work > work.locked.span ? 1 : 0;
    held += work.locked.span > work.free.span ? 1 : 0;
  }
  for (uint32_t kind = 1; kind < met.size(); ++kind)
    if (kind < QX_STRAND_TEAM ||
        (kind > QX_STRAND_GROUP_END && kind < QX_STRAND_LOOP)) // else of OpenMP, not made here
      EXPECT_GT(met[kind], 100u) << "hardly anything of kind " << kind;
  EXPECT_GT(parallel, 500u) << "programs in which some work could be done at once";
  EXPECT_LT(limited, 300u);
  EXPECT_GT(held, 100u) << "programs in which locks kept threads waiting";
}

constexpr double enough = std::numeric_limits<double>::infinity();

/// How long what ran takes on so many processors.
Result<double> timeOn(double processors, const ProcessStrands &strands, Kept kept,
                      const StrandChanges &changes = {}) {
  const Result<StrandHistory> history = StrandHistory::of(strands, changes);
  if (!history)
    return history.error();
  const StrandDescription d = history->describe(kept);
  parallel::Setting setting;
  setting.cores = processors;
  const Result<parallel::Simulated> s = parallel::simulate(d.description, setting);
  return s ? Result<double>(s->makespan) : s.error();
}

/// With processors enough that is the span, with one all work, and else between the bounds of
/// greedy schedules; where locks and semaphores are had by who comes first, no thread is faster
/// than by itself, and threads that have several locks may wait for each other forever.
TEST(StrandsAtRandom, TakeTheirSpanWithProcessorsEnough) {
  size_t others = 0, circles = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    const ProcessStrands strands = RandomThreads(seed).strands;
    const ParallelWork work = workOf(strands);
    const auto all = static_cast<double>(work.work), span = static_cast<double>(work.locked.span);
    ASSERT_EQ(*timeOn(enough, strands, Kept::order), span);
    ASSERT_NEAR(*timeOn(1, strands, Kept::order), all, 1e-9 * all);
    const double two = *timeOn(2, strands, Kept::order);
    EXPECT_GE(two, std::max(all / 2, span) * (1 - 1e-12));
    EXPECT_LE(two, (all / 2 + span / 2) * (1 + 1e-12));
    const Result<double> first = timeOn(enough, strands, Kept::jobs);
    if (!first) {
      ASSERT_TRUE(first.error().text.starts_with("threads wait for each other forever"));
      ++circles;
      continue;
    }
    for (const StrandThread &t : strands.threads)
      EXPECT_GE(*first, static_cast<double>(t.events.back().clock));
    EXPECT_LE(*first, all);
    others += *first != span ? 1 : 0;
    ASSERT_FALSE(testing::Test::HasFailure());
  }
  EXPECT_GT(others, 20u) << "programs in which another order of locks takes another time";
  EXPECT_LT(circles, 100u);
}

/// Each lock is given back by who has it, and by nobody else.
bool ownsLocks(const ProcessStrands &strands) {
  for (const StrandThread &t : strands.threads) {
    std::map<uint64_t, int> depth;
    for (const StrandEvent &e : t.events)
      if (takesLock(e.kind))
        ++depth[e.object];
      else if (e.kind == QX_STRAND_UNLOCK && --depth[e.object] < 0)
        return false;
    for (const auto &[object, times] : depth)
      if (times != 0)
        return false;
  }
  return true;
}

/// Without any lock that is the span in which a lock keeps nobody waiting.
TEST(StrandsAtRandom, LocksThatAreNotThereKeepNobodyWaiting) {
  const StrandChanges none{.unlocked = {1, 2, 3, 4, 5, 6}, .apart = {}, .work = {}};
  size_t held = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    const RandomThreads program(seed);
    const Result<double> time = timeOn(enough, program.strands, Kept::order, none);
    ASSERT_TRUE(time) << time.error().text;
    const auto free = static_cast<double>(program.span.free);
    EXPECT_GE(*time, free);
    EXPECT_LE(*time, static_cast<double>(program.span.locked));
    if (!ownsLocks(program.strands))
      continue;
    ASSERT_EQ(*time, free);
    held += program.span.locked > program.span.free ? 1 : 0;
  }
  EXPECT_GT(held, 100u) << "programs in which locks kept threads waiting";
}

/// A lock that has one place is its own; with several, none of them waits longer by it.
TEST(StrandsAtRandom, LocksThatAreSplitKeepFewerWaiting) {
  size_t shorter = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    ProcessStrands strands = RandomThreads(seed).strands;
    const double before = *timeOn(enough, strands, Kept::order);
    const double after = *timeOn(enough, strands, Kept::order,
                                 {.unlocked = {}, .apart = {{1, 1}, {2, 2}, {3, 3}}, .work = {}});
    EXPECT_LE(after, before);
    shorter += after < before ? 1 : 0;
    for (StrandThread &t : strands.threads)
      for (StrandEvent &e : t.events)
        if (takesLock(e.kind))
          e.site = 9;
    EXPECT_EQ(
        *timeOn(enough, strands, Kept::order, {.unlocked = {}, .apart = {{9, 1}}, .work = {}}),
        before);
  }
  EXPECT_GT(shorter, 30u);
}

/// Sites of one number are one place.
TEST(StrandsAtRandom, LocksThatAreSplitTogetherStayOne) {
  const StrandChanges together{
      .unlocked = {}, .apart = {{1, 7}, {2, 7}, {3, 7}, {4, 7}, {5, 7}, {6, 7}}, .work = {}};
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const ProcessStrands strands = RandomThreads(seed).strands;
    EXPECT_EQ(*timeOn(enough, strands, Kept::order, together),
              *timeOn(enough, strands, Kept::order))
        << "seed " << seed;
  }
}

/// Of all threads that are begun at one place the work is twice as much, and twice twice as much.
TEST(StrandsAtRandom, WorkOfThreadsIsSomeTimesAsMuch) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    const ProcessStrands strands = RandomThreads(seed).strands;
    std::set<uint64_t> begun;
    for (const StrandThread &t : strands.threads)
      for (const StrandEvent &e : t.events)
        if (e.kind == QX_STRAND_CREATE && e.site == 3)
          begun.insert(e.object);
    ProcessStrands twice = strands;
    for (StrandThread &t : twice.threads)
      for (StrandEvent &e : t.events)
        e.clock *= begun.contains(t.number) ? 2 : 1;
    const StrandChanges doubled{.unlocked = {}, .apart = {}, .work = {{3, 2}}};
    for (const Kept kept : {Kept::order, Kept::jobs}) {
      const Result<double> made = timeOn(2, twice, kept), told = timeOn(2, strands, kept, doubled);
      ASSERT_EQ(static_cast<bool>(made), static_cast<bool>(told));
      if (made) {
        EXPECT_EQ(*told, *made);
      }
    }
    EXPECT_EQ(*timeOn(2, twice, Kept::order, doubled),
              *timeOn(2, strands, Kept::order, {.unlocked = {}, .apart = {}, .work = {{3, 4}}}));
    EXPECT_EQ(*timeOn(2, strands, Kept::order, {.unlocked = {}, .apart = {}, .work = {{3, 1}}}),
              *timeOn(2, strands, Kept::order));
  }
}

/// Objects by the order in which they are met, as a corpus has them.
ProcessStrands renumbered(ProcessStrands strands) {
  std::vector<uint64_t> known;
  for (StrandThread &t : strands.threads)
    for (StrandEvent &e : t.events) {
      if (e.kind <= QX_STRAND_JOIN)
        continue;
      auto at = std::ranges::find(known, e.object);
      if (at == known.end())
        at = known.insert(at, e.object);
      e.object = 2 * static_cast<uint64_t>(at - known.begin()) + e.object % 2;
    }
  return strands;
}

TEST(StrandsAtRandom, ComeBackFromTheirBytes) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    ProcessStrands strands = RandomThreads(seed).strands;
    const ParallelWork before = workOf(strands);
    const Result<ProcessStrands> back = unpacked(packStrands(strands));
    ASSERT_TRUE(back) << "seed " << seed << ": " << back.error().text;
    ASSERT_EQ(*back, renumbered(strands)) << "seed " << seed;
    const ParallelWork after = workOf(*back);
    EXPECT_EQ(after.free.span, before.free.span) << "seed " << seed;
    EXPECT_EQ(after.locked.span, before.locked.span) << "seed " << seed;
    EXPECT_EQ(after.locked.parts, before.locked.parts) << "seed " << seed;
  }
}

/// More work in a strand makes nothing shorter, and nothing longer than by itself.
TEST(StrandsAtRandom, MoreWorkMakesNoPathShorter) {
  std::mt19937_64 random(1);
  for (uint64_t seed = 0; seed < 200; ++seed) {
    ProcessStrands strands = RandomThreads(seed).strands;
    const ParallelWork before = workOf(strands);
    StrandThread &t = strands.threads[random() % strands.threads.size()];
    for (size_t i = random() % t.events.size(); i < t.events.size(); ++i)
      t.events[i].clock += 50;
    const ParallelWork after = workOf(strands);
    for (const auto &[longer, path] :
         {std::pair(&after.free, &before.free), std::pair(&after.locked, &before.locked)}) {
      EXPECT_GE(longer->span, path->span) << "seed " << seed;
      EXPECT_LE(longer->span, path->span + 50) << "seed " << seed;
    }
  }
}

} // namespace
} // namespace quincunx
