// Shows signs and whole numbers.
// The idea: each way to show something makes another expression of it and asks that; `tries` counts
// those on the way. Reference: docs/12-pamela.md, "Symbolic results". What is assumed instead is in
// SignAssumptions.cpp.
#include "SignAnalysis.h"
#include "base/Infinity.h"

#include "Algebra.h"

#include <algorithm>
#include <cmath>

namespace quincunx::pamela {

namespace {

constexpr size_t longSum = 40;

/// Do two sums have a product with the same sign in both? Otherwise all terms of the one are still
/// there, or larger, when the other is taken away, and nothing is shown by that.
bool sharesTerm(const Expression &a, const Expression &b) {
  if (b.form != Form::sum)
    return false;
  for (size_t i = 0, k = 0; i < a.args.size() && k < b.args.size();) {
    if (a.args[i] == b.args[k] && a.args[i] != Algebra::one &&
        (a.weights[i].value() < 0) == (b.weights[k].value() < 0))
      return true;
    if (a.args[i] < b.args[k])
      ++i;
    else
      ++k;
  }
  return false;
}

bool calls(const Expression &e, std::initializer_list<std::string_view> names) {
  return e.op == Op::call && std::find(names.begin(), names.end(), e.text) != names.end();
}

} // namespace

// Bounds from below.

double SignAnalysis::lower(Id id, int tries) {
  const Expression &e = all[id];
  if (e.random)
    return -inf;
  switch (e.form) {
  case Form::number:
    return all.value(id);
  case Form::parameter: {
    const auto at = known.lowest.find(id);
    return at == known.lowest.end() ? -inf : at->second;
  }
  case Form::index:
    return lower(e.args[0], tries);
  case Form::sum:
    return lowerOfSum(e, tries);
  case Form::product:
    return lowerOfProduct(e, tries);
  case Form::function:
    return lowerOfFunction(id, tries);
  default:
    return nonnegative(id, tries) ? 0 : -inf;
  }
}

double SignAnalysis::lowerOfSum(const Expression &e, int tries) {
  double sum = 0;
  for (size_t i = 0; i < e.args.size(); ++i) {
    const bool constant = e.args[i] == Algebra::one;
    const double w = e.weights[i].value(), x = constant ? 1 : lower(e.args[i], tries);
    if (!constant && (w < 0 || x == -inf))
      return -inf;
    sum += w * x;
  }
  return sum;
}

double SignAnalysis::lowerOfProduct(const Expression &e, int tries) {
  double product = 1;
  for (size_t i = 0; i < e.args.size(); ++i) {
    const double x = lower(e.args[i], tries), k = e.weights[i].value();
    if (x < 0)
      return -inf;
    product *= k > 0 ? std::pow(x, k) : 0;
  }
  return product;
}

double SignAnalysis::lowerOfFunction(Id id, int tries) {
  const Expression &e = all[id];
  if (calls(e, {"max", "min"})) {
    double bound = lower(e.args[0], tries);
    for (const Id a : e.args)
      bound = e.text == "max" ? std::max(bound, lower(a, tries)) : std::min(bound, lower(a, tries));
    return bound;
  }
  if (e.op == Op::power && lower(e.args[0], tries + 1) >= 1 && nonnegative(e.args[1], tries + 1))
    return 1;
  if (calls(e, {"ceil", "gcd"}))
    for (const Id a : e.args)
      if (positive(a, tries + 1))
        return 1;
  return nonnegative(id, tries) ? 0 : -inf;
}

// Signs.

bool SignAnalysis::nonnegative(Id id, int tries) {
  const Expression &e = all[id];
  if (e.form == Form::number)
    return all.value(id) >= 0;
  if (e.random || known.proven.contains(id))
    return !e.random;
  const auto before = known.open.find(id);
  if (tries > maxTries ||
      (before != known.open.end() && before->second.first == known.assumptions.size() &&
       before->second.second <= tries))
    return false;
  const bool good = showNonnegative(id, tries);
  if (good)
    known.proven.insert(id);
  else
    known.open[id] = {known.assumptions.size(), tries};
  return good;
}

bool SignAnalysis::showNonnegative(Id id, int tries) {
  const Expression &e = all[id];
  switch (e.form) {
  case Form::parameter:
    return lower(id, tries) >= 0;
  case Form::index:
    return nonnegative(e.args[0], tries + 1);
  case Form::sum:
    return nonnegativeSum(id, tries);
  case Form::product:
    for (size_t i = 0; i < e.args.size(); ++i)
      if (std::fmod(e.weights[i].value(), 2) != 0 && !nonnegative(e.args[i], tries + 1))
        return false;
    return true;
  case Form::reduce:
    return nonnegative(e.args[1], tries + 1);
  case Form::function:
    return nonnegativeFunction(id, tries);
  default:
    return false;
  }
}

bool SignAnalysis::nonnegativeFunction(Id id, int tries) {
  const Expression &e = all[id];
  const auto isNonnegative = [&](Id a) { return nonnegative(a, tries + 1); };
  if (all.isTruth(id) || calls(e, {"abs", "sqrt", "exp", "gcd"}))
    return true;
  if (e.op == Op::branch)
    return std::all_of(e.args.begin() + 1, e.args.end(), isNonnegative);
  if (e.op == Op::mod)
    return isNonnegative(e.args[1]);
  if (calls(e, {"max"}))
    return std::any_of(e.args.begin(), e.args.end(), isNonnegative);
  if (e.op == Op::div || e.op == Op::power || calls(e, {"floor", "ceil", "min"}))
    return std::all_of(e.args.begin(), e.args.end(), isNonnegative);
  return false;
}

bool SignAnalysis::nonnegativeSum(Id id, int tries) {
  const Expression &e = all[id];
  bool plain = true;
  for (size_t i = 0; plain && i < e.args.size(); ++i)
    plain = e.weights[i].value() >= 0 && nonnegative(e.args[i], tries + 1);
  if (plain)
    return true;
  if (e.args.size() > longSum || tries >= maxTries)
    return false;
  if (const Id v = all.deepestIndex(id); v != Algebra::nothing && all.degree(id, v) == 1)
    return nonnegative(all.substitute(id, v, all.from(v)), tries + 1) &&
           nonnegative(all.substitute(id, v, all.to(v)), tries + 1);
  // Divisors that are above 0 are multiplied away, lower bounds are taken out.
  Shift shift;
  if (!findShift(e, tries, shift))
    return false;
  if (shift.divisors != Algebra::one)
    return nonnegative(all.multiply(id, shift.divisors), tries + 2);
  if (!shift.shifted.empty() && nonnegative(applied(shift, e), tries + 2))
    return true;
  return aboveAssumption(id, tries);
}

bool SignAnalysis::findShift(const Expression &sum, int tries, Shift &shift) {
  for (const Id product : sum.args)
    for (const auto &[f, k] : all.factorsOf(product)) {
      if (k < 0) {
        if (!positive(f, tries + 1))
          return false;
        shift.divisors = all.multiply(shift.divisors, f);
      }
      const double low = lower(f, tries + 1);
      if (low > 0 && std::isfinite(low) && all[f].form != Form::sum && !shift.shifted.contains(f)) {
        const Id rest = all.parameter("#" + std::to_string(f), false);
        known.lowest[rest] = 0;
        shift.shifted[f] = all.add(all.number(low), rest);
      }
    }
  return true;
}

Id SignAnalysis::applied(const Shift &shift, const Expression &sum) {
  std::vector<Id> parts;
  for (size_t t = 0; t < sum.args.size(); ++t) {
    Id product = all.number(sum.weights[t]);
    for (const auto &[f, k] : all.factorsOf(sum.args[t])) {
      const auto at = shift.shifted.find(f);
      product = all.multiply(product, all.power(at == shift.shifted.end() ? f : at->second, k));
    }
    parts.push_back(product);
  }
  return all.add(parts);
}

bool SignAnalysis::aboveAssumption(Id id, int tries) {
  const Expression &e = all[id];
  const size_t taken = known.assumptions.size(); // rules that are tried may add to them
  for (size_t i = 0; i < taken; ++i)
    if (const Assumption a = known.assumptions[i]; !a.whole && a.e != id &&
                                                   sharesTerm(e, all[a.e]) &&
                                                   nonnegative(all.subtract(id, a.e), tries + 3))
      return true;
  return false;
}

bool SignAnalysis::positive(Id id, int tries) {
  const Expression &e = all[id];
  if (e.form == Form::number)
    return all.value(id) > 0;
  if (e.random || tries > maxTries)
    return false;
  if (e.form == Form::product)
    return std::all_of(e.args.begin(), e.args.end(), [&](Id a) { return positive(a, tries + 1); });
  if (lower(id, tries + 1) > 0)
    return true;
  if (e.form == Form::sum && e.args[0] == Algebra::one && e.weights[0].value() > 0)
    return nonnegative(all.subtract(id, all.number(e.weights[0])), tries + 1);
  if (const Id shared = e.form == Form::sum ? all.sharedFactor(id) : Algebra::one;
      shared != Algebra::one)
    return positive(shared, tries + 1) && positive(all.divideTerms(id, shared), tries + 1);
  return nonnegative(all.subtract(id, Algebra::one), tries + 1);
}

// Whole numbers.

Id SignAnalysis::inSteps(Id id, Id index) {
  const Id steps = all.parameter("#steps" + std::to_string(all[index].depth), false);
  known.wholes.insert(steps);
  return all.substitute(id, index, all.add(all.from(index), steps));
}

bool SignAnalysis::whole(Id id, int tries) {
  const Expression &e = all[id];
  if (e.random || tries > maxTries)
    return false;
  if (e.form == Form::number)
    return e.value.isWhole();
  if (known.wholes.contains(id))
    return true;
  if (const Id v = all.deepestIndex(id); v != Algebra::nothing && id != v)
    return whole(inSteps(id, v), tries);
  switch (e.form) {
  case Form::index:
    return whole(e.args[0], tries);
  case Form::sum:
    for (size_t i = 0; i < e.args.size(); ++i)
      if (!e.weights[i].isWhole() || !whole(e.args[i], tries))
        return false;
    return true;
  case Form::product:
    return wholeProduct(id, tries);
  case Form::function:
    return wholeFunction(id, tries);
  default:
    return false;
  }
}

bool SignAnalysis::wholeProduct(Id id, int tries) {
  const Expression &e = all[id];
  bool good = true;
  for (size_t i = 0; good && i < e.args.size(); ++i)
    good = e.weights[i].value() > 0 && whole(e.args[i], tries);
  return good || multipleOfWhole(id, tries);
}

bool SignAnalysis::multipleOfWhole(Id id, int tries) {
  const std::vector<Id> taken(known.wholes.begin(), known.wholes.end());
  for (const Id t : taken) {
    if (all[t].form != Form::product || t == id)
      continue;
    const Id rest = all.divide(id, t);
    const Algebra::Factors f = all.factorsOf(rest);
    if (all[rest].form != Form::sum &&
        std::all_of(f.begin(), f.end(), [](const auto &each) { return each.second > 0; }) &&
        whole(rest, tries + 1))
      return true;
  }
  return false;
}

bool SignAnalysis::wholeFunction(Id id, int tries) {
  const Expression &e = all[id];
  const auto areWhole = [&](ptrdiff_t first) {
    return std::all_of(e.args.begin() + first, e.args.end(), [&](Id a) { return whole(a, tries); });
  };
  if (all.isTruth(id) || e.op == Op::div || calls(e, {"floor", "ceil", "gcd"}))
    return true;
  if (e.op == Op::mod || calls(e, {"max", "min", "abs"}))
    return areWhole(0);
  return e.op == Op::branch && e.args.size() == 3 && areWhole(1);
}

} // namespace quincunx::pamela
