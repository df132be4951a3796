// Alternating renewal processes against tables computed with 80 digits, and run lengths estimated
// from cut runs.
#include "quincunx/cost/Renewal.h"

#include "Csv.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace quincunx;
using namespace quincunx::test;

namespace {

double at(const Row &row, const std::string &column) { return std::stod(row.at(column)); }

Cumulants golden(const Row &r, const std::string &prefix) {
  return {at(r, prefix + "1"), at(r, prefix + "2"), at(r, prefix + "3"), at(r, prefix + "4")};
}

/// The law that a golden table names: geom0.25, det3, unif1_6 or {1:.9,20:.1}.
RunLaw lawOf(const std::string &name) {
  RunLaw law;
  if (name.starts_with("geom")) {
    law.tail = 1, law.hazard = std::stod(name.substr(4));
  } else if (name.starts_with("det")) {
    law.atoms = {{std::stoull(name.substr(3)), 1}};
  } else if (name.starts_with("unif1_")) {
    const uint64_t n = std::stoull(name.substr(6));
    for (uint64_t k = 1; k <= n; ++k)
      law.atoms.push_back({k, 1 / static_cast<double>(n)});
  } else {
    for (const std::string &atom : split(name.substr(1, name.size() - 2), ',')) {
      const std::vector<std::string> parts = split(atom, ':');
      law.atoms.push_back({std::stoull(parts[0]), std::stod(parts[1])});
    }
  }
  return law;
}

/// Within `tolerance` of the wanted cumulants, relative to them or to `scale`^r.
void expectClose(const Cumulants &got, const Cumulants &want, double tolerance, double scale) {
  EXPECT_NEAR(got.k1, want.k1, tolerance * (std::abs(want.k1) + scale));
  EXPECT_NEAR(got.k2, want.k2, tolerance * (std::abs(want.k2) + scale * scale));
  EXPECT_NEAR(got.k3, want.k3, tolerance * (std::abs(want.k3) + std::pow(scale, 3)));
  EXPECT_NEAR(got.k4, want.k4, tolerance * (std::abs(want.k4) + std::pow(scale, 4)));
}

std::optional<double> startOf(const std::string &name) {
  if (name == "stat")
    return std::nullopt;
  return name == "U" ? 1 : 0;
}

} // namespace

TEST(Renewal, RatesAndConstantsAgreeWithGoldenTable) {
  const std::vector<Row> rows = readCsv("arp_rates.csv");
  ASSERT_EQ(rows.size(), 6u);
  for (const Row &r : rows) {
    SCOPED_TRACE(r.at("U") + " / " + r.at("D"));
    const RunLaw u = lawOf(r.at("U")), d = lawOf(r.at("D"));
    const double deviation = std::sqrt(at(r, "l2")), mean = at(r, "u1") + at(r, "d1");
    expectClose(cumulants(u), golden(r, "u"), 1e-14, std::sqrt(at(r, "u2")));
    expectClose(cumulants(d), golden(r, "d"), 1e-14, std::sqrt(at(r, "d2")));
    expectClose(renewalRates(golden(r, "u"), golden(r, "d")), golden(r, "l"), 1e-14, deviation);
    expectClose(renewalOnce(u, d, 1), golden(r, "cU"), 1e-13, mean);
    expectClose(renewalOnce(u, d, 0), golden(r, "cD"), 1e-13, mean);
    expectClose(renewalOnce(u, d, std::nullopt), golden(r, "cS"), 1e-13, mean);
  }
}

TEST(Renewal, ExactCountsAgreeWithGoldenTable) {
  const std::vector<Row> rows = readCsv("arp_finite.csv");
  ASSERT_EQ(rows.size(), 18u);
  for (const Row &r : rows) {
    SCOPED_TRACE(r.at("U") + " / " + r.at("D") + ", N " + r.at("N") + ", " + r.at("start"));
    const RunLaw u = lawOf(r.at("U")), d = lawOf(r.at("D"));
    const auto first = startOf(r.at("start"));
    const uint64_t n = std::stoull(r.at("N"));
    expectClose(*renewalCount(u, d, first, n), golden(r, "k"), 1e-14, std::sqrt(at(r, "k2")));
    const Cumulants rate = renewalRates(cumulants(u), cumulants(d));
    expectClose(static_cast<double>(n) * rate + renewalOnce(u, d, first), golden(r, "e"), 1e-12,
                static_cast<double>(n));
  }
}

TEST(Renewal, GeometricRunsAreIndependentOutcomes) {
  // True again with chance p whatever came before: a binomial count from the first outcome on.
  for (const double p : {0.01, 0.3, 0.5, 0.9}) {
    const RunLaw u{{}, 1, 1 - p}, d{{}, 1, p};
    const double v = p * (1 - p);
    const Cumulants bernoulli{p, v, v * (1 - 2 * p), v * (1 - 6 * v)};
    expectClose(renewalRates(cumulants(u), cumulants(d)), bernoulli, 1e-12, 0);
    for (const uint64_t n : {1, 2, 10, 100}) {
      expectClose(*renewalCount(u, d, p, n), static_cast<double>(n) * bernoulli, 1e-12, 0);
      expectClose(*renewalCount(u, d, std::nullopt, n), static_cast<double>(n) * bernoulli, 1e-12,
                  0);
    }
    expectClose(renewalOnce(u, d, p), {0, 0, 0, 0}, 1e-12, 1 / v);
  }
}

TEST(Renewal, TailsAreLongRunsOneByOne) {
  // A law with a tail, and the same with the tail's lengths as atoms.
  const RunLaw tailed{{{2, 0.25}, {5, 0.25}}, 0.5, 0.2}, other{{{1, 0.5}, {3, 0.25}}, 0.25, 0.5};
  const auto spread = [](RunLaw law) {
    const uint64_t from = law.longest();
    double p = law.tail * law.hazard;
    for (uint64_t k = 1; k <= 400; ++k, p *= 1 - law.hazard)
      law.atoms.push_back({from + k, p});
    law.tail = 0, law.hazard = 1;
    return law;
  };
  const RunLaw u = spread(tailed), d = spread(other);
  expectClose(cumulants(tailed), cumulants(u), 1e-13, 1);
  for (const std::optional<double> first : {std::optional<double>{0.7}, std::optional<double>{}}) {
    expectClose(renewalOnce(tailed, other, first), renewalOnce(u, d, first), 1e-11, 5);
    for (const uint64_t n : {1, 4, 5, 6, 30})
      expectClose(*renewalCount(tailed, other, first, n), *renewalCount(u, d, first, n), 1e-12, 1);
  }
}

TEST(Renewal, TheExpansionBecomesExact) {
  const RunLaw u = lawOf("{1:.9,20:.1}"), d = lawOf("unif1_4");
  const Cumulants rate = renewalRates(cumulants(u), cumulants(d));
  const Cumulants exact = *renewalCount(u, d, 0.3, 3000);
  expectClose(3000.0 * rate + renewalOnce(u, d, 0.3), exact, 1e-10, 0);
}

TEST(Renewal, MarkovChainsWithOneEntryPerSideAreExactOthersAreNot) {
  const std::vector<Row> rows = readCsv("arp_markov.csv");
  ASSERT_EQ(rows.size(), 3u);
  for (const Row &r : rows) {
    SCOPED_TRACE(r.at("chain"));
    // The rates of the true counts, and those that the run lengths alone give: equal when the chain
    // enters each side by one state only.
    const bool oneEntry = r.at("chain") != "two_entry";
    for (int i = 1; i <= 4; ++i) {
      const double e = at(r, "e" + std::to_string(i)), l = at(r, "l" + std::to_string(i));
      EXPECT_EQ(std::abs(e - l) <= 1e-12 * std::abs(e), oneEntry || i == 1);
    }
  }
  // sticky2: geometric runs of both kinds.
  const RunLaw u{{}, 1, 0.02}, d{{}, 1, 0.01};
  const Cumulants want{1 - at(rows[2], "l1"), at(rows[2], "l2"), -at(rows[2], "l3"),
                       at(rows[2], "l4")};
  const Cumulants got = renewalRates(cumulants(d), cumulants(u));
  expectClose(got, want, 1e-12, 0);
}

TEST(RunLaw, CompletedRunsAreTheirFrequencies) {
  const RunLaw law = *estimateRuns({{{1, 6}, {4, 3}, {9, 1}}, {}});
  ASSERT_EQ(law.atoms.size(), 3u);
  EXPECT_DOUBLE_EQ(law.atoms[0].p, 0.6);
  EXPECT_DOUBLE_EQ(law.atoms[1].p, 0.3);
  EXPECT_DOUBLE_EQ(law.atoms[2].p, 0.1);
  EXPECT_NEAR(law.tail, 0, 1e-16);
}

TEST(RunLaw, CutRunsCountForAsLongAsTheyWereSeen) {
  // 10 runs: 4 end at 1; 2 are cut at 2; of the 4 left 1 ends at 3; 3 are cut at 5.
  const RunLaw law = *estimateRuns({{{1, 4}, {3, 1}}, {{2, 2}, {5, 3}}});
  ASSERT_EQ(law.atoms.size(), 2u);
  EXPECT_DOUBLE_EQ(law.atoms[0].p, 0.4);
  EXPECT_DOUBLE_EQ(law.atoms[1].p, 0.6 / 4);
  EXPECT_DOUBLE_EQ(law.tail, 0.45);
  // 5 ends in 4 + 3 + 2 + 12 chances; 3 chances beyond length 3.
  EXPECT_DOUBLE_EQ(law.hazard, 1 / (3 + 21 / 5.0));
}

TEST(RunLaw, CuttingDoesNotBiasTheLaw) {
  // Runs of 1..6 or geometric, seen through loops of 8 outcomes of which a run starts anywhere.
  std::mt19937_64 random(4);
  std::geometric_distribution<uint64_t> longer(0.2);
  for (const bool uniform : {true, false}) {
    RunLengths seen;
    for (int i = 0; i < 200000; ++i) {
      const uint64_t length = uniform ? 1 + random() % 6 : 1 + longer(random);
      const uint64_t room = 1 + random() % 8;
      // A run that fills its room is cut even if it would have ended there: nobody saw it.
      ++(length < room ? seen.completed[length] : seen.cut[room]);
    }
    const Cumulants k = cumulants(*estimateRuns(seen));
    EXPECT_NEAR(k.k1, uniform ? 3.5 : 5, 0.05);
    EXPECT_NEAR(k.k2, uniform ? 35 / 12.0 : 20, uniform ? 0.05 : 1);
  }
}

TEST(RunLaw, RefusesWithAReason) {
  EXPECT_EQ(estimateRuns({}).error().text, "no run of equal outcomes was seen to end");
  EXPECT_FALSE(estimateRuns({{}, {{5, 3}}}));
  EXPECT_FALSE(estimateRuns({{{5, 0}}, {{5, 3}}}));
  EXPECT_FALSE(estimateRuns({{{0, 1}}, {}}));
  EXPECT_FALSE(estimateRuns({{{1, 1}}, {{0, 1}}}));
  EXPECT_FALSE(renewalCount({{}, 1, 0.5}, {{}, 1, 0.5}, 1, 10000000));
}
