// Size laws on data with a known law: the form is found, a larger size is predicted, and what no
// law fits is refused.
#include "quincunx/estimate/SizeLaw.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <random>

using namespace quincunx;

namespace {

using Law = std::function<double(double)>;

struct Data {
  std::vector<double> n, y;
};

/// Sizes log-uniform from `low` to `high`, y = law(n) (1 + noise n^-1/2 z).
Data draw(const Law &law, double low, double high, double noise, size_t runs, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> u(std::log(low), std::log(high));
  std::normal_distribution<double> z;
  Data d;
  for (size_t i = 0; i < runs; ++i) {
    d.n.push_back(std::exp(u(random)));
    d.y.push_back(law(d.n.back()) * (1 + noise / std::sqrt(d.n.back()) * z(random)));
  }
  return d;
}

double mean(const std::vector<double> &x) {
  double sum = 0;
  for (const double v : x)
    sum += v / static_cast<double>(x.size());
  return sum;
}

} // namespace

TEST(SizeLaw, FindsTheForm) {
  const struct {
    SizeLaw::Form form;
    Law law;
    const char *text;
  } table[] = {
      {SizeLaw::Form::constant, [](double) { return 70.0; }, "70"},
      {SizeLaw::Form::linear, [](double n) { return 200 + 3 * n; }, "200 + 3 n"},
      {SizeLaw::Form::logLinear, [](double n) { return 5 * n * std::log2(n); }, "5 n log2 n"},
      {SizeLaw::Form::square, [](double n) { return 1000 + 0.5 * n * n; }, "1000 + 0.5 n^2"},
      {SizeLaw::Form::cube, [](double n) { return n * n * n; }, "1 n^3"},
      {SizeLaw::Form::all, [](double n) { return 100 * n + n * n; }, "100 n + 1 n^2"},
      {SizeLaw::Form::power, [](double n) { return 2 * std::pow(n, 1.5); }, "2 n^1.5"},
  };
  for (const auto &row : table) {
    const Data clean = draw(row.law, 100, 1000, 0, 200, 1);
    const Result<SizeLaw> law = fitSizeLaw(clean.n, clean.y);
    ASSERT_TRUE(law);
    EXPECT_EQ(law->form, row.form) << row.text << " taken for " << law->text("n");
    EXPECT_EQ(law->text("n"), row.text);
    EXPECT_LT(law->error, 1e-6);
    const Data noisy = draw(row.law, 100, 1000, 0.5, 400, 2);
    const Result<SizeLaw> found = fitSizeLaw(noisy.n, noisy.y);
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->at(4000) / row.law(4000), 1, 0.05) << row.text << ": " << found->text("n");
  }
}

TEST(SizeLaw, PredictsASizeThatWasNeverRun) {
  const Law law = [](double n) { return 50 + 7 * n * std::log2(n); };
  int within = 0, accepted = 0;
  double worst = 0;
  const int repeats = 20;
  for (int i = 0; i < repeats; ++i) {
    const Data d = draw(law, 100, 800, 1, 400, 10 + static_cast<uint64_t>(i));
    std::vector<double> others;
    const Result<SizePrediction> p =
        predictAtSizes(d.n, d.y, std::vector<double>(d.n.size(), 1600),
                       [&](const auto &runs, const std::vector<double> &costs) {
                         ASSERT_EQ(runs.size(), costs.size());
                         others.push_back(mean(costs));
                       });
    if (!p)
      continue; // its own check is one of chance, too
    ++accepted;
    worst = std::max(worst, std::fabs(mean(p->costs) / law(1600) - 1));
    ASSERT_EQ(p->costs.size(), d.n.size());
    double variance = 0;
    for (const double c : p->costs)
      variance += std::pow(c - mean(p->costs), 2) / static_cast<double>(d.n.size());
    EXPECT_NEAR(std::sqrt(variance) / law(1600) / (1 / std::sqrt(1600.0)), 1, 0.35);
    std::sort(others.begin(), others.end());
    ASSERT_GE(others.size(), 200u);
    within +=
        others[others.size() / 20] <= law(1600) && law(1600) <= others[others.size() * 19 / 20];
  }
  EXPECT_GE(accepted, 18);
  EXPECT_LT(worst, 0.1);
  EXPECT_GE(within, accepted * 3 / 4) << "intervals of 90 %";
}

TEST(SizeLaw, ErrorsCountAsOftenAsTheQuestionReachesFurther) {
  // A little dearer from 400 on: tolerable at twice the sizes, not at 64 times.
  const Data d = draw([](double n) { return n < 400 ? 10 * n : 4000 + 10.35 * (n - 400); }, 100,
                      1600, 0.001, 400, 3);
  const auto at = [&](double factor) {
    std::vector<double> targets = d.n;
    for (double &n : targets)
      n *= factor;
    return predictAtSizes(d.n, d.y, targets);
  };
  const Result<SizePrediction> near = at(2), far = at(64);
  ASSERT_TRUE(near) << near.error().text;
  EXPECT_GT(std::fabs(near->meanCheck), 0.01);
  ASSERT_FALSE(far);
  EXPECT_NE(far.error().text.find("times as far"), std::string::npos) << far.error().text;
}

TEST(SizeLaw, RefusesWhatChangesItsRegime) {
  // A table fills up at 400: below it costs n, above nearly nothing more.
  const Data d = draw([](double n) { return n < 400 ? 10 * n : 4000 + 0.1 * (n - 400); }, 100, 1000,
                      0.1, 400, 3);
  const Result<SizePrediction> p = predictAtSizes(d.n, d.y, std::vector<double>(d.n.size(), 2000));
  ASSERT_FALSE(p);
  EXPECT_NE(p.error().text.find("larger half"), std::string::npos);
}

TEST(SizeLaw, RefusesTooLittle) {
  const std::vector<double> few(10, 5.0), same(50, 5.0);
  EXPECT_NE(fitSizeLaw(few, few).error().text.find("at least 20 runs"), std::string::npos);
  EXPECT_NE(fitSizeLaw(same, same).error().text.find("factor of two"), std::string::npos);
  std::vector<double> negative = same;
  negative[3] = -1;
  EXPECT_FALSE(fitSizeLaw(negative, same));
}
