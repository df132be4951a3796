// Joins against golden order statistics, closed forms and each other.
#include "quincunx/cost/Join.h"

#include "Csv.h"
#include "quincunx/dist/Families.h"
#include "quincunx/dist/Mixture.h"
#include "quincunx/dist/OrderStatistic.h"
#include "quincunx/numeric/Special.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace quincunx;
using namespace quincunx::test;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

DistributionPtr pearson(double mean, double variance, double skewness, double kurtosis) {
  const Result<DistributionPtr> law = fitPearson({mean, variance, skewness, kurtosis}, {-inf, inf});
  EXPECT_TRUE(law);
  return *law;
}
DistributionPtr normal(double mean, double sd) { return pearson(mean, sd * sd, 0, 3); }
DistributionPtr uniform(double a, double b) {
  return pearson((a + b) / 2, (b - a) * (b - a) / 12, 0, 1.8);
}
DistributionPtr exponential(double mean, double from = 0) {
  return pearson(from + mean, mean * mean, 2, 9);
}
DistributionPtr gammaLaw(double shape, double scale) {
  return pearson(shape * scale, shape * scale * scale, 2 / std::sqrt(shape), 3 + 6 / shape);
}
DistributionPtr mixed(std::vector<DistributionPtr> laws, std::vector<double> weights) {
  return *makeWeighted(laws, weights);
}

/// The lognormal law is no Pearson law: straight from its definition.
class Lognormal final : public Distribution {
public:
  Lognormal(double m, double s) : mu(m), sigma(s) {}
  double cdf(double t) const override { return t > 0 ? normalCdf((std::log(t) - mu) / sigma) : 0; }
  double survival(double t) const override {
    return t > 0 ? normalSurvival((std::log(t) - mu) / sigma) : 1;
  }
  double quantile(double p) const override { return std::exp(mu + sigma * normalQuantile(p)); }
  double upperQuantile(double q) const override { return std::exp(mu - sigma * normalQuantile(q)); }
  std::optional<double> density(double t) const override {
    return t > 0 ? normalDensity((std::log(t) - mu) / sigma) / (t * sigma) : 0;
  }
  Moments moments() const override { return {std::exp(mu), sigma * sigma, 0, 3}; }
  Range support() const override { return {0, inf}; }
  std::vector<double> knots() const override {
    std::vector<double> k{0};
    for (double z = -14; z <= 14.5; ++z)
      k.push_back(std::exp(mu + sigma * z));
    return k;
  }

private:
  double mu, sigma;
};

DistributionPtr named(const std::string &name) {
  const struct {
    const char *name;
    DistributionPtr law;
  } table[] = {
      {"uniform(0,1)", uniform(0, 1)},
      {"exponential(1)", exponential(1)},
      {"exp(1)", exponential(1)},
      {"exp(0.5)", exponential(0.5)},
      {"normal(0,1)", normal(0, 1)},
      {"normal(1,1)", normal(1, 1)},
      {"normal(2,3)", normal(2, 3)},
      {"normal(100,5)", normal(100, 5)},
      {"gamma(2,1)", gammaLaw(2, 1)},
      {"lognormal(0,0.5)", std::make_shared<Lognormal>(0, 0.5)},
      {"lognormal(4.6,0.1)", std::make_shared<Lognormal>(4.6, 0.1)},
      {"uniform(0,2)", uniform(0, 2)},
      {"uniform(1,1.5)", uniform(1, 1.5)},
      {"uniform", uniform(-std::sqrt(3), std::sqrt(3))},
      {"gauss", normal(0, 1)},
      {"sexp", exponential(1, -1)},
      {"mix(0.7:normal(10,1),0.3:normal(16,1))", mixed({normal(10, 1), normal(16, 1)}, {0.7, 0.3})},
  };
  for (const auto &row : table)
    if (name == row.name)
      return row.law;
  ADD_FAILURE() << "no law " << name;
  return nullptr;
}

/// Raw moments and cumulants of a golden row, relative to the deviation to the r-th power. Places
/// are doubles, and an end of a law is only as exact as its moments: `size` of the law times 4 eps
/// is added for them. The table has its cumulants from raw moments with 30 digits.
void expectRow(const Join &y, const Row &r, double tolerance, double size) {
  const double k2 = std::stod(r.at("k2")), sd = std::sqrt(k2), m1 = std::stod(r.at("m1"));
  const double k[] = {y.k.k1, y.k.k2, y.k.k3, y.k.k4};
  const double want[] = {m1, k2, std::stod(r.at("k3")), std::stod(r.at("k4"))};
  const double raw[] = {y.raw.m1, y.raw.m2, y.raw.m3, y.raw.m4};
  const double place = 8e-16 * size / sd;
  for (int i = 0; i < 4; ++i) {
    const double unit = std::pow(sd, i + 1), table = 1e-28 * std::pow(std::abs(m1) / sd, i + 1);
    EXPECT_NEAR(k[i] / unit, want[i] / unit, std::pow(10, i) * tolerance + (i + 1) * place + table)
        << "k" << i + 1;
    const double m = std::stod(r.at("m" + std::to_string(i + 1)));
    const double whole = std::pow(std::abs(m1) + sd, i + 1);
    EXPECT_NEAR(raw[i] / whole, m / whole, tolerance + (i + 1) * 8e-16 * size / (std::abs(m1) + sd))
        << "m" << i + 1;
  }
}

double sizeOf(const Distribution &law) {
  return std::abs(law.moments().mean) + law.moments().deviation();
}

Join made(const Result<Join> &join) {
  EXPECT_TRUE(join) << (join ? "" : join.error().text);
  return *join;
}

/// Golden rows, with names of laws that contain commas in quotes.
std::vector<Row> quoted(const std::string &file) {
  std::ifstream in(std::string(QUINCUNX_TEST_DATA) + "/golden/" + file);
  std::string line;
  std::getline(in, line);
  std::vector<std::vector<std::string>> lines;
  while (std::getline(in, line)) {
    std::vector<std::string> cells(1);
    bool inside = false;
    for (const char c : line) {
      if (c == '"')
        inside = !inside;
      else if (c == ',' && !inside)
        cells.emplace_back();
      else if (c != '\r')
        cells.back() += c;
    }
    lines.push_back(cells);
  }
  std::vector<Row> rows;
  for (size_t i = 1; i < lines.size(); ++i)
    for (size_t j = 0; j < lines[0].size(); ++j) {
      if (j == 0)
        rows.emplace_back();
      rows.back()[lines[0][j]] = lines[i][j];
    }
  return rows;
}

} // namespace

TEST(Join, GoldenOrderStatistics) {
  const std::vector<Row> rows = quoted("order_stats.csv");
  ASSERT_EQ(rows.size(), 119u);
  for (const Row &r : rows) {
    SCOPED_TRACE(r.at("law") + " " + r.at("op") + " " + r.at("N"));
    const Task task[] = {{named(r.at("law")), std::stod(r.at("N"))}};
    expectRow(made(r.at("op") == "max" ? joinLast(0, task) : joinFirst(0, task)), r, 1e-12,
              sizeOf(*task[0].law));
  }
}

TEST(Join, GoldenKth) {
  const std::vector<Row> rows = quoted("order_kth.csv");
  ASSERT_EQ(rows.size(), 17u);
  for (const Row &r : rows) {
    SCOPED_TRACE(r.at("law") + " " + r.at("op") + " " + r.at("N"));
    const Task task[] = {{named(r.at("law")), std::stod(r.at("N"))}};
    expectRow(made(joinKth(std::stod(r.at("op").substr(2)), task)), r, 1e-12, sizeOf(*task[0].law));
  }
}

TEST(Join, GoldenBinary) {
  const std::vector<Row> rows = quoted("parallel_binary.csv");
  ASSERT_EQ(rows.size(), 14u);
  for (const Row &r : rows) {
    SCOPED_TRACE(r.at("X1") + " " + r.at("X2") + " " + r.at("op"));
    const Task tasks[] = {{named(r.at("X1"))}, {named(r.at("X2"))}};
    expectRow(made(r.at("op") == "max" ? joinLast(0, tasks) : joinFirst(0, tasks)), r, 1e-11,
              sizeOf(*tasks[0].law));
  }
}

TEST(Join, GoldenRandomNumber) {
  const std::vector<Row> rows = quoted("parallel_randomN.csv");
  ASSERT_EQ(rows.size(), 6u);
  for (const Row &r : rows) {
    SCOPED_TRACE(r.at("N") + " " + r.at("law"));
    const bool three = r.at("N").find("64") != std::string::npos;
    const std::vector<double> counts =
        three ? std::vector<double>{1, 4, 64} : std::vector<double>{2, 1000};
    const std::vector<double> weights =
        three ? std::vector<double>{0.5, 0.3, 0.2} : std::vector<double>{0.5, 0.5};
    std::vector<Join> parts;
    for (const double n : counts) {
      const Task task[] = {{named(r.at("law")), n}};
      parts.push_back(made(joinLast(0, task)));
    }
    expectRow(made(average(parts, weights)), r, 1e-12, 1);
  }
}

TEST(Join, GoldenDependenceBounds) {
  const std::vector<Row> rows = quoted("dependence_bounds.csv");
  ASSERT_EQ(rows.size(), 9u);
  for (const Row &r : rows) {
    SCOPED_TRACE(r.at("a") + " " + r.at("b") + " " + r.at("coupling"));
    const Task tasks[] = {{exponential(std::stod(r.at("a")))}, {exponential(std::stod(r.at("b")))}};
    const Result<JoinBounds> bounds = boundLast(tasks);
    ASSERT_TRUE(bounds);
    const std::string &coupling = r.at("coupling");
    const Join y = coupling == "independent" ? made(joinLast(0, tasks))
                   : coupling == "upper"     ? bounds->extreme
                                             : bounds->comonotone;
    const double raw[] = {y.raw.m1, y.raw.m2, y.raw.m3, y.raw.m4};
    for (size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(raw[i] / std::stod(r.at("m" + std::to_string(i + 1))), 1, 1e-11) << i + 1;
  }
}

TEST(Join, ConstantsAndStepsAreExact) {
  const DistributionPtr five = *fitPoint({5, 0, 0, 3}, {-inf, inf});
  const Task constants[] = {{five, 3}, {*fitPoint({7, 0, 0, 3}, {-inf, inf})}};
  EXPECT_EQ(made(joinLast(0, constants)).k, (Cumulants{7, 0, 0, 0}));
  EXPECT_EQ(made(joinFirst(0, constants)).k, (Cumulants{5, 0, 0, 0}));
  EXPECT_EQ(made(joinKth(3, constants)).k.k1, 5);
  EXPECT_EQ(made(joinKth(4, constants)).k.k1, 7);
  // The larger of 1/2 and a uniform: E = 5/8, E^2 = 1/8 + 7/24
  const Task tasks[] = {{uniform(0, 1)}, {*fitPoint({0.5, 0, 0, 3}, {-inf, inf})}};
  const Join y = made(joinLast(0, tasks));
  EXPECT_NEAR(y.raw.m1, 0.625, 1e-14);
  EXPECT_NEAR(y.raw.m2, 1.0 / 8 + 7.0 / 24, 1e-14);
  EXPECT_EQ(y.law->quantile(0.3), 0.5);
  EXPECT_NEAR(y.law->quantile(0.75), 0.75, 1e-14);
  EXPECT_EQ(y.law->support().low, 0.5);
  // Two dice
  std::vector<double> faces{1, 2, 3, 4, 5, 6};
  const Task dice[] = {{*makeSteps(faces), 2}};
  EXPECT_NEAR(made(joinLast(0, dice)).k.k1, 161.0 / 36, 1e-14);
}

TEST(Join, AgreesWithItself) {
  // Several ways to say the same: classes, copies, orders, mixtures.
  const DistributionPtr g = gammaLaw(2, 1), u = uniform(0, 4);
  const Task six[] = {{g, 6}}, split[] = {{g, 2}, {g, 4}}, two[] = {{g, 2}, {u, 3}};
  const double tolerance = 1e-11;
  const auto expectSame = [&](const Join &a, const Join &b) {
    EXPECT_NEAR(a.k.k1 / b.k.k1, 1, tolerance);
    EXPECT_NEAR(a.k.k2 / b.k.k2, 1, tolerance);
    EXPECT_NEAR(a.k.k3 / b.k.k3, 1, tolerance);
    EXPECT_NEAR(a.k.k4 / b.k.k4, 1, 10 * tolerance);
    for (const double p : {0.01, 0.5, 0.99})
      EXPECT_NEAR(a.law->quantile(p), b.law->quantile(p), 1e-11);
  };
  expectSame(made(joinLast(0, six)), made(joinKth(6, six)));
  expectSame(made(joinFirst(0, six)), made(joinKth(1, six)));
  expectSame(made(joinKth(4, six)), made(joinKth(4, split)));
  expectSame(made(joinLast(0, two)), made(joinKth(5, two)));
  expectSame(made(joinFirst(0, two)), made(joinKth(1, two)));
  // The last of the last of three and of three more is the last of six.
  const Task three[] = {{g, 3}};
  const Task nested[] = {{made(joinLast(0, three)).law, 2}};
  expectSame(made(joinLast(0, six)), made(joinLast(0, nested)));
}

TEST(Join, LawOfTheResult) {
  const Task tasks[] = {{gammaLaw(2, 1), 3}, {normal(3, 1), 2.5}};
  for (const Join &y : {made(joinLast(0, tasks)), made(joinFirst(0, tasks)),
                        made(joinKth(3, std::span(tasks).first(1)))}) {
    for (const double p : {1e-8, 0.01, 0.4, 0.9, 0.9999}) {
      const double t = y.law->quantile(p);
      EXPECT_NEAR(y.law->cdf(t) / p, 1, 1e-10);
      EXPECT_NEAR(y.law->upperQuantile(p), y.law->quantile(1 - p), 1e-6);
      const double h = 1e-5;
      EXPECT_NEAR(*y.law->density(t), (y.law->cdf(t + h) - y.law->cdf(t - h)) / (2 * h), 1e-6);
    }
  }
  const Task pair[] = {{gammaLaw(2, 1), 2}, {normal(3, 1), 2}};
  const Join third = made(joinKth(3, pair));
  EXPECT_NEAR(*third.law->density(3), (third.law->cdf(3.001) - third.law->cdf(2.999)) / 0.002,
              1e-6);
}

TEST(Join, BoundsHoldAllCouplings) {
  const Task tasks[] = {{gammaLaw(2, 1), 2}, {normal(3, 1)}};
  const JoinBounds last = *boundLast(tasks), first = *boundFirst(tasks);
  const Join and3 = made(joinLast(0, tasks)), or3 = made(joinFirst(0, tasks));
  EXPECT_LT(last.comonotone.k.k1, and3.k.k1);
  EXPECT_GT(last.extreme.k.k1, and3.k.k1);
  EXPECT_GT(first.comonotone.k.k1, or3.k.k1);
  EXPECT_LT(first.extreme.k.k1, or3.k.k1);
}

TEST(Join, SharedDataSetMakesTasksAlike) {
  // Two data sets, in which all tasks are about 10 or about 20: the last of 100 is about the one or
  // the other, not nearly always 20.
  std::vector<Join> given;
  for (const double mean : {10.0, 20.0}) {
    const Task task[] = {{normal(mean, 0.1), 100}};
    given.push_back(made(joinLast(0, task)));
  }
  const Join y = made(average(given, std::vector<double>{1, 1}));
  EXPECT_NEAR(y.k.k1, 15.25, 0.02);
  EXPECT_NEAR(y.law->quantile(0.25), 10.25, 0.05);
}

TEST(Join, NextToAPoleTheLastOfManyIsTheEnd) {
  // A U-shape: the last of 1e9 lies within 1e-12 of the end, where places run out of digits. It
  // must neither take for ever nor leave the support.
  const DistributionPtr u = pearson(0, 1, 0.3, 1.7);
  const Task task[] = {{u, 1e9}};
  const Join y = made(joinLast(0, task));
  EXPECT_NEAR(y.k.k1, u->support().high, 1e-10);
  EXPECT_GE(y.k.k2, 0);
  EXPECT_LT(y.k.k2, 1e-18);
}

TEST(Join, TailsOfTheKthAreProbabilities) {
  // Of 3 tasks and 5 others; sums of products are above 1 by rounding at some of these places.
  for (size_t k = 1; k <= 8; ++k) {
    const auto combination = kthOfClasses(k, {3, 5});
    for (int i = 1; i < 100; ++i) {
      const double a = i / 100.0, b = a * a;
      const Tails y = combination->combine(std::vector<Tails>{{a, 1 - a}, {b, 1 - b}});
      EXPECT_LE(y.below, 1) << k << " " << a;
      EXPECT_LE(y.above, 1) << k << " " << a;
    }
  }
}

TEST(Join, Refuses) {
  const DistributionPtr g = gammaLaw(2, 1);
  const Task none[] = {{g, 0}}, negative[] = {{g, -1}}, infinite[] = {{g, inf}}, nan[] = {{g, NAN}},
             noLaw[] = {{nullptr, 1}}, five[] = {{g, 5}}, many[] = {{g, 500}, {g, 13}},
             half[] = {{g, 1.5}, {g, 1}};
  for (const JoinKind &kind : joins()) {
    EXPECT_FALSE(kind.join(1, {})) << kind.name;
    for (const auto *bad : {none, negative, infinite, nan, noLaw})
      EXPECT_FALSE(kind.join(1, std::span(bad, 1))) << kind.name;
  }
  for (const double k : {0.0, 0.5, 5.5, -1.0, static_cast<double>(NAN), inf})
    EXPECT_FALSE(joinKth(k, five)) << k;
  EXPECT_FALSE(joinKth(2, many));
  EXPECT_FALSE(joinKth(2, half));
  EXPECT_TRUE(joinKth(2.5, five));
  EXPECT_FALSE(average({}, {}));
}
