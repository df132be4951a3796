// Graphs of tasks against brute force: all of them that are small, and bounds for many others.
// The truths are written down again here: the longest path by dynamic programming, list schedules
// by trying every order. With QUINCUNX_FULL also the two million graphs of seven tasks.
#include "Descriptions.h"
#include "quincunx/parallel/Span.h"

#include <cstdlib>
#include <random>
#include <set>

using namespace quincunx;
using namespace quincunx::parallel;
using namespace quincunx::parallel::test;

namespace {
using Edges = std::vector<std::pair<uint32_t, uint32_t>>;

Edges edgesOf(uint32_t n, uint64_t bits) {
  Edges edges;
  for (uint32_t j = 1, b = 0; j < n; ++j)
    for (uint32_t i = 0; i < j; ++i, ++b)
      if (bits >> b & 1)
        edges.emplace_back(i, j);
  return edges;
}
double longestPath(const std::vector<double> &costs, const Edges &edges) {
  std::vector<double> end =
      costs; // edges go from lower to higher numbers, in the order of the higher
  double longest = 0;
  for (uint32_t j = 0; j < costs.size(); ++j) {
    for (const auto &[from, to] : edges)
      if (to == j)
        end[j] = std::max(end[j], end[from] + costs[j]);
    longest = std::max(longest, end[j]);
  }
  return longest;
}
/// The list schedule of p processors in this order of preference.
double listSchedule(const std::vector<double> &costs, const Edges &edges,
                    const std::vector<uint32_t> &order, uint32_t p) {
  std::vector<double> ends(costs.size(), -1);
  std::vector<double> free(p, 0);
  double now = 0, last = 0;
  for (size_t started = 0; started < costs.size();) {
    for (double &processor : free) {
      if (processor > now)
        continue;
      for (const uint32_t t : order) {
        if (ends[t] >= 0 || std::any_of(edges.begin(), edges.end(), [&](const auto &e) {
              return e.second == t && (ends[e.first] < 0 || ends[e.first] > now);
            }))
          continue;
        ends[t] = processor = now + costs[t];
        last = std::max(last, processor);
        ++started;
        break;
      }
    }
    double next = HUGE_VAL;
    for (const double e : ends)
      if (e > now)
        next = std::min(next, e);
    now = next;
  }
  return last;
}
std::set<double> allListSchedules(const std::vector<double> &costs, const Edges &edges,
                                  uint32_t p) {
  std::vector<uint32_t> order(costs.size());
  for (uint32_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::set<double> times;
  do
    times.insert(listSchedule(costs, edges, order, p));
  while (std::next_permutation(order.begin(), order.end()));
  return times;
}
const std::vector<double> primes{7, 2, 11, 3, 5, 13, 4};
std::vector<double> costsOf(uint32_t n) { return {primes.begin(), primes.begin() + n}; }

void expectWithinBrent(double time, double total, double path, uint32_t p) {
  EXPECT_GE(time, std::max(total / p, path) - 1e-9);
  EXPECT_LE(time, total / p + (1 - 1.0 / p) * path + 1e-9);
}
} // namespace

// Every graph of up to five tasks: the time is that of some list schedule, and with P - 1 / P of
// the best one Graham's bound holds.
TEST(Greedy, SmallGraphsAreListSchedules) {
  for (uint32_t n = 1; n <= 5; ++n)
    for (uint64_t bits = 0; bits < uint64_t{1} << n * (n - 1) / 2; ++bits) {
      const Edges edges = edgesOf(n, bits);
      const std::vector<double> costs = costsOf(n);
      const Description d = taskGraph(costs, edges);
      for (uint32_t p = 1; p <= 4; ++p) {
        const double time = timeOf(d, threads(p));
        if (n == 5 && p > 3)
          continue;
        const std::set<double> all = allListSchedules(costs, edges, p);
        ASSERT_TRUE(all.count(time)) << "graph " << bits << " of " << n << ", " << p << " threads";
        ASSERT_LE(time, (2 - 1.0 / p) * *all.begin() + 1e-9);
      }
    }
}

// Every graph of six (seven) tasks: one thread has the work, enough the longest path, others are
// within Brent's bounds.
TEST(Greedy, AllGraphsAreWithinBounds) {
  const uint32_t n = std::getenv("QUINCUNX_FULL") ? 7 : 6;
  const std::vector<double> costs = costsOf(n);
  double total = 0;
  for (const double c : costs)
    total += c;
  for (uint64_t bits = 0; bits < uint64_t{1} << n * (n - 1) / 2; ++bits) {
    const Edges edges = edgesOf(n, bits);
    const Description d = taskGraph(costs, edges);
    const double path = longestPath(costs, edges);
    ASSERT_EQ(timeOf(d, threads(1)), total) << bits;
    ASSERT_EQ(timeOf(d, threads(n)), path) << bits;
    for (uint32_t p = 2; p <= 4; ++p)
      expectWithinBrent(timeOf(d, threads(p)), total, path, p);
    if (HasFailure())
      FAIL() << "graph " << bits;
  }
}

TEST(Greedy, RandomGraphsAreWithinBrentsBounds) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10000; ++i) {
    const auto n = static_cast<uint32_t>(1 + random() % 25);
    const uint64_t density = 1 + random() % 10;
    std::vector<double> costs(n);
    double total = 0;
    for (double &x : costs)
      total += x = static_cast<double>(1 + random() % 1000);
    Edges edges;
    for (uint32_t b = 1; b < n; ++b)
      for (uint32_t a = 0; a < b; ++a)
        if (random() % (2 * density) == 0)
          edges.emplace_back(a, b);
    const Description d = taskGraph(costs, edges);
    const auto p = static_cast<uint32_t>(1 + random() % 9);
    const double path = longestPath(costs, edges);
    expectWithinBrent(timeOf(d, threads(p)), total, path, p);
    EXPECT_EQ(timeOf(d, threads(n)), path);
    if (i % 20 == 0) {
      const Result<Span> s = spanOf(d);
      ASSERT_TRUE(s);
      EXPECT_EQ(s->span, path);
      EXPECT_EQ(s->work, total);
    }
    if (HasFailure())
      FAIL() << "graph " << i;
  }
}

// Loops: dynamic schedules are greedy too, but for what chunks hold together.
TEST(Greedy, QueuesOfIterationsAreWithinBrentsBounds) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 2000; ++i) {
    std::vector<double> costs(1 + random() % 100);
    double total = 0, dearest = 0;
    for (double &x : costs) {
      total += x = static_cast<double>(1 + random() % 1000);
      dearest = std::max(dearest, x);
    }
    const auto p = static_cast<uint32_t>(1 + random() % 9);
    expectWithinBrent(timeOf(parallelLoop(costs, Schedule::queue), threads(p)), total, dearest, p);
  }
}
