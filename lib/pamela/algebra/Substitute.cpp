// Putting an expression in place of an index.
// The idea: what depends on the index is made anew, and so simplified again; what does not is left
// alone. Indices whose bounds depend on it are other indices then. Reference: docs/12-pamela.md,
// "Symbolic results".
#include "Algebra.h"

namespace quincunx::pamela {

Id Algebra::substitute(Id id, Id index, Id by) {
  std::unordered_map<Id, Id> done;
  const auto go = [&](const auto &self, Id at) -> Id {
    if (at == nothing || !dependsOn(at, index))
      return at;
    if (at == index)
      return by;
    if (const auto found = done.find(at); found != done.end())
      return found->second;
    const Expression &e = entries[at];
    const auto each = [&] {
      std::vector<Id> args = e.args;
      for (Id &a : args)
        a = self(self, a);
      return args;
    };
    Id out = at;
    switch (e.form) {
    case Form::sum: {
      std::vector<Id> parts;
      for (size_t i = 0; i < e.args.size(); ++i)
        parts.push_back(multiply(number(e.weights[i]), self(self, e.args[i])));
      out = add(parts);
      break;
    }
    case Form::product:
      out = one;
      for (size_t i = 0; i < e.args.size(); ++i)
        out = multiply(out, power(self(self, e.args[i]), static_cast<int>(e.weights[i].value())));
      break;
    case Form::index:
      out = this->index(e.text, e.depth, self(self, e.args[0]), self(self, e.args[1]));
      break;
    case Form::function:
      if (e.op == Op::call)
        out = call(e.text, each());
      else if (e.op == Op::multiply)
        out = multiply(self(self, e.args[0]), self(self, e.args[1]));
      else
        out = apply(e.op, each());
      break;
    case Form::reduce: {
      const Expression &bound = entries[e.args[0]];
      const Id inner = this->index(bound.text, bound.depth, self(self, bound.args[0]),
                                   self(self, bound.args[1]));
      Id body = self(self, e.args[1]);
      if (inner != e.args[0])
        body = substitute(body, e.args[0], inner);
      if (e.op == Op::any)
        out = anyOf(self(self, e.args[2]), inner, body);
      else
        out = e.op == Op::sum ? sum(inner, body) : extreme(e.op, inner, body);
      break;
    }
    case Form::copies: {
      const std::vector<Id> args = each();
      out = e.op == Op::sum ? repeated(args[0], args[1])
                            : copies(e.op, args[0], args[1], args.size() > 2 ? args[2] : nothing);
      break;
    }
    case Form::law:
      out = law(e.text, each(), e.op == Op::branch);
      break;
    case Form::scaled:
      out = multiply(self(self, e.args[0]), self(self, e.args[1]));
      break;
    case Form::total: {
      std::vector<Id> parts{self(self, e.args[0])};
      for (size_t i = 1; i < e.args.size(); i += 2)
        parts.push_back(repeated(self(self, e.args[i]), self(self, e.args[i + 1])));
      out = add(parts);
      break;
    }
    case Form::vector:
      out = vector(each());
      break;
    case Form::element: {
      const std::vector<Id> args = each();
      out = element(args[0], args[1], args[2], {args.begin() + 3, args.end()});
      break;
    }
    case Form::number:
    case Form::parameter:
      break;
    }
    done.emplace(at, out);
    return out;
  };
  return go(go, id);
}

} // namespace quincunx::pamela
