// Sums and products in normal form, and where expressions are kept.
// The idea: a sum is a sorted list of products with factors, a product a sorted list of factors
// with whole exponents. Products of sums are multiplied out as long as that is short; a longer sum
// is a factor like any other. Reference: docs/12-pamela.md, "Symbolic results".
#include "Algebra.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace quincunx::pamela {

namespace {

/// Terms of sums that are multiplied out or taken apart again.
constexpr size_t shortSum = 64;

uint64_t mixed(uint64_t h, uint64_t x) {
  h = (h ^ x) * 0x9E3779B97F4A7C15ull;
  return h ^ h >> 29;
}

uint64_t hash(const Expression &e) {
  uint64_t h = mixed(static_cast<uint64_t>(e.form) << 16 | static_cast<uint64_t>(e.op) << 8 |
                         static_cast<uint64_t>(e.depth),
                     std::hash<std::string>()(e.text));
  uint64_t bits = 0;
  const double x = e.value.value();
  std::memcpy(&bits, &x, sizeof bits);
  h = mixed(h, bits);
  for (const Id a : e.args)
    h = mixed(h, a);
  for (const Coefficient &w : e.weights) {
    const double y = w.value();
    std::memcpy(&bits, &y, sizeof bits);
    h = mixed(h, bits);
  }
  return h;
}

bool same(const Expression &a, const Expression &b) {
  return a.form == b.form && a.op == b.op && a.depth == b.depth && a.value == b.value &&
         a.text == b.text && a.args == b.args && a.weights == b.weights;
}

} // namespace

Algebra::Algebra() { number(0), number(1), number(-1); }

Id Algebra::intern(Expression e) {
  const uint64_t h = hash(e);
  const auto [first, last] = known.equal_range(h);
  for (auto at = first; at != last; ++at)
    if (same(entries[at->second], e))
      return at->second;
  const Id id = static_cast<Id>(entries.size());
  for (const Id a : e.args) {
    if (a == nothing)
      continue;
    e.free |= entries[a].free;
    if (e.form != Form::index)
      e.random = e.random || entries[a].random;
  }
  if (e.form == Form::index)
    e.free |= uint64_t{1} << e.depth;
  if (e.form == Form::reduce)
    e.free &= ~(uint64_t{1} << entries[e.args[0]].depth);
  for (size_t i = 3; e.form == Form::element && i < e.args.size(); ++i)
    e.free &= ~(uint64_t{1} << entries[e.args[i]].depth);
  entries.push_back(std::move(e));
  known.emplace(h, id);
  return id;
}

Id Algebra::number(Coefficient x) {
  Expression e;
  e.value = x;
  return intern(std::move(e));
}

Id Algebra::parameter(const std::string &name, bool random) {
  Expression e;
  e.form = Form::parameter, e.text = name, e.random = random;
  return intern(std::move(e));
}

Id Algebra::index(const std::string &name, int depth, Id first, Id last) {
  Expression e;
  e.form = Form::index, e.text = name, e.depth = static_cast<uint8_t>(depth);
  e.args = {first, last};
  return intern(std::move(e));
}

Algebra::Terms Algebra::termsOf(Id id) const {
  const Expression &e = entries[id];
  if (e.form == Form::number)
    return {{one, e.value}};
  if (e.form != Form::sum || e.args.size() > shortSum)
    return {{id, Coefficient(1)}};
  Terms t;
  for (size_t i = 0; i < e.args.size(); ++i)
    t.emplace_back(e.args[i], e.weights[i]);
  return t;
}

Algebra::Factors Algebra::factorsOf(Id product) const {
  const Expression &e = entries[product];
  if (product == one)
    return {};
  if (e.form != Form::product)
    return {{product, 1}};
  Factors f;
  for (size_t i = 0; i < e.args.size(); ++i)
    f.emplace_back(e.args[i], static_cast<int>(e.weights[i].value()));
  return f;
}

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
  Terms t{{id, factor}};
  // A factor that is a sum itself and alone is taken apart again.
  if (entries[id].form == Form::sum && entries[id].args.size() <= shortSum) {
    t = termsOf(id);
    for (auto &[product, weight] : t)
      weight = weight * factor;
  }
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

Id Algebra::multiply(Id a, Id b) {
  if (isNumber(a) && isNumber(b))
    return number(entries[a].value * entries[b].value);
  if (isVector(a) || isVector(b)) {
    const Id scalar = isVector(a) ? b : a;
    std::vector<Id> elements = entries[isVector(a) ? a : b].args;
    for (Id &x : elements) {
      Expression e = entries[x];
      x = element(multiply(e.args[0], scalar), e.args[1], e.args[2],
                  {e.args.begin() + 3, e.args.end()});
    }
    return vector(std::move(elements));
  }
  if (entries[a].random && entries[b].random) {
    Expression e;
    e.form = Form::function, e.op = Op::multiply, e.args = {std::min(a, b), std::max(a, b)};
    return intern(std::move(e));
  }
  if (entries[a].random || entries[b].random)
    return entries[a].random ? scale(b, a) : scale(a, b);
  if (a == one || b == one)
    return a == one ? b : a;
  if (isNumber(a) || isNumber(b)) {
    const Coefficient factor = entries[isNumber(a) ? a : b].value;
    Terms t = termsOf(isNumber(a) ? b : a);
    for (auto &[product, weight] : t)
      weight = weight * factor;
    return sumOf(std::move(t));
  }
  // (x + y) (x + y)^-1: the sum as a factor.
  for (const auto &[s, other] : {std::pair{a, b}, std::pair{b, a}}) {
    const Terms t = termsOf(other);
    if (entries[s].form != Form::sum || t.size() != 1)
      continue;
    for (const auto &[f, k] : factorsOf(t[0].first)) {
      if (f == s)
        return multiplyProducts(t[0].first, s, t[0].second);
      if (k > 0 || entries[f].form != Form::sum)
        continue;
      // What all terms of s share is cancelled term by term.
      const Id front = sharedFactor(s);
      if (front != one && !dividesBy(front, f) && divideTerms(s, front) == f)
        return multiply(multiplyProducts(t[0].first, f, t[0].second), front);
    }
  }
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
  if (parts.size() == 1)
    return parts[0];
  return add(parts);
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

uint64_t Algebra::depthsIn(Id id) const {
  uint64_t mask = 0;
  std::unordered_set<Id> seen;
  const auto go = [&](const auto &self, Id at) -> void {
    if (at == nothing || !seen.insert(at).second)
      return;
    if (entries[at].form == Form::index)
      mask |= uint64_t{1} << entries[at].depth;
    for (const Id a : entries[at].args)
      self(self, a);
  };
  go(go, id);
  return mask;
}

Id Algebra::deepestIndex(Id id) const {
  // The indices themselves are found where they stand.
  Id found = nothing;
  std::unordered_set<Id> seen;
  const uint64_t mask = entries[id].free;
  if (mask == 0)
    return nothing;
  const int depth = 63 - __builtin_clzll(mask);
  const auto go = [&](const auto &self, Id at) -> void {
    if (at == nothing || found != nothing || (entries[at].free >> depth & 1) == 0 ||
        !seen.insert(at).second)
      return;
    if (entries[at].form == Form::index && entries[at].depth == depth) {
      found = at;
      return;
    }
    for (const Id a : entries[at].args)
      self(self, a);
  };
  go(go, id);
  return found;
}

int Algebra::degree(Id id, Id index) const {
  if (!dependsOn(id, index))
    return 0;
  if (id == index)
    return 1;
  const Expression &e = entries[id];
  int most = 0;
  if (e.form == Form::sum) {
    for (const Id a : e.args) {
      const int d = degree(a, index);
      if (d < 0)
        return -1;
      most = std::max(most, d);
    }
    return most;
  }
  if (e.form != Form::product)
    return -1;
  for (size_t i = 0; i < e.args.size(); ++i) {
    if (!dependsOn(e.args[i], index))
      continue;
    if (e.args[i] != index || e.weights[i].value() < 0)
      return -1;
    most += static_cast<int>(e.weights[i].value());
  }
  return most;
}

} // namespace quincunx::pamela
