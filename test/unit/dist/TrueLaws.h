// Laws with their own formulas, against which fits to their four moments are measured.
#pragma once

#include "quincunx/dist/Families.h"
#include "quincunx/dist/Mixture.h"
#include "quincunx/numeric/Special.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace quincunx::test {

/// A law on [0, inf) of which everything is a function of a normal or exponential place.
class TrueLaw final : public Distribution {
public:
  using Function = std::function<double(double)>;
  TrueLaw(Function below, Function above, Function place, double least, double most)
      : F(std::move(below)), S(std::move(above)) {
    k.push_back(0);
    for (int i = 0; i <= 50; ++i)
      k.push_back(place(least + (most - least) * i / 50));
    m = quincunx::moments(integrateCumulants(*this));
  }
  double cdf(double t) const override { return t > 0 ? F(t) : 0; }
  double survival(double t) const override { return t > 0 ? S(t) : 1; }
  double quantile(double) const override { return 0; }      // not asked for
  double upperQuantile(double) const override { return 0; } // not asked for
  std::optional<double> density(double) const override { return std::nullopt; }
  Moments moments() const override { return m; }
  Range support() const override { return {0, std::numeric_limits<double>::infinity()}; }
  std::vector<double> knots() const override { return k; }

private:
  Function F, S;
  std::vector<double> k;
  Moments m;
};

inline DistributionPtr lognormal(double sigma) {
  return std::make_shared<TrueLaw>([=](double t) { return normalCdf(std::log(t) / sigma); },
                                   [=](double t) { return normalSurvival(std::log(t) / sigma); },
                                   [=](double z) { return std::exp(sigma * z); }, -14, 16);
}

inline DistributionPtr weibull(double shape) {
  return std::make_shared<TrueLaw>([=](double t) { return -std::expm1(-std::pow(t, shape)); },
                                   [=](double t) { return std::exp(-std::pow(t, shape)); },
                                   [=](double z) { return std::exp(z / shape); }, -40, 4.2);
}

inline DistributionPtr uniform() {
  return std::make_shared<TrueLaw>([](double t) { return std::min(t, 1.0); },
                                   [](double t) { return std::max(1 - t, 0.0); },
                                   [](double z) { return z; }, 0.02, 1);
}

inline DistributionPtr gammaOfTwo() {
  return std::make_shared<TrueLaw>([](double t) { return gammaCdf(2, t); },
                                   [](double t) { return (1 + t) * std::exp(-t); },
                                   [](double z) { return std::exp(z); }, -20, 4.5);
}

struct NamedLaw {
  std::string name;
  DistributionPtr law;
  bool exact; ///< Pearson's law of its moments is the law itself
};

/// The laws of the accuracy table of docs/09-percentiles-and-bounds.md.
inline std::vector<NamedLaw> trueLaws() {
  const Range line{-std::numeric_limits<double>::infinity(),
                   std::numeric_limits<double>::infinity()};
  const std::vector<DistributionPtr> modes{*fitNormal({10, 1, 0, 3}, line),
                                           *fitNormal({16, 1, 0, 3}, line)};
  return {{"uniform(0,1)", uniform(), true},
          {"normal(0,1)", *fitNormal({0, 1, 0, 3}, line), true},
          {"exponential(1)", weibull(1), true},
          {"gamma(2)", gammaOfTwo(), true},
          {"lognormal(0,.25)", lognormal(0.25), false},
          {"lognormal(0,.5)", lognormal(0.5), false},
          {"weibull(1.5)", weibull(1.5), false},
          {"bimodal", *makeWeighted(modes, std::vector<double>{0.7, 0.3}), false}};
}

} // namespace quincunx::test
