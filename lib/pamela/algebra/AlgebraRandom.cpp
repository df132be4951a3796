// Random numbers and vectors in expressions.
// The idea: a sum of draws is what it adds up to for certain and how many draws of which law; laws
// with known moments that are drawn equally often become one. Nothing else is known of a draw, so
// that all the rest stays as it was written. Reference: docs/12-pamela.md, "Symbolic results".
#include "Algebra.h"
#include "pamela/evaluate/LawCumulants.h"

#include <algorithm>
#include <array>

namespace quincunx::pamela {

Id Algebra::law(const std::string &name, std::vector<Id> args, bool rates) {
  return intern({.form = Form::law,
                 .op = rates ? Op::branch : Op::number,
                 .random = true,
                 .text = name,
                 .args = std::move(args)});
}

Id Algebra::element(Id value, Id place, Id servers, std::vector<Id> over) {
  std::vector<Id> args{value, place, servers};
  args.insert(args.end(), over.begin(), over.end());
  return intern({.form = Form::element, .args = std::move(args)});
}

Id Algebra::vector(std::vector<Id> elements) {
  return intern({.form = Form::vector, .args = std::move(elements)});
}

/// Values at the same place add up.
Id Algebra::addVectors(std::span<const Id> parts) {
  std::map<std::vector<Id>, size_t> places;
  std::vector<std::vector<Id>> keys, values;
  for (const Id p : parts)
    if (isVector(p))
      for (const Id x : entries[p].args) {
        std::vector<Id> key(entries[x].args.begin() + 1, entries[x].args.end());
        const auto [at, isNew] = places.try_emplace(key, keys.size());
        if (isNew)
          keys.push_back(key), values.emplace_back();
        values[at->second].push_back(entries[x].args[0]);
      }
  std::vector<Id> elements;
  for (size_t i = 0; i < keys.size(); ++i) {
    const Id value = add(values[i]);
    if (value != zero)
      elements.push_back(
          element(value, keys[i][0], keys[i][1], {keys[i].begin() + 2, keys[i].end()}));
  }
  return vector(std::move(elements));
}

Id Algebra::scale(Id factor, Id random) {
  if (factor == one || factor == zero)
    return factor == one ? random : zero;
  const Expression &r = entries[random];
  if (r.form == Form::scaled)
    return scale(multiply(factor, r.args[0]), r.args[1]);
  if (r.form == Form::total) {
    std::vector<Id> parts{multiply(factor, r.args[0])};
    for (size_t i = 1; i < r.args.size(); i += 2)
      parts.push_back(repeated(r.args[i], scale(factor, r.args[i + 1])));
    return add(parts);
  }
  return intern({.form = Form::scaled, .args = {factor, random}});
}

Id Algebra::repeated(Id count, Id body) {
  if (count == one)
    return body;
  const Expression &b = entries[body];
  if (isVector(body)) {
    std::vector<Id> elements;
    for (const Id x : b.args) {
      const Expression &e = entries[x];
      elements.push_back(element(repeated(count, e.args[0]), e.args[1], e.args[2],
                                 {e.args.begin() + 3, e.args.end()}));
    }
    return vector(std::move(elements));
  }
  if (!entries[count].random && !b.random)
    return multiply(count, body);
  if (entries[count].random)
    return intern({.form = Form::copies, .op = Op::sum, .args = {count, body}});
  if (count == zero)
    return zero;
  std::vector<Id> args{zero, count, body};
  if (b.form == Form::total) {
    args = {multiply(count, b.args[0])};
    for (size_t i = 1; i < b.args.size(); i += 2)
      args.push_back(multiply(count, b.args[i])), args.push_back(b.args[i + 1]);
  }
  return intern({.form = Form::total, .args = std::move(args)});
}

namespace {
/// Cumulants of a law whose arguments are numbers, as it stands or scaled by one.
std::optional<Cumulants> fixed(const Algebra &all, Id id) {
  const Expression &e = all[id];
  if (e.form == Form::scaled && all.isNumber(e.args[0])) {
    const std::optional<Cumulants> k = fixed(all, e.args[1]);
    const double c = all.value(e.args[0]);
    return k ? std::optional(
                   Cumulants{c * k->k1, c * c * k->k2, c * c * c * k->k3, c * c * c * c * k->k4})
             : k;
  }
  if (e.form != Form::law || e.op == Op::branch)
    return std::nullopt;
  std::vector<double> x;
  for (const Id a : e.args) {
    if (!all.isNumber(a))
      return std::nullopt;
    x.push_back(all.value(a));
  }
  const Result<Cumulants> k = cumulantsOf(e.text, x);
  if (!k || k->k2 == 0 || !admissible(moments(*k)))
    return std::nullopt;
  return *k;
}
} // namespace

/// What is certain, and the draws in the order of their bodies, each body once.
Algebra::Draws Algebra::drawsOf(std::span<const Id> parts) {
  Draws out;
  std::vector<std::pair<Id, Id>> draws; // body, count
  for (const Id p : parts) {
    const Expression &e = entries[p];
    if (!e.random)
      out.certain.push_back(p);
    else if (e.form != Form::total)
      draws.emplace_back(p, one);
    else {
      out.certain.push_back(e.args[0]);
      for (size_t i = 1; i < e.args.size(); i += 2)
        draws.emplace_back(e.args[i + 1], e.args[i]);
    }
  }
  std::stable_sort(draws.begin(), draws.end(),
                   [](const auto &a, const auto &b) { return a.first < b.first; });
  for (size_t i = 0; i < draws.size();) {
    std::vector<Id> counts;
    const Id body = draws[i].first;
    for (; i < draws.size() && draws[i].first == body; ++i)
      counts.push_back(draws[i].second);
    if (const Id count = add(counts); count != zero)
      out.random.emplace_back(body, count);
  }
  return out;
}

Id Algebra::addRandom(std::span<const Id> parts) {
  const Draws draws = drawsOf(parts);
  // Laws with known moments that are drawn equally often are one.
  std::map<Id, std::pair<Cumulants, size_t>> together;
  for (const auto &[body, count] : draws.random)
    if (const auto k = fixed(*this, body))
      together[count].first += *k, ++together[count].second;
  std::vector<Id> args{draws.certain.empty() ? zero : add(draws.certain)};
  for (const auto &[body, count] : draws.random) {
    const auto at = together.find(count);
    if (at != together.end() && at->second.second > 1 && fixed(*this, body))
      continue;
    args.push_back(count), args.push_back(body);
  }
  for (const auto &[count, k] : together)
    if (k.second > 1) {
      const Moments m = moments(k.first);
      args.push_back(count);
      args.push_back(law(
          "moments", {number(m.mean), number(m.variance), number(m.skewness), number(m.kurtosis)}));
    }
  if (args.size() == 1)
    return args[0];
  if (args.size() == 3 && args[0] == zero && args[1] == one)
    return args[2];
  return intern({.form = Form::total, .args = std::move(args)});
}

} // namespace quincunx::pamela
