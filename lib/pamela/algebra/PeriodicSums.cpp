// Sums over an index of what hangs on its remainder, as i mod 4 and `if (i mod 2 == 0)` do.
// The idea: n summands are n div p whole periods and n mod p more, which is the formula for powers
// of a remainder. Anything else with numbers as periods is taken apart by remainders: with
// i = p k + r nothing hangs on the remainder any more, and what most remainders have in common is
// summed once over all. Reference: docs/12-pamela.md, "Symbolic results"; Graham, Knuth, Patashnik,
// Concrete Mathematics, section 3.4. What has neither stays a sum.
#include "Algebra.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace quincunx::pamela {

namespace {

constexpr int64_t maxPeriod = 128;
/// Remainders that have a sum of their own: more would be longer than the sum that they are of.
constexpr size_t maxApart = 8;

/// Where an index is divided in `mod` and `div`.
class Divisions {
public:
  Divisions(const Algebra &algebra, Id by) : all(algebra), index(by) {}

  void find(Id e);
  int64_t period =
      1; ///< least common multiple of the divisors; 0: some are no numbers, or too large
  std::vector<Id> dividends;

private:
  const Algebra &all;
  Id index;
  std::unordered_set<Id> seen;
};

void Divisions::find(Id e) {
  if (e == Algebra::nothing || period == 0 || !all.dependsOn(e, index) || !seen.insert(e).second)
    return;
  const Expression &x = all[e];
  const bool divides = x.form == Form::function && (x.op == Op::mod || x.op == Op::div);
  if (divides && all.degree(x.args[0], index) == 1) {
    const double p = all.isNumber(x.args[1]) ? std::fabs(all.value(x.args[1])) : 0;
    const bool good = p >= 1 && p <= maxPeriod && p == std::floor(p);
    period = good ? std::lcm(period, static_cast<int64_t>(p)) : 0;
    period = period <= maxPeriod ? period : 0;
    dividends.push_back(x.args[0]);
  }
  for (const Id a : x.args)
    find(a);
}

} // namespace

/// sum over i = a..b of ((i + d) mod p)^m for whole numbers, m > 0: F(b + d + 1) - F(a + d), where
/// F(n) = (n div p) S(p) + S(n mod p) and S(n) = 0^m + ... + (n - 1)^m.
Id Algebra::sumOfRemainders(Id index, Id dividend, Id p, int m) {
  const auto upTo = [&](Id n) { return sumOfPowers(zero, subtract(n, one), m); };
  const auto before = [&](Id n) {
    const Id periods = apply(Op::div, {n, p}), rest = apply(Op::mod, {n, p});
    return add(multiply(periods, upTo(p)), upTo(rest));
  };
  const Id first = substitute(dividend, index, from(index));
  const Id last = substitute(dividend, index, add(to(index), one));
  // 0 mod p adds nothing.
  return first == one ? before(last) : subtract(before(last), before(first));
}

/// outside (x mod p)^m or outside (x div p), x = i + d, p a number or a symbol; nothing where it is
/// something else. x div p is (x - x mod p) / p.
Id Algebra::sumOfQuotient(Id index, Id product, Coefficient weight) {
  Id outside = number(weight), divided = nothing;
  int m = 0;
  for (const auto &[f, k] : factorsOf(product)) {
    const Expression &e = entries[f];
    const bool isQuotient = e.form == Form::function && (e.op == Op::mod || e.op == Op::div);
    if (!dependsOn(f, index))
      outside = multiply(outside, power(f, k));
    else if (divided == nothing && isQuotient && k > 0 && (k == 1 || e.op == Op::mod))
      divided = f, m = k;
    else
      return nothing;
  }
  if (divided == nothing || m > maxExponent)
    return nothing;
  const Expression &e = entries[divided];
  const Id x = e.args[0], p = e.args[1];
  const bool steps = !dependsOn(p, index) && !dependsOn(subtract(x, index), index);
  if (!steps || !assumeWhole(substitute(x, index, from(index))) || !assumeWhole(p) ||
      !assumeNonnegative(subtract(p, one)))
    return nothing;
  const Id rests = sumOfRemainders(index, x, p, m);
  return multiply(outside, e.op == Op::mod ? rests : divide(subtract(sum(index, x), rests), p));
}

/// The values r + p k of an index, for each remainder r; nothing where what is left of the body is
/// no polynomial in k.
std::optional<std::vector<Algebra::Residue>> Algebra::residuesOf(Id index, Id body,
                                                                 int64_t period) {
  std::vector<Residue> out;
  const Id p = number(static_cast<double>(period)), a = from(index);
  const double least = isNumber(a) ? value(a) : 0;
  for (int64_t i = 0; i < period; ++i) {
    const Id r = number(least + static_cast<double>(i));
    const Id first = multiply(minusOne, apply(Op::div, {subtract(r, a), p}));
    const Id last = apply(Op::div, {subtract(to(index), r), p});
    const Id k = this->index(entries[index].text, entries[index].depth, first, last);
    const Id value = add(r, multiply(p, k)), part = substitute(body, index, value);
    const int highest = degree(part, k);
    if (highest < 0 || highest > maxExponent || (highest > 0 && entries[part].random))
      return std::nullopt;
    out.push_back({k, value, part, substitute(part, k, divide(subtract(index, r), p))});
  }
  return out;
}

/// Nothing where the body is no polynomial for each remainder of the index.
Id Algebra::sumByRemainder(Id index, Id body) {
  Divisions divisions(*this, index);
  divisions.find(body);
  if (divisions.period < 2 || !assumeWhole(from(index)))
    return nothing;
  for (const Id x : divisions.dividends)
    if (!assumeWhole(substitute(x, index, from(index))))
      return nothing;
  const auto residues = residuesOf(index, body, divisions.period);
  if (!residues)
    return nothing;
  std::map<Id, size_t> forms;
  for (const Residue &r : *residues)
    ++forms[r.form];
  const auto most = std::ranges::max_element(forms, {}, [](const auto &f) { return f.second; });
  const Id common = most->first;
  if (residues->size() - most->second > maxApart)
    return nothing;
  const bool isRandom = entries[body].random;
  const auto over = [&](Id turns, Id part, Id count) {
    return isRandom ? repeated(count, part) : sumOfTerms(turns, part, count);
  };
  const bool varies = dependsOn(common, index);
  Id left = countOf(index); // turns with what is common
  std::vector<Id> parts;
  for (const Residue &r : *residues) {
    if (r.form == common)
      continue;
    const Id count = countOf(r.turns);
    parts.push_back(over(
        r.turns, varies ? subtract(r.body, substitute(common, index, r.value)) : r.body, count));
    left = varies ? left : subtract(left, count);
  }
  parts.push_back(over(index, common, left));
  return add(parts);
}

} // namespace quincunx::pamela
