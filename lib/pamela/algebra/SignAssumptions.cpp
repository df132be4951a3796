// Assumes signs and whole numbers that cannot be shown.
// The idea: what is asked for is taken apart until it is about parameters alone; that is written
// down, and is known from then on. Reference: docs/12-pamela.md, "Symbolic results".
#include "Algebra.h"

#include <algorithm>
#include <limits>

namespace quincunx::pamela {

namespace {

/// Is it a parameter that this analysis made up?
bool isAuxiliary(const Expression &e) {
  return e.form == Form::parameter && e.text.starts_with("#");
}

/// Has it one, which nobody else knows?
bool hasAuxiliary(const Algebra &all, Id id) {
  const Expression &e = all[id];
  return isAuxiliary(e) || std::any_of(e.args.begin(), e.args.end(), [&](Id a) {
           return a != Algebra::nothing && hasAuxiliary(all, a);
         });
}

} // namespace

bool SignAnalysis::mayAssume(Id id) const {
  return id != Algebra::nothing && !all[id].random && !all.isVector(id);
}

bool SignAnalysis::assumeNonnegative(Id id, int tries) {
  if (!mayAssume(id) || tries > maxTries * maxTries)
    return false;
  if (all.isNumber(id))
    return all.value(id) >= 0;
  if (nonnegative(id))
    return true;
  if (const auto done = assumePowerAboveOne(all[id], tries))
    return *done;
  if (const Id v = all.deepestIndex(id); v != Algebra::nothing) {
    if (all.degree(id, v) != 1)
      return false;
    return assumeNonnegative(all.substitute(id, v, all.from(v)), tries + 1) &&
           assumeNonnegative(all.substitute(id, v, all.to(v)), tries + 1);
  }
  if (const auto done = assumeWithoutFactor(id, tries))
    return *done;
  if (all[id].form == Form::product)
    return assumeFactors(id, tries);
  noteLowerBound(id);
  known.proven.insert(id);
  known.assumptions.push_back({id});
  return true;
}

void SignAnalysis::state(Id e) {
  noteLowerBound(e);
  known.proven.insert(e);
  known.assumptions.push_back({e, false, true});
}

std::optional<bool> SignAnalysis::assumePowerAboveOne(const Expression &e, int tries) {
  if (e.form != Form::sum || e.args.size() != 2 || e.args[0] != Algebra::one ||
      !(e.weights[0] == Coefficient(-1)) || !(e.weights[1] == Coefficient(1)))
    return std::nullopt;
  const Expression &power = all[e.args[1]];
  if (power.form != Form::function || power.op != Op::power)
    return std::nullopt;
  return assumeNonnegative(all.subtract(power.args[0], Algebra::one), tries + 1) &&
         assumeNonnegative(power.args[1], tries + 1);
}

/// f g >= 0 with g > 0 known: f is asked for; with f >= 0 known, each factor of g.
std::optional<bool> SignAnalysis::assumeWithoutFactor(Id id, int tries) {
  const Id shared = all.sharedFactor(id);
  if (shared == Algebra::one)
    return std::nullopt;
  const Id rest = all.divideTerms(id, shared);
  if (positive(shared))
    return assumeNonnegative(rest, tries + 1);
  if (nonnegative(rest))
    return assumeFactors(shared, tries);
  return std::nullopt;
}

bool SignAnalysis::assumeFactors(Id product, int tries) {
  bool good = true;
  for (const auto &[f, k] : all.factorsOf(product))
    good = good && (k % 2 == 0 || assumeNonnegative(f, tries + 1));
  return good;
}

/// c p + d >= 0 with c > 0 is a lower bound of p.
void SignAnalysis::noteLowerBound(Id id) {
  const Expression &e = all[id];
  Id p = id;
  double c = 1, d = 0;
  if (e.form == Form::sum &&
      (e.args.size() == 1 || (e.args.size() == 2 && e.args[0] == Algebra::one))) {
    p = e.args.back(), c = e.weights.back().value();
    d = e.args.size() == 2 ? e.weights[0].value() : 0;
  }
  if (all[p].form != Form::parameter || !(c > 0))
    return;
  double &low = known.lowest.try_emplace(p, -std::numeric_limits<double>::infinity()).first->second;
  low = std::max(low, -d / c);
}

bool SignAnalysis::assumeWhole(Id id) {
  if (!mayAssume(id))
    return false;
  if (whole(id) || all.isNumber(id))
    return whole(id);
  Id rest = id;
  for (Id v = all.deepestIndex(rest); v != Algebra::nothing; v = all.deepestIndex(rest))
    rest = inSteps(rest, v);
  const std::vector<Id> needed = neededWhole(rest);
  if (std::any_of(needed.begin(), needed.end(), [&](Id n) { return hasAuxiliary(all, n); }))
    return false;
  for (const Id n : needed)
    if (known.wholes.insert(n).second)
      known.assumptions.push_back({n, true});
  return true;
}

std::vector<Id> SignAnalysis::neededWhole(Id sum) {
  std::vector<Id> needed;
  for (const auto &[product, weight] : all.termsOf(sum)) {
    const Algebra::Factors factors = all.factorsOf(product);
    const bool simple = weight.isWhole() && std::all_of(factors.begin(), factors.end(),
                                                        [](auto &f) { return f.second > 0; });
    if (simple) {
      for (const auto &[f, k] : factors) {
        const Expression &e = all[f];
        if (whole(f))
          continue;
        if (e.form != Form::function || e.op != Op::mod) {
          needed.push_back(f);
          continue;
        }
        for (const Id a : e.args)
          for (const Id part : neededWhole(a))
            needed.push_back(part);
      }
      continue;
    }
    // N / P times what is whole: N / P.
    Id left = all.multiply(weight.isWhole() ? Algebra::one : all.number(weight), product);
    for (const auto &[f, k] : factors)
      if (k > 0 && isAuxiliary(all[f]))
        left = all.multiply(left, all.power(f, -k));
    needed.push_back(left);
  }
  return needed;
}

bool Algebra::assumeTurns(Id index, int least) {
  return assumeNonnegative(add(subtract(to(index), from(index)), number(1 - least)));
}

bool Algebra::assumeRange(Id index, bool notEmpty) {
  return assumeTurns(index, notEmpty ? 1 : 0) && assumeWhole(subtract(to(index), from(index)));
}

} // namespace quincunx::pamela
