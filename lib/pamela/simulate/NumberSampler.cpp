// Draws values of the numbers of a program.
// The idea: values are trees in a table; the frequent ones, constants and laws whose parameters are
// constants, never come here (NumberSampler.h). It does not know processes.
// Reference: docs/12-pamela.md.
#include "NumberSampler.h"

#include "pamela/evaluate/Arithmetic.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace quincunx::pamela {

namespace {
constexpr double slack = 1e-9;
constexpr double bernoulli = 1e-6;
} // namespace

std::string conditionError(double x) {
  return "a condition is " + exact(x) + ": it must be 0, 1 or a probability between them";
}

bool canDrawRates(double mean, double variance) {
  return isProbability(mean) &&
         (variance == 0 || std::fabs(variance - mean * (1 - mean)) <= bernoulli);
}

std::string ratesError(double mean, double variance) {
  return "a condition with moments(" + exact(mean) + ", " + exact(variance) +
         ", ...) gives cumulants of rates, and simulation cannot draw rates: use bernoulli(" +
         exact(mean) + "), whose variance is " + exact(mean * (1 - mean)) +
         ", or analyse the model";
}

void NumberSampler::failLimit(Place at) {
  fail(at, "more events and turns of loops than the limit of " + std::to_string(limit) +
               ": a loop without end? Raise the limit if it is not");
}

std::vector<double> NumberSampler::operands(const CompiledNumber &v, double *frame) {
  std::vector<double> all(v.count);
  for (size_t i = 0; i < v.count; ++i)
    all[i] = operand(v, i, frame);
  return all;
}

double NumberSampler::truth(double p, Place at) {
  if (p == 0 || p == 1)
    return p;
  if (!isProbability(p))
    fail(at, conditionError(p));
  return random.next() < p ? 1 : 0;
}

double NumberSampler::operation(const CompiledNumber &v, double *frame) {
  if (v.isLong)
    return chain(v, frame);
  return combined(v, operand(v, 0, frame), frame);
}

/// From its innermost operation on.
double NumberSampler::chain(const CompiledNumber &v, double *frame) {
  std::vector<const CompiledNumber *> waiting;
  const CompiledNumber *first = &v;
  for (; first->isLong; first = &program.values[program.operands[first->first]])
    waiting.push_back(first);
  double a = operation(*first, frame);
  for (; !waiting.empty(); waiting.pop_back())
    a = combined(*waiting.back(), a, frame);
  return a;
}

double NumberSampler::combined(const CompiledNumber &v, double a, double *frame) {
  if (v.count == 1)
    return computed(v.op, a);
  // The second operand is not looked at when the first one decides.
  if ((v.op == Op::logicalAnd && a == 0) || (v.op == Op::logicalOr && a != 0))
    return a;
  const double b = operand(v, 1, frame), x = computed(v.op, a, b);
  if (!std::isfinite(x)) [[unlikely]]
    if (const std::string why = whyNoValue(v.op, a, b); !why.empty())
      fail(v.at, why);
  return x;
}

double NumberSampler::function(const CompiledNumber &v, double *frame) {
  const std::vector<double> x = operands(v, frame);
  const auto f = static_cast<Function>(v.which);
  const double y = computed(f, x);
  if (!std::isfinite(y)) [[unlikely]]
    if (const std::string why = whyNoValue(nameOf(f), x); !why.empty())
      fail(v.at, why);
  return y;
}

bool NumberSampler::wholeBounds(double &from, double &to, Place at) {
  if (!(std::fabs(from) <= largestIndex && std::fabs(to) <= largestIndex)) {
    fail(at, boundsError(from, to));
    return false;
  }
  const Turns turns = turnsOf(to - from + 1);
  from = std::floor(from);
  to = from + turns.whole - 1;
  if (turns.part > 0 && random.next() < turns.part)
    to += 1;
  return from <= to;
}

double NumberSampler::reduction(const CompiledNumber &v, double *frame) {
  double from = operand(v, 0, frame), to = operand(v, 1, frame);
  if (wholeBounds(from, to, v.at))
    step(static_cast<uint64_t>(to - from + 1), v.at);
  double all = v.op == Op::sum ? 0 : std::nan("");
  for (double i = from; i <= to && !failure; ++i) {
    frame[v.slot] = i;
    const double x = operand(v, 2, frame);
    if (v.op == Op::sum)
      all += x;
    else
      all = v.op == Op::max ? std::fmax(all, x) : std::fmin(all, x);
  }
  if (std::isnan(all) && !failure)
    fail(v.at, "the largest or smallest of no values, from " + exact(from) + " to " + exact(to));
  return all;
}

double NumberSampler::choice(const CompiledNumber &v, double *frame) {
  const uint32_t selector = program.operands[v.first];
  if (selector != none) {
    const double x = value(selector, frame);
    for (size_t i = 1; i < v.count; ++i)
      if (operand(v, i, frame) == x)
        return static_cast<double>(i - 1);
    return v.count - 1;
  }
  const double u = random.next();
  double sum = 0, chosen = v.count - 1;
  for (size_t i = 1; i < v.count; ++i) {
    const double p = operand(v, i, frame);
    if (!isProbability(p))
      fail(v.at, "a switch without a selector takes probabilities, not " + exact(p));
    if (u >= sum && u < sum + p)
      chosen = static_cast<double>(i - 1);
    sum += p;
  }
  if (sum > 1 + slack)
    fail(v.at, "the probabilities of a switch add up to " + exact(sum) + ", more than 1");
  // What rounding leaves of 1 belongs to the last one.
  if (chosen == v.count - 1 && sum >= 1 - slack)
    return v.count - 2;
  return chosen;
}

double NumberSampler::drawn(const CompiledNumber &v, double *frame) {
  const std::vector<double> parameters = operands(v, frame);
  const auto kind = static_cast<LawKind>(v.which);
  const Result<LawSampler> law = laws.make(kind, parameters);
  if (law)
    return kind == LawKind::moments && parameters[1] == 0 ? parameters[0] : law->draw(random);
  fail(v.at, law.error().text);
  return 0;
}

double NumberSampler::other(const CompiledNumber &v, double *frame) {
  switch (v.form) {
  case NumberKind::slot:
    return frame[v.slot];
  case NumberKind::operation:
    return operation(v, frame);
  case NumberKind::function:
    return function(v, frame);
  case NumberKind::law:
    return drawn(v, frame);
  case NumberKind::reduction:
    return reduction(v, frame);
  case NumberKind::branch:
    return operand(v, operand(v, 0, frame) != 0 ? 1 : 2, frame);
  case NumberKind::truth:
    return truth(operand(v, 0, frame), v.at);
  case NumberKind::rates: {
    const double mean = operand(v, 0, frame), variance = operand(v, 1, frame);
    if (!canDrawRates(mean, variance))
      fail(v.at, ratesError(mean, variance));
    return truth(mean, v.at);
  }
  case NumberKind::choice:
    return choice(v, frame);
  case NumberKind::select:
    return operand(v, 1 + static_cast<size_t>(operand(v, 0, frame)), frame);
  case NumberKind::constant:
  case NumberKind::fixedLaw:
    break;
  }
  return value(static_cast<uint32_t>(&v - program.values.data()), frame);
}

} // namespace quincunx::pamela
