// Draws values of the numbers of a program at one moment of a run. Reference: docs/12-pamela.md.
#pragma once

#include "Program.h"

#include <optional>

namespace quincunx::pamela {

inline bool isProbability(double x) { return x >= 0 && x <= 1; }
std::string conditionError(double x);
/// Rates that say the same as a probability: the variance is that of a single draw, or 0.
bool canDrawRates(double mean, double variance);
std::string ratesError(double mean, double variance);

class NumberSampler {
public:
  NumberSampler(const Program &p, const Model &m, LawSamplers &l, Random &r)
      : program(p), model(m), laws(l), random(r) {}

  /// The value for a process with this frame; any number after a failure.
  double value(uint32_t id, double *frame) {
    const CompiledNumber &v = program.values[id];
    if (v.form == NumberKind::constant)
      return v.value;
    if (v.form == NumberKind::fixedLaw)
      return program.laws[v.slot].draw(random);
    return other(v, frame);
  }
  /// Keeps the first one.
  void fail(Place at, const std::string &text) {
    if (!failure)
      failure = errorAt(model, at, text);
  }
  /// Counts `n` steps towards the limit; fails beyond it.
  void step(uint64_t n, Place at) {
    if (n > limit - steps)
      failLimit(at);
    else
      steps += n;
  }

  /// Bounds as whole numbers: `from` rounded down, and as many turns as make to - from + 1 on
  /// average (none below 0). Are there any? Fails where an index cannot go through them.
  bool wholeBounds(double &from, double &to, Place at);

  std::optional<Error> failure;
  uint64_t steps = 0, limit = 0;

private:
  void failLimit(Place at);
  double other(const CompiledNumber &v, double *frame);
  double operation(const CompiledNumber &v, double *frame);
  double chain(const CompiledNumber &v, double *frame);
  double combined(const CompiledNumber &v, double first, double *frame);
  double function(const CompiledNumber &v, double *frame);
  double reduction(const CompiledNumber &v, double *frame);
  double choice(const CompiledNumber &v, double *frame);
  double drawn(const CompiledNumber &v, double *frame);
  double truth(double p, Place at);
  double operand(const CompiledNumber &v, size_t i, double *frame) {
    return value(program.operands[v.first + i], frame);
  }
  std::vector<double> operands(const CompiledNumber &v, double *frame);

  const Program &program;
  const Model &model;
  LawSamplers &laws;
  Random &random;
};

} // namespace quincunx::pamela
