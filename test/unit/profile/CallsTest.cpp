// Costs of calls: buckets, and what is read from a function's words.
#include "quincunx/profile/Calls.h"

#include "passes/ClockWeights.h"
#include "quincunx/abi.h"
#include "quincunx/cost/Machine.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace quincunx;

TEST(Calls, BucketsAreOrderedAndNarrow) {
  for (uint32_t b = 0; b + 1 < QX_CALL_BUCKETS; ++b) {
    const auto [low, high] = costBucket(b);
    ASSERT_LE(low, high) << b;
    ASSERT_LE((high - low) / std::max(low, 1.0), 1.0 / 64) << b;
    ASSERT_LT(low, costBucket(b + 1).low) << b;
  }
  EXPECT_TRUE(std::isinf(costBucket(QX_CALL_BUCKETS - 1).high));
}

TEST(Calls, EveryCostIsInItsBucket) {
  std::mt19937_64 random(3);
  for (uint64_t cost = 0; cost < 20000; ++cost) {
    const auto [low, high] = costBucket(qx_call_bucket(cost));
    ASSERT_TRUE(low <= static_cast<double>(cost) && static_cast<double>(cost) <= high) << cost;
  }
  for (int i = 0; i < 200000; ++i) {
    const uint64_t cost = random() >> (16 + random() % 40);
    const auto [low, high] = costBucket(qx_call_bucket(cost));
    ASSERT_TRUE(low <= static_cast<double>(cost) && static_cast<double>(cost) <= high) << cost;
  }
  EXPECT_EQ(qx_call_bucket(UINT64_MAX), QX_CALL_BUCKETS - 1u);
  EXPECT_EQ(qx_call_bucket(1ull << 48), QX_CALL_BUCKETS - 1u);
  EXPECT_EQ(qx_call_bucket((1ull << 48) - 1), QX_CALL_BUCKETS - 1u);
}

TEST(Calls, AreReadFromTheirWordsOnly) {
  Function f;
  f.firstCounter = 100;
  f.counterCount = 6;
  f.firstRecorder = 500;
  f.recorderWords = 7 + QX_CALL_WORDS;
  f.callRecorder = 7;
  ImageCounts image;
  image.counts = {{104, 105}, {7, 9}};
  image.recorders = {{506, 507, 508 + 3, 508 + 70, 507 + QX_CALL_WORDS}, {0xdead, 1234, 2, 5, 8}};
  const CallCosts costs = callCosts(f, image);
  EXPECT_EQ(costs.calls, 7u);
  EXPECT_EQ(costs.sum, 1234);
  EXPECT_EQ(costs.buckets, (std::map<uint32_t, uint64_t>{{3, 2}, {70, 5}}));
  EXPECT_EQ(callTotals(f, image).calls, 7u);
  EXPECT_EQ(callTotals(f, image).sum, 1234);
  EXPECT_EQ(costs.cut, 0u);
  ++f.recorderWords; // of a function that ends in jumps
  EXPECT_EQ(callCosts(f, image).cut, 8u);
  f.callRecorder = noIndex;
  EXPECT_EQ(callCosts(f, image).calls, 0u);
}

TEST(Calls, ClockGoesByTheMachineItNames) {
  const Result<Machine> machine = machineByName("x86-64");
  ASSERT_TRUE(machine);
  ASSERT_TRUE(machine->constant());
  for (size_t kind = 0; kind < classCount; ++kind)
    EXPECT_EQ(machine->cost(className(static_cast<InstructionClass>(kind))).k1, clockWeights[kind])
        << kind;
}
