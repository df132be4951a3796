// Trees in brackets, operator first, for expectations: "(add 1 (name x 2))". And models from text.
#pragma once

#include "quincunx/base/Text.h"
#include "quincunx/pamela/Parse.h"

#include <gtest/gtest.h>
#include <string>

namespace quincunx::pamela::test {

inline std::string shape(const Tree &tree) {
  static const char *const names[] = {
      "number",   "name",      "vector",  "negate",       "not",   "add",    "subtract",
      "multiply", "divide",    "power",   "mod",          "div",   "equal",  "notEqual",
      "less",     "lessEqual", "greater", "greaterEqual", "and",   "or",     "call",
      "law",      "sum",       "max",     "min",          "delay", "use",    "sequence",
      "parallel", "seq",       "par",     "any",          "if",    "switch", "fcfs"};
  if (!tree)
    return "-";
  if (tree->op == Op::number)
    return exact(tree->value);
  if (tree->op == Op::name && tree->args.empty())
    return tree->text;
  std::string out = std::string("(") + names[static_cast<size_t>(tree->op)];
  if (!tree->text.empty())
    out += " " + tree->text;
  for (const Tree &t : tree->args)
    out += " " + shape(t);
  return out + ")";
}

/// The only definition of a text that must parse.
inline Tree body(const std::string &expression, const std::string &kind = "numeric") {
  const Result<Model> m = parseText(kind + " x = " + expression, "test.pam");
  EXPECT_TRUE(m) << expression << "\n" << (m ? "" : m.error().message());
  return m ? m->definitions.at(0).body : nullptr;
}

} // namespace quincunx::pamela::test
