// What is known of an expression for all values of its parameters and indices: whether it is 0 or
// more, and whether it is whole.
// The idea: a sum of terms that are 0 or more is; an index is tried at both its ends, and what has
// a lower bound L is written as L + s with s >= 0. What cannot be shown may be taken for granted
// when it is about parameters alone, and is written down. It proves little, and nothing that is
// wrong. Reference: docs/12-pamela.md, "Symbolic results".
#include "Algebra.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace quincunx::pamela {

namespace {
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr int mostTries = 6;
constexpr size_t longSum = 40;
} // namespace

namespace {
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
} // namespace

bool Algebra::isTruth(Id id) const {
  const Expression &e = entries[id];
  if (e.form == Form::number)
    return value(id) == 0 || value(id) == 1;
  return e.form == Form::function && e.op >= Op::equal && e.op <= Op::logicalOr;
}

double Algebra::lower(Id id, int tries) {
  const Expression &e = entries[id];
  if (e.random)
    return -inf;
  switch (e.form) {
  case Form::number:
    return value(id);
  case Form::parameter: {
    const auto at = lowest.find(id);
    return at == lowest.end() ? -inf : at->second;
  }
  case Form::index:
    return lower(e.args[0], tries);
  case Form::sum: {
    double all = 0;
    for (size_t i = 0; i < e.args.size(); ++i) {
      const double w = e.weights[i].value(), x = e.args[i] == one ? 1 : lower(e.args[i], tries);
      if (e.args[i] != one && (w < 0 || x == -inf))
        return -inf;
      all += w * x;
    }
    return all;
  }
  case Form::product: {
    double all = 1;
    for (size_t i = 0; i < e.args.size(); ++i) {
      const double x = lower(e.args[i], tries), k = e.weights[i].value();
      if (x < 0)
        return -inf;
      all *= k > 0 ? std::pow(x, k) : 0;
    }
    return all;
  }
  case Form::function:
    break;
  default:
    return nonnegative(id, tries) ? 0 : -inf;
  }
  if (e.op == Op::call && (e.text == "max" || e.text == "min")) {
    double all = lower(e.args[0], tries);
    for (const Id a : e.args)
      all = e.text == "max" ? std::max(all, lower(a, tries)) : std::min(all, lower(a, tries));
    return all;
  }
  if (e.op == Op::power && lower(e.args[0], tries + 1) >= 1 && nonnegative(e.args[1], tries + 1))
    return 1;
  if (e.op == Op::call && (e.text == "ceil" || e.text == "gcd"))
    for (const Id a : e.args)
      if (positive(a, tries + 1))
        return 1;
  return nonnegative(id, tries) ? 0 : -inf;
}

bool Algebra::nonnegative(Id id, int tries) {
  const Expression &e = entries[id];
  if (e.form == Form::number)
    return value(id) >= 0;
  if (e.random || proven.contains(id))
    return !e.random;
  const auto before = open.find(id);
  if (tries > mostTries || (before != open.end() && before->second.first == assumptions.size() &&
                            before->second.second <= tries))
    return false;
  bool good = false;
  const auto all = [&](size_t first) {
    return std::all_of(e.args.begin() + static_cast<ptrdiff_t>(first), e.args.end(),
                       [&](Id a) { return nonnegative(a, tries + 1); });
  };
  switch (e.form) {
  case Form::parameter:
    good = lower(id, tries) >= 0;
    break;
  case Form::index:
    good = nonnegative(e.args[0], tries + 1);
    break;
  case Form::sum:
    good = nonnegativeSum(id, tries);
    break;
  case Form::product:
    good = true;
    for (size_t i = 0; good && i < e.args.size(); ++i)
      good = std::fmod(e.weights[i].value(), 2) == 0 || nonnegative(e.args[i], tries + 1);
    break;
  case Form::reduce:
    good = nonnegative(e.args[1], tries + 1);
    break;
  case Form::function:
    if (isTruth(id) || (e.op == Op::call && (e.text == "abs" || e.text == "sqrt" ||
                                             e.text == "exp" || e.text == "gcd")))
      good = true;
    else if (e.op == Op::branch)
      good = all(1);
    else if (e.op == Op::mod)
      good = nonnegative(e.args[1], tries + 1);
    else if (e.op == Op::call && e.text == "max")
      good = std::any_of(e.args.begin(), e.args.end(),
                         [&](Id a) { return nonnegative(a, tries + 1); });
    else if (e.op == Op::div || e.op == Op::power ||
             (e.op == Op::call && (e.text == "floor" || e.text == "ceil" || e.text == "min")))
      good = all(0);
    break;
  default:
    break;
  }
  if (good)
    proven.insert(id);
  else
    open[id] = {assumptions.size(), tries};
  return good;
}

bool Algebra::nonnegativeSum(Id id, int tries) {
  const Expression &e = entries[id];
  bool plain = true;
  for (size_t i = 0; plain && i < e.args.size(); ++i)
    plain = e.weights[i].value() >= 0 && nonnegative(e.args[i], tries + 1);
  if (plain)
    return true;
  if (e.args.size() > longSum || tries >= mostTries)
    return false;
  if (const Id v = deepestIndex(id); v != nothing && degree(id, v) == 1)
    return nonnegative(substitute(id, v, from(v)), tries + 1) &&
           nonnegative(substitute(id, v, to(v)), tries + 1);
  // Divisors that are above 0 are multiplied away, lower bounds are taken out.
  Id divisors = one;
  std::map<Id, Id> shifted;
  for (const Id product : e.args) {
    for (const auto &[f, k] : factorsOf(product)) {
      if (k < 0) {
        if (!positive(f, tries + 1))
          return false;
        divisors = multiply(divisors, f);
      }
      const double low = lower(f, tries + 1);
      if (low > 0 && std::isfinite(low) && entries[f].form != Form::sum && !shifted.contains(f)) {
        const Id rest = parameter("#" + std::to_string(f), false);
        lowest[rest] = 0;
        shifted[f] = add(number(low), rest);
      }
    }
  }
  if (divisors != one)
    return nonnegative(multiply(id, divisors), tries + 2);
  if (!shifted.empty()) {
    std::vector<Id> parts;
    for (size_t t = 0; t < e.args.size(); ++t) {
      Id product = number(e.weights[t]);
      for (const auto &[f, k] : factorsOf(e.args[t])) {
        const auto at = shifted.find(f);
        product = multiply(product, power(at == shifted.end() ? f : at->second, k));
      }
      parts.push_back(product);
    }
    if (nonnegative(add(parts), tries + 2))
      return true;
  }
  // More than something that has been taken for granted.
  for (size_t i = 0, taken = assumptions.size(); i < taken; ++i)
    if (const Assumption p = assumptions[i]; !p.whole && p.e != id && sharesTerm(e, entries[p.e]) &&
                                             nonnegative(subtract(id, p.e), tries + 3))
      return true;
  return false;
}

bool Algebra::positive(Id id, int tries) {
  const Expression &e = entries[id];
  if (e.form == Form::number)
    return value(id) > 0;
  if (e.random || tries > mostTries)
    return false;
  if (e.form == Form::product)
    return std::all_of(e.args.begin(), e.args.end(), [&](Id a) { return positive(a, tries + 1); });
  if (lower(id, tries + 1) > 0)
    return true;
  if (e.form == Form::sum && e.args[0] == one && e.weights[0].value() > 0)
    return nonnegative(subtract(id, number(e.weights[0])), tries + 1);
  if (const Id shared = e.form == Form::sum ? sharedFactor(id) : one; shared != one)
    return positive(shared, tries + 1) && positive(divideTerms(id, shared), tries + 1);
  return nonnegative(subtract(id, one), tries + 1);
}

bool Algebra::whole(Id id, int tries) {
  const Expression &e = entries[id];
  if (e.random || tries > mostTries)
    return false;
  if (e.form == Form::number)
    return e.value.isWhole();
  if (wholes.contains(id))
    return true;
  const auto all = [&](size_t first) {
    return std::all_of(e.args.begin() + static_cast<ptrdiff_t>(first), e.args.end(),
                       [&](Id a) { return whole(a, tries); });
  };
  // An index is where it begins and a whole number.
  if (const Id v = deepestIndex(id); v != nothing && id != v) {
    const Id steps = parameter("#steps" + std::to_string(entries[v].depth), false);
    wholes.insert(steps);
    return whole(substitute(id, v, add(from(v), steps)), tries);
  }
  switch (e.form) {
  case Form::index:
    return whole(e.args[0], tries);
  case Form::sum:
    for (size_t i = 0; i < e.args.size(); ++i)
      if (!e.weights[i].isWhole() || !whole(e.args[i], tries))
        return false;
    return true;
  case Form::product: {
    bool good = true;
    for (size_t i = 0; good && i < e.args.size(); ++i)
      good = e.weights[i].value() > 0 && whole(e.args[i], tries);
    // A multiple of what is taken to be whole, as p N / P is of N / P.
    const std::vector<Id> taken(wholes.begin(), wholes.end());
    for (size_t i = 0; !good && i < taken.size(); ++i)
      if (entries[taken[i]].form == Form::product && taken[i] != id) {
        const Id rest = divide(id, taken[i]);
        const Factors f = factorsOf(rest);
        good = entries[rest].form != Form::sum &&
               std::all_of(f.begin(), f.end(), [](const auto &each) { return each.second > 0; }) &&
               whole(rest, tries + 1);
      }
    return good;
  }
  case Form::function:
    if (isTruth(id) || e.op == Op::div ||
        (e.op == Op::call && (e.text == "floor" || e.text == "ceil" || e.text == "gcd")))
      return true;
    if (e.op == Op::mod ||
        (e.op == Op::call && (e.text == "max" || e.text == "min" || e.text == "abs")))
      return all(0);
    return e.op == Op::branch && e.args.size() == 3 && all(1);
  default:
    return false;
  }
}

bool Algebra::mayAssume(Id id) const {
  const Expression &e = entries[id];
  return !e.random && e.form != Form::vector && id != nothing;
}

bool Algebra::assumeNonnegative(Id id, int tries) {
  if (!mayAssume(id) || tries > mostTries * mostTries)
    return false;
  if (isNumber(id))
    return value(id) >= 0;
  if (nonnegative(id))
    return true;
  const Expression &e = entries[id];
  // b^n >= 1 when b >= 1 and n >= 0.
  if (e.form == Form::sum && e.args.size() == 2 && e.args[0] == one &&
      e.weights[0] == Coefficient(-1) && e.weights[1] == Coefficient(1)) {
    const Expression &power = entries[e.args[1]];
    if (power.form == Form::function && power.op == Op::power)
      return assumeNonnegative(subtract(power.args[0], one), tries + 1) &&
             assumeNonnegative(power.args[1], tries + 1);
  }
  if (const Id v = deepestIndex(id); v != nothing) {
    if (degree(id, v) != 1)
      return false;
    return assumeNonnegative(substitute(id, v, from(v)), tries + 1) &&
           assumeNonnegative(substitute(id, v, to(v)), tries + 1);
  }
  // f g >= 0 with g >= 0 known: f is asked for.
  if (const Id shared = sharedFactor(id); shared != one) {
    const Id rest = divideTerms(id, shared);
    if (positive(shared))
      return assumeNonnegative(rest, tries + 1);
    if (nonnegative(rest)) {
      bool good = true;
      for (const auto &[f, k] : factorsOf(shared))
        good = good && (k % 2 == 0 || assumeNonnegative(f, tries + 1));
      return good;
    }
  }
  // A product is 0 or more when all its factors are.
  if (e.form == Form::product) {
    bool good = true;
    for (const auto &[f, k] : factorsOf(id))
      good = good && (k % 2 == 0 || assumeNonnegative(f, tries + 1));
    return good;
  }
  // c p + d >= 0 with c > 0 is a lower bound of p.
  Id p = id;
  double c = 1, d = 0;
  if (e.form == Form::sum && (e.args.size() == 1 || (e.args.size() == 2 && e.args[0] == one))) {
    p = e.args.back(), c = e.weights.back().value();
    d = e.args.size() == 2 ? e.weights[0].value() : 0;
  }
  if (entries[p].form == Form::parameter && c > 0) {
    double &low = lowest.try_emplace(p, -inf).first->second;
    low = std::max(low, -d / c);
  }
  proven.insert(id);
  assumptions.push_back({id, false});
  return true;
}

bool Algebra::assumeWhole(Id id) {
  if (!mayAssume(id))
    return false;
  if (whole(id))
    return true;
  Id rest = id;
  for (Id v = deepestIndex(rest); v != nothing; v = deepestIndex(rest)) {
    const Id steps = parameter("#steps" + std::to_string(entries[v].depth), false);
    wholes.insert(steps);
    rest = substitute(rest, v, add(from(v), steps));
  }
  std::vector<Id> needed;
  for (const auto &[product, weight] : termsOf(rest)) {
    const Factors factors = factorsOf(product);
    const bool simple = weight.isWhole() && std::all_of(factors.begin(), factors.end(),
                                                        [](auto &f) { return f.second > 0; });
    if (simple) {
      for (const auto &[f, k] : factors)
        if (!whole(f))
          needed.push_back(f);
      continue;
    }
    // N / P times what is whole: N / P.
    Id left = multiply(weight.isWhole() ? one : number(weight), product);
    for (const auto &[f, k] : factors)
      if (k > 0 && entries[f].form == Form::parameter && entries[f].text.starts_with("#"))
        left = multiply(left, power(f, -k));
    needed.push_back(left);
  }
  for (const Id n : needed)
    if (entries[n].form == Form::parameter && entries[n].text.starts_with("#"))
      return false;
  for (const Id n : needed)
    if (wholes.insert(n).second)
      assumptions.push_back({n, true});
  return true;
}

bool Algebra::assumeTurns(Id index, int least) {
  return assumeNonnegative(add(subtract(to(index), from(index)), number(1 - least)));
}

bool Algebra::assumeRange(Id index, bool notEmpty) {
  return assumeTurns(index, notEmpty ? 1 : 0) && assumeWhole(subtract(to(index), from(index)));
}

} // namespace quincunx::pamela
