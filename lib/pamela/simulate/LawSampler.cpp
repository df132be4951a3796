// Draws from the laws of the language.
// The idea: see LawSampler.h. A fitted law is kept relative to its mean, so that moments(i, i*i, 2,
// 9) is one table for all i. It does not know where a law stands in a model. Reference:
// docs/12-pamela.md.
#include "LawSampler.h"
#include "base/Infinity.h"

#include "quincunx/base/Text.h"
#include "quincunx/dist/Families.h"
#include "quincunx/dist/Fit.h"

#include <algorithm>
#include <array>

namespace quincunx::pamela {

namespace {
constexpr size_t tableSteps = 4096, outer = 16;
/// Draws after which a table is worth its making.
constexpr uint32_t often = 1000;
constexpr size_t maxKept = 4096;

struct Row {
  const char *name;
  const char *arguments;
  size_t count; ///< 0: pairs
};
constexpr std::array<Row, 8> rows{{
    {"moments", "mean, variance, skewness, kurtosis", 4},
    {"exponential", "mean", 1},
    {"normal", "mean, deviation", 2},
    {"uniform", "low, high", 2},
    {"gamma", "mean, deviation", 2},
    {"lognormal", "mean, deviation", 2},
    {"bernoulli", "probability", 1},
    {"histogram", "value, weight, ...", 0},
}};

std::string text(LawKind kind, std::span<const double> parameters) {
  std::string out = rows[static_cast<size_t>(kind)].name + std::string("(");
  for (size_t i = 0; i < parameters.size(); ++i)
    out += (i == 0 ? "" : ", ") + exact(parameters[i]);
  return out + ")";
}

/// One of the conditions on parameters, and what to say when it fails.
std::optional<Error> refuse(LawKind kind, std::span<const double> p) {
  const auto fails = [&](const char *why) { return Error{text(kind, p) + " " + why}; };
  for (const double x : p)
    if (!std::isfinite(x))
      return fails("has a parameter that is not finite");
  switch (kind) {
  case LawKind::exponential:
    return p[0] < 0 ? std::optional(fails("needs a mean of 0 or more")) : std::nullopt;
  case LawKind::normal:
    return p[1] < 0 ? std::optional(fails("needs a deviation of 0 or more")) : std::nullopt;
  case LawKind::uniform:
    return p[0] > p[1] ? std::optional(fails("needs ends in ascending order")) : std::nullopt;
  case LawKind::gamma:
  case LawKind::lognormal:
    if (p[0] > 0 && !std::isfinite(p[1] / p[0] * (p[1] / p[0])))
      return fails("has a deviation that is too large");
    return p[0] <= 0 || p[1] < 0
               ? std::optional(fails("needs a mean above 0 and a deviation of 0 or more"))
               : std::nullopt;
  case LawKind::bernoulli:
    return p[0] < 0 || p[0] > 1 ? std::optional(fails("needs a probability")) : std::nullopt;
  case LawKind::moments:
    return p[0] < 0 || p[1] < 0
               ? std::optional(fails("cannot be drawn: mean and variance must be 0 or more"))
               : std::nullopt;
  case LawKind::histogram:
    break;
  }
  double sum = 0;
  for (size_t i = 1; i < p.size(); i += 2) {
    if (p[i] < 0)
      return fails("has a weight below 0");
    sum += p[i];
  }
  return sum <= 0 ? std::optional(fails("needs a weight above 0")) : std::nullopt;
}
} // namespace

InverseCdf::InverseCdf(std::function<double(double)> quantile, bool withSteps)
    : exact(std::move(quantile)), steps(withSteps) {}

double InverseCdf::operator()(double u) {
  const double at = u * tableSteps;
  if (places.empty() || at < outer || at >= tableSteps - outer) {
    if (places.empty() && !steps && ++asked > often) {
      places.resize(tableSteps + 1);
      for (size_t i = outer; i <= tableSteps - outer; ++i)
        places[i] = exact(static_cast<double>(i) / tableSteps);
    }
    return exact(u);
  }
  const auto i = static_cast<size_t>(at);
  return places[i] + (at - static_cast<double>(i)) * (places[i + 1] - places[i]);
}

std::optional<LawKind> lawKind(std::string_view name) {
  for (size_t i = 0; i < rows.size(); ++i)
    if (name == rows[i].name)
      return static_cast<LawKind>(i);
  return std::nullopt;
}

std::optional<Error> checkCount(LawKind kind, size_t arguments) {
  const Row &row = rows[static_cast<size_t>(kind)];
  if (row.count == 0 ? arguments != 0 && arguments % 2 == 0 : arguments == row.count)
    return std::nullopt;
  return Error{std::string(row.name) + " takes (" + row.arguments + "), not " +
               std::to_string(arguments) + " arguments"};
}

double LawSampler::draw(Random &random) const {
  const double u = random.next();
  switch (kind) {
  case LawKind::exponential:
    return -a * std::log(u);
  case LawKind::normal:
    return a + b * (*inverse)(u);
  case LawKind::uniform:
    return a + b * u;
  case LawKind::lognormal:
    return std::exp(a + b * (*inverse)(u));
  case LawKind::bernoulli:
    return u < a ? 1 : 0;
  case LawKind::moments:
  case LawKind::gamma:
    return inverse ? a * (*inverse)(u) : a;
  case LawKind::histogram:
    break;
  }
  const auto i = std::upper_bound(cumulative.begin(), cumulative.end() - 1, u * cumulative.back());
  return places[static_cast<size_t>(i - cumulative.begin())];
}

/// {mean, variance, skewness, kurtosis}, the variance above 0.
Status LawSamplers::fit(LawSampler &law, std::span<const double> m) {
  if (m[0] == 0)
    return Error{text(LawKind::moments, m) + " cannot be drawn: a time with mean 0 has variance 0"};
  law.a = m[0];
  const std::vector<double> key{m[1] / (m[0] * m[0]), m[2], m[3]};
  if (kept.size() > maxKept)
    kept.clear();
  std::shared_ptr<InverseCdf> &entry = kept[key];
  if (!entry) {
    const Projected possible = project({1, key[0], key[1], key[2]});
    if (possible.changed && notes.size() < 8)
      notes.push_back(text(LawKind::moments, m) + ": no law has these; drawn with kurtosis " +
                      exact(possible.moments.kurtosis));
    // A law on [0, inf) has E[X] E[X^3] >= E[X^2]^2 (Cauchy-Schwarz for X^(1/2) and X^(3/2)).
    const double ratio = std::sqrt(key[0]);
    if (m[2] < ratio - 1 / ratio - 1e-9 && notes.size() < 8)
      notes.push_back(text(LawKind::moments, m) +
                      ": no law on [0, inf) has these; drawn below 0, too, and a time below 0 "
                      "counts as 0");
    const Result<Fit> found = fitLaw(possible.moments, {0, inf});
    if (!found)
      return Error{text(LawKind::moments, m) + " cannot be drawn: " + found.error().text};
    const bool stepped = !found->law->density(found->law->quantile(0.5)).has_value();
    entry = std::make_shared<InverseCdf>([l = found->law](double u) { return l->quantile(u); },
                                         stepped);
  }
  law.inverse = entry;
  return Done{};
}

Result<LawSampler> LawSamplers::make(LawKind kind, std::span<const double> p) {
  if (std::optional<Error> error = refuse(kind, p))
    return *error;
  LawSampler law;
  law.kind = kind;
  law.a = p[0];
  const double relative = kind == LawKind::gamma || kind == LawKind::lognormal ? p[1] / p[0] : 0;
  if (kind == LawKind::normal || kind == LawKind::lognormal)
    law.inverse = standardNormal;
  if (kind == LawKind::normal) {
    law.b = p[1];
  } else if (kind == LawKind::uniform) {
    law.b = p[1] - p[0];
  } else if (kind == LawKind::lognormal) { // of ln X: deviation b, mean a
    law.b = std::sqrt(std::log1p(relative * relative));
    law.a = std::log(p[0]) - law.b * law.b / 2;
  } else if (kind == LawKind::gamma && p[1] > 0) {
    // Four moments of a gamma law have that law as their Pearson law.
    const double moments[] = {p[0], p[1] * p[1], 2 * relative, 3 + 6 * relative * relative};
    if (const Status s = fit(law, moments); !s)
      return s.error();
  } else if (kind == LawKind::moments && p[1] > 0) {
    if (const Status s = fit(law, p); !s)
      return s.error();
  } else if (kind == LawKind::histogram) {
    double sum = 0;
    for (size_t i = 0; i + 1 < p.size(); i += 2)
      if (p[i + 1] > 0) {
        law.places.push_back(p[i]);
        law.cumulative.push_back(sum += p[i + 1]);
      }
  }
  return law;
}

} // namespace quincunx::pamela
