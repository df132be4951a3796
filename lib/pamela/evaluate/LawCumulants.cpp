// Laws by their cumulants, from closed forms.
// The idea: exponential, gamma, normal and uniform laws are the ones that are fitted to their
// cumulants; a lognormal one is Johnson's; others take a few values. Reference: docs/12-pamela.md.
#include "LawCumulants.h"

#include "LawArithmetic.h"
#include "quincunx/base/Text.h"
#include "quincunx/dist/Families.h"

#include <cmath>
#include <string>
#include <vector>

namespace quincunx::pamela {

namespace {

Cumulants uniform(double a, double b) {
  const double w = b - a, w2 = w * w;
  return {a + w / 2, w2 / 12, 0, -w2 * w2 / 120};
}

/// k_r = (r - 1)! shape scale^r.
Cumulants gamma(double mean, double sd) {
  const double variance = sd * sd, scale = variance / mean;
  return {mean, variance, 2 * variance * scale, 6 * variance * scale * scale};
}

Cumulants lognormal(double mean, double sd) {
  const double ratio = sd / mean, c = 1 + ratio * ratio, variance = sd * sd;
  return {mean, variance, (c + 2) * ratio * variance * sd,
          (((c + 2) * c + 3) * c * c - 6) * variance * variance};
}

Cumulants bernoulli(double p) {
  const double v = p * (1 - p);
  return {p, v, v * (1 - 2 * p), v * (1 - 6 * v)};
}

Result<Cumulants> histogram(std::span<const double> pairs) {
  std::vector<double> weights;
  std::vector<Cumulants> values;
  double sum = 0;
  for (size_t i = 0; i + 1 < pairs.size(); i += 2) {
    if (!(pairs[i + 1] >= 0))
      return Error{"a weight of a histogram is below 0"};
    values.push_back({pairs[i], 0, 0, 0});
    weights.push_back(pairs[i + 1]);
    sum += pairs[i + 1];
  }
  if (!(sum > 0))
    return Error{"a histogram needs a weight above 0"};
  return mixture(values, weights);
}

Result<Cumulants> lawOf(std::string_view name, std::span<const double> a) {
  const bool spread = name == "normal" || name == "gamma" || name == "lognormal";
  if (spread && !(a[1] >= 0))
    return Error{"a standard deviation is below 0"};
  if ((name == "gamma" || name == "lognormal") && !(a[0] > 0))
    return Error{"the mean of " + std::string(name) + " is not above 0"};
  if (name == "moments") {
    if (!(a[1] >= 0))
      return Error{"a variance is below 0"};
    return cumulants(Moments{a[0], a[1], a[2], a[3]});
  }
  if (name == "exponential") {
    if (!(a[0] >= 0))
      return Error{"the mean of exponential is below 0"};
    return a[0] == 0 ? Cumulants{} : gamma(a[0], a[0]);
  }
  if (name == "normal")
    return Cumulants{a[0], a[1] * a[1], 0, 0};
  if (name == "uniform") {
    if (!(a[0] <= a[1]))
      return Error{"uniform from " + exact(a[0]) + " to " + exact(a[1]) +
                   ": ends are in ascending order"};
    return uniform(a[0], a[1]);
  }
  if (name == "gamma")
    return gamma(a[0], a[1]);
  if (name == "lognormal")
    return lognormal(a[0], a[1]);
  if (name == "bernoulli") {
    if (!(a[0] >= 0 && a[0] <= 1))
      return Error{exact(a[0]) + " is no probability"};
    return bernoulli(a[0]);
  }
  if (name == "histogram")
    return histogram(a);
  return Error{"'" + escape(std::string(name)) + "' is no law"};
}

} // namespace

Result<Cumulants> cumulantsOf(std::string_view name, std::span<const double> arguments) {
  for (const double x : arguments)
    if (!std::isfinite(x))
      return Error{"an argument of " + std::string(name) + " is not finite"};
  const Result<Cumulants> k = lawOf(name, arguments);
  if (!k || isFinite(*k))
    return k;
  return Error{"the moments of " + std::string(name) + " are larger than a number can be"};
}

Result<RandomNumber> numberOf(std::string_view name, std::span<const double> a) {
  const Result<Cumulants> k = cumulantsOf(name, a);
  if (!k)
    return k.error();
  if (isConstant(*k) || name == "moments")
    return RandomNumber(*k);
  if (name == "bernoulli")
    return withLaw(*k, {{1 - a[0], {}, nullptr, true}, {a[0], {1, 0, 0, 0}, nullptr, true}});
  std::vector<LawPart> parts;
  if (name == "histogram") {
    double sum = 0;
    for (size_t i = 1; i < a.size(); i += 2)
      sum += a[i];
    for (size_t i = 0; i + 1 < a.size(); i += 2)
      parts.push_back({a[i + 1] / sum, {a[i], 0, 0, 0}, nullptr, true});
    return withLaw(*k, std::move(parts));
  }
  DistributionPtr law;
  if (name == "lognormal") {
    const Result<DistributionPtr> johnson = fitJohnson(moments(*k), {});
    if (!johnson)
      return RandomNumber(*k);
    law = *johnson;
  }
  return withLaw(*k, {{1, *k, law, true}});
}

} // namespace quincunx::pamela
