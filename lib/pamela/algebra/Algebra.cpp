// Sums and products in normal form.
// The idea: a sum is a sorted list of products with factors, a product a sorted list of factors
// with whole exponents. Products of sums are multiplied out as long as that is short; a longer sum
// is a factor like any other. Reference: docs/12-pamela.md, "Symbolic results".
#include "Algebra.h"

#include <algorithm>
#include <array>

namespace quincunx::pamela {

Id Algebra::sumOf(Terms &&all) {
  const auto earlier = [](const auto &a, const auto &b) { return a.first < b.first; };
  if (!std::is_sorted(all.begin(), all.end(), earlier))
    std::stable_sort(all.begin(), all.end(), earlier);
  Expression e;
  e.form = Form::sum;
  for (size_t i = 0; i < all.size();) {
    Coefficient weight = all[i].second;
    const Id product = all[i].first;
    for (++i; i < all.size() && all[i].first == product; ++i)
      weight = weight + all[i].second;
    if (weight.value() != 0)
      e.args.push_back(product), e.weights.push_back(weight);
  }
  if (e.args.empty())
    return zero;
  if (e.args.size() == 1 && e.args[0] == one)
    return number(e.weights[0]);
  if (e.args.size() == 1 && e.weights[0] == Coefficient(1))
    return e.args[0];
  return intern(std::move(e));
}

Id Algebra::add(std::span<const Id> parts) {
  bool isRandom = false;
  for (const Id p : parts) {
    if (isVector(p))
      return addVectors(parts);
    isRandom = isRandom || entries[p].random;
  }
  if (isRandom)
    return addRandom(parts);
  if (parts.size() == 1)
    return parts[0];
  Terms all;
  for (const Id p : parts) {
    const Terms t = termsOf(p);
    all.insert(all.end(), t.begin(), t.end());
  }
  return sumOf(std::move(all));
}

Id Algebra::productOf(const std::map<Id, int> &exponents, Coefficient factor) {
  if (factor.value() == 0)
    return zero;
  Expression e;
  e.form = Form::product;
  for (const auto &[f, k] : exponents)
    if (k != 0)
      e.args.push_back(f), e.weights.emplace_back(k);
  Id id = one;
  if (e.args.size() == 1 && e.weights[0] == Coefficient(1))
    id = e.args[0];
  else if (!e.args.empty())
    id = intern(std::move(e));
  // A factor that is a sum itself and alone is taken apart again.
  if (entries[id].form == Form::sum && entries[id].args.size() <= shortSum)
    return multiplyTerms(factor, id);
  return sumOf({{id, factor}});
}

Id Algebra::multiplyTerms(Coefficient factor, Id sum) {
  Terms t = termsOf(sum);
  for (auto &[product, weight] : t)
    weight = weight * factor;
  return sumOf(std::move(t));
}

Id Algebra::multiplyProducts(Id a, Id b, Coefficient factor) {
  std::map<Id, int> exponents;
  for (const Id p : {a, b})
    for (const auto &[f, k] : factorsOf(p))
      exponents[f] += k;
  return productOf(exponents, factor);
}

Id Algebra::divideTerms(Id sum, Id front) {
  const Id factor = power(front, -1);
  std::vector<Id> parts;
  for (const auto &[product, weight] : termsOf(sum))
    parts.push_back(multiply(multiply(number(weight), product), factor));
  return add(parts);
}

bool Algebra::dividesBy(Id product, Id factor) const {
  if (product == factor)
    return true;
  for (const auto &[f, k] : factorsOf(product))
    if (f == factor)
      return true;
  return false;
}

Id Algebra::multiplyVector(Id vectorId, Id scalar) {
  std::vector<Id> elements = entries[vectorId].args;
  for (Id &x : elements) {
    const Expression &e = entries[x];
    x = element(multiply(e.args[0], scalar), e.args[1], e.args[2],
                {e.args.begin() + 3, e.args.end()});
  }
  return vector(std::move(elements));
}

/// (x + y) (x + y)^-1: the product with the sum as one more factor, when it has the sum, or what is
/// left of it without what its terms share, as a divisor; none otherwise.
std::optional<Id> Algebra::cancelSum(Id sum, Id other) {
  const Terms t = termsOf(other);
  if (entries[sum].form != Form::sum || t.size() != 1)
    return std::nullopt;
  const auto &[product, weight] = t[0];
  for (const auto &[f, k] : factorsOf(product)) {
    if (f == sum)
      return multiplyProducts(product, sum, weight);
    if (k > 0 || entries[f].form != Form::sum)
      continue;
    // What all terms share is cancelled term by term.
    const Id front = sharedFactor(sum);
    if (front != one && !dividesBy(front, f) && divideTerms(sum, front) == f)
      return multiply(multiplyProducts(product, f, weight), front);
  }
  return std::nullopt;
}

/// Each term times each; a sum of many terms is one factor.
Id Algebra::expandProduct(Id a, Id b) {
  Terms x = termsOf(a), y = termsOf(b);
  if (x.size() * y.size() > shortSum) {
    const auto undivided = [](Id id, Terms &t) {
      if (t.size() > 1)
        t = {{id, Coefficient(1)}};
    };
    undivided(a, x), undivided(b, y);
  }
  std::vector<Id> parts;
  for (const auto &[p, v] : x)
    for (const auto &[q, w] : y)
      parts.push_back(multiplyProducts(p, q, v * w));
  return parts.size() == 1 ? parts[0] : add(parts);
}

Id Algebra::multiply(Id a, Id b) {
  if (isNumber(a) && isNumber(b))
    return number(entries[a].value * entries[b].value);
  if (isVector(a) || isVector(b))
    return isVector(a) ? multiplyVector(a, b) : multiplyVector(b, a);
  if (entries[a].random && entries[b].random)
    return function(Op::multiply, {std::min(a, b), std::max(a, b)});
  if (entries[a].random || entries[b].random)
    return entries[a].random ? scale(b, a) : scale(a, b);
  if (a == one || b == one)
    return a == one ? b : a;
  if (isNumber(a) || isNumber(b))
    return isNumber(a) ? multiplyTerms(entries[a].value, b) : multiplyTerms(entries[b].value, a);
  if (const auto cancelled = cancelSum(a, b))
    return *cancelled;
  if (const auto cancelled = cancelSum(b, a))
    return *cancelled;
  return expandProduct(a, b);
}

Id Algebra::sharedFactor(Id id) {
  std::map<Id, std::pair<int, size_t>> least; // exponent, terms with the factor
  const Terms terms = termsOf(id);
  if (terms.size() < 2)
    return one;
  for (const auto &[product, weight] : terms)
    for (const auto &[f, k] : factorsOf(product)) {
      const auto at = least.try_emplace(f, k, 0).first;
      at->second.first = std::min(at->second.first, k);
      ++at->second.second;
    }
  std::map<Id, int> shared;
  for (const auto &[f, k] : least)
    if (k.first < 0 || k.second == terms.size())
      shared[f] = k.first;
  return productOf(shared, Coefficient(1));
}

Id Algebra::power(Id a, int exponent) {
  if (exponent == 0)
    return one;
  if (exponent == 1)
    return a;
  const Terms t = termsOf(a);
  if (t.size() == 1) {
    Coefficient factor(1);
    const Coefficient base = exponent > 0 ? t[0].second : t[0].second.inverse();
    for (int i = 0; i < std::abs(exponent); ++i)
      factor = factor * base;
    std::map<Id, int> exponents;
    for (const auto &[f, k] : factorsOf(t[0].first))
      exponents[f] = exponent * k;
    return productOf(exponents, factor);
  }
  if (exponent < 0) {
    // What all terms share goes in front, so that x / (n y + n z) is x / n / (y + z).
    if (const Id front = sharedFactor(a); front != one)
      return multiply(power(front, exponent), power(divideTerms(a, front), exponent));
    return productOf({{a, exponent}}, Coefficient(1));
  }
  size_t terms = 1;
  for (int i = 0; i < exponent && terms <= shortSum; ++i)
    terms *= t.size();
  if (terms > shortSum && t.size() > 2)
    return productOf({{a, exponent}}, Coefficient(1));
  Id out = a;
  for (int i = 1; i < exponent; ++i)
    out = multiply(out, a);
  return out;
}

} // namespace quincunx::pamela
