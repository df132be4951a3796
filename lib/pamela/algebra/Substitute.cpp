// Puts an expression in place of an index.
// The idea: what depends on the index is made anew, and so simplified again; what does not is left
// alone. Indices whose bounds depend on it are other indices then. Reference: docs/12-pamela.md,
// "Symbolic results".
#include "Algebra.h"

namespace quincunx::pamela {

namespace {

class Substitution {
public:
  Substitution(Algebra &algebra, Id of, Id by) : all(algebra), index(of), replacement(by) {}

  Id in(Id e);

private:
  Id made(Id e);
  std::vector<Id> inEach(const Expression &e) {
    std::vector<Id> args = e.args;
    for (Id &a : args)
      a = in(a);
    return args;
  }
  Id boundIndex(const Expression &e) {
    return all.index(e.text, e.depth, in(e.args[0]), in(e.args[1]));
  }
  Id sum(const Expression &e);
  Id product(const Expression &e);
  Id function(const Expression &e);
  Id reduction(const Expression &e);
  Id copies(const Expression &e);
  Id total(const Expression &e);
  Id element(const Expression &e);

  Algebra &all;
  Id index, replacement;
  std::unordered_map<Id, Id> done;
};

Id Substitution::in(Id e) {
  if (e == Algebra::nothing || !all.dependsOn(e, index))
    return e;
  if (e == index)
    return replacement;
  if (const auto found = done.find(e); found != done.end())
    return found->second;
  const Id out = made(e);
  done.emplace(e, out);
  return out;
}

Id Substitution::made(Id id) {
  const Expression &e = all[id];
  switch (e.form) {
  case Form::sum:
    return sum(e);
  case Form::product:
    return product(e);
  case Form::index:
    return boundIndex(e);
  case Form::function:
    return function(e);
  case Form::reduce:
    return reduction(e);
  case Form::copies:
    return copies(e);
  case Form::law:
    return all.law(e.text, inEach(e), e.op == Op::branch);
  case Form::scaled:
    return all.multiply(in(e.args[0]), in(e.args[1]));
  case Form::total:
    return total(e);
  case Form::vector:
    return all.vector(inEach(e));
  case Form::element:
    return element(e);
  case Form::number:
  case Form::parameter:
    break;
  }
  return id;
}

Id Substitution::sum(const Expression &e) {
  std::vector<Id> parts;
  for (size_t i = 0; i < e.args.size(); ++i)
    parts.push_back(all.multiply(all.number(e.weights[i]), in(e.args[i])));
  return all.add(parts);
}

Id Substitution::product(const Expression &e) {
  Id out = Algebra::one;
  for (size_t i = 0; i < e.args.size(); ++i)
    out = all.multiply(out, all.power(in(e.args[i]), static_cast<int>(e.weights[i].value())));
  return out;
}

Id Substitution::function(const Expression &e) {
  if (e.op == Op::call)
    return all.call(e.text, inEach(e));
  if (e.op == Op::multiply)
    return all.multiply(in(e.args[0]), in(e.args[1]));
  return all.apply(e.op, inEach(e));
}

Id Substitution::reduction(const Expression &e) {
  const Id inner = boundIndex(all[e.args[0]]);
  Id body = in(e.args[1]);
  if (inner != e.args[0])
    body = all.substitute(body, e.args[0], inner);
  if (e.op == Op::any)
    return all.anyOf(in(e.args[2]), inner, body);
  return e.op == Op::sum ? all.sum(inner, body) : all.extreme(e.op, inner, body);
}

Id Substitution::copies(const Expression &e) {
  const std::vector<Id> args = inEach(e);
  if (e.op == Op::sum)
    return all.repeated(args[0], args[1]);
  return all.copies(e.op, args[0], args[1], args.size() > 2 ? args[2] : Algebra::nothing);
}

Id Substitution::total(const Expression &e) {
  std::vector<Id> parts{in(e.args[0])};
  for (size_t i = 1; i < e.args.size(); i += 2)
    parts.push_back(all.repeated(in(e.args[i]), in(e.args[i + 1])));
  return all.add(parts);
}

Id Substitution::element(const Expression &e) {
  const std::vector<Id> args = inEach(e);
  return all.element(args[0], args[1], args[2], {args.begin() + 3, args.end()});
}

} // namespace

Id Algebra::substitute(Id e, Id index, Id by) { return Substitution(*this, index, by).in(e); }

} // namespace quincunx::pamela
