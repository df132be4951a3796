// Compiles expressions to the instructions of a tape.
// The idea: each expression is computed once, after those it needs, into a place of its own that is
// given back after its last use. Reference: docs/12-pamela.md, "Symbolic results".
#include "Tape.h"

#include "pamela/algebra/TreeWriter.h"
#include "pamela/evaluate/LawCumulants.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quincunx::pamela {

namespace {

/// Terms of a sum in one instruction: so many, that the sum is seldom read and written, and so few,
/// that what they need stays in the first cache.
constexpr size_t together = 16;

} // namespace

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

/// Is it for NumberEvaluator? Sums that stayed, and vectors.
bool Tape::isExplicit(const Expression &e) const {
  if (e.form == Form::reduce || e.form == Form::vector)
    return true;
  return e.form == Form::function && std::any_of(e.args.begin(), e.args.end(), [&](Id a) {
           return a != Algebra::nothing && all.isVector(a);
         });
}

/// A law whose arguments are numbers, computed once.
bool Tape::isKnownLaw(const Expression &e) const {
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
  const auto at = static_cast<uint32_t>(memory.size());
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
  const Expression &e = all[id];
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
      all.divideTerms(id, all.multiply(all.number(Coefficient(s.divisor).inverse()), front)), 1);
  return s;
}

Tape::Operand Tape::sum(Id id) {
  if (const Split s = split(id); !s.factors.empty())
    return product(s.factors, s.divisor);
  const Expression &e = all[id];
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
      emit(Code::axpy, o.at, 0, a.at, 0, e.weights[i].value());
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
        emit(Code::times, o.at, 0, at);
      else if (below)
        emit(Code::times, *below, 0, at);
      else
        emit(Code::scale, *(below = take(false)), at, 0, 0, 1);
    }
    release(f);
  }
  if (first)
    emit(Code::set, o.at, 0, 0, 0, 1);
  if (below) {
    emit(Code::divide, o.at, 0, *below);
    freeSingle.push_back(*below);
  }
  return o;
}

/// Instructions that add up draws. Terms of one kind are one instruction, a few at a time: what
/// they need has places until then.
class Tape::TotalWriter {
public:
  explicit TotalWriter(Tape &of) : tape(of), out{tape.take(true), true}, from(tape.terms.size()) {}

  Operand write(const Expression &total);

private:
  void addCertain(Id e);
  /// `count` draws of what is no known law, or a single one of a law.
  void addBody(Id count, Id body);
  void addLaw(Id count, Id body, const Expression &law);
  /// The place of the count, whose constant factor becomes the weight of the term where that saves
  /// an instruction.
  uint32_t countOf(Id count, double &weight);
  void begin();
  void flush();

  Tape &tape;
  Operand out;
  bool first = true; ///< `out` has no value yet
  Code code = Code::addDraws;
  size_t from; ///< terms from here on have no instruction yet
  std::vector<Id> needed;
};

Tape::Operand Tape::TotalWriter::write(const Expression &e) {
  if (e.args[0] != Algebra::zero)
    addCertain(e.args[0]);
  for (size_t i = 1; i < e.args.size(); i += 2) {
    const Id count = e.args[i], body = e.args[i + 1];
    const Expression *const law = tape.drawnLaw(body);
    if (law && (count != Algebra::one || tape.all[body].form == Form::scaled))
      addLaw(count, body, *law);
    else
      addBody(count, body);
  }
  flush();
  return out;
}

void Tape::TotalWriter::addCertain(Id e) {
  tape.emit(Code::lift, out.at, tape.place(e).at);
  tape.release(e);
  first = false;
}

void Tape::TotalWriter::begin() {
  tape.emit(Code::setLaw, out.at, static_cast<uint32_t>(tape.laws.size()));
  tape.laws.push_back({});
  first = false;
}

void Tape::TotalWriter::flush() {
  if (from < tape.terms.size())
    tape.emit(code, out.at, static_cast<uint32_t>(from), static_cast<uint32_t>(tape.terms.size()));
  for (const Id n : needed)
    tape.release(n);
  needed.clear(), from = tape.terms.size();
}

void Tape::TotalWriter::addBody(Id count, Id body) {
  flush();
  const bool once = count == Algebra::one;
  const uint32_t at = tape.place(body).at, times = once ? 0 : tape.place(count).at;
  if (first && once)
    begin();
  if (first)
    tape.emit(Code::repeat, out.at, 0, at, times);
  else
    tape.emit(once ? Code::add : Code::addTimes, out.at, 0, at, times);
  first = false;
  tape.release(count), tape.release(body);
  from = tape.terms.size();
}

void Tape::TotalWriter::addLaw(Id count, Id body, const Expression &law) {
  const bool once = count == Algebra::one, scaled = tape.all[body].form == Form::scaled;
  const Code kind = !scaled ? Code::addDraws : once ? Code::addScaled : Code::addScaledDraws;
  if (first)
    begin();
  if (kind != code || tape.terms.size() - from >= together)
    flush();
  code = kind;
  Term t{0, 0, 1, tape.known(law)};
  if (!once)
    t.count = countOf(count, t.weight);
  if (scaled) {
    const Id factor = tape.all[body].args[0];
    t.scale = tape.place(factor).at;
    needed.push_back(factor);
  }
  tape.terms.push_back(t);
}

uint32_t Tape::TotalWriter::countOf(Id count, double &weight) {
  const Expression &n = tape.all[count];
  const bool multiple = n.form == Form::sum && n.args.size() == 1 && tape.uses[count] == 1 &&
                        tape.places.count(count) == 0 && tape.split(count).factors.empty();
  if (multiple)
    weight = n.weights[0].value();
  needed.push_back(multiple ? n.args[0] : count);
  return tape.place(needed.back()).at;
}

Tape::Operand Tape::total(const Expression &e) { return TotalWriter(*this).write(e); }

const Expression *Tape::drawnLaw(Id id) {
  if (places.count(id) != 0)
    return nullptr;
  const Expression &e = all[id];
  if (e.form == Form::scaled && uses[id] == 1 && isKnownLaw(all[e.args[1]]))
    return &all[e.args[1]];
  return isKnownLaw(e) ? &e : nullptr;
}

Cumulants Tape::known(const Expression &law) {
  std::vector<Cumulants> x;
  for (const Id a : law.args)
    x.push_back({all.value(a), 0, 0, 0});
  const Result<Cumulants> k = value(law, x);
  hasLaws = hasLaws && k;
  return k ? *k : Cumulants{};
}

Tape::Operand Tape::called(Id id) {
  const Expression &e = all[id];
  Call call{id, {}, nullptr};
  if (isKnownLaw(e)) {
    const Operand o{take(true), true};
    emit(Code::setLaw, o.at, static_cast<uint32_t>(laws.size()));
    laws.push_back(known(e));
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
