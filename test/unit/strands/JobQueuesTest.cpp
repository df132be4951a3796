// Which lock is a queue's, who takes jobs from it, and what is dealt anew.
#include "Strands.h"

#include "quincunx/strands/StrandDescription.h"

namespace quincunx {
namespace {

using namespace test;

constexpr uint64_t jobs = 5, results = 7; // locks that who waits for longest is given
constexpr uint32_t taken = 72, put = 73, kept = 74, made = 71;

/// What happens, one after another.
class History {
public:
  History &work(uint32_t thread, uint64_t amount) {
    next[thread] += amount;
    return *this;
  }
  History &with(uint32_t thread, uint64_t lock, uint32_t site) {
    event(thread, QX_STRAND_LOCK, lock, site);
    return event(thread, QX_STRAND_UNLOCK, lock, site);
  }
  History &event(uint32_t thread, qx_strand_kind kind, uint64_t object = 0, uint32_t site = 0) {
    events.push_back({thread, std::exchange(next[thread], 0), kind, object, site});
    return *this;
  }
  /// The first thread makes so many, at one place, and joins them.
  History &make(uint32_t threads) {
    for (uint32_t t = 1; t <= threads; ++t)
      event(0, QX_STRAND_CREATE, t, made);
    return *this;
  }
  ProcessStrands end(uint32_t threads) {
    for (uint32_t t = 1; t <= threads; ++t)
      event(t, QX_STRAND_END);
    for (uint32_t t = 1; t <= threads; ++t)
      event(0, QX_STRAND_JOIN, t);
    event(0, QX_STRAND_END);
    return written(events);
  }

private:
  std::vector<Happened> events;
  std::map<uint32_t, uint64_t> next;
};

struct Told {
  size_t queues;
  double makespan;
};
Told tell(const ProcessStrands &strands, Kept what = Kept::nothing) {
  const StrandDescription d = StrandHistory::of(strands)->describe(what);
  const Result<parallel::Simulated> s = parallel::simulate(d.description, {});
  EXPECT_TRUE(s) << (s ? "" : s.error().text);
  return {d.queues.size(), s ? s->makespan : -1};
}

TEST(JobQueues, AreTakenFromByWhoComesFirst) {
  History h;
  h.make(2);
  for (int job = 0; job < 6; ++job)
    h.with(1, jobs, taken).work(1, 10); // the second thread got nothing
  const ProcessStrands strands = h.with(1, jobs, taken).with(2, jobs, taken).end(2);
  EXPECT_EQ(tell(strands).queues, 1u);
  EXPECT_EQ(tell(strands).makespan, 30);
  EXPECT_EQ(tell(strands, Kept::jobs).makespan, 60);
  EXPECT_EQ(tell(strands, Kept::jobs).queues, 0u);
}

// Each job's result is kept under the lock of the queue, in an order that is chance, and who has
// kept one may wait long for the next job. These are taken where threads come once more.
TEST(JobQueues, AreWhereThreadsFindNone) {
  const std::vector<uint64_t> works{10, 10, 10, 10, 60, 10};
  for (const uint32_t result : {taken - 1, taken + 1})
    for (const bool isShared : {false, true}) {
      History h;
      h.make(2);
      const auto take = [&](uint32_t t) { h.with(t, jobs, taken); };
      const auto done = [&](uint32_t t, size_t job) {
        h.work(t, works[job]).with(t, jobs, result);
      };
      take(1);
      if (isShared)
        take(2);
      done(1, 0);
      for (size_t job = 1; job < 4; ++job) {
        if (!isShared)
          take(1);
        done(isShared ? 2 : 1, job);
        if (isShared && job < 3)
          take(2);
      }
      take(1); // job 4, long after it was done with the first in one case
      if (isShared)
        take(2);
      done(1, 4);
      if (!isShared)
        take(1);
      done(isShared ? 2 : 1, 5);
      take(1);
      take(2);
      const ProcessStrands strands = h.end(2);
      EXPECT_EQ(tell(strands).queues, 1u);
      EXPECT_EQ(tell(strands).makespan, 80) << result << isShared;
    }
}

TEST(JobQueues, AreNotWhereAllComeEquallyOften) {
  History h;
  h.make(2);
  for (int turn = 0; turn < 3; ++turn)
    h.with(1, results, kept).work(1, 100).with(2, results, kept).work(2, 10);
  const ProcessStrands strands = h.end(2);
  EXPECT_EQ(tell(strands).queues, 0u);
  EXPECT_EQ(tell(strands).makespan, 300) << "shares of their own";
}

// Buckets of a table: a thread has now one, now another lock at the same place.
TEST(JobQueues, AreNotOneOfManyLocks) {
  History h;
  h.make(2);
  for (const uint64_t bucket : {1, 1, 3, 1, 3, 1})
    h.with(1, bucket, kept).work(1, 100);
  for (const uint64_t bucket : {3, 1, 3, 3, 1, 3, 3})
    h.with(2, bucket, kept).work(2, 10);
  const ProcessStrands strands = h.end(2);
  EXPECT_EQ(tell(strands).queues, 0u);
  EXPECT_EQ(tell(strands).makespan, 600) << "shares of their own";
}

// Shares of 4 and 8, on one processor: one thread after the other, or in turn.
TEST(JobQueues, AreNotWhereAThreadIsDoneBeforeOthers) {
  for (const bool inTurn : {false, true}) {
    History h;
    h.make(2);
    for (int item = 0; item < 4; ++item) {
      h.work(1, 10).with(1, results, kept);
      if (inTurn)
        h.work(2, 10).with(2, results, kept);
    }
    for (int item = inTurn ? 4 : 0; item < 8; ++item)
      h.work(2, 10).with(2, results, kept);
    const ProcessStrands strands = h.end(2);
    EXPECT_EQ(tell(strands).queues, 0u) << inTurn;
    EXPECT_EQ(tell(strands).makespan, 80) << "as they were shared out";
  }
}

// Who learns without the lock that there are no more jobs does its last one meanwhile.
TEST(JobQueues, AreWhereAThreadMissesTheLastJobs) {
  History h;
  h.make(2);
  for (int job = 0; job < 6; ++job)
    h.with(1, jobs, taken).work(1, 10).with(2, jobs, taken).work(2, 10);
  for (int job = 0; job < 3; ++job)
    h.with(1, jobs, taken).work(1, 10);
  const ProcessStrands strands = h.end(2);
  EXPECT_EQ(tell(strands).queues, 1u);
  EXPECT_EQ(tell(strands).makespan, 80) << "fifteen jobs for two threads";
  EXPECT_EQ(tell(strands, Kept::jobs).makespan, 90);
}

// Threads of their own for each of two parts of the work, which are joined in between.
TEST(JobQueues, AreWhereThreadsAreMadeAnew) {
  History h;
  for (const uint32_t from : {1u, 3u}) {
    for (const uint32_t t : {from, from + 1})
      h.event(0, QX_STRAND_CREATE, t, made);
    for (int job = 0; job < 4; ++job)
      h.with(from, jobs, taken).work(from, 10);
    h.with(from, jobs, taken).with(from + 1, jobs, taken);
    for (const uint32_t t : {from, from + 1})
      h.event(t, QX_STRAND_END);
    for (const uint32_t t : {from, from + 1})
      h.event(0, QX_STRAND_JOIN, t);
  }
  const ProcessStrands strands = h.end(0);
  EXPECT_EQ(tell(strands).queues, 1u);
  EXPECT_EQ(tell(strands).makespan, 40) << "two times four jobs for two threads";
  EXPECT_EQ(tell(strands, Kept::jobs).makespan, 80);
}

// Who comes when all are taken does not come to the lock then.
TEST(JobQueues, AreAlsoForThreadsThatFindNothing) {
  History h;
  h.make(4);
  for (int job = 0; job < 6; ++job)
    h.with(1, jobs, taken).work(1, 10);
  for (int job = 0; job < 2; ++job)
    h.with(2, jobs, taken).work(2, 10);
  const ProcessStrands strands = h.end(4);
  EXPECT_EQ(tell(strands).makespan, 20) << "eight jobs for four threads";
  EXPECT_EQ(tell(strands, Kept::jobs).makespan, 60);
}

TEST(JobQueues, AreNotWhereOthersComeToTheLockAtAnotherPlace) {
  History h;
  h.make(2);
  for (int job = 0; job < 4; ++job)
    h.with(1, jobs, taken).work(1, 10);
  EXPECT_EQ(tell(h.with(2, jobs, put).end(2)).queues, 0u);
}

// One thread empties two queues that the first one filled, and the other comes late.
TEST(JobQueues, AreSeveral) {
  History h;
  for (int job = 0; job < 4; ++job)
    h.with(0, jobs, put).with(0, results, kept);
  h.make(2);
  for (int job = 0; job < 4; ++job)
    h.with(1, jobs, taken).work(1, 10);
  h.with(1, jobs, taken);
  for (int job = 0; job < 4; ++job)
    h.with(1, results, taken).work(1, 5);
  h.with(1, results, taken).with(2, jobs, taken).with(2, results, taken);
  const ProcessStrands strands = h.end(2);
  EXPECT_EQ(tell(strands).queues, 2u);
  EXPECT_EQ(tell(strands).makespan, 20 + 10);
}

// Four jobs at once, in part before anybody asks for one.
TEST(JobQueues, JobsOfABatchAreThereWhenItIs) {
  History h;
  h.make(2);
  h.work(0, 50).with(0, jobs, put);
  for (int job = 0; job < 4; ++job)
    h.with(1, jobs, taken).work(1, 10);
  const ProcessStrands strands = h.with(1, jobs, taken).with(2, jobs, taken).end(2);
  EXPECT_EQ(tell(strands).queues, 1u);
  EXPECT_EQ(tell(strands).makespan, 50 + 20);
  EXPECT_EQ(tell(strands, Kept::order).makespan, 90);
}

constexpr uint64_t there = 9, allDone = 10, counter = 11;
constexpr uint32_t begun = 75, again = 76, waited = 77;

/// Gives the lock up, waits on the condition and has it again, as `waker` has signalled it.
void sleep(History &h, uint32_t thread, uint64_t condition) {
  h.event(thread, QX_STRAND_UNLOCK, jobs, waited).event(thread, QX_STRAND_SLEEP, condition, waited);
}
void wake(History &h, uint32_t thread, uint64_t condition) {
  h.event(thread, QX_STRAND_WAKE, condition, waited).event(thread, QX_STRAND_LOCK, jobs, waited);
}

// A pool whose workers keep the lock from the end of a job to the next one. Two batches of five
// jobs of 10; who puts them waits for each to be done. The second worker got nothing.
ProcessStrands poolOfTwo() {
  History h;
  h.make(2);
  for (const uint32_t t : {1u, 2u}) {
    h.event(t, QX_STRAND_LOCK, jobs, begun);
    sleep(h, t, there);
  }
  for (int batch = 0; batch < 2; ++batch) {
    h.with(0, jobs, put).event(0, QX_STRAND_BROADCAST, there, put);
    h.event(0, QX_STRAND_LOCK, jobs, kept);
    sleep(h, 0, allDone);
    wake(h, 1, there);
    for (int job = 0; job < 5; ++job)
      h.event(1, QX_STRAND_UNLOCK, jobs, again).work(1, 10).event(1, QX_STRAND_LOCK, jobs, again);
    h.event(1, QX_STRAND_SIGNAL, allDone, again);
    sleep(h, 1, there);
    wake(h, 0, allDone);
    h.event(0, QX_STRAND_UNLOCK, jobs, kept);
  }
  h.with(0, jobs, put).event(0, QX_STRAND_BROADCAST, there, put);
  for (const uint32_t t : {1u, 2u}) {
    wake(h, t, there);
    h.event(t, QX_STRAND_UNLOCK, jobs, again);
  }
  return h.end(2);
}

TEST(JobQueues, OfAPoolAreDoneWhenAllJobsOfABatchAre) {
  const ProcessStrands strands = poolOfTwo();
  EXPECT_EQ(tell(strands).queues, 1u);
  EXPECT_EQ(tell(strands).makespan, 30 + 30) << "three jobs for one of two, twice";
  EXPECT_EQ(tell(strands, Kept::jobs).makespan, 100);
}

void claim(History &h, uint32_t thread, uint64_t number) {
  h.event(thread, QX_STRAND_CLAIM, counter, taken).event(thread, QX_STRAND_NUMBER, number);
}

// std::condition_variable_any with a stop token: a lock of its own, and stopping is looked at with
// the lock of the queue. The second worker finds that it is over without having waited, as it came
// late; where it takes the first job it would have waited with that lock for who waits for the job.
TEST(JobQueues, WhoIsAskedToStopLooks) {
  constexpr uint64_t own = 12, stop = 13, isReady = 14;
  History h;
  h.make(2);
  h.event(1, QX_STRAND_LOCK, jobs, taken).event(1, QX_STRAND_LOCK, own, waited);
  h.event(1, QX_STRAND_UNLOCK, jobs, waited).event(1, QX_STRAND_UNLOCK, own, waited);
  h.event(1, QX_STRAND_SLEEP, there, waited);
  for (int job = 0; job < 2; ++job)
    h.work(0, 1).with(0, jobs, put).event(0, QX_STRAND_SIGNAL, there, put);
  h.event(1, QX_STRAND_WAKE, there, waited).with(1, own, waited);
  h.event(1, QX_STRAND_LOCK, jobs, waited).event(1, QX_STRAND_UNLOCK, jobs, taken).work(1, 50);
  h.with(1, jobs, taken).work(1, 10);
  h.event(1, QX_STRAND_DONE, isReady).event(0, QX_STRAND_AWAIT, isReady);
  h.event(0, QX_STRAND_DONE, stop);
  for (const uint32_t t : {1u, 2u})
    h.event(t, QX_STRAND_LOCK, jobs, taken)
        .event(t, QX_STRAND_AWAIT, stop, waited)
        .event(t, QX_STRAND_UNLOCK, jobs, taken);
  const ProcessStrands strands = h.end(2);
  EXPECT_EQ(tell(strands).queues, 1u);
  EXPECT_EQ(tell(strands).makespan, 51) << "two jobs for two threads";
  EXPECT_EQ(tell(strands, Kept::jobs).makespan, 61);
}

// Who has waited with one lock, gives it up and comes to that of the queue comes to that by itself.
TEST(JobQueues, WhoHasWaitedForSomethingElseTakesAJob) {
  History h;
  h.make(2);
  for (int job = 0; job < 6; ++job) {
    h.event(1, QX_STRAND_LOCK, results, kept).event(1, QX_STRAND_UNLOCK, results, kept);
    h.event(1, QX_STRAND_SLEEP, there, kept).event(0, QX_STRAND_SIGNAL, there, put);
    h.event(1, QX_STRAND_WAKE, there, kept).with(1, results, kept);
    h.with(1, jobs, taken).work(1, 10);
  }
  const ProcessStrands strands = h.with(1, jobs, taken).with(2, jobs, taken).end(2);
  EXPECT_EQ(tell(strands).queues, 1u);
  EXPECT_EQ(tell(strands).makespan, 30);
}

// The last numbers tell who has them that there are no more.
TEST(JobQueues, AreCounters) {
  History h;
  h.make(2);
  for (uint64_t job = 0; job < 6; ++job) {
    claim(h, 1, job);
    h.work(1, 10);
  }
  claim(h, 1, 6);
  claim(h, 2, 7);
  const ProcessStrands strands = h.end(2);
  EXPECT_EQ(tell(strands).queues, 1u);
  EXPECT_EQ(tell(strands).makespan, 30);
  EXPECT_EQ(tell(strands, Kept::jobs).makespan, 30) << "what it is is known";
  EXPECT_EQ(tell(strands, Kept::order).makespan, 30);
}

// Equal shares are chance as well.
TEST(JobQueues, AreCountersWhereAllCountEquallyOften) {
  History h;
  h.make(2);
  uint64_t next = 0;
  for (int job = 0; job < 4; ++job)
    for (const uint32_t t : {1u, 2u}) {
      claim(h, t, next++);
      h.work(t, t == 1 ? 10 : 30);
    }
  for (const uint32_t t : {1u, 2u})
    claim(h, t, next++);
  EXPECT_EQ(tell(h.end(2)).makespan, 90) << "10 30 | 10 30 10 | 30 10 30, as they come";
}

// The first thread has a number and is kept from writing that down, while the other one does the
// rest; down to nothing, twice, with 60 in the job that was had first.
TEST(JobQueues, NumbersTellTheirOrder) {
  History h;
  h.make(2);
  for (int phase = 0; phase < 2; ++phase) {
    for (uint64_t job = 0; job < 6; ++job) {
      claim(h, 2, 5 - job);
      h.work(2, 10);
    }
    claim(h, 2, UINT64_MAX);
    claim(h, 1, 6);
    h.work(1, 60);
    claim(h, 1, UINT64_MAX - 1);
    for (const uint32_t t : {1u, 2u})
      h.event(t, QX_STRAND_ARRIVE, 12);
    for (const uint32_t t : {1u, 2u})
      h.event(t, QX_STRAND_PASS, 12);
  }
  EXPECT_EQ(tell(h.end(2)).makespan, 120);
}

// Who looks first whether numbers are left, and counts with a lock, finds none without counting.
TEST(JobQueues, AreCountersWithLocks) {
  History h;
  h.make(3);
  for (uint64_t job = 0; job < 6; ++job) {
    h.event(1, QX_STRAND_LOCK, jobs, taken);
    claim(h, 1, job);
    h.event(1, QX_STRAND_UNLOCK, jobs, taken).work(1, 10).with(1, results, kept);
  }
  const ProcessStrands strands = h.end(3);
  EXPECT_EQ(tell(strands).queues, 1u);
  EXPECT_EQ(tell(strands).makespan, 20) << "six jobs for three threads, of which two came late";
  EXPECT_EQ(tell(strands, Kept::order).makespan, 60) << "in the order of locks they stay";
}

// The lock of results is met as often as that of jobs; the first thread puts jobs under the latter.
TEST(JobQueues, AreWhereOthersPutJobs) {
  History h;
  h.make(2);
  for (int job = 0; job < 4; ++job)
    h.work(0, 1).with(0, jobs, put);
  for (int job = 0; job < 4; ++job)
    h.with(1, jobs, taken).work(1, 10).with(1, results, kept).work(1, 1);
  const ProcessStrands strands = h.with(1, jobs, taken).with(2, jobs, taken).end(2);
  const StrandDescription d = StrandHistory::of(strands)->describe(Kept::nothing);
  EXPECT_EQ(d.queues, std::vector<uint32_t>{taken});
  EXPECT_EQ(d.description.pools.at(0).size(), 6u) << "jobs, and an end for each thread";
}

// A job cannot be taken before it was put: of 4 that come every 20 each waits for its own.
TEST(JobQueues, JobsAreThereWhenTheyWerePut) {
  History h;
  h.make(2);
  for (int job = 0; job < 4; ++job)
    h.work(0, 20).with(0, jobs, put);
  for (int job = 0; job < 4; ++job)
    h.with(1, jobs, taken).work(1, 5);
  const ProcessStrands strands = h.with(1, jobs, taken).with(2, jobs, taken).end(2);
  EXPECT_EQ(tell(strands).makespan, 80 + 5);
}

// With more jobs taken than were put before, nothing is known of which was put when.
TEST(JobQueues, PutsThatDoNotGoWithTakesAreLeftOut) {
  History h;
  h.make(2);
  for (int job = 0; job < 4; ++job)
    h.with(1, jobs, taken).work(1, 5);
  h.work(0, 50).with(0, jobs, put);
  const ProcessStrands strands = h.with(1, jobs, taken).with(2, jobs, taken).end(2);
  EXPECT_EQ(tell(strands).makespan, 50) << "two times two jobs beside the first thread";
}

// Who finds no job has come there, too, and to no place behind.
TEST(JobQueues, AreWhereMostThreadsCome) {
  History h;
  h.make(4);
  for (int job = 0; job < 8; ++job)
    h.with(1, jobs, taken).work(1, 10).with(1, jobs, kept);
  for (uint32_t t = 1; t <= 4; ++t)
    h.with(t, jobs, taken);
  const ProcessStrands strands = h.end(4);
  const StrandDescription d = StrandHistory::of(strands)->describe(Kept::nothing);
  EXPECT_EQ(d.queues, std::vector<uint32_t>{taken}) << "no jobs are put there for where they end";
  EXPECT_EQ(tell(strands).makespan, 20) << "eight jobs of 10 for four threads";
}

// It has the lock again as it was woken: that is no job more.
TEST(JobQueues, WhoWakesTakesNoOtherJob) {
  History h;
  h.make(2);
  h.event(2, QX_STRAND_LOCK, jobs, taken).event(2, QX_STRAND_UNLOCK, jobs, 75);
  h.event(2, QX_STRAND_SLEEP, 9, 75);
  h.work(0, 7).with(0, jobs, put).event(0, QX_STRAND_SIGNAL, 9, put);
  h.event(2, QX_STRAND_WAKE, 9, 75).event(2, QX_STRAND_LOCK, jobs, 75);
  h.event(2, QX_STRAND_UNLOCK, jobs, taken).work(2, 10);
  h.with(0, jobs, put).with(1, jobs, taken).work(1, 10).with(1, jobs, taken);
  const ProcessStrands strands = h.with(1, jobs, taken).with(2, jobs, taken).end(2);
  const StrandDescription d = StrandHistory::of(strands)->describe(Kept::nothing);
  EXPECT_EQ(d.queues, std::vector<uint32_t>{taken});
  EXPECT_EQ(tell(strands).makespan, 7 + 10);
}

} // namespace
} // namespace quincunx
