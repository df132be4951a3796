// Sums and largest values over an index in closed form.
// The idea: a sum goes through the terms of its body: what does not depend on the index is counted,
// powers of the index have the formula of Faulhaber, powers with the index in the exponent are
// geometric, and the rest stays a sum. The largest value of what grows is the last one.
// Reference: docs/12-pamela.md, "Symbolic results"; Graham, Knuth, Patashnik, Concrete Mathematics,
// (6.78).
#include "Algebra.h"

#include <algorithm>
#include <array>
#include <optional>

namespace quincunx::pamela {

namespace {

Coefficient binomial(int n, int k) {
  Coefficient b(1);
  for (int i = 1; i <= k; ++i)
    b = b * Coefficient::ratio(n - k + i, i);
  return b;
}

/// B_n, with B_1 = 1/2.
Coefficient bernoulli(int n) {
  static const std::vector<Coefficient> all = [] {
    std::vector<Coefficient> b;
    for (int m = 0; m <= Algebra::maxExponent; ++m) {
      // sum over k of binomial(m + 1, k) B_k = m + 1
      Coefficient rest(m + 1);
      for (int k = 0; k < m; ++k)
        rest = rest + -(binomial(m + 1, k) * b[static_cast<size_t>(k)]);
      b.push_back(rest * Coefficient(m + 1).inverse());
    }
    return b;
  }();
  return all[static_cast<size_t>(n)];
}

/// The k of `any` stands behind the other arguments.
std::vector<Id> withOrder(std::vector<Id> args, Id k) {
  if (k != Algebra::nothing)
    args.push_back(k);
  return args;
}

} // namespace

Id Algebra::explicitly(Op op, Id index, Id body, Id k) {
  if (body == zero && op == Op::sum)
    return zero;
  return intern({.form = Form::reduce, .op = op, .args = withOrder({index, body}, k)});
}

/// sum over i = a..b of i^m, as F(b) - F(a - 1), F(n) = sum over j of binomial(m + 1, j) B_j
/// n^(m + 1 - j) / (m + 1).
Id Algebra::sumOfPowers(Id first, Id last, int m) {
  const auto upTo = [&](Id n) {
    std::vector<Id> parts;
    for (int j = 0; j <= m; ++j) {
      const Coefficient c = binomial(m + 1, j) * bernoulli(j) * Coefficient(m + 1).inverse();
      parts.push_back(multiply(number(c), power(n, m + 1 - j)));
    }
    return add(parts);
  };
  return subtract(upTo(last), upTo(subtract(first, one)));
}

/// sum of r^(c i + d) = r^d (q^(b + 1) - q^a) / (q - 1), q = r^c.
Id Algebra::geometric(Id index, Id base, Id exponent) {
  const Id a = from(index), b = to(index), d = substitute(exponent, index, zero);
  const Id c = subtract(substitute(exponent, index, one), d);
  const Id q = apply(Op::power, {base, c});
  if (q == one || !whole(c))
    return nothing;
  const auto raised = [&](Id n) { return apply(Op::power, {base, multiply(c, n)}); };
  return multiply(multiply(apply(Op::power, {base, d}), subtract(raised(add(b, one)), raised(a))),
                  power(subtract(q, one), -1));
}

/// What is at a place that depends on the index becomes a family of places.
Id Algebra::sumOfVector(Id index, Id body) {
  std::vector<Id> elements;
  for (const Id x : entries[body].args) {
    const Expression &e = entries[x];
    std::vector<Id> over(e.args.begin() + 3, e.args.end());
    const bool placed = dependsOn(element(zero, e.args[1], e.args[2], over), index);
    if (placed)
      over.insert(over.begin(), index);
    elements.push_back(
        element(placed ? e.args[0] : sum(index, e.args[0]), e.args[1], e.args[2], over));
  }
  return addVectors(std::array{vector(std::move(elements))});
}

/// Of what is no sum of draws.
Id Algebra::sumOfDraws(Id index, Id body) {
  const Id closed = sumByRemainder(index, body);
  return closed == nothing ? explicitly(Op::sum, index, body) : closed;
}

/// Draws of laws that do not depend on the index are counted.
Id Algebra::sumOfTotal(Id index, const Expression &b) {
  std::vector<Id> parts{sum(index, b.args[0])}, rest;
  for (size_t i = 1; i < b.args.size(); i += 2)
    if (dependsOn(b.args[i + 1], index))
      rest.push_back(repeated(b.args[i], b.args[i + 1]));
    else
      parts.push_back(repeated(sum(index, b.args[i]), b.args[i + 1]));
  if (!rest.empty())
    parts.push_back(sumOfDraws(index, add(rest)));
  return add(parts);
}

/// The sum of outside * i^m * inside, where only `inside` is anything else that depends on the
/// index; nothing when there is no closed form.
Id Algebra::sumOfFunction(Id index, Id outside, int m, Id inside) {
  const Expression &e = entries[inside];
  if (e.form != Form::function)
    return nothing;
  if (m == 0 && e.op == Op::power && !dependsOn(e.args[0], index) &&
      degree(e.args[1], index) == 1) {
    const Id closed = geometric(index, e.args[0], e.args[1]);
    return closed == nothing ? nothing : multiply(outside, closed);
  }
  const Expression &c = entries[e.args[0]];
  if (e.op != Op::branch || c.form != Form::function || c.op != Op::equal)
    return nothing;
  // sum of (if (i == j) x(i) else y(i)) = x(j) - y(j) + sum of y(i), j among the i
  const Id j = c.args[0] == index ? c.args[1] : c.args[1] == index ? c.args[0] : nothing;
  if (j == nothing || dependsOn(j, index) || !whole(subtract(j, from(index))) ||
      !nonnegative(subtract(j, from(index))) || !nonnegative(subtract(to(index), j)))
    return nothing;
  const Id factor = multiply(outside, power(index, m));
  const Id x = multiply(factor, e.args[1]), y = multiply(factor, e.args[2]);
  return add(substitute(subtract(x, y), index, j), sum(index, y));
}

/// What has no closed form. Factors that do not depend on the index stand in front of one term.
Id Algebra::sumOfRest(Id index, const std::vector<Id> &rest) {
  Id front = one, inner = add(rest);
  if (rest.size() == 1) {
    const Terms t = termsOf(inner);
    front = number(t[0].second);
    for (const auto &[f, k] : factorsOf(t[0].first))
      if (!dependsOn(f, index))
        front = multiply(front, power(f, k));
    inner = divide(inner, front);
  }
  return multiply(front, explicitly(Op::sum, index, inner));
}

Id Algebra::sum(Id index, Id body) {
  if (body == zero)
    return zero;
  const Expression &b = entries[body];
  const bool depends = dependsOn(body, index);
  const Id count = countOf(index);
  if (isNumber(count) && value(count) < (depends ? 1 : 0))
    return isVector(body) ? vector({}) : zero;
  if (isVector(body))
    return sumOfVector(index, body);
  if (!depends)
    return assumeNonnegative(count) ? repeated(count, body) : explicitly(Op::sum, index, body);
  if (!assumeRange(index, false))
    return explicitly(Op::sum, index, body);
  if (b.random && b.form == Form::total)
    return sumOfTotal(index, b);
  if (b.random)
    return sumOfDraws(index, body);
  return sumOfTerms(index, body, count);
}

/// outside * i^power * inside, where only `inside`, one factor or nothing, is anything else that
/// depends on the index; none when the product is not of that kind.
std::optional<Algebra::IndexedTerm> Algebra::splitByIndex(Id index, Id product,
                                                          Coefficient weight) {
  IndexedTerm t{number(weight)};
  bool good = true;
  for (const auto &[f, k] : factorsOf(product)) {
    if (!dependsOn(f, index))
      t.outside = multiply(t.outside, power(f, k));
    else if (f == index && k > 0)
      t.power = k;
    else if (t.inside == nothing && k == 1)
      t.inside = f;
    else
      good = false;
  }
  return good && t.power <= maxExponent ? std::optional(t) : std::nullopt;
}

Id Algebra::sumOfTerms(Id index, Id body, Id count) {
  std::vector<Id> parts, rest;
  std::map<int, std::vector<Id>> powers; ///< factors of i^m
  for (const auto &[product, weight] : termsOf(body)) {
    const std::optional<IndexedTerm> t = splitByIndex(index, product, weight);
    if (t && t->inside == nothing) {
      powers[t->power].push_back(t->outside);
      continue;
    }
    Id closed = t ? sumOfFunction(index, t->outside, t->power, t->inside) : nothing;
    if (closed == nothing)
      closed = sumOfQuotient(index, product, weight);
    if (closed == nothing)
      closed = sumByRemainder(index, multiply(number(weight), product));
    if (closed != nothing)
      parts.push_back(closed);
    else
      rest.push_back(multiply(number(weight), product));
  }
  for (const auto &[m, outside] : powers)
    parts.push_back(
        multiply(add(outside), m == 0 ? count : sumOfPowers(from(index), to(index), m)));
  if (!rest.empty())
    parts.push_back(sumOfRest(index, rest));
  return add(parts);
}

Id Algebra::copies(Op op, Id count, Id body, Id k) {
  if (!entries[body].random && !isVector(body))
    return body;
  if (count == one)
    return body;
  return intern({.form = Form::copies, .op = op, .args = withOrder({count, body}, k)});
}

Id Algebra::extreme(Op op, Id index, Id body) {
  if (isVector(body))
    return explicitly(op, index, body);
  const Id length = subtract(to(index), from(index));
  if (!dependsOn(body, index)) {
    if (!assumeNonnegative(length))
      return explicitly(op, index, body);
    return copies(op, add(length, one), body);
  }
  if (isNumber(length) && value(length) < 0)
    return zero;
  const Expression &b = entries[body];
  if (b.random || !assumeRange(index, true))
    return explicitly(op, index, body);
  if (b.form == Form::function && b.op == Op::call && b.text == (op == Op::max ? "max" : "min"))
    return extremeOfEach(op, index, b);
  if (const Id end = endWhereExtreme(op, index, body); end != nothing)
    return substitute(body, index, end);
  return extremeOfTerms(op, index, body);
}

/// max over i of max(f(i), g(i)).
Id Algebra::extremeOfEach(Op op, Id index, const Expression &b) {
  std::vector<Id> parts;
  for (const Id a : b.args)
    parts.push_back(isVector(a) ? explicitly(op, index, call(b.text, {a})) : extreme(op, index, a));
  return call(b.text, std::move(parts));
}

/// The bound of the index at which a polynomial is largest (smallest); nothing when it is not known
/// to grow or to shrink.
Id Algebra::endWhereExtreme(Op op, Id index, Id body) {
  if (degree(body, index) < 1)
    return nothing;
  const Id step = subtract(substitute(body, index, add(index, one)), body);
  const bool grows = nonnegative(step), shrinks = !grows && nonnegative(multiply(minusOne, step));
  if (!grows && !shrinks)
    return nothing;
  return grows == (op == Op::max) ? to(index) : from(index);
}

/// c + f(i) and c f(i) with c >= 0: c is taken out.
Id Algebra::extremeOfTerms(Op op, Id index, Id body) {
  std::vector<Id> outside, inside;
  for (const auto &[product, weight] : termsOf(body)) {
    const Id term = multiply(number(weight), product);
    (dependsOn(product, index) ? inside : outside).push_back(term);
  }
  const Id inner = add(inside);
  const Id front = nonnegativeFactor(index, inner);
  const Id reduced =
      front == one ? explicitly(op, index, inner) : extreme(op, index, divide(inner, front));
  outside.push_back(multiply(front, reduced));
  return add(outside);
}

/// Factors of a single term that do not depend on the index and are 0 or more.
Id Algebra::nonnegativeFactor(Id index, Id e) {
  const Terms t = termsOf(e);
  Id front = one;
  if (t.size() != 1)
    return front;
  if (t[0].second.isFraction() && t[0].second.value() > 0)
    front = number(t[0].second);
  for (const auto &[f, k] : factorsOf(t[0].first))
    if (!dependsOn(f, index) && nonnegative(f))
      front = multiply(front, power(f, k));
  return front;
}

Id Algebra::anyOf(Id k, Id index, Id body) {
  if (!dependsOn(body, index)) {
    const Id count = countOf(index);
    if (assumeNonnegative(subtract(count, one)) && assumeNonnegative(subtract(count, k)))
      return copies(Op::any, count, body, k);
  }
  return explicitly(Op::any, index, body, k);
}

} // namespace quincunx::pamela
