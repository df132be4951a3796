// See Workloads.h. Gauss-Legendre panels of eight points over the range where the density of the
// result is not negligible; F^{N-1} is taken from log1p(-S) in the upper tail.
#include "Workloads.h"

#include "Integral.h"
#include "quincunx/numeric/Special.h"

#include <algorithm>
#include <cmath>

namespace quincunx::published {

namespace {

Workload uniform() {
  const auto inside = [](double x) { return std::clamp(x, 0.0, 1.0); };
  return {"uniform(0,1)",
          {0.5, 1 / 12.0, 0, 1.8},
          inside,
          [=](double x) { return 1 - inside(x); },
          [](double x) { return x >= 0 && x <= 1 ? 1.0 : 0.0; },
          0,
          1};
}

Workload normal() {
  return {"normal(0,1)", {0, 1, 0, 3}, normalCdf, normalSurvival, normalDensity, -12, 12};
}

// gamma law of whole or half shape, exponential(1) for shape 1
Workload gamma(const std::string &name, double shape) {
  return {name,
          {shape, shape, 2 / std::sqrt(shape), 3 + 6 / shape},
          [=](double x) { return gammaCdf(shape, std::max(x, 0.0)); },
          [=](double x) { return gammaSurvival(shape, std::max(x, 0.0)); },
          [=](double x) { return x < 0 ? 0 : gammaDensity(shape, x); },
          0,
          80};
}

Workload logNormal(const std::string &name, double sigma) {
  // E[X^r] = e^{r^2 s^2/2}; with w = e^{s^2}: variance w(w-1), skewness (w+2)sqrt(w-1)
  const double w = std::exp(sigma * sigma);
  const auto z = [=](double x) { return std::log(x) / sigma; };
  return {name,
          {std::sqrt(w), w * (w - 1), (w + 2) * std::sqrt(w - 1), w * w * (w * (w + 2) + 3) - 3},
          [=](double x) { return x > 0 ? normalCdf(z(x)) : 0; },
          [=](double x) { return x > 0 ? normalSurvival(z(x)) : 1; },
          [=](double x) { return x > 0 ? normalDensity(z(x)) / (x * sigma) : 0; },
          0,
          std::exp(12 * sigma)};
}

Workload weibull(const std::string &name, double shape) {
  const auto m = [=](int r) { return std::tgamma(1 + r / shape); };
  const auto survival = [=](double x) { return x > 0 ? std::exp(-std::pow(x, shape)) : 1; };
  return {name,
          moments(cumulants(RawMoments{m(1), m(2), m(3), m(4)})),
          [=](double x) { return x > 0 ? -std::expm1(-std::pow(x, shape)) : 0; },
          survival,
          [=](double x) { return x > 0 ? shape * std::pow(x, shape - 1) * survival(x) : 0; },
          0,
          20};
}

Workload binomial() {
  const double n = 100, p = 0.1, v = n * p * (1 - p);
  const auto cdf = [=](double x) {
    return binomialCdf(static_cast<int64_t>(std::floor(x)), static_cast<uint64_t>(n), p);
  };
  return {"binomial(100,.1)",
          {n * p, v, (1 - 2 * p) / std::sqrt(v), 3 + (1 - 6 * p * (1 - p)) / v},
          cdf,
          [=](double x) { return 1 - cdf(x); },
          {},
          0,
          n,
          true};
}

Workload bimodal() {
  const Cumulants parts[] = {{10, 1, 0, 0}, {16, 1, 0, 0}};
  const double weights[] = {0.7, 0.3};
  const auto sum = [](double (*f)(double)) {
    return [f](double x) { return 0.7 * f(x - 10) + 0.3 * f(x - 16); };
  };
  return {"bimodal",
          moments(mixture(parts, weights)),
          sum(normalCdf),
          sum(normalSurvival),
          sum(normalDensity),
          -2,
          28};
}

// sum of weight(x) x^r over Gauss-Legendre nodes of `panels` equal panels of [low, high]
template <class Weight>
void integrate(RawMoments &m, double low, double high, int panels, const Weight &weight) {
  static constexpr double at[] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                  0.9602898564975363};
  static constexpr double share[] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                     0.1012285362903763};
  const double half = (high - low) / panels / 2;
  for (int k = 0; k < panels; ++k) {
    const double middle = low + (2 * k + 1) * half;
    for (size_t i = 0; i < 4; ++i)
      for (const double x : {middle - half * at[i], middle + half * at[i]})
        addPowers(m, half * share[i] * weight(x), x);
  }
}

double logCdf(const Workload &w, double x) {
  const double S = w.survival(x);
  return S < 0.5 ? std::log1p(-S) : std::log(w.cdf(x));
}

// P(Y >= k) = 1 - (1 - P(X >= k))^N
RawMoments exactLattice(const Workload &w, double N) {
  RawMoments m;
  for (int k = 1; k <= static_cast<int>(w.high); ++k) {
    const double p = -std::expm1(N * std::log1p(-w.survival(k - 1)));
    addPowers(m, p, k);
    addPowers(m, -p, k - 1);
  }
  return m;
}

} // namespace

std::vector<Workload> workloads() {
  return {uniform(),
          normal(),
          gamma("exponential(1)", 1),
          gamma("gamma(2)", 2),
          logNormal("lognormal(0,.25)", 0.25),
          logNormal("lognormal(0,.5)", 0.5),
          weibull("weibull(1.5)", 1.5),
          binomial(),
          bimodal()};
}

Workload standardised(const Workload &x) {
  const double mean = x.moments.mean, sd = x.moments.deviation();
  const auto at = [=](const std::function<double(double)> &f, double scale) {
    return [=](double z) { return scale * f(mean + sd * z); };
  };
  return {x.name + " standardised",
          {0, 1, x.moments.skewness, x.moments.kurtosis},
          at(x.cdf, 1),
          at(x.survival, 1),
          at(x.density, sd),
          (x.low - mean) / sd,
          (x.high - mean) / sd};
}

RawMoments exactLast(const Workload &w, double N) {
  if (w.lattice)
    return exactLattice(w, N);
  double low = w.low, high = w.high; // below `low` the result is as good as never
  for (double a = low, b = high; b - a > 1e-3 * (w.high - w.low);) {
    const double x = (a + b) / 2;
    (N * logCdf(w, x) < -80 ? a : b) = x;
    low = a;
  }
  RawMoments m;
  integrate(m, low, high, 4000, [&](double x) {
    const double f = w.density(x);
    return f == 0 ? 0 : N * f * std::exp((N - 1) * logCdf(w, x));
  });
  return m;
}

RawMoments exactLast(const Workload &x1, const Workload &x2) {
  std::array<double, 4> edge{x1.low, x1.high, x2.low, x2.high};
  std::ranges::sort(edge);
  RawMoments m;
  for (size_t i = 0; i < 3; ++i)
    if (edge[i] < edge[i + 1])
      integrate(m, edge[i], edge[i + 1], 2000,
                [&](double x) { return x1.density(x) * x2.cdf(x) + x2.density(x) * x1.cdf(x); });
  return m;
}

} // namespace quincunx::published
