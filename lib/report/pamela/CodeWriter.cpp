// Writes expressions as C or Python.
// The idea: each expression is a text that binds as tightly as its operator; what has no operator
// in the language is a helper that computes what eval does. Reference: docs/12-pamela.md,
// "Formulas elsewhere".
#include "CodeWriter.h"

#include "quincunx/base/Text.h"

#include <cmath>

namespace quincunx {

using pamela::Node;
using pamela::Op;

CodeWriter::Text CodeWriter::refuse(const std::string &what) {
  if (!refused)
    refused = what;
  return {"0", Binding::primary};
}

std::string CodeWriter::in(const Node &n, Binding least) {
  Text t = text(n);
  return t.binding < least ? "(" + t.text + ")" : t.text;
}

Result<std::string> CodeWriter::body(const Node &n) {
  for (const auto &[name, called] : names)
    taken.insert(called);
  const std::string result = text(n).text;
  if (refused)
    return Error{*refused};
  line("return " + result + (isC() ? ";" : ""));
  return statements;
}

/// A name that nothing has yet.
std::string CodeWriter::fresh(const std::string &name) {
  std::string free = name;
  for (int i = 1; taken.contains(free); ++i)
    free = name + std::to_string(i);
  taken.insert(free);
  return free;
}

CodeWriter::Text CodeWriter::number(double x) const {
  if (std::isinf(x))
    return {isC() ? "INFINITY" : "math.inf"};
  std::string digits = exact(x);
  if (isC() && digits.find_first_of(".e") == std::string::npos)
    digits += ".0"; // 1 / 2 is 0 in C
  return {digits, x < 0 ? Binding::unary : Binding::primary};
}

CodeWriter::Text CodeWriter::call(const std::string &name, const std::vector<std::string> &args) {
  std::string all;
  for (const std::string &a : args)
    all += (all.empty() ? "" : ", ") + a;
  return {name + "(" + all + ")"};
}

/// a - (b - c), a / (b / c): what stands on the right binds more tightly.
CodeWriter::Text CodeWriter::infix(const Node &n, const std::string &sign, Binding binding) {
  const auto tighter = static_cast<Binding>(static_cast<uint8_t>(binding) + 1);
  const bool chains = binding != Binding::comparison; // a < b < c is something else in Python
  const std::string left = in(*n.args[0], chains ? binding : tighter);
  return {left + " " + sign + " " + in(*n.args[1], tighter), binding};
}

std::string CodeWriter::condition(const Node &n) {
  return n.op >= Op::equal && n.op <= Op::logicalOr ? in(n, Binding::logic)
                                                    : in(n, Binding::sum) + " != 0";
}

CodeWriter::Text CodeWriter::chain(const Node &n) {
  constexpr const char *comparisons[] = {"==", "!=", "<", "<=", ">", ">="};
  switch (n.op) {
  case Op::add:
    return infix(n, "+", Binding::sum);
  case Op::subtract:
    return infix(n, "-", Binding::sum);
  case Op::multiply:
    return infix(n, "*", Binding::product);
  case Op::divide:
    return infix(n, "/", Binding::product);
  case Op::power:
  case Op::mod:
  case Op::div: {
    const std::string a = in(*n.args[0], Binding::choice), b = in(*n.args[1], Binding::choice);
    if (n.op == Op::power)
      return call(isC() ? "pow" : "math.pow", {a, b});
    if (n.op == Op::div)
      return call(isC() ? "floor" : "math.floor",
                  {in(*n.args[0], Binding::product) + " / " + in(*n.args[1], Binding::unary)});
    helpers.insert("remainder_of");
    return call("remainder_of", {a, b});
  }
  case Op::logicalAnd:
  case Op::logicalOr: {
    const bool isAnd = n.op == Op::logicalAnd;
    const std::string left = "(" + condition(*n.args[0]) + ")";
    return {left + (isC() ? (isAnd ? " && " : " || ") : (isAnd ? " and " : " or ")) + "(" +
                condition(*n.args[1]) + ")",
            Binding::logic};
  }
  default: {
    const auto sign = static_cast<size_t>(n.op) - static_cast<size_t>(Op::equal);
    return infix(n, comparisons[sign], Binding::comparison);
  }
  }
}

CodeWriter::Text CodeWriter::largest(const std::string &name,
                                     const std::vector<std::string> &args) {
  if (args.size() == 1)
    return {"(" + args[0] + ")"};
  if (!isC())
    return call(name, args);
  std::string all = args.back();
  for (size_t i = args.size() - 1; i-- > 0;)
    all = call(name == "max" ? "fmax" : "fmin", {args[i], all}).text;
  return {all};
}

CodeWriter::Text CodeWriter::function(const Node &n) {
  if (n.text == "unitvec")
    return {"(" + in(*n.args[0], Binding::sum) + " == resource" + (isC() ? " ? 1.0 : 0.0)" : ")")};
  std::vector<std::string> args;
  for (const pamela::Tree &a : n.args)
    args.push_back(in(*a, Binding::choice));
  if (n.text == "max" || n.text == "min")
    return largest(n.text, args);
  if (n.text == "together")
    return refuse("is the largest of random numbers");
  if (n.text == "gcd") {
    helpers.insert("gcd_of");
    if (args.size() == 1)
      args.emplace_back(isC() ? "0.0" : "0");
    std::string all = args[0];
    for (size_t i = 1; i < args.size(); ++i)
      all = call("gcd_of", {all, args[i]}).text;
    return {all};
  }
  if (n.text == "abs")
    return call(isC() ? "fabs" : "abs", args);
  return call((isC() ? "" : "math.") + n.text, args);
}

/// C: loops that only one part needs stand in a statement, so that they run for that part alone.
CodeWriter::Text CodeWriter::choice(const std::string &condition, const Node *yes, const Node *no) {
  const auto part = [&](const Node *n, std::string &own) {
    std::swap(own, statements), indent += 2;
    const std::string t = n ? in(*n, Binding::logic) : number(0).text;
    std::swap(own, statements), indent -= 2;
    return t;
  };
  std::string first, second;
  const std::string a = part(yes, first), b = part(no, second);
  if (!isC())
    return {a + " if " + condition + " else " + b, Binding::choice};
  if (first.empty() && second.empty())
    return {condition + " ? " + a + " : " + b, Binding::choice};
  const std::string chosen = fresh("chosen");
  line("double " + chosen + ";");
  line("if (" + condition + ") {");
  statements += first;
  line("  " + chosen + " = " + a + ";");
  line("} else {");
  statements += second;
  line("  " + chosen + " = " + b + ";");
  line("}");
  return {chosen};
}

/// The first of the pairs of a value and what it selects, else the others.
CodeWriter::Text CodeWriter::select(const Node &n) {
  if (n.args.size() <= 2)
    return n.args.size() == 2 ? text(*n.args[1]) : number(0);
  Node others{Op::select, 0, {}, {n.args.begin() + 2, n.args.end()}, n.at, {}};
  others.args[0] = n.args[0];
  return choice(in(*n.args[0], Binding::sum) + " == " + in(*n.args[1], Binding::sum),
                n.args[2].get(), &others);
}

CodeWriter::Text CodeWriter::over(const Node &n) {
  const std::string from = in(*n.args[0], Binding::choice), to = in(*n.args[1], Binding::choice);
  const std::string index = fresh(n.text);
  indices.emplace_back(n.text, index);
  const Text t = loop(n, index, from, to);
  indices.pop_back();
  return t;
}

CodeWriter::Text CodeWriter::loop(const Node &n, const std::string &index, const std::string &from,
                                  const std::string &to) {
  const bool isSum = n.op == Op::sum;
  const std::string name = isSum ? "sum" : n.op == Op::max ? "max" : "min";
  if (!isC()) {
    helpers.insert("turns");
    const std::string each =
        in(*n.args[2], Binding::logic) + " for " + index + " in turns(" + from + ", " + to + ")";
    return {isSum ? "sum(" + each + ")" : name + "((" + each + "), default=0)"};
  }
  const std::string first = fresh("first"), last = fresh("last"),
                    total = fresh(isSum ? "sum" : name);
  line("const double " + first + " = " + from + ", " + last + " = " + to + ";");
  line("double " + total + " = 0.0;");
  line("for (double " + index + " = " + first + "; " + index + " <= " + last + "; ++" + index +
       ") {");
  indent += 2;
  const std::string each = in(*n.args[2], Binding::logic);
  const std::string further = (n.op == Op::max ? "fmax(" : "fmin(") + total + ", " + each + ")";
  line(isSum ? total + " += " + each + ";"
             : total + " = " + index + " == " + first + " ? " + each + " : " + further + ";");
  indent -= 2;
  line("}");
  return {total};
}

CodeWriter::Text CodeWriter::text(const Node &n) {
  if (refused)
    return {"0"};
  if (n.op >= Op::add && n.op <= Op::logicalOr)
    return chain(n);
  switch (n.op) {
  case Op::number:
    return number(n.value);
  case Op::name: {
    for (auto i = indices.rbegin(); i != indices.rend(); ++i)
      if (i->first == n.text)
        return {i->second};
    const auto at = names.find(n.text);
    return at == names.end() ? refuse("names '" + escape(n.text) + "'") : Text{at->second};
  }
  case Op::negate:
    return {"-" + in(*n.args[0], Binding::primary), Binding::unary};
  case Op::logicalNot:
    return {in(*n.args[0], Binding::sum) + " == 0", Binding::comparison};
  case Op::call:
    return function(n);
  case Op::sum:
  case Op::max:
  case Op::min:
    return over(n);
  case Op::branch:
    return choice(condition(*n.args[0]), n.args[1].get(),
                  n.args.size() > 2 ? n.args[2].get() : nullptr);
  case Op::select:
    if (n.args[0])
      return select(n);
    [[fallthrough]];
  case Op::law:
    return refuse("is random");
  default:
    return refuse("has a part that is no function of numbers");
  }
}

} // namespace quincunx
