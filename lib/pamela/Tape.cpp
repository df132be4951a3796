// From expressions to instructions.
// The idea: each expression is computed once, after those it needs, into a place of its own that is
// given back after its last use. Reference: docs/12-pamela.md, "Symbolic results".
#include "Tape.h"

#include "Laws.h"
#include "ToTree.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quincunx::pamela {

Tape::Tape(Algebra &algebra, const Model &m, const EvaluateOptions &options,
           const std::vector<std::string> &in)
    : all(algebra), model(m), numbersOptions(options), numbers(m, numbersOptions), inputs(in) {
  for (const Definition &d : model.definitions)
    names.insert(d.name);
}

void Tape::want(Id e) { wanted.push_back(e); }

void Tape::emit(Code code, uint32_t out, uint32_t a, uint32_t b, uint32_t c, double w) {
  instructions.push_back({code, out, a, b, c, w});
}

/// Is it for Numbers? Sums that stayed, and vectors.
bool Tape::isExplicit(const Entry &e) const {
  if (e.form == Form::reduce || e.form == Form::vector)
    return true;
  return e.form == Form::function && std::any_of(e.args.begin(), e.args.end(), [&](Id a) {
           return a != Algebra::nothing && all.isVector(a);
         });
}

/// A law whose arguments are numbers, computed once.
bool Tape::isKnownLaw(const Entry &e) const {
  return e.form == Form::law &&
         std::all_of(e.args.begin(), e.args.end(), [&](Id a) { return all.isNumber(a); });
}

void Tape::count(Id e) {
  if (e == Algebra::nothing || ++uses[e] > 1 || isExplicit(all[e]) || isKnownLaw(all[e]))
    return;
  const Split s = all[e].form == Form::sum ? split(e) : Split{};
  for (const auto &[f, k] : s.factors)
    count(f);
  if (!s.factors.empty())
    return;
  if (all[e].form == Form::sum || all[e].form == Form::product || all[e].form == Form::total ||
      all[e].form == Form::scaled || all[e].form == Form::function || all[e].form == Form::copies ||
      all[e].form == Form::law)
    for (const Id a : all[e].args)
      count(a);
}

void Tape::compile() {
  for (const Id e : wanted)
    count(e), ++uses[e]; // results keep their places
  for (const Id e : wanted)
    results.push_back(place(e));
}

uint32_t Tape::take(bool random) {
  std::vector<uint32_t> &free = random ? freeFour : freeSingle;
  if (!free.empty()) {
    const uint32_t at = free.back();
    free.pop_back();
    return at;
  }
  const uint32_t at = static_cast<uint32_t>(memory.size());
  memory.resize(memory.size() + (random ? 4 : 1) * block);
  return at;
}

void Tape::release(Id e) {
  const auto at = places.find(e);
  if (at != places.end() && --uses[e] == 0)
    (at->second.random ? freeFour : freeSingle).push_back(at->second.at);
}

Tape::Operand Tape::place(Id e) {
  if (const auto at = places.find(e); at != places.end())
    return at->second;
  const Operand o = made(e);
  places[e] = o;
  return o;
}

Tape::Operand Tape::made(Id id) {
  const Entry &e = all[id];
  if (isExplicit(e))
    return called(id);
  switch (e.form) {
  case Form::number: {
    const Operand o{take(false), false};
    emit(Code::set, o.at, 0, 0, 0, e.value.value());
    return o;
  }
  case Form::parameter: {
    const auto at = std::find(inputs.begin(), inputs.end(), e.text);
    const Operand o{take(false), false};
    if (at == inputs.end())
      emit(Code::set, o.at, 0, 0, 0, std::nan(""));
    else
      emit(Code::copy, o.at, static_cast<uint32_t>(at - inputs.begin()));
    return o;
  }
  case Form::sum:
    return sum(id);
  case Form::product:
    return product(all.factorsOf(id), 1);
  case Form::total:
    return total(e);
  case Form::scaled: {
    const Operand factor = place(e.args[0]);
    const uint32_t body = place(e.args[1]).at;
    const Operand o{take(true), true};
    emit(Code::stretch, o.at, 0, body, factor.at);
    release(e.args[0]), release(e.args[1]);
    return o;
  }
  default:
    return called(id);
  }
}

Tape::Split Tape::split(Id id) {
  const Id front = all.sharedFactor(id);
  int64_t divisor = 1;
  for (const auto &[product, w] : all.termsOf(id))
    if (w.isFraction() && divisor < (int64_t{1} << 31) && w.denominator() < (int64_t{1} << 31))
      divisor = std::lcm(divisor, w.denominator());
  if (front == Algebra::one && divisor == 1)
    return {};
  Split s{all.factorsOf(front), static_cast<double>(divisor)};
  s.factors.emplace_back(
      all.divideTerms(id, all.multiply(all.number(Exact(s.divisor).inverse()), front)), 1);
  return s;
}

Tape::Operand Tape::sum(Id id) {
  if (const Split s = split(id); !s.factors.empty())
    return product(s.factors, s.divisor);
  const Entry &e = all[id];
  const Operand o{take(false), false};
  double constant = 0;
  bool first = true;
  for (size_t i = 0; i < e.args.size(); ++i)
    if (e.args[i] == Algebra::one)
      constant = e.weights[i].value();
  for (size_t i = 0; i < e.args.size(); ++i) {
    if (e.args[i] == Algebra::one)
      continue;
    const Operand a = place(e.args[i]);
    if (first && constant != 0)
      emit(Code::set, o.at, 0, 0, 0, constant);
    if (first && constant == 0)
      emit(Code::scale, o.at, a.at, 0, 0, e.weights[i].value());
    else
      emit(Code::axpy, o.at, o.at, a.at, 0, e.weights[i].value());
    first = false;
    release(e.args[i]);
  }
  return o;
}

/// Divided once: whole numbers over whole numbers are rounded once, and right, which matters where
/// they are rounded to whole ones then.
Tape::Operand Tape::product(const Algebra::Factors &factors, double divisor) {
  const Operand o{take(false), false};
  std::optional<uint32_t> below;
  if (divisor != 1) {
    below = take(false);
    emit(Code::set, *below, 0, 0, 0, divisor);
  }
  bool first = true;
  for (const auto &[f, k] : factors) {
    const uint32_t at = place(f).at;
    for (int n = std::abs(k); n > 0; --n) {
      if (k > 0 && first)
        emit(Code::scale, o.at, at, 0, 0, 1), first = false;
      else if (k > 0)
        emit(Code::times, o.at, o.at, at);
      else if (below)
        emit(Code::times, *below, *below, at);
      else
        emit(Code::scale, *(below = take(false)), at, 0, 0, 1);
    }
    release(f);
  }
  if (first)
    emit(Code::set, o.at, 0, 0, 0, 1);
  if (below) {
    emit(Code::divide, o.at, o.at, *below);
    freeSingle.push_back(*below);
  }
  return o;
}

Tape::Operand Tape::total(const Entry &e) {
  const Operand o{take(true), true};
  bool first = true;
  if (e.args[0] != Algebra::zero) {
    emit(Code::lift, o.at, place(e.args[0]).at);
    release(e.args[0]);
    first = false;
  }
  for (size_t i = 1; i < e.args.size(); i += 2) {
    const bool once = e.args[i] == Algebra::one;
    const uint32_t body = place(e.args[i + 1]).at, times = once ? 0 : place(e.args[i]).at;
    if (first && once)
      emit(Code::setLaw, o.at, static_cast<uint32_t>(laws.size())), laws.push_back({}),
          first = false;
    if (first)
      emit(Code::repeat, o.at, 0, body, times);
    else if (once)
      emit(Code::add, o.at, o.at, body);
    else
      emit(Code::addTimes, o.at, o.at, body, times);
    first = false;
    release(e.args[i]), release(e.args[i + 1]);
  }
  return o;
}

Tape::Operand Tape::called(Id id) {
  const Entry &e = all[id];
  Call call{id, {}, nullptr};
  if (isKnownLaw(e)) {
    std::vector<Cumulants> x;
    for (const Id a : e.args)
      x.push_back({all.value(a), 0, 0, 0});
    const Result<Cumulants> k = value(e, x);
    if (!k && !failure)
      failure = k.error();
    const double nan = std::nan("");
    const Operand o{take(true), true};
    emit(Code::setLaw, o.at, static_cast<uint32_t>(laws.size()));
    laws.push_back(k ? *k : Cumulants{nan, nan, nan, nan});
    return o;
  }
  if (isExplicit(e))
    call.tree = toTree(all, id, names);
  else
    for (const Id a : e.args)
      call.args.push_back(a == Algebra::nothing ? Operand{UINT32_MAX, false} : place(a));
  const Operand o{take(e.random), e.random};
  emit(Code::each, o.at, static_cast<uint32_t>(calls.size()), e.random ? 1 : 0);
  calls.push_back(std::move(call));
  if (!isExplicit(e))
    for (const Id a : e.args)
      release(a);
  return o;
}

} // namespace quincunx::pamela
