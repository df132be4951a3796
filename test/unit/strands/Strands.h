// Strands for tests: what happened, one event after another, and what holds of the work and span of
// any threads.
#pragma once

#include "quincunx/strands/CriticalPath.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

namespace quincunx::test {

/// A thread works, and then meets an event.
struct Happened {
  uint32_t thread = 0;
  uint64_t work = 0;
  qx_strand_kind kind{};
  uint64_t object = 0;
  uint32_t site = 0;
};

/// What threads would write down of this, which happened in this order.
inline ProcessStrands written(const std::vector<Happened> &events) {
  ProcessStrands out;
  uint32_t order = 0;
  for (const Happened &e : events) {
    auto at = std::ranges::lower_bound(out.threads, e.thread, {}, &StrandThread::number);
    if (at == out.threads.end() || at->number != e.thread)
      at = out.threads.insert(at, {e.thread, {}});
    const uint64_t clock = at->events.empty() ? 0 : at->events.back().clock;
    at->events.push_back({clock + e.work, e.kind, ++order, e.site, e.object});
  }
  return out;
}

/// What it says of them, or why it refuses them.
inline std::string errorOf(const ProcessStrands &strands) {
  const Result<ParallelWork> work = parallelWork(strands);
  return work ? "none" : work.error().text;
}
inline std::string errorOf(const std::string &packed) {
  // A heap block of exactly this size, so that a sanitizer sees a read beyond it.
  const std::vector<uint8_t> exact(packed.begin(), packed.end());
  const Result<ProcessStrands> strands = unpackStrands(exact);
  return strands ? "none" : strands.error().text;
}
inline Result<ProcessStrands> unpacked(const std::string &packed) {
  const std::vector<uint8_t> exact(packed.begin(), packed.end());
  return unpackStrands(exact);
}

/// A path is as long as its legs, and as its parts; a leg is as long as its thread worked.
inline void expectWholePath(const CriticalPath &path, const ProcessStrands &strands) {
  uint64_t legs = 0, parts = 0;
  for (const PathLeg &leg : path.legs) {
    legs += leg.work;
    EXPECT_GT(leg.work, 0u) << "a leg in which nothing was done";
    EXPECT_EQ(leg.work, leg.to.clock - leg.from.clock);
    const auto thread = std::ranges::find(strands.threads, leg.thread, &StrandThread::number);
    ASSERT_NE(thread, strands.threads.end()) << "a leg of a thread that is none";
    for (const StrandEvent &e : {leg.from, leg.to})
      if (e.kind != 0)
        EXPECT_EQ(std::ranges::count(thread->events, e), 1) << "a leg to what is not its thread's";
  }
  for (const auto &[place, work] : path.parts) {
    parts += work;
    EXPECT_GT(work, 0u) << "a part of which there is nothing";
  }
  EXPECT_EQ(legs, path.span) << "legs are not the whole path";
  EXPECT_EQ(parts, path.span) << "parts are not the whole path";
}

/// What holds whatever the threads did.
inline void expectIdentities(const ParallelWork &work, const ProcessStrands &strands) {
  uint64_t sum = 0, longest = 0;
  size_t events = 0;
  for (const StrandThread &t : strands.threads) {
    const uint64_t clock = t.events.empty() ? 0 : t.events.back().clock;
    sum += clock;
    longest = std::max(longest, clock);
    events += static_cast<size_t>(std::ranges::count_if(
        t.events, [](const StrandEvent &e) { return !isOfSerialLoop(e.kind); }));
  }
  EXPECT_EQ(work.work, sum);
  EXPECT_EQ(work.strands, events);
  EXPECT_EQ(work.threads, strands.threads.size());
  EXPECT_GE(work.work, work.locked.span) << "more waits than there is";
  EXPECT_GE(work.locked.span, work.free.span) << "who waits for locks, too, is done earlier";
  EXPECT_GE(work.free.span, longest) << "a thread does not wait for itself";
  if (strands.threads.size() == 1)
    EXPECT_EQ(work.work, work.free.span) << "one thread has nobody to wait for";
  expectWholePath(work.free, strands);
  expectWholePath(work.locked, strands);
}

/// The same, of threads that are not refused.
inline ParallelWork workOf(const ProcessStrands &strands) {
  const Result<ParallelWork> work = parallelWork(strands);
  EXPECT_TRUE(work) << (work ? "" : work.error().text);
  if (!work)
    return {};
  expectIdentities(*work, strands);
  return *work;
}

} // namespace quincunx::test
