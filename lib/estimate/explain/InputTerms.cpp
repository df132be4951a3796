// From features of runs to columns.
// The idea: a flag or one of few numbers is a condition (it is that value); many numbers are a
// size, which costs follow by a power (few of them: exponentially, too), and which may have a limit
// beyond which something else happens. Two conditions, and growth under a condition, are pairs. It
// tests nothing.
#include "InputTerms.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace quincunx {

namespace {

constexpr size_t leastOfEither = 3; ///< in which a condition holds, and does not
constexpr size_t mostLevels = 20, mostPairLevels = 8, mostLimits = 200, limitsOfPairs = 3;
constexpr size_t mostCells = 2'000'000; ///< numbers in columns: pairs beyond are left out

bool isSize(const InputFeature &f) { return f.texts.empty() && f.values.size() > 2; }
bool isPositive(const InputFeature &f) { return f.values.front() >= 0; }

std::optional<InputTerm> conditionOf(std::vector<InputCondition> where, std::vector<double> holds) {
  InputTerm term;
  for (const double h : holds)
    term.effect.runs += h != 0;
  if (term.effect.runs < leastOfEither || holds.size() - term.effect.runs < leastOfEither)
    return std::nullopt;
  term.effect.where = std::move(where);
  term.columns.push_back(std::move(holds));
  return term;
}

std::optional<InputTerm> condition(const InputFeature &f, InputCondition::Kind kind, double value) {
  std::vector<double> holds;
  for (const double x : f.of)
    holds.push_back(kind == InputCondition::Kind::equals ? x == value : x >= value);
  const std::string text = f.texts.empty() ? "" : f.texts[static_cast<size_t>(value)];
  return conditionOf({{f.name, kind, value, text}}, std::move(holds));
}

/// That it is one of its values; of two numbers the larger one says all.
std::vector<InputTerm> levels(const InputFeature &f, size_t most) {
  std::vector<InputTerm> out;
  if (f.values.size() <= most)
    for (size_t v = f.values.size() == 2 && f.texts.empty(); v < f.values.size(); ++v)
      if (auto term = condition(f, InputCondition::Kind::equals, f.values[v]))
        out.push_back(std::move(*term));
  return out;
}

/// That it is beyond one of so many limits, or of all that there are.
std::vector<InputTerm> limits(const InputFeature &f, size_t most) {
  std::vector<InputTerm> out;
  if (!isSize(f))
    return out;
  std::vector<double> sorted = f.of;
  std::sort(sorted.begin(), sorted.end());
  std::set<double> cuts;
  for (size_t i = 1; i <= most; ++i)
    cuts.insert(sorted[i * (sorted.size() - 1) / (most + 1)]);
  if (f.values.size() <= most)
    cuts.insert(f.values.begin(), f.values.end());
  for (const double cut : cuts)
    if (auto term = condition(f, InputCondition::Kind::atLeast, cut))
      out.push_back(std::move(*term));
  return out;
}

void append(std::vector<InputTerm> &out, std::vector<InputTerm> more) {
  std::move(more.begin(), more.end(), std::back_inserter(out));
}

/// ln of the feature, or of 1 + it, less its mean.
std::vector<double> logarithms(const InputFeature &f) {
  std::vector<double> out;
  double mean = 0;
  for (const double x : f.of) {
    out.push_back(f.values.front() <= 0 ? std::log1p(x) : std::log(x));
    mean += out.back() / static_cast<double>(f.of.size());
  }
  for (double &x : out)
    x -= mean;
  return out;
}

/// A power of the feature; `isCurved`: one that changes with it.
InputTerm power(const InputFeature &f, bool isCurved) {
  InputTerm term;
  term.effect.kind = InputEffect::Kind::power;
  term.effect.feature = f.name;
  term.effect.plusOne = f.values.front() <= 0;
  term.effect.runs = f.of.size();
  term.columns.push_back(logarithms(f));
  if (isCurved) {
    std::vector<double> &square = term.columns.emplace_back();
    for (const double x : term.columns.front())
      square.push_back(x * x);
  }
  return term;
}

InputTerm exponential(const InputFeature &f) {
  InputTerm term;
  term.effect.kind = InputEffect::Kind::exponential;
  term.effect.feature = f.name;
  term.effect.runs = f.of.size();
  term.columns.push_back(f.of);
  return term;
}

std::vector<double> product(const std::vector<double> &a, const std::vector<double> &b) {
  std::vector<double> out;
  for (size_t d = 0; d < a.size(); ++d)
    out.push_back(a[d] * b[d]);
  return out;
}

/// Growth where a condition holds: how much there, and the power.
InputTerm powerWhere(const InputFeature &f, const InputTerm &where) {
  InputTerm term = power(f, false);
  term.effect.where = where.effect.where;
  term.effect.runs = where.effect.runs;
  term.apart = {where.columns.front(), term.columns.front()};
  term.columns = {where.columns.front(), product(term.columns.front(), where.columns.front())};
  return term;
}

void addBoth(const InputTerm &a, const InputTerm &b, std::vector<InputTerm> &out) {
  auto term = conditionOf({a.effect.where.front(), b.effect.where.front()},
                          product(a.columns.front(), b.columns.front()));
  if (!term)
    return;
  term->apart = {a.columns.front(), b.columns.front()};
  out.push_back(std::move(*term));
}

void addPairs(const std::vector<InputFeature> &features, std::vector<InputTerm> &out) {
  const size_t runs = features.front().of.size();
  std::vector<std::vector<InputTerm>> single;
  for (const InputFeature &f : features) {
    single.push_back(levels(f, mostPairLevels));
    append(single.back(), limits(f, limitsOfPairs));
  }
  for (size_t g = 0; g < features.size(); ++g)
    for (size_t f = 0; f < features.size() && isSize(features[g]) && isPositive(features[g]); ++f)
      for (const InputTerm &where : single[f])
        if (f != g && where.effect.where.front().kind == InputCondition::Kind::equals &&
            out.size() * runs < mostCells)
          out.push_back(powerWhere(features[g], where));
  for (size_t f = 0; f < features.size(); ++f)
    for (size_t g = f + 1; g < features.size(); ++g)
      for (const InputTerm &a : single[f])
        for (const InputTerm &b : single[g])
          if (out.size() * runs < mostCells)
            addBoth(a, b, out);
}

void numberTexts(const std::vector<std::string> &perRun, InputFeature &f) {
  const std::set<std::string> distinct(perRun.begin(), perRun.end());
  f.texts.assign(distinct.begin(), distinct.end());
  f.of.clear();
  for (const std::string &text : perRun)
    f.of.push_back(static_cast<double>(std::distance(distinct.begin(), distinct.find(text))));
}

} // namespace

std::vector<InputFeature> featuresOf(const CountMatrix &matrix, std::span<const size_t> rows) {
  std::map<std::string, InputFeature> all;
  std::map<std::string, std::vector<std::string>> texts;
  for (const size_t d : rows) {
    for (const auto &[name, value] : matrix.rows[d].features) {
      all[name].of.push_back(value);
      texts[name].push_back(exact(value));
    }
    for (const auto &[name, text] : matrix.rows[d].texts) {
      all[name].texts.push_back(text);
      texts[name].push_back(text);
    }
  }
  std::vector<InputFeature> out;
  for (auto &[name, f] : all) {
    if (!f.texts.empty())
      numberTexts(texts[name], f);
    const std::set<double> values(f.of.begin(), f.of.end());
    if (f.of.size() != rows.size() || values.size() < 2)
      continue;
    f.name = name;
    f.values.assign(values.begin(), values.end());
    out.push_back(std::move(f));
  }
  return out;
}

std::vector<InputTerm> termsOf(const std::vector<InputFeature> &features) {
  std::vector<InputTerm> out;
  if (features.empty())
    return out;
  for (const InputFeature &f : features)
    append(out, levels(f, mostLevels));
  for (const InputFeature &f : features)
    if (isSize(f) && isPositive(f))
      out.push_back(power(f, false));
  for (const InputFeature &f : features)
    append(out, limits(f, mostLimits));
  for (const InputFeature &f : features)
    if (isSize(f) && f.values.size() <= mostLevels)
      out.push_back(exponential(f));
  for (const InputFeature &f : features)
    if (isSize(f) && f.values.size() > 4 && isPositive(f))
      out.push_back(power(f, true));
  addPairs(features, out);
  return out;
}

} // namespace quincunx
