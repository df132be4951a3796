// Expressions, each stored once.
// The idea: an expression is looked up by a hash of all it consists of before it is stored.
// Reference: docs/12-pamela.md, "Symbolic results".
#include "ExpressionStore.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <unordered_set>

namespace quincunx::pamela {

namespace {

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

ExpressionStore::ExpressionStore() { number(0), number(1), number(-1); }

Id ExpressionStore::intern(Expression e) {
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

Id ExpressionStore::number(Coefficient x) { return intern({.value = x}); }

Id ExpressionStore::parameter(const std::string &name, bool random) {
  return intern({.form = Form::parameter, .random = random, .text = name});
}

Id ExpressionStore::index(const std::string &name, int depth, Id first, Id last) {
  return intern({.form = Form::index,
                 .depth = static_cast<uint8_t>(depth),
                 .text = name,
                 .args = {first, last}});
}

ExpressionStore::Terms ExpressionStore::termsOf(Id id) const {
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

ExpressionStore::Factors ExpressionStore::factorsOf(Id product) const {
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

bool ExpressionStore::isTruth(Id id) const {
  const Expression &e = entries[id];
  if (e.form == Form::number)
    return value(id) == 0 || value(id) == 1;
  return e.form == Form::function && e.op >= Op::equal && e.op <= Op::logicalOr;
}

uint64_t ExpressionStore::depthsIn(Id id) const {
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

Id ExpressionStore::deepestIndex(Id id) const {
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

int ExpressionStore::degree(Id id, Id index) const {
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
