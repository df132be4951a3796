// What operators and functions of the language make of plain numbers. Reference: docs/12-pamela.md.
#pragma once

#include "quincunx/pamela/Ast.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace quincunx::pamela {

/// Up to here i + 1 is another number than i, so a loop ends.
inline constexpr double largestIndex = 0x1p53 - 1;
/// A number of turns: whole ones, and with what probability one more, so that the mean holds.
struct Turns {
  double whole = 0, part = 0;
};
/// `turns` with what is only rounding taken off; none below 0.
Turns turnsOf(double turns);
/// What to say of bounds that go further, or are not finite.
std::string boundsError(double from, double to);

/// What to say of an `any (k)` whose k is not whole.
std::string orderError(double k);

/// An operator of two numbers; comparisons and logic give 0 or 1. Any but `vector` and reductions.
double computed(Op op, double a, double b);
/// As it is written.
const char *symbol(Op op);
/// Negation and `logicalNot`.
double computed(Op op, double a);

enum class Function : uint8_t { max, min, floor, ceil, abs, sqrt, exp, log, log2, gcd };
std::optional<Function> functionNamed(std::string_view name);
std::string_view nameOf(Function f);
/// Has it a value for so many arguments?
bool takes(Function f, size_t arguments);
double computed(Function f, std::span<const double> arguments);

/// Why a result that is not finite is none; empty when it is one (as of inf + 1).
std::string whyNoValue(Op op, double a, double b);
std::string whyNoValue(std::string_view function, std::span<const double> arguments);

} // namespace quincunx::pamela
