// Expressions as a list of instructions, run for many points at once.
// The idea: blocks of points, structure of arrays, so that one instruction is one loop over doubles
// that the compiler makes vectors of; places of values that are not needed any more serve again.
// What is no arithmetic (joins, laws with parameters) is computed point by point, and sums that
// stayed sums by NumberEvaluator.
#pragma once

#include "pamela/algebra/Algebra.h"
#include "pamela/evaluate/NumberEvaluator.h"

#include <array>
#include <set>
#include <span>

namespace quincunx::pamela {

class Tape {
public:
  /// `inputs`: names of the parameters, in the order of the values. The model and the algebra must
  /// live as long as the tape.
  Tape(Algebra &all, const Model &model, const EvaluateOptions &options,
       const std::vector<std::string> &inputs);

  /// Results in the order in which they were asked for.
  void want(Id e);
  /// After the last want().
  void compile();

  static constexpr size_t block = 64; ///< points at once
  /// values[i]: `block` values of an input, of which the first `points` count. Results are then in
  /// `result`, but for points at which something that was computed has no value.
  void run(std::span<const double *const> values, size_t points);
  bool hasValue(size_t point) const { return hasLaws && !failed[point]; }
  Cumulants result(size_t wanted, size_t point) const;
  const double *means(size_t i) const { return memory.data() + results[i].at; } ///< of a block
  const std::vector<std::string> &notes() const { return numbers.notes; }

private:
  enum class Code : uint8_t {
    // Numbers: out, a, b are places of a block of doubles; out is none of the others.
    set,    ///< out = w
    copy,   ///< out = input a
    axpy,   ///< out += w b
    times,  ///< out *= b
    scale,  ///< out = w a
    divide, ///< out /= b
    // Four cumulants: places of four blocks.
    setLaw,   ///< out = law a
    lift,     ///< out = {a, 0, 0, 0}
    add,      ///< out += b
    addTimes, ///< out += c b: so many draws of b more
    repeat,   ///< out = c b
    stretch,  ///< out = c b as a product: {c, c^2, c^3, c^4}
    // Laws that are known: terms[a] up to terms[b] are added to out.
    addDraws,       ///< so many draws
    addScaled,      ///< one draw, scaled
    addScaledDraws, ///< so many draws, each scaled
    // Point by point.
    each, ///< calls[a]
  };
  /// A term of a sum: `weight` times what is in `count` draws of a law, and what they are scaled
  /// by.
  struct Term {
    uint32_t count = 0, scale = 0;
    double weight = 1;
    Cumulants law;
  };
  struct Instruction {
    Code code = Code::set;
    uint32_t out = 0, a = 0, b = 0, c = 0;
    double w = 0;
  };
  struct Operand {
    uint32_t at = 0;
    bool random = false;
  };
  /// Computed point by point.
  struct Call {
    Id e = 0;
    std::vector<Operand> args;
    Tree tree; ///< for NumberEvaluator, instead
  };

  Operand place(Id e);
  Operand made(Id e);
  Operand sum(Id e);
  Operand product(const Algebra::Factors &factors, double divisor);
  /// A sum as factors times a sum with whole weights, over a divisor.
  struct Split {
    Algebra::Factors factors;
    double divisor = 1;
  };
  Split split(Id sum);
  Operand total(const Expression &e);
  class TotalWriter;
  /// The known law that `e` is a draw of, scaled perhaps, when it is needed nowhere else.
  const Expression *drawnLaw(Id e);
  Cumulants known(const Expression &law);
  Operand called(Id e);
  uint32_t take(bool random);
  void release(Id e);
  void count(Id e);
  bool isExplicit(const Expression &e) const;
  bool isKnownLaw(const Expression &e) const;
  void emit(Code code, uint32_t out, uint32_t a = 0, uint32_t b = 0, uint32_t c = 0, double w = 0);
  Cumulants at(const Operand &o, size_t point) const;
  void each(const Call &call, uint32_t out, bool random);
  // The rules of NumberEvaluator for values x of the arguments.
  Result<Cumulants> value(const Expression &e, std::span<const Cumulants> x);
  Result<Cumulants> lawOf(const Expression &e, std::span<const Cumulants> x);
  Result<Cumulants> copiesOf(const Expression &e, std::span<const Cumulants> x);
  Result<Cumulants> operatorOf(const Expression &e, std::span<const Cumulants> x);
  Result<Cumulants> branchOf(const Expression &e, std::span<const Cumulants> x);
  Result<Cumulants> selectOf(const Expression &e, std::span<const Cumulants> x);
  Result<Cumulants> callOf(const Expression &e, std::span<const Cumulants> x);
  Result<Cumulants> drawn(const Expression &e, std::span<const Cumulants> x);
  template <bool> friend struct TapeLoops;

  Algebra &all;
  const Model &model;
  EvaluateOptions numbersOptions;
  NumberEvaluator numbers;
  std::vector<std::string> inputs;
  std::set<std::string> names; ///< of the model
  std::vector<Id> wanted;
  std::vector<Operand> results;
  std::unordered_map<Id, Operand> places;
  std::unordered_map<Id, uint32_t> uses;
  std::vector<uint32_t> freeSingle, freeFour;
  std::vector<Instruction> instructions;
  std::vector<Cumulants> laws;
  std::vector<Term> terms;
  std::vector<Call> calls;
  std::vector<double> memory;
  std::span<const double *const> current; ///< values of the block that runs
  size_t points = block;
  bool hasLaws = true;              ///< those that are known are laws
  std::array<bool, block> failed{}; ///< points of the block that runs
};

} // namespace quincunx::pamela
