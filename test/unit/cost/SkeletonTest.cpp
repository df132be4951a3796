// Makespans against exact ones: gamma tasks in sums are gamma again, unit tasks are an occupancy
// problem, exponential leaves have harmonic sums. Sources: test/data/golden/skeleton_*.csv and
// their generator.
#include "quincunx/cost/Skeleton.h"

#include "Csv.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace {

using namespace quincunx;
using test::Row;

double at(const Row &row, const char *column) { return std::stod(row.at(column)); }

void expectCumulants(const Row &row, const Cumulants &k, double relative) {
  const double scale = std::sqrt(at(row, "k2"));
  EXPECT_NEAR(k.k1, at(row, "m1"), relative * at(row, "m1"));
  EXPECT_NEAR(k.k2, at(row, "k2"), relative * std::pow(at(row, "m1"), 2));
  EXPECT_NEAR(k.k3, at(row, "k3"), 10 * relative * std::pow(std::max(scale, at(row, "m1")), 3));
  EXPECT_NEAR(k.k4, at(row, "k4"), 100 * relative * std::pow(std::max(scale, at(row, "m1")), 4));
}

/// gamma(4,0.25): shape and scale.
Cumulants gammaTask(const std::string &law) {
  double shape = 0, scale = 0;
  if (std::sscanf(law.c_str(), "gamma(%lf,%lf)", &shape, &scale) != 2)
    ADD_FAILURE() << law;
  return {shape * scale, shape * scale * scale, 2 * shape * std::pow(scale, 3),
          6 * shape * std::pow(scale, 4)};
}

TEST(Skeleton, ParallelMapOfGammaTasks) {
  const std::vector<Row> rows = test::readCsv("skeleton_parmap.csv");
  ASSERT_EQ(rows.size(), 8u);
  for (const Row &row : rows) {
    SCOPED_TRACE(row.at("task") + " " + row.at("n") + " on " + row.at("m") + " " +
                 row.at("placement"));
    const Cumulants task = gammaTask(row.at("task"));
    const auto n = static_cast<uint64_t>(at(row, "n")), m = static_cast<uint64_t>(at(row, "m"));
    const Result<Makespan> got = row.at("placement") == "multinomial" ? randomPlacement(task, n, m)
                                                                      : evenPlacement(task, n, m);
    ASSERT_TRUE(got) << got.error().text;
    expectCumulants(row, got->k, 1e-10);
  }
}

TEST(Skeleton, UnitTasksAreAnOccupancyProblem) {
  for (const Row &row : test::readCsv("skeleton_occupancy.csv")) {
    SCOPED_TRACE(row.at("n") + " on " + row.at("m"));
    const auto n = static_cast<uint64_t>(at(row, "n")), m = static_cast<uint64_t>(at(row, "m"));
    const Result<Makespan> got = randomPlacement({1, 0, 0, 0}, n, std::vector<double>(m, 3.0));
    ASSERT_TRUE(got) << got.error().text;
    expectCumulants(row, got->k, 1e-12);
  }
}

TEST(Skeleton, NearlyConstantTasksAreNearlyAnOccupancyProblem) {
  // Sums that lie apart are met by their knots, not by halving panels for long.
  const Result<Makespan> constant = randomPlacement({1, 0, 0, 0}, 60, uint64_t{8});
  const Cumulants exact = constant->k;
  for (const double deviation : {5e-163, 1e-30, 1e-15, 1e-12, 1e-9}) {
    const double v = deviation * deviation;
    const Result<Makespan> got = randomPlacement(Cumulants{1, v, 0, 0}, 60, uint64_t{8});
    ASSERT_TRUE(got) << got.error().text;
    EXPECT_NEAR(got->k.k1, exact.k1, 1e-12 + 100 * deviation) << deviation;
    EXPECT_NEAR(got->k.k2, exact.k2, 1e-12 + 100 * deviation) << deviation;
    EXPECT_NEAR(got->k.k4, exact.k4, 1e-10 + 1000 * deviation) << deviation;
  }
}

TEST(Skeleton, DivideAndConquerWithConstantSplits) {
  const std::vector<Row> rows = test::readCsv("skeleton_dc.csv");
  ASSERT_EQ(rows.size(), 2u);
  for (const Row &row : rows) {
    Recursion r;
    r.arity = static_cast<uint64_t>(at(row, "k"));
    r.depth = static_cast<uint64_t>(at(row, "n"));
    r.split = {at(row, "split"), 0, 0, 0};
    r.combine = {at(row, "combine"), 0, 0, 0};
    r.leaf = {1, 1, 2, 6};
    const Result<Makespan> got = divideAndConquer(r);
    ASSERT_TRUE(got) << got.error().text;
    expectCumulants(row, got->k, 1e-11);
  }
}

TEST(Skeleton, RandomPlacementAgreesWithSimulation) {
  // 200 exponential tasks on 8 processors of which two are twice as likely.
  const std::vector<double> weights{2, 2, 1, 1, 1, 1, 1, 1};
  const Result<Makespan> got = randomPlacement({1, 1, 2, 6}, 200, weights);
  ASSERT_TRUE(got) << got.error().text;
  std::mt19937_64 random(7);
  std::discrete_distribution<size_t> processor(weights.begin(), weights.end());
  std::exponential_distribution<double> task(1);
  constexpr size_t runs = 40000;
  Sample sample;
  double above = 0;
  const double q = got->law->quantile(0.99);
  for (size_t i = 0; i < runs; ++i) {
    double load[8] = {};
    for (int t = 0; t < 200; ++t)
      load[processor(random)] += task(random);
    const double last = *std::max_element(load, load + 8);
    sample.add(last);
    above += last > q;
  }
  const double deviation = std::sqrt(got->k.k2);
  EXPECT_NEAR(sample.mean(), got->k.k1, 5 * deviation / std::sqrt(runs));
  const double kurtosis = moments(got->k).kurtosis;
  EXPECT_NEAR(sample.moments().variance / got->k.k2, 1, 5 * std::sqrt((kurtosis - 1) / runs));
  EXPECT_NEAR(above / runs, 0.01, 5 * std::sqrt(0.0099 / runs));
}

TEST(Skeleton, OneProcessorSumsAndOneTaskIsItself) {
  const Cumulants task{1, 1, 2, 6};
  const Result<Makespan> sum = randomPlacement(task, 20, std::vector<double>{1});
  const Result<Makespan> one = randomPlacement(task, 1, std::vector<double>(5, 1.0));
  ASSERT_TRUE(sum && one);
  EXPECT_NEAR(sum->k.k1, 20, 1e-10);
  EXPECT_NEAR(sum->k.k2, 20, 1e-9);
  EXPECT_NEAR(sum->k.k4, 120, 1e-6);
  EXPECT_NEAR(one->k.k1, 1, 1e-11);
  EXPECT_NEAR(one->k.k4, 6, 1e-8);
}

TEST(Skeleton, TailsAreComplementsAndKeepTheirDigits) {
  const Result<Makespan> got = randomPlacement({1, 1, 2, 6}, 64, std::vector<double>(16, 1.0));
  ASSERT_TRUE(got);
  double last = 0;
  for (double t = 1; t < 60; t += 0.5) {
    const double p = got->law->cdf(t), q = got->law->survival(t);
    EXPECT_NEAR(p + q, 1, 1e-12) << t;
    EXPECT_GE(p, last) << t;
    EXPECT_GT(q, 0) << t;
    last = p;
  }
  // Far out one processor does all the waiting: the tail is that of some sum, and e^-t in the end.
  EXPECT_LT(got->law->survival(60), 1e-12);
  EXPECT_NEAR(std::log(got->law->survival(60) / got->law->survival(61)), 1, 0.4);
}

TEST(Skeleton, HostileInputGetsAReason) {
  const Cumulants task{1, 1, 2, 6};
  const std::vector<double> none, zero{0, 0}, negative{1, -1}, nan{1, NAN};
  for (const auto &weights : {none, zero, negative, nan})
    EXPECT_FALSE(randomPlacement(task, 4, weights));
  EXPECT_FALSE(randomPlacement(task, 0, 1));
  EXPECT_FALSE(randomPlacement({1, -1, 0, 0}, 4, std::vector<double>{1}));
  EXPECT_FALSE(randomPlacement({NAN, 1, 0, 0}, 4, std::vector<double>{1}));
  EXPECT_FALSE(randomPlacement(task, UINT64_MAX, std::vector<double>(3, 1.0)));
  EXPECT_FALSE(randomPlacement(task, 4, 0));
  EXPECT_FALSE(evenPlacement(task, 4, 0));
  EXPECT_FALSE(fixedPlacement(task, std::vector<uint64_t>{0, 0}));
  EXPECT_FALSE(divideAndConquer({1, 1, {}, task, {}}));
  EXPECT_FALSE(divideAndConquer({10, 10, {}, task, {}}));
  EXPECT_FALSE(divideAndConquer({2, 3, {}, task, {}}, 0));
}

} // namespace
