// What stands between operands, how tightly it binds, and how constructs are called: for the parser
// and the printer alike. Reference: docs/12-pamela.md, "Grammar".
#pragma once

#include "quincunx/pamela/Ast.h"

#include <cstdint>
#include <string_view>

namespace quincunx::pamela {

/// Loosest first. A sum's body is at least a `product`, that of a seq a `primary`.
enum class Level : uint8_t {
  sequence,
  parallel,
  logicalOr,
  logicalAnd,
  logicalNot,
  comparison,
  sum,
  product,
  unary,
  power,
  primary
};

inline Level tighter(Level level) { return static_cast<Level>(static_cast<uint8_t>(level) + 1); }

struct Word {
  std::string_view text;
  Op op;
  Level level;
};

/// Between operands.
inline constexpr Word operators[] = {
    {";", Op::sequence, Level::sequence},
    {"||", Op::parallel, Level::parallel},
    {"or", Op::logicalOr, Level::logicalOr},
    {"and", Op::logicalAnd, Level::logicalAnd},
    {"==", Op::equal, Level::comparison},
    {"!=", Op::notEqual, Level::comparison},
    {"<", Op::less, Level::comparison},
    {"<=", Op::lessEqual, Level::comparison},
    {">", Op::greater, Level::comparison},
    {">=", Op::greaterEqual, Level::comparison},
    {"+", Op::add, Level::sum},
    {"-", Op::subtract, Level::sum},
    {"*", Op::multiply, Level::product},
    {"/", Op::divide, Level::product},
    {"mod", Op::mod, Level::product},
    {"div", Op::div, Level::product},
};

/// In front of "(index = from, to) body".
inline constexpr Word repetitions[] = {{"seq", Op::seq, Level::primary},
                                       {"par", Op::par, Level::primary},
                                       {"sum", Op::sum, Level::product},
                                       {"max", Op::max, Level::product},
                                       {"min", Op::min, Level::product}};

/// In front of "(arguments)"; `arguments`: how many.
struct Task {
  std::string_view text;
  Op op;
  size_t arguments;
};
inline constexpr Task tasks[] = {
    {"delay", Op::delay, 1}, {"use", Op::use, 2}, {"fcfs", Op::fcfs, 2}};

/// The entry of the table with this text or operation; null when there is none.
template <class Entry, size_t n> const Entry *find(const Entry (&table)[n], std::string_view text) {
  for (const Entry &e : table)
    if (e.text == text)
      return &e;
  return nullptr;
}
template <class Entry, size_t n> const Entry *find(const Entry (&table)[n], Op op) {
  for (const Entry &e : table)
    if (e.op == op)
      return &e;
  return nullptr;
}

} // namespace quincunx::pamela
