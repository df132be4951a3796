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
/// What to say of bounds that go further, or are not finite.
std::string boundsError(double from, double to);

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
