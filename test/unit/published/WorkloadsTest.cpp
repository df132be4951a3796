// The oracle of the comparison itself: exact moments of the last of N and of two tasks against
// tables computed with 30 digits, and each law's moments against its own density.
#include "published/Workloads.h"

#include "published/Compare.h"

#include <cmath>

using namespace quincunx;
using namespace quincunx::test;
using namespace quincunx::published;

namespace {

Workload named(const std::string &name) {
  for (const Workload &w : workloads())
    if (w.name == name)
      return w;
  ADD_FAILURE() << "no workload " << name;
  return {};
}

TEST(Workloads, MomentsAreThoseOfTheDensity) {
  for (const Workload &w : workloads()) {
    SCOPED_TRACE(w.name);
    const Moments m = moments(cumulants(exactLast(w, 1)));
    EXPECT_NEAR(m.mean, w.moments.mean, 1e-11 * (1 + w.moments.mean));
    EXPECT_NEAR(m.variance, w.moments.variance, 1e-10 * w.moments.variance);
    EXPECT_NEAR(m.skewness, w.moments.skewness, 1e-8);
    EXPECT_NEAR(m.kurtosis, w.moments.kurtosis, 1e-7);
  }
}

TEST(Workloads, LastOfNAgreesWithGolden) {
  const std::map<std::string, std::string> names = {
      {"uniform(0,1)", "uniform(0,1)"}, {"exponential(1)", "exponential(1)"},
      {"normal(0,1)", "normal(0,1)"},   {"lognormal(0,0.5)", "lognormal(0,.5)"},
      {"gamma(2,1)", "gamma(2)"},       {"mix(0.7:normal(10,1),0.3:normal(16,1))", "bimodal"}};
  int checked = 0;
  for (const Row &row : readCsv("order_stats.csv")) {
    const auto it = names.find(row.at("law"));
    const double N = std::stod(row.at("N"));
    if (it == names.end() || row.at("op") != "max" || N < 2 || N > 1e4)
      continue;
    SCOPED_TRACE(row.at("law") + " " + row.at("N"));
    expectBelow(exactLast(named(it->second), N), rawOf(row), 1e-8);
    ++checked;
  }
  EXPECT_GE(checked, 30);
}

// 1 of 2 tasks: P(Y >= k) by hand for a lattice small enough to count.
TEST(Workloads, LatticeLastOfTwo) {
  const Workload b = named("binomial(100,.1)");
  const RawMoments y = exactLast(b, 2);
  double mean = 0;
  for (int k = 0; k <= 100; ++k) {
    const double F = b.cdf(k), G = b.cdf(k - 1);
    mean += k * (F * F - G * G);
  }
  EXPECT_NEAR(y.m1, mean, 1e-11);
}

TEST(Workloads, LastOfTwoDifferentAgreesWithGolden) {
  const std::map<std::string, Workload> w = {{"uniform", standardised(named("uniform(0,1)"))},
                                             {"gauss", named("normal(0,1)")},
                                             {"sexp", standardised(named("exponential(1)"))}};
  int checked = 0;
  for (const Row &row : readCsv("parallel_binary.csv")) {
    if (row.at("op") != "max" || !w.count(row.at("X1")) || !w.count(row.at("X2")))
      continue;
    SCOPED_TRACE(row.at("X1") + " " + row.at("X2"));
    expectBelow(exactLast(w.at(row.at("X1")), w.at(row.at("X2"))), rawOf(row), 1e-8);
    ++checked;
  }
  EXPECT_EQ(checked, 3);
}

} // namespace
