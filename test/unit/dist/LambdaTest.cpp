// The generalised lambda law: golden laws, every member found again, a verdict over the whole
// plane, checked by searches that share nothing with the fit, and the limits of its region.
#include "Csv.h"
#include "quincunx/base/Text.h"
#include "quincunx/cost/Join.h"
#include "quincunx/dist/Families.h"
#include "quincunx/dist/Fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace quincunx;
using namespace quincunx::test;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr Range line{-inf, inf};
constexpr double leastExponent = -0.2499, mostExponent = 40;
const bool full = std::getenv("QUINCUNX_FULL") != nullptr;

/// Moments of Q(u) given as a function of z = logit u, by the trapezoid rule in t, z = 20
/// sinh(t/20).
template <class Function> Moments byQuadrature(const Function &Q) {
  std::vector<double> x, w;
  double mean = 0;
  for (double t = -84; t <= 84; t += 0.3) {
    const double z = 20 * std::sinh(t / 20), e = std::exp(-std::abs(z));
    x.push_back(Q(z));
    w.push_back(0.3 * std::cosh(t / 20) * e / ((1 + e) * (1 + e)));
    mean += w.back() * x.back();
  }
  double m2 = 0, m3 = 0, m4 = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double d = x[i] - mean;
    m2 += w[i] * d * d, m3 += w[i] * d * d * d, m4 += w[i] * d * d * d * d;
  }
  return {mean, m2, m3 / (m2 * std::sqrt(m2)), m4 / (m2 * m2)};
}

Moments byQuadrature(const Distribution &law) {
  return byQuadrature([&](double z) {
    const double e = std::exp(-std::abs(z)), tail = e / (1 + e);
    return z < 0 ? law.quantile(tail) : law.upperQuantile(tail);
  });
}

/// (u^a - (1-u)^b)/b at z = logit u.
double lambdaAt(double a, double b, double z) {
  const double logU = z < 0 ? z - std::log1p(std::exp(z)) : -std::log1p(std::exp(-z));
  return (std::expm1(a * logU) - std::expm1(b * (logU - z))) / b;
}

// E (u^a - (1-u)^b)^n = sum_j C(n,j) (-1)^j B(a(n-j) + 1, bj + 1)
Moments byBeta(double a, double b) {
  std::array<long double, 5> E{};
  for (int n = 1; n <= 4; ++n)
    for (int j = 0; j <= n; ++j) {
      const long double p = static_cast<long double>(a) * (n - j) + 1,
                        q = static_cast<long double>(b) * j + 1;
      const long double choose = j == 0 || j == n ? 1 : n == 4 && j == 2 ? 6 : n;
      E[n] += (j % 2 == 0 ? choose : -choose) *
              std::exp(std::lgamma(p) + std::lgamma(q) - std::lgamma(p + q));
    }
  const long double m = E[1], v = E[2] - m * m, c3 = E[3] - 3 * m * E[2] + 2 * m * m * m,
                    c4 = E[4] - 4 * m * E[3] + 6 * m * m * E[2] - 3 * m * m * m * m;
  return {static_cast<double>(m / b), static_cast<double>(v / b / b),
          static_cast<double>(c3 / (v * std::sqrt(v))) * (b < 0 ? -1 : 1),
          static_cast<double>(c4 / (v * v))};
}

/// Of the law with exponents a and b: where beta functions cancel, by quadrature.
Moments momentsOf(double a, double b) {
  return std::max(std::abs(a), std::abs(b)) < 0.05
             ? byQuadrature([&](double z) { return lambdaAt(a, b, z); })
             : byBeta(a, b);
}

/// That the law has these moments. Above a kurtosis of 100 its integral lies beyond 1e300.
bool hasMoments(const Distribution &law, const Moments &m) {
  const Moments got = byQuadrature(law);
  const double sd = m.deviation();
  return std::abs(got.mean - m.mean) < 1e-9 * sd &&
         std::abs(got.variance / m.variance - 1) < 1e-9 &&
         std::abs(got.skewness - m.skewness) < 1e-9 * (1 + std::abs(m.skewness)) &&
         (m.kurtosis > 100 || std::abs(got.kurtosis / m.kurtosis - 1) < 1e-9);
}

/// x = (1 + 4e)/(5 + 4e) of an exponent e: from -1/4 to infinity it goes from 0 to 1.
double exponentAt(double x) { return (5 * x - 1) / (4 - 4 * x); }
double placeOf(double exponent) { return (1 + 4 * exponent) / (5 + 4 * exponent); }

/// Whether any member has this skewness and kurtosis, by brute force: the the 24 nearest of 20,000
/// members, and from each steps towards it in coordinates of its own. The least distance found.
class Search {
public:
  double least(double s, double k) const {
    std::vector<std::pair<double, const Member *>> near;
    for (const Member &x : members)
      near.emplace_back(distance(x.moments, s, k), &x);
    const auto end = near.begin() + 24;
    std::partial_sort(near.begin(), end, near.end());
    double best = inf;
    for (auto at = near.begin(); at != end && best > 1e-7; ++at)
      best = std::min(best, descend(*at->second, s, k));
    return best;
  }

private:
  struct Member {
    double x, y; ///< places of the exponents
    Moments moments;
  };

  static bool allowed(double x, double y) {
    const double a = exponentAt(x), b = exponentAt(y);
    return a * b > 0 && std::min(a, b) >= leastExponent && std::max(a, b) <= mostExponent;
  }
  static double distance(const Moments &m, double s, double k) {
    return std::abs(m.skewness - s) / (1 + std::abs(s)) + std::abs(std::log(m.kurtosis / k));
  }
  static Moments momentsAt(double x, double y) { return momentsOf(exponentAt(x), exponentAt(y)); }

  static double descend(Member at, double s, double k) {
    double best = distance(at.moments, s, k);
    for (int i = 0; i < 30 && best > 1e-7; ++i) {
      constexpr double h = 1e-5;
      const Moments &m = at.moments, X = momentsAt(at.x + h, at.y), Y = momentsAt(at.x, at.y + h);
      const double sx = (X.skewness - m.skewness) / h, sy = (Y.skewness - m.skewness) / h;
      const double kx = std::log(X.kurtosis / m.kurtosis) / h,
                   ky = std::log(Y.kurtosis / m.kurtosis) / h;
      const double ds = s - m.skewness, dk = std::log(k / m.kurtosis), det = sx * ky - sy * kx;
      const double dx = (ds * ky - dk * sy) / det, dy = (sx * dk - kx * ds) / det;
      const double before = best;
      for (double part = 1; part > 1e-4 && !(best < before); part /= 2)
        if (const double x = at.x + part * dx, y = at.y + part * dy; allowed(x, y)) {
          const Moments there = momentsAt(x, y);
          if (const double d = distance(there, s, k); d < best)
            best = d, at = {x, y, there};
        }
      if (!(best < before))
        break;
    }
    return best;
  }

  std::vector<Member> members = [] {
    std::vector<Member> m;
    const auto add = [&](double low, double high, int n) {
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          const double x = low + (high - low) * i / (n - 1), y = low + (high - low) * j / (n - 1);
          m.push_back({x, y, momentsOf(exponentAt(x), exponentAt(y))});
        }
    };
    add(placeOf(leastExponent), placeOf(-1e-4), 60);
    add(placeOf(1e-4), placeOf(mostExponent), 130);
    return m;
  }();
};

/// Skewness and kurtosis, for a skewness above 0, of the law of one power, -(1-u)^b.
Moments onePower(double b) {
  const Moments m = momentsOf(0, b);
  return {0, 1, std::abs(m.skewness), m.kurtosis};
}

} // namespace

TEST(Lambda, GoldenLawsAreFoundAgain) {
  for (const Row &r : readCsv("gld.csv")) {
    if (r.at("kind") != "RS")
      continue;
    SCOPED_TRACE(r.at("l3") + " " + r.at("l4"));
    const Moments m{std::stod(r.at("mean")), std::stod(r.at("var")), std::stod(r.at("skew")),
                    std::stod(r.at("kurt"))};
    const Result<DistributionPtr> law = fitLambda(m, line);
    ASSERT_TRUE(law) << law.error().text;
    // (0.3, 0.6) shares its moments with (0.168, 0.681): the least larger exponent is taken.
    const double sd = m.deviation();
    const std::pair<double, std::string> quantiles[] = {
        {0.001, "q001"}, {0.1, "q10"}, {0.5, "q50"}, {0.9, "q90"}, {0.999, "q999"}};
    for (const auto &[p, column] : quantiles)
      EXPECT_NEAR((*law)->quantile(p), std::stod(r.at(column)), 1e-8 * sd) << column;
    for (const double N : {2.0, 64.0, 10000.0}) {
      const Task task[] = {{*law, N}};
      const Result<Join> y = joinLast(0, task);
      const std::string name = "max" + std::to_string(static_cast<int>(N)) + "_m1";
      EXPECT_NEAR(y->raw.m1, std::stod(r.at(name)), 1e-7 * sd) << name;
    }
  }
}

TEST(Lambda, EveryMemberIsFoundAgain) {
  // Members with exponents from -0.2499 to 40: of both signs of the skewness, symmetric ones, those
  // next to one power alone and next to b = 0.
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> U(0, 1);
  const int members = full ? 500000 : 5000;
  int wrong = 0;
  for (int i = 0; i < members && wrong < 5; ++i) {
    const double tiny = std::pow(10, -8 * U(random)), kind = U(random);
    const double low = placeOf(leastExponent), high = placeOf(mostExponent);
    double b = exponentAt(low + (high - low) * (kind < 0.3 ? 0.1 : 1) * U(random));
    if (kind > 0.9)
      b *= tiny;
    const double ratio = kind < 0.35   ? U(random)
                         : kind < 0.4  ? tiny
                         : kind < 0.45 ? 1 - tiny
                         : kind < 0.5  ? 1
                                       : U(random);
    const double a = b * ratio;
    const Moments standard = momentsOf(a, b);
    const double sign = U(random) < 0.5 ? 1 : -1;
    const Moments m{5, 4, sign * standard.skewness, standard.kurtosis};
    const Result<DistributionPtr> law = fitLambda(m, line);
    bool good = law && hasMoments(**law, m);
    // Where both exponents are negative no other member has these moments.
    for (const double z : {-7.0, -1.0, 0.0, 3.0})
      if (good && b < -1e-6) {
        const double e = std::exp(sign * z), x = (*law)->quantile(e / (1 + e));
        const double want = (lambdaAt(a, b, z) - standard.mean) / std::sqrt(standard.variance);
        good = std::abs((x - 5) / 2 - sign * want) < 1e-6;
      }
    EXPECT_TRUE(good) << exact(a) << " " << exact(b) << " " << exact(m.skewness) << " "
                      << exact(m.kurtosis) << " " << (law ? "" : law.error().text);
    wrong += !good;
  }
}

TEST(Lambda, AVerdictOverThePlane) {
  // Every pair gets a law that has its moments, or a reason; for some of each the verdict is held
  // against the search.
  const Search search;
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> U(0, 1);
  const int pairs = full ? 500000 : 5000, checked = full ? 2000 : 60;
  int laws = 0, refused = 0, wrong = 0;
  for (int i = 0; i < pairs && wrong < 5; ++i) {
    const double s = U(random) < 0.1 ? 0 : (U(random) < 0.5 ? -1 : 1) * 8 * std::pow(U(random), 2);
    const Moments m{0, 1, s, (1 + s * s) * (1 + std::pow(10, U(random) * 5 - 3))};
    const Result<DistributionPtr> law = fitLambda(m, line);
    const int before = law ? laws++ : refused++;
    bool good = law ? hasMoments(**law, m) : !law.error().text.empty();
    if (before < checked)
      good = good && (search.least(s, m.kurtosis) <= 1e-7) == bool(law);
    EXPECT_TRUE(good) << exact(s) << " " << exact(m.kurtosis) << " "
                      << (law ? "law" : law.error().text) << " " << search.least(s, m.kurtosis);
    wrong += !good;
  }
  EXPECT_GT(laws, pairs / 3);
  EXPECT_GT(refused, pairs / 10);
}

TEST(Lambda, WhereItsRegionEnds) {
  const auto has = [](double s, double k) {
    return fitLambda({0, 1, s, k}, line) && fitLambda({0, 1, -s, k}, line);
  };
  // From a skewness of 0.25 on the least kurtosis is that of one power b > 1 ...
  for (const double b : {1.3, 2.0, 4.0, 6.4, 12.0, 30.0, 39.0}) {
    const Moments m = onePower(b);
    EXPECT_TRUE(has(m.skewness, m.kurtosis)) << b;
    EXPECT_TRUE(has(m.skewness, m.kurtosis * (1 + 1e-6))) << b;
    EXPECT_FALSE(has(m.skewness, m.kurtosis * (1 - 1e-6))) << b;
  }
  // ... and above a skewness of 2, members with negative exponents begin at one power b < 0, with
  // nothing just below.
  for (const double b : {-0.001, -0.05, -0.1, -0.2, -0.24}) {
    const Moments m = onePower(b);
    EXPECT_TRUE(has(m.skewness, m.kurtosis)) << b;
    EXPECT_TRUE(has(m.skewness, m.kurtosis * (1 + 1e-6))) << b;
    EXPECT_FALSE(has(m.skewness, m.kurtosis * (1 - 1e-6))) << b;
  }
  // Skewness, from which kurtosis, and the gap: figures of docs/09-percentiles-and-bounds.md.
  const struct {
    double s, from, gapFrom, gapTo;
  } table[] = {
      {0, 1.75263, 0, 0},       {0.5, 1.98213, 0, 0},          {1, 2.77658, 0, 0},
      {2, 6.11171, 8.81777, 9}, {3, 11.723, 15.0805, 20.7199}, {5, 29.7141, 31.7276, 98.4948}};
  for (const auto &[s, from, gapFrom, gapTo] : table) {
    EXPECT_FALSE(has(s, from * (1 - 1e-5))) << s;
    EXPECT_TRUE(has(s, from * (1 + 1e-5))) << s;
    if (gapTo > 0) {
      EXPECT_TRUE(has(s, gapFrom * (1 - 1e-5))) << s;
      EXPECT_FALSE(has(s, gapFrom * (1 + 1e-5))) << s;
      EXPECT_FALSE(has(s, gapTo * (1 - 1e-5))) << s;
    }
    EXPECT_TRUE(has(s, std::max(gapTo, from) * (1 + 1e-5))) << s;
    EXPECT_TRUE(has(s, 7000)) << s;
  }
  EXPECT_FALSE(has(0, 14000));
  EXPECT_FALSE(has(7.1, 1e5));
}

TEST(Lambda, LimitsOfTheFamilyAreMembers) {
  // Both exponents 0: the exponential and the logistic law; one power: the uniform law.
  const DistributionPtr exponential = *fitLambda({3, 9, 2, 9}, line),
                        mirrored = *fitLambda({-3, 9, -2, 9}, line),
                        logistic = *fitLambda({0, 1, 0, 4.2}, line),
                        uniform = *fitLambda({0.5, 1.0 / 12, 0, 1.8}, line);
  const double unit = std::sqrt(3) / 3.14159265358979323846;
  for (const double q : {1e-12, 1e-4, 0.3, 0.9}) {
    EXPECT_NEAR(exponential->upperQuantile(q), -3 * std::log(q), 1e-9);
    EXPECT_NEAR(mirrored->quantile(q), 3 * std::log(q), 1e-9);
    EXPECT_NEAR(logistic->upperQuantile(q), unit * (std::log1p(-q) - std::log(q)), 1e-9);
    EXPECT_NEAR(uniform->quantile(q), q, 1e-9);
  }
  EXPECT_NEAR(exponential->support().low, 0, 1e-9);
  EXPECT_EQ(exponential->support().high, inf);
  EXPECT_NEAR(uniform->support().low, 0, 1e-9);
  EXPECT_NEAR(uniform->support().high, 1, 1e-9);
  const Task last[] = {{exponential, 1e4}};
  EXPECT_NEAR(joinLast(0, last)->raw.m1 / 3, 9.787606036044382, 1e-9); // sum of 1/i up to 10^4
}

TEST(Lambda, WithAnExponentAboveOneTheLastOfManyIsEarly) {
  // Right moments and a poor model: both ends are finite (figures of docs/09). Never automatic.
  const struct {
    double s, k, ratio;
  } table[] = {{1, 3.4, 0.78}, {2, 8, 0.69}, {2, 8.8, 0.66}, {2, 9, 1}, {2, 9.5, 0.992}};
  for (const auto &[s, k, ratio] : table) {
    const Moments m{0, 1, s, k};
    const Task is[] = {{*fitLambda(m, line), 1e4}}, pearson[] = {{*fitPearson(m, line), 1e4}};
    EXPECT_NEAR(joinLast(0, is)->raw.m1 / joinLast(0, pearson)->raw.m1, ratio, 0.005)
        << s << " " << k;
    EXPECT_EQ(fitLaw(m, line)->family, "pearson");
  }
}
