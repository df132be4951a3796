// Finds the two sums whose product a sum is.
// The idea: if terms are (f + ...) B with a factor f that B does not have, B is what stands behind
// f. What is left of the terms must be multiples of B as well, and each multiple is one more term
// of the other sum. Reference: docs/12-pamela.md, "Symbolic results".
#include "Factorization.h"

#include <algorithm>

namespace quincunx::pamela {

namespace {

constexpr size_t fewest = 4, most = 48; ///< terms that are tried

using Poly = std::map<Algebra::Factors, Coefficient>;

Algebra::Factors times(const Algebra::Factors &a, const Algebra::Factors &b, int sign) {
  std::map<Id, int> out(a.begin(), a.end());
  for (const auto &[f, k] : b)
    out[f] += sign * k;
  std::erase_if(out, [](const auto &each) { return each.second == 0; });
  return {out.begin(), out.end()};
}

/// The term whose multiple of B holds `first`, taken away from `rest`; false if there is none.
bool divideOnce(Poly &rest, const Poly &B, std::vector<Term> &quotient) {
  const auto &[lead, weight] = *B.begin();
  for (const auto &[factors, w] : rest) {
    const Algebra::Factors q = times(factors, lead, -1);
    if (std::any_of(q.begin(), q.end(), [](const auto &f) { return f.second < 0; }))
      continue;
    const Coefficient c = w * weight.inverse();
    const bool holds = std::all_of(B.begin(), B.end(), [&](const auto &b) {
      const auto at = rest.find(times(q, b.first, 1));
      return at != rest.end() && at->second == c * b.second;
    });
    if (!holds)
      continue;
    for (const auto &[b, bw] : B)
      rest.erase(times(q, b, 1));
    quotient.push_back({q, c});
    return true;
  }
  return false;
}

} // namespace

std::optional<std::pair<std::vector<Term>, std::vector<Term>>>
factorize(const std::vector<Term> &terms) {
  if (terms.size() < fewest || terms.size() > most)
    return std::nullopt;
  Poly all;
  std::vector<Id> candidates;
  for (const Term &t : terms) {
    all[t.factors] = t.weight;
    for (const auto &[f, k] : t.factors)
      if (k == 1 && std::find(candidates.begin(), candidates.end(), f) == candidates.end())
        candidates.push_back(f);
  }
  for (const Id f : candidates) {
    Poly B, rest = all;
    for (const auto &[factors, w] : all)
      if (std::find(factors.begin(), factors.end(), std::pair(f, 1)) != factors.end()) {
        B[times(factors, {{f, 1}}, -1)] = w;
        rest.erase(factors);
      }
    if (B.size() < 2 || rest.empty())
      continue;
    std::vector<Term> A{{{{f, 1}}, Coefficient(1)}};
    while (!rest.empty() && divideOnce(rest, B, A)) {
    }
    if (!rest.empty())
      continue;
    std::vector<Term> b;
    for (const auto &[factors, w] : B)
      b.push_back({factors, w});
    return std::pair(std::move(A), std::move(b));
  }
  return std::nullopt;
}

} // namespace quincunx::pamela
