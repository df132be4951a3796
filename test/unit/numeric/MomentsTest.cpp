// Moments against tables computed with 80 digits (test/data/golden, with their generators).
#include "quincunx/numeric/Moments.h"

#include "Csv.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace quincunx;
using namespace quincunx::test;

namespace {

double at(const Row &row, const std::string &column) { return std::stod(row.at(column)); }

void expectNear(double got, double want, double relative, double absolute = 0) {
  EXPECT_NEAR(got, want, std::abs(want) * relative + absolute);
}

Cumulants golden(const Row &r, const std::string &prefix) {
  return {at(r, prefix + "1"), at(r, prefix + "2"), at(r, prefix + "3"), at(r, prefix + "4")};
}

} // namespace

TEST(Moments, ConversionsAgreeWithGoldenTable) {
  const std::vector<Row> rows = readCsv("conversions.csv");
  ASSERT_EQ(rows.size(), 9u);
  for (const Row &r : rows) {
    SCOPED_TRACE(r.at("law"));
    const Cumulants k{at(r, "m1"), at(r, "k2"), at(r, "k3"), at(r, "k4")};
    const RawMoments raw = rawMoments(k);
    expectNear(raw.m1, at(r, "m1"), 1e-14);
    expectNear(raw.m2, at(r, "m2"), 1e-14);
    expectNear(raw.m3, at(r, "m3"), 1e-14);
    expectNear(raw.m4, at(r, "m4"), 1e-14);
    const CentralMoments c = centralMoments(k);
    expectNear(c.mu2, at(r, "mu2"), 1e-14);
    expectNear(c.mu3, at(r, "mu3"), 1e-14);
    expectNear(c.mu4, at(r, "mu4"), 1e-14);
    const Moments m = moments(k);
    expectNear(m.variance, at(r, "k2"), 0);
    expectNear(m.skewness, at(r, "skew"), 1e-14, 1e-15);
    expectNear(m.kurtosis, at(r, "kurtosis"), 1e-14);
    const Cumulants back = cumulants(m), alsoBack = cumulants(c);
    expectNear(back.k3, k.k3, 1e-14, 1e-14);
    // kurtosis - 3 loses the digits that the 3 takes.
    expectNear(back.k4, k.k4, 1e-12, 1e-15 * 3 * k.k2 * k.k2);
    expectNear(alsoBack.k4, k.k4, 1e-12, 1e-15 * 3 * k.k2 * k.k2);
  }
}

TEST(Moments, RawMomentsConvertWhereTheDeviationIsNotSmall) {
  for (const Row &r : readCsv("conversions.csv")) {
    if (at(r, "k2") < 0.05 * at(r, "m1") * at(r, "m1"))
      continue;
    SCOPED_TRACE(r.at("law"));
    const Cumulants k = cumulants(RawMoments{at(r, "m1"), at(r, "m2"), at(r, "m3"), at(r, "m4")});
    expectNear(k.k2, at(r, "k2"), 1e-13);
    expectNear(k.k3, at(r, "k3"), 1e-12, 1e-15);
    expectNear(k.k4, at(r, "k4"), 1e-11, 1e-15);
  }
}

TEST(Moments, AdmissibleAndProjected) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  struct {
    Moments m;
    bool admissible;
    Moments projected;
  } const table[] = {
      {{5, 4, 0, 3}, true, {5, 4, 0, 3}},      {{5, 4, 3, 10}, true, {5, 4, 3, 10}}, // two points
      {{5, 4, 3, 9.9}, false, {5, 4, 3, 10}},  {{5, 4, 0, 0.5}, false, {5, 4, 0, 1}},
      {{5, -1e-9, 0, 3}, false, {5, 0, 0, 3}}, {{5, 0, 0, 3}, true, {5, 0, 0, 3}},
      {{5, 0, 1, 3}, false, {5, 0, 0, 3}},     {{5, nan, 0, 3}, false, {5, 0, 0, 3}},
      {{5, 1, nan, 3}, false, {5, 0, 0, 3}},   {{nan, 1, 0, 3}, false, {0, 0, 0, 3}},
  };
  for (const auto &row : table) {
    SCOPED_TRACE(testing::Message()
                 << row.m.variance << " " << row.m.skewness << " " << row.m.kurtosis);
    EXPECT_EQ(admissible(row.m), row.admissible);
    const Projected p = project(row.m);
    EXPECT_EQ(p.changed, !row.admissible);
    EXPECT_EQ(p.moments.mean, row.projected.mean);
    EXPECT_EQ(p.moments.variance, row.projected.variance);
    EXPECT_EQ(p.moments.skewness, row.projected.skewness);
    EXPECT_EQ(p.moments.kurtosis, row.projected.kurtosis);
    EXPECT_TRUE(admissible(p.moments));
  }
}

TEST(Moments, ConstantHasSkewnessZeroAndKurtosisThree) {
  const Moments m = moments({7, 0, 0, 0});
  EXPECT_EQ(m.skewness, 0);
  EXPECT_EQ(m.kurtosis, 3);
  EXPECT_TRUE(std::isfinite(moments({7, 1e-200, 1, 1}).kurtosis));
}

namespace {
// The generator that accumulate.csv names.
std::vector<double> lcg(const Row &row) {
  const uint64_t n = std::stoull(row.at("n")), mod = std::stoull(row.at("mod")),
                 off = std::stoull(row.at("off"));
  uint64_t x = std::stoull(row.at("seed"));
  std::vector<double> v;
  for (uint64_t i = 0; i < n; ++i) {
    x = 6364136223846793005u * x + 1442695040888963407u;
    v.push_back(static_cast<double>(off + (x >> 33) % mod));
  }
  return v;
}

void expectRow(const Sample &s, const Row &r) {
  EXPECT_EQ(s.n(), std::stoull(r.at("n")));
  expectNear(s.mean(), at(r, "mean"), 1e-14);
  expectNear(s.m2(), at(r, "M2"), 1e-12);
  expectNear(s.m3(), at(r, "M3"), 1e-11, 1e-11 * at(r, "M2"));
  expectNear(s.m4(), at(r, "M4"), 1e-12);
  const Unbiased u = kStatistics(s);
  EXPECT_EQ(u.order, static_cast<int>(std::min<uint64_t>(4, s.n())));
  const double want[] = {at(r, "mean"), at(r, "kstat2"), at(r, "kstat3"), at(r, "kstat4")};
  const double got[] = {u.k.k1, u.k.k2, u.k.k3, u.k.k4};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(std::isnan(want[i]), i >= u.order);
    expectNear(got[i], i < u.order ? want[i] : 0, 1e-10, 1e-12);
  }
}
} // namespace

TEST(Sample, AgreesWithGoldenTableInOrderReversedAndMerged) {
  const std::vector<Row> rows = readCsv("accumulate.csv");
  ASSERT_EQ(rows.size(), 6u);
  for (const Row &r : rows) {
    SCOPED_TRACE(r.at("n") + " values, offset " + r.at("off"));
    const std::vector<double> v = lcg(r);
    Sample forward, backward, pieces, balanced;
    for (const double x : v)
      forward.add(x);
    for (size_t i = v.size(); i-- > 0;)
      backward.add(v[i]);
    std::vector<Sample> part(7);
    for (size_t i = 0; i < v.size(); ++i)
      part[i * i % 7].add(v[i]);
    for (const Sample &s : part)
      pieces.add(s);
    for (size_t i = part.size(); i-- > 0;)
      balanced.add(part[i]);
    for (const Sample &s : {forward, backward, pieces, balanced}) {
      expectRow(s, r);
      EXPECT_EQ(s.min(), *std::min_element(v.begin(), v.end()));
      EXPECT_EQ(s.max(), *std::max_element(v.begin(), v.end()));
    }
  }
}

TEST(Sample, TwoPassesGiveTheSameMoments) {
  for (const Row &r : readCsv("accumulate.csv")) {
    Sample s;
    const std::vector<double> v = lcg(r);
    for (const double x : v)
      s.add(x);
    const Moments a = s.moments(), b = momentsOf(v);
    expectNear(a.mean, b.mean, 1e-15);
    expectNear(a.variance, b.variance, 1e-12);
    expectNear(a.skewness, b.skewness, 1e-10, 1e-12);
    expectNear(a.kurtosis, b.kurtosis, 1e-11);
  }
  EXPECT_EQ(momentsOf({}).mean, 0);
  const std::vector<double> same(1000, 0.1);
  EXPECT_EQ(momentsOf(same).variance, 0);
  EXPECT_EQ(momentsOf(same).mean, 0.1);
}

TEST(Sample, MergesWithItselfAndWithNothing) {
  Sample s, empty;
  for (const double x : {1.0, 2.0, 6.0})
    s.add(x);
  s.add(empty);
  EXPECT_EQ(s.n(), 3u);
  s.add(s);
  EXPECT_EQ(s.n(), 6u);
  EXPECT_DOUBLE_EQ(s.mean(), 3);
  EXPECT_DOUBLE_EQ(s.m2(), 28);
  EXPECT_DOUBLE_EQ(s.m3(), 36);
  EXPECT_DOUBLE_EQ(s.m4(), 196);
  EXPECT_EQ(empty.moments().mean, 0);
  empty.add(s);
  EXPECT_DOUBLE_EQ(empty.m4(), 196);
}

TEST(MomentsOfMixture, AgreesWithGoldenTableOfObservedCounts) {
  const std::vector<Row> rows = readCsv("hier_observed.csv");
  ASSERT_EQ(rows.size(), 12u);
  for (const Row &r : rows) {
    SCOPED_TRACE(r.at("bodies") + " " + r.at("data"));
    const std::vector<double> n = numbers(r.at("n_d")), c = numbers(r.at("c_d"));
    const Cumulants a = golden(r, "a"), b = golden(r, "b");
    std::vector<Cumulants> parts;
    for (size_t d = 0; d < n.size(); ++d) {
      parts.push_back(c[d] * a);
      parts.back() += (n[d] - c[d]) * b;
    }
    const Cumulants plug = mixture(parts);
    const double scale = std::sqrt(at(r, "pk2"));
    const double tiny[] = {0, 0, 1e-14 * std::pow(scale, 3), 1e-13 * std::pow(scale, 4)};
    expectNear(plug.k1, at(r, "raw1"), 1e-14);
    expectNear(plug.k2, at(r, "pk2"), 1e-13, 1e-20);
    expectNear(plug.k3, at(r, "pk3"), 1e-12, tiny[2] + 1e-20);
    expectNear(plug.k4, at(r, "pk4"), 1e-12, tiny[3] + 1e-20);
    const Unbiased u = totalCumulance(parts);
    ASSERT_EQ(u.order, 4);
    expectNear(u.k.k1, at(r, "uk1"), 1e-14);
    expectNear(u.k.k2, at(r, "uk2"), 1e-13, 1e-20);
    expectNear(u.k.k3, at(r, "uk3"), 1e-12, tiny[2] + 1e-20);
    expectNear(u.k.k4, at(r, "uk4"), 1e-11, tiny[3] + 1e-20);
  }
}

TEST(MomentsOfMixture, WeightsCountAsCopies) {
  const Cumulants a{10, 4, 1, 2}, b{20, 1, -1, 0.5};
  const Cumulants parts[] = {a, b}, copies[] = {a, b, b, b};
  const double weights[] = {0.5, 1.5};
  const Cumulants w = mixture(parts, weights), c = mixture(copies);
  expectNear(w.k1, c.k1, 1e-15);
  expectNear(w.k2, c.k2, 1e-14);
  expectNear(w.k3, c.k3, 1e-13);
  expectNear(w.k4, c.k4, 1e-13);
}

TEST(MomentsOfMixture, TotalCumulanceSaysHowManyOrdersItKnows) {
  std::vector<Cumulants> parts;
  for (int n = 1; n <= 5; ++n) {
    parts.push_back({static_cast<double>(n * n), 1, 0.5, 0.1});
    const Unbiased u = totalCumulance(parts);
    EXPECT_EQ(u.order, std::min(n, 4));
    EXPECT_TRUE(n >= 4 || u.k.k4 == 0);
    EXPECT_TRUE(n >= 2 || u.k.k2 == 0);
  }
}
