// Symbolic results as LaTeX.
// The idea: what a formula looks like on paper: fractions, sums with their bounds, choices in
// braces. Needs amsmath. Reference: docs/12-pamela.md, "Formulas elsewhere".
#include "quincunx/base/Text.h"
#include "quincunx/pamela/Print.h"
#include "quincunx/report/FormulaCode.h"

#include <cctype>
#include <string_view>

namespace quincunx {

namespace {

using pamela::Definition;
using pamela::Node;
using pamela::Op;

enum class Binding : uint8_t { logic, comparison, sum, product, power, primary };

std::string braced(std::string_view left, const std::string &inside, std::string_view right) {
  return "\\left" + std::string(left) + " " + inside + " \\right" + std::string(right);
}

/// N, \mathit{ts}, T_{\mathrm{main}}, x_{1}: digits and what is behind "_" stand below.
std::string nameOf(const std::string &name) {
  size_t end = 0;
  while (end < name.size() && std::isalpha(static_cast<unsigned char>(name[end])))
    ++end;
  const std::string first = name.substr(0, end);
  std::string below;
  for (size_t i = end; i < name.size(); ++i)
    below += name[i] != '_' ? std::string(1, name[i]) : below.empty() ? "" : "\\_";
  const std::string shown = first.size() > 1 ? "\\mathit{" + first + "}" : first;
  return below.empty() ? (shown.empty() ? "\\_" : shown)
                       : (shown.empty() ? "\\_" : shown) + "_{\\mathrm{" + below + "}}";
}

std::string latexNumber(double x) {
  const std::string digits = exact(x);
  if (digits == "inf")
    return "\\infty";
  const size_t e = digits.find('e');
  if (e == std::string::npos)
    return digits;
  return digits.substr(0, e) + " \\cdot 10^{" + std::to_string(std::stoi(digits.substr(e + 1))) +
         "}";
}

Binding bindingOf(const Node &n) {
  switch (n.op) {
  case Op::logicalAnd:
  case Op::logicalOr:
    return Binding::logic;
  case Op::equal:
  case Op::notEqual:
  case Op::less:
  case Op::lessEqual:
  case Op::greater:
  case Op::greaterEqual:
  case Op::logicalNot:
    return Binding::comparison;
  case Op::add:
  case Op::subtract:
  case Op::negate:
    return Binding::sum;
  case Op::multiply:
  case Op::mod:
  case Op::sum:
  case Op::max:
  case Op::min:
    return Binding::product;
  case Op::number:
    return exact(n.value).find('e') == std::string::npos ? Binding::primary : Binding::product;
  case Op::power:
  case Op::divide:
    return Binding::power;
  default:
    return Binding::primary;
  }
}

std::string text(const Node &n);

std::string in(const Node &n, Binding least) {
  return bindingOf(n) < least ? braced("(", text(n), ")") : text(n);
}

std::string list(const Node &n, size_t first = 0) {
  std::string all;
  for (size_t i = first; i < n.args.size(); ++i)
    all += (all.empty() ? "" : ", ") + text(*n.args[i]);
  return all;
}

/// Does a text begin with a digit, so that it needs a dot behind what it is multiplied with?
bool startsWithDigit(const Node &n) {
  if (n.op == Op::multiply || n.op == Op::power)
    return startsWithDigit(*n.args[0]);
  return n.op == Op::number;
}

std::string operation(const Node &n) {
  constexpr const char *comparisons[] = {"=", "\\ne", "<", "\\le", ">", "\\ge"};
  const Node &a = *n.args[0], &b = *n.args[1];
  switch (n.op) {
  case Op::add:
    return in(a, Binding::sum) + " + " + in(b, Binding::product);
  case Op::subtract:
    return in(a, Binding::sum) + " - " + in(b, Binding::product);
  case Op::multiply:
    return in(a, a.op == Op::sum || a.op == Op::mod ? Binding::power : Binding::product) +
           (startsWithDigit(b) ? " \\cdot " : " \\, ") +
           in(b, b.op == Op::sum ? Binding::product : Binding::power);
  case Op::divide:
    return "\\frac{" + text(a) + "}{" + text(b) + "}";
  case Op::power:
    return (bindingOf(a) == Binding::primary && a.op != Op::branch ? text(a)
                                                                   : braced("(", text(a), ")")) +
           "^{" + text(b) + "}";
  case Op::mod:
    return in(a, Binding::power) + " \\bmod " + in(b, Binding::power);
  case Op::div:
    return braced("\\lfloor", "\\frac{" + text(a) + "}{" + text(b) + "}", "\\rfloor");
  case Op::logicalAnd:
  case Op::logicalOr:
    return in(a, Binding::comparison) + (n.op == Op::logicalAnd ? " \\land " : " \\lor ") +
           in(b, Binding::comparison);
  default:
    return in(a, Binding::sum) + " " +
           comparisons[static_cast<size_t>(n.op) - static_cast<size_t>(Op::equal)] + " " +
           in(b, Binding::sum);
  }
}

std::string called(const Node &n) {
  const std::string &f = n.text;
  if (f == "floor" || f == "ceil")
    return braced("\\l" + f, list(n), "\\r" + f);
  if (f == "abs")
    return braced("|", list(n), "|");
  if (f == "sqrt")
    return "\\sqrt{" + list(n) + "}";
  if (f == "unitvec")
    return "\\mathbf{e}_{" + list(n) + "}";
  const std::string name = f == "log"    ? "\\ln"
                           : f == "log2" ? "\\log_2"
                           : f == "max" || f == "min" || f == "gcd" || f == "exp"
                               ? "\\" + f
                               : "\\operatorname{" + f + "}";
  return name + braced("(", list(n), ")");
}

std::string over(const Node &n) {
  const std::string bounds = nameOf(n.text) + " = " + text(*n.args[0]);
  const std::string to = text(*n.args[1]), body = in(*n.args[2], Binding::product);
  return n.op == Op::sum ? "\\sum_{" + bounds + "}^{" + to + "} " + body
                         : std::string(n.op == Op::max ? "\\max" : "\\min") + "_{" + bounds +
                               ", \\ldots, " + to + "} " + body;
}

std::string cases(const std::vector<std::pair<std::string, std::string>> &rows) {
  std::string all;
  for (const auto &[value, when] : rows)
    all += (all.empty() ? "" : " \\\\ ") + value + " & " + when;
  return "\\begin{cases} " + all + " \\end{cases}";
}

std::string chosen(const Node &n) {
  const std::string otherwise = "\\text{otherwise}";
  const auto part = [&](size_t i) { return i < n.args.size() ? text(*n.args[i]) : "0"; };
  if (n.op == Op::branch) {
    const bool isTruth = n.args[0]->op >= Op::equal && n.args[0]->op <= Op::logicalOr;
    const std::string when = (isTruth ? "\\text{if } " : "\\text{with probability } ") + part(0);
    return cases({{part(1), when}, {part(2), otherwise}});
  }
  std::vector<std::pair<std::string, std::string>> rows;
  for (size_t i = 1; i + 1 < n.args.size(); i += 2)
    rows.emplace_back(part(i + 1),
                      n.args[0] ? "\\text{if } " + in(*n.args[0], Binding::sum) + " = " + part(i)
                                : "\\text{with probability } " + part(i));
  rows.emplace_back(n.args.size() % 2 == 0 ? part(n.args.size() - 1) : "0", otherwise);
  return cases(rows);
}

std::string text(const Node &n) {
  if (n.op >= Op::add && n.op <= Op::logicalOr)
    return operation(n);
  switch (n.op) {
  case Op::number:
    return latexNumber(n.value);
  case Op::name:
    return nameOf(n.text);
  case Op::negate:
    return "-" + in(*n.args[0], Binding::product);
  case Op::logicalNot:
    return "\\lnot " + in(*n.args[0], Binding::primary);
  case Op::call:
    return called(n);
  case Op::law:
    return "\\mathrm{" + n.text + "}" + braced("(", list(n), ")");
  case Op::vector:
    return braced("(", list(n), ")");
  case Op::sum:
  case Op::max:
  case Op::min:
    return over(n);
  case Op::any:
    return "\\operatorname{smallest}_{" + text(*n.args[0]) + "}" +
           braced("(", n.args[1]->op == Op::call ? list(*n.args[1]) : text(*n.args[1]), ")");
  case Op::branch:
  case Op::select:
    return chosen(n);
  default: // processes and resources are no results
    return "";
  }
}

} // namespace

std::string formulaAsLatex(const pamela::Analyzed &a) {
  std::string out;
  for (const std::string &line : a.assumptions)
    out += (out.empty() ? "% for " : ", ") + line;
  out += (out.empty() ? "" : "\n") + std::string("\\begin{align*}\n");
  std::string rows;
  for (const Definition &d : a.model.definitions)
    if (!d.parameter)
      rows += (rows.empty() ? "" : " \\\\\n") + ("  " + nameOf(d.name)) + " &= " + text(*d.body);
  return out + rows + "\n\\end{align*}\n";
}

} // namespace quincunx
