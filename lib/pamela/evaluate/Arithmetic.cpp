// Operators and functions on plain numbers.
// The idea: one place, so that what the compiler computes is what a run would compute. What has no
// value is not a number; whoever asks says where. Reference: docs/12-pamela.md.
#include "Arithmetic.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace quincunx::pamela {

namespace {
/// By Euclid, for whole numbers of any size that doubles hold.
double gcd(double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b) || a != std::floor(a) || b != std::floor(b))
    return std::nan("");
  a = std::fabs(a), b = std::fabs(b);
  while (b != 0) {
    const double rest = std::fmod(a, b);
    a = b, b = rest;
  }
  return a;
}
} // namespace

Turns turnsOf(double turns) {
  turns = std::max(0.0, turns);
  const double rounding = std::min(1e-9 * turns, 1e-3), nearest = std::round(turns);
  if (std::fabs(turns - nearest) <= rounding)
    return {nearest, 0};
  return {std::floor(turns), turns - std::floor(turns)};
}

std::string orderError(double k) {
  return "any (" + exact(k) + "): how many parts are awaited must be a whole number";
}

std::string boundsError(double from, double to) {
  return "bounds from " + exact(from) + " to " + exact(to) +
         ": both must be finite numbers, below 2^53";
}

const char *symbol(Op op) {
  constexpr const char *symbols[] = {
      "+", "-", "*", "/", "^", "mod", "div", "==", "!=", "<", "<=", ">", ">=", "and", "or"};
  return symbols[static_cast<size_t>(op) - static_cast<size_t>(Op::add)];
}

double computed(Op op, double a, double b) {
  switch (op) {
  case Op::add:
    return a + b;
  case Op::subtract:
    return a - b;
  case Op::multiply:
    return a * b;
  case Op::divide:
    return a / b;
  case Op::power:
    return std::pow(a, b);
  case Op::mod: {
    const double rest = std::fmod(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  }
  case Op::div:
    return std::floor(a / b);
  case Op::equal:
    return a == b ? 1 : 0;
  case Op::notEqual:
    return a != b ? 1 : 0;
  case Op::less:
    return a < b ? 1 : 0;
  case Op::lessEqual:
    return a <= b ? 1 : 0;
  case Op::greater:
    return a > b ? 1 : 0;
  case Op::greaterEqual:
    return a >= b ? 1 : 0;
  case Op::logicalAnd:
    return a != 0 && b != 0 ? 1 : 0;
  case Op::logicalOr:
    return a != 0 || b != 0 ? 1 : 0;
  default:
    return std::nan("");
  }
}

double computed(Op op, double a) { return op == Op::negate ? -a : a == 0 ? 1 : 0; }

namespace {
constexpr std::array<std::string_view, 10> names{"max",  "min", "floor", "ceil", "abs",
                                                 "sqrt", "exp", "log",   "log2", "gcd"};
} // namespace

std::string_view nameOf(Function f) { return names[static_cast<size_t>(f)]; }

std::optional<Function> functionNamed(std::string_view name) {
  const auto *const found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    return std::nullopt;
  return static_cast<Function>(found - names.begin());
}

bool takes(Function f, size_t arguments) {
  if (f == Function::max || f == Function::min || f == Function::gcd)
    return arguments >= 1;
  return arguments == 1;
}

double computed(Function f, std::span<const double> x) {
  switch (f) {
  case Function::max:
    return *std::max_element(x.begin(), x.end());
  case Function::min:
    return *std::min_element(x.begin(), x.end());
  case Function::floor:
    return std::floor(x[0]);
  case Function::ceil:
    return std::ceil(x[0]);
  case Function::abs:
    return std::fabs(x[0]);
  case Function::sqrt:
    return std::sqrt(x[0]);
  case Function::exp:
    return std::exp(x[0]);
  case Function::log:
    return std::log(x[0]);
  case Function::log2:
    return std::log2(x[0]);
  case Function::gcd:
    break;
  }
  double all = std::fabs(x[0]);
  for (const double each : x)
    all = gcd(all, each);
  return all;
}

std::string whyNoValue(Op op, double a, double b) {
  if ((op == Op::divide || op == Op::mod || op == Op::div) && b == 0)
    return "division by zero";
  return std::isnan(computed(op, a, b))
             ? exact(a) + " " + symbol(op) + " " + exact(b) + " is no number"
             : "";
}

std::string whyNoValue(std::string_view function, std::span<const double> x) {
  const double y = computed(*functionNamed(function), x);
  return std::isnan(y) || (std::isinf(y) && std::isfinite(x[0]))
             ? std::string(function) + "(" + exact(x[0]) + ") is no number"
             : "";
}

} // namespace quincunx::pamela
