// Every branch model of the table against simulated branches whose law is known, and what models
// do with records that say too little.
#include "quincunx/cost/Branch.h"

#include "Csv.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace quincunx;
using namespace quincunx::test;

namespace {

/// Outcomes of one loop instance.
using Outcomes = std::vector<bool>;
using Process = Outcomes (*)(std::mt19937_64 &, size_t trips);

double uniform(std::mt19937_64 &random) {
  return std::ldexp(static_cast<double>(random() >> 11), -53);
}

Outcomes independent(std::mt19937_64 &random, size_t trips) {
  Outcomes o;
  while (o.size() < trips)
    o.push_back(uniform(random) < 0.3);
  return o;
}

/// True runs of 1 (.7), 4 or 9; false runs geometric of mean 2.5 or 1; true first in 8 of 10.
Outcomes runs(std::mt19937_64 &random, size_t trips) {
  Outcomes o;
  for (bool now = uniform(random) < 0.8; o.size() < trips; now = !now) {
    const double x = uniform(random);
    size_t length = x < 0.7 ? 1 : x < 0.9 ? 4 : 9;
    if (!now)
      for (length = 1; length < 1000 && uniform(random) < 0.6; ++length) {
      }
    for (; length > 0 && o.size() < trips; --length)
      o.push_back(now);
  }
  return o;
}

/// What the runtime records of one more loop instance.
void add(BranchRecord &r, const Outcomes &o) {
  uint64_t run = 0, taken = 0;
  for (size_t i = 0; i < o.size(); ++i) {
    ++run, taken += o[i];
    RunLengths &of = o[i] ? r.ofTrue : r.ofFalse;
    if (i + 1 == o.size())
      ++of.cut[run];
    else if (o[i + 1] != o[i])
      ++of.completed[run], run = 0;
  }
  r.n += o.size(), r.taken += taken;
  ++r.instances, r.firstTrue += !o.empty() && o[0];
  r.counts.add(static_cast<double>(taken));
}

BranchRecord record(Process process, uint64_t seed, int instances, size_t trips) {
  std::mt19937_64 random(seed);
  BranchRecord r;
  for (int i = 0; i < instances; ++i)
    add(r, process(random, trips));
  return r;
}

std::array<double, 4> asArray(const Cumulants &k) { return {k.k1, k.k2, k.k3, k.k4}; }

/// 40 records of a process, and the unbiased cumulants of its true count in 40 others.
struct Batches {
  std::vector<BranchRecord> records;
  std::vector<Cumulants> counts;
};
Batches batches(Process process, int instances, size_t trips, size_t countedTrips) {
  Batches b;
  for (uint64_t i = 0; i < 40; ++i) {
    b.records.push_back(record(process, 100 + i, instances, trips));
    b.counts.push_back(kStatistics(record(process, 900 + i, instances, countedTrips).counts).k);
  }
  return b;
}

/// For each cumulant, how many standard errors the predictions from the records are, in the mean,
/// away from what was counted.
template <class Predict> std::array<double, 4> zScores(const Batches &b, Predict predict) {
  std::array<Sample, 4> said, seen;
  for (size_t i = 0; i < b.records.size(); ++i) {
    const Result<Cumulants> k = predict(b.records[i]);
    EXPECT_TRUE(k) << (k ? "" : k.error().text);
    if (!k)
      return {};
    for (size_t r = 0; r < 4; ++r)
      said[r].add(asArray(*k)[r]), seen[r].add(asArray(b.counts[i])[r]);
  }
  std::array<double, 4> z{};
  for (size_t r = 0; r < 4; ++r) {
    const double error = std::sqrt((said[r].moments().variance + seen[r].moments().variance) / 40);
    z[r] = (said[r].mean() - seen[r].mean()) / error;
  }
  return z;
}

Result<Cumulants> byRate(const Result<Rate> &rate, double trips) {
  if (!rate)
    return rate.error();
  return trueCount(*rate, trips);
}

RunLengths lengths(std::map<uint64_t, uint64_t> completed, std::map<uint64_t, uint64_t> cut = {}) {
  return {std::move(completed), std::move(cut)};
}

} // namespace

TEST(BranchModels, AreRightToTheOrderTheTableSays) {
  const Batches ofIndependent = batches(independent, 1500, 80, 80),
                ofRuns = batches(runs, 1500, 80, 80);
  for (const NamedBranchModel &m : branchModels()) {
    const auto predict = [&](const BranchRecord &r) { return byRate(m.rate(r), 80); };
    const auto a = zScores(ofIndependent, predict), b = zScores(ofRuns, predict);
    for (int r = 0; r < 4; ++r) {
      SCOPED_TRACE(testing::Message() << m.name << ", cumulant " << r + 1);
      if (r < m.independent) {
        EXPECT_LT(std::abs(a[static_cast<size_t>(r)]), 5) << "independent outcomes";
      }
      if (r < m.renewal) {
        EXPECT_LT(std::abs(b[static_cast<size_t>(r)]), 5) << "runs";
      }
    }
    // The table promises no less than is true: the variance of a model that has it wrong is seen.
    if (m.renewal < 2) {
      EXPECT_GT(std::abs(b[1]), 20) << m.name;
    }
  }
}

TEST(BranchModels, AnswerOrSayWhy) {
  const BranchRecord never, contradiction{3, 5, {}, {}, 0, 0, {}}, first{9, 5, {}, {}, 2, 3, {}};
  BranchRecord alwaysTrue = record(independent, 1, 0, 0);
  for (int i = 0; i < 10; ++i)
    add(alwaysTrue, Outcomes(7, true));
  for (const NamedBranchModel &m : branchModels()) {
    for (const BranchRecord &r : {never, contradiction, first}) {
      ASSERT_FALSE(m.rate(r)) << m.name;
      EXPECT_FALSE(m.rate(r).error().text.empty());
    }
    const Result<Rate> rate = m.rate(alwaysTrue);
    ASSERT_TRUE(rate) << m.name;
    EXPECT_EQ(rate->perExecution, (Cumulants{1, 0, 0, 0})) << m.name;
    EXPECT_EQ(trueCount(*rate, 7), (Cumulants{7, 0, 0, 0})) << m.name;
  }
}

TEST(BranchModels, RefuseRecordsThatSayTooLittle) {
  BranchRecord r{10, 4, {}, {}, 2, 1, {}};
  EXPECT_EQ(renewalRate(r).error().text,
            "the branch's true runs: no run of equal outcomes was seen to end");
  r.ofTrue = lengths({{2, 2}});
  EXPECT_EQ(renewalRate(r).error().text,
            "the branch's false runs: no run of equal outcomes was seen to end");
  EXPECT_FALSE(empiricalRate(r));
  for (const double taken : {1, 2, 3, 4})
    r.counts.add(taken);
  EXPECT_EQ(empiricalRate(r).error().text,
            "the loop instances with true counts do not all have the same trips");
  r.n = 12;
  EXPECT_TRUE(empiricalRate(r));
  BranchRecord endless{1ull << 60,
                       1ull << 59,
                       lengths({{1, 1}}, {{~0ull, ~0ull}}),
                       lengths({{1, 1}}, {{~0ull, ~0ull}}),
                       1,
                       1,
                       {}};
  const Result<Rate> rate = renewalRate(endless);
  EXPECT_TRUE(!rate || std::isfinite(rate->perExecution.k4 + rate->once.k4));
}

TEST(BranchModels, HostileRecordsGiveNumbersOrReasons) {
  std::mt19937_64 random(8);
  const uint64_t sizes[] = {0, 1, 2, 7, 1000, 1ull << 33, 1ull << 53, 1ull << 63, ~0ull};
  const auto any = [&] { return sizes[random() % std::size(sizes)]; };
  const auto anyRuns = [&] {
    RunLengths l;
    for (uint64_t i = random() % 4; i > 0; --i)
      l.completed[any()] = any();
    for (uint64_t i = random() % 4; i > 0; --i)
      l.cut[any()] = any();
    return l;
  };
  const auto finite = [](const Cumulants &k) { return std::isfinite(k.k1 + k.k2 + k.k3 + k.k4); };
  int answers = 0;
  for (int i = 0; i < 20000; ++i) {
    BranchRecord r{any(), any(), anyRuns(), anyRuns(), any(), any(), {}};
    for (uint64_t j = random() % 6; j > 0; --j)
      r.counts.add(static_cast<double>(any()));
    for (const NamedBranchModel &m : branchModels())
      if (const Result<Rate> rate = m.rate(r)) {
        ASSERT_TRUE(finite(rate->perExecution) && finite(rate->once)) << m.name;
        ASSERT_GE(rate->perExecution.k2, 0) << m.name;
        ++answers;
      }
    if (const Result<Rate> rate = thesisBetaRate(r)) {
      ASSERT_TRUE(finite(rate->perExecution));
    }
    if (const Result<Cumulants> k = renewalTrueCount(r, random() % 50)) {
      ASSERT_TRUE(finite(*k));
    }
  }
  EXPECT_GT(answers, 10000);
}

TEST(BranchModels, EmpiricalMomentsPerTripAreThoseOfTheCount) {
  // Per trip: variance V/N, skewness Skw sqrt(N), kurtosis N (Kur - 3) + 3.
  const BranchRecord r = record(runs, 5, 3000, 25);
  const Moments count = r.counts.moments(), trip = moments(empiricalRate(r)->perExecution);
  EXPECT_NEAR(trip.mean, count.mean / 25, 1e-14);
  EXPECT_NEAR(trip.variance, count.variance / 25, 1e-14);
  EXPECT_NEAR(trip.skewness, count.skewness * 5, 1e-12);
  EXPECT_NEAR(trip.kurtosis, 25 * (count.kurtosis - 3) + 3, 1e-10);
}

TEST(BranchModels, AShortLoopIsCountedExactly) {
  // Seen in loops of 80 outcomes, asked for 6: the rate is of no use there, the exact count is.
  const Batches b = batches(runs, 1500, 80, 6);
  const auto exact = zScores(b, [](const BranchRecord &r) { return renewalTrueCount(r, 6); });
  const auto expanded = zScores(b, [](const BranchRecord &r) { return byRate(renewalRate(r), 6); });
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_LT(std::abs(exact[i]), 5) << i + 1;
    if (i > 0) { // the mean of six outcomes is only a little off
      EXPECT_GT(std::abs(expanded[i]), 10) << i + 1;
    }
  }
  const BranchRecord &r = b.records[0];
  const Rate rate = *renewalRate(r);
  EXPECT_GT(rate.settled, 6);
  // Where the rate is accurate, it is the answer.
  const uint64_t many = static_cast<uint64_t>(rate.settled) + 1;
  EXPECT_EQ(*renewalTrueCount(r, many), trueCount(rate, static_cast<double>(many)));
}

TEST(BranchModels, ALoopAroundABranchIsTheRules) {
  const BranchRecord r = record(runs, 7, 500, 100);
  const Cumulants x{5, 2, 1, 0.5}, y{1, 0.1, 0, 0};
  const Rate rate = *renewalRate(r);
  // Bodies that are 1 and 0 count the true outcomes.
  EXPECT_EQ(branchedLoop({100, 0, 0, 0}, rate, {1, 0, 0, 0}, {}), trueCount(rate, 100));
  // The branch is a mixture when outcomes are independent, whatever the law of the trips.
  const Rate b = *bernoulliRate(r);
  const double p = b.perExecution.k1, weights[] = {p, 1 - p};
  const Cumulants trips{100, 30, 7, 2}, parts[] = {x, y};
  const Cumulants got = branchedLoop(trips, b, x, y), want = repeated(trips, oneOf(parts, weights));
  EXPECT_NEAR(got.k3 / want.k3, 1, 1e-13);
  EXPECT_NEAR(got.k4 / want.k4, 1, 1e-13);
}

TEST(ThesisBeta, IsTheFormOfTheTextAndNoLawForClusteredOutcomes) {
  // Runs with the cumulants of the golden table, as records of completed runs.
  struct {
    const char *u, *d;
    RunLengths ofTrue, ofFalse;
  } const table[] = {
      {"det3", "det2", lengths({{3, 1}}), lengths({{2, 1}})},
      {"unif1_6", "unif1_4", lengths({{1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {6, 1}}),
       lengths({{1, 1}, {2, 1}, {3, 1}, {4, 1}})},
      {"{1:.9,20:.1}", "{1:.5,2:.5}", lengths({{1, 9}, {20, 1}}), lengths({{1, 1}, {2, 1}})},
      {"{1:.8,2:.1,30:.1}", "{1:.7,15:.3}", lengths({{1, 8}, {2, 1}, {30, 1}}),
       lengths({{1, 7}, {15, 3}})},
  };
  int laws = 0;
  for (const Row &r : readCsv("arp_rates.csv"))
    for (const auto &row : table) {
      if (r.at("U") != row.u || r.at("D") != row.d)
        continue;
      SCOPED_TRACE(r.at("U"));
      const Result<Rate> beta = thesisBetaRate({10, 6, row.ofTrue, row.ofFalse, 0, 0, {}});
      const Rate renewal = *renewalRate({10, 6, row.ofTrue, row.ofFalse, 0, 0, {}});
      EXPECT_NEAR(renewal.perExecution.k2, std::stod(r.at("l2")), 1e-13);
      EXPECT_NEAR(renewal.perExecution.k4, std::stod(r.at("l4")), 1e-12 * 1000);
      ASSERT_EQ(static_cast<bool>(beta), std::stod(r.at("a")) > 0);
      if (!beta)
        continue;
      ++laws;
      EXPECT_NEAR(beta->perExecution.k2, std::stod(r.at("t2")), 1e-13);
      EXPECT_NEAR(beta->perExecution.k3, std::stod(r.at("t3")), 1e-13);
      EXPECT_NEAR(beta->perExecution.k4, std::stod(r.at("t4")), 1e-13);
    }
  EXPECT_EQ(laws, 2);
}
