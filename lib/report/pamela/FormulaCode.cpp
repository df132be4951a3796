// Symbolic results as functions in C and Python.
// The idea: a file that compiles by itself, with the helpers that its functions call. Parameters
// whose names mean something in the language get an underscore. Reference: docs/12-pamela.md,
// "Formulas elsewhere". Expressions are written by CodeWriter.
#include "quincunx/report/FormulaCode.h"

#include "CodeWriter.h"
#include "quincunx/pamela/Print.h"

#include <algorithm>
#include <array>

namespace quincunx {

namespace {

using pamela::Analyzed;
using pamela::Definition;
using pamela::Node;
using pamela::Op;

/// Words of C and Python, and functions that are called.
constexpr std::string_view reserved[] = {
    "False",  "None",   "True",     "and",          "as",       "assert",    "async",
    "await",  "break",  "class",    "continue",     "def",      "del",       "elif",
    "else",   "except", "finally",  "for",          "from",     "global",    "if",
    "import", "in",     "is",       "lambda",       "nonlocal", "not",       "or",
    "pass",   "raise",  "return",   "try",          "while",    "with",      "yield",
    "auto",   "bool",   "case",     "char",         "const",    "constexpr", "default",
    "do",     "double", "enum",     "extern",       "false",    "float",     "goto",
    "inline", "int",    "long",     "nullptr",      "register", "restrict",  "short",
    "signed", "sizeof", "static",   "struct",       "switch",   "true",      "typedef",
    "typeof", "union",  "unsigned", "void",         "volatile", "abs",       "ceil",
    "exp",    "fabs",   "floor",    "fmax",         "fmin",     "fmod",      "log",
    "log2",   "math",   "max",      "min",          "pow",      "range",     "sqrt",
    "sum",    "turns",  "gcd_of",   "remainder_of", "j0",       "j1",        "jn",
    "y0",     "y1",     "yn",       "INFINITY",     "NAN"};

struct Helper {
  std::string_view name, c, python;
};
constexpr Helper helpers[] = {
    {"remainder_of",
     "/* Has the sign of b. */\n"
     "static double remainder_of(double a, double b) {\n"
     "  const double rest = fmod(a, b);\n"
     "  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;\n"
     "}\n",
     "def remainder_of(a, b):\n"
     "  \"\"\"Has the sign of b.\"\"\"\n"
     "  rest = math.fmod(a, b)\n"
     "  return rest + b if rest != 0 and (rest < 0) != (b < 0) else rest\n"},
    {"gcd_of",
     "static double gcd_of(double a, double b) {\n"
     "  a = fabs(a), b = fabs(b);\n"
     "  while (b > 0) {\n"
     "    const double rest = fmod(a, b);\n"
     "    a = b, b = rest;\n"
     "  }\n"
     "  return a;\n"
     "}\n",
     "def gcd_of(a, b):\n"
     "  return math.gcd(int(a), int(b))\n"},
    {"turns", "",
     "def turns(first, last):\n"
     "  while first <= last:\n"
     "    yield first\n"
     "    first += 1\n"},
};

bool isVector(const Node &n) {
  if (n.op == Op::call && n.text == "unitvec")
    return true;
  if (n.op == Op::call) // the largest of a vector is a number
    return false;
  return std::any_of(n.args.begin(), n.args.end(),
                     [](const pamela::Tree &t) { return t && isVector(*t); });
}

/// How parameters and results are called: each differently, and no word of the language.
class CodeNames {
public:
  explicit CodeNames(const Analyzed &a) {
    for (const std::string_view word : reserved)
      taken.emplace(word);
    taken.insert("resource");
    for (const Definition &d : a.model.definitions) {
      std::string name = d.name;
      while (taken.contains(name))
        name += "_";
      taken.insert(name);
      (d.parameter ? parameters : results)[d.name] = name;
    }
  }
  std::map<std::string, std::string> parameters, results;

private:
  std::set<std::string> taken;
};

/// What the functions hold for, as lines.
std::vector<std::string> remarks(const Analyzed &a) {
  std::vector<std::string> lines;
  for (const Definition &d : a.model.definitions) {
    if (d.least)
      lines.push_back(d.name + " >= " + pamela::print(d.least));
    if (d.most)
      lines.push_back(d.name + " <= " + pamela::print(d.most));
  }
  lines.insert(lines.end(), a.assumptions.begin(), a.assumptions.end());
  std::string line;
  std::vector<std::string> out;
  for (const std::string &each : lines) {
    if (line.size() + each.size() > 90)
      out.push_back(line + ","), line.clear();
    line += (line.empty() ? out.empty() ? "For " : "  " : ", ") + each;
  }
  if (!line.empty())
    out.push_back(line + ".");
  for (const std::string &name : a.missing)
    out.push_back("Without " + name + ", which has no formula.");
  return out;
}

Result<std::string> formulaAs(const Analyzed &a, CodeLanguage language) {
  const bool isC = language == CodeLanguage::c;
  const CodeNames names(a);
  std::string functions;
  std::set<std::string> called;
  for (const Definition &d : a.model.definitions) {
    if (d.parameter)
      continue;
    CodeWriter writer(language, names.parameters);
    const Result<std::string> body = writer.body(*d.body);
    if (!body)
      return Error{d.name + " " + body.error().text +
                   ", so it has no function; --as latex writes it"};
    called.insert(writer.helpers.begin(), writer.helpers.end());
    std::string arguments = isVector(*d.body) ? (isC ? "double resource" : "resource") : "";
    for (const Definition &p : a.model.definitions)
      if (p.parameter)
        arguments += (arguments.empty() ? "" : ", ") + std::string(isC ? "double " : "") +
                     names.parameters.at(p.name);
    const std::string &name = names.results.at(d.name);
    functions += isC ? "\ndouble " + name + "(" + (arguments.empty() ? "void" : arguments) +
                           ") {\n" + *body + "}\n"
                     : "\n\ndef " + name + "(" + arguments + "):\n" + *body;
  }
  std::string head;
  for (const std::string &line : remarks(a))
    head += (isC ? "// " : "# ") + line + "\n";
  head += isC ? "#include <math.h>\n" : "import math\n";
  for (const Helper &h : helpers)
    if (called.contains(std::string(h.name)) && !(isC ? h.c : h.python).empty())
      head += std::string(isC ? "\n" : "\n\n") + std::string(isC ? h.c : h.python);
  return head + functions;
}

} // namespace

Result<std::string> formulaAsC(const Analyzed &a) { return formulaAs(a, CodeLanguage::c); }
Result<std::string> formulaAsPython(const Analyzed &a) {
  return formulaAs(a, CodeLanguage::python);
}

} // namespace quincunx
