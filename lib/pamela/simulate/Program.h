// A model compiled to flat tables.
// The idea: what names stand for is put in their place, constants are computed, and every index has
// a slot in the frame of its process; a run then only follows numbers. Reference:
// docs/12-pamela.md.
#pragma once

#include "LawSampler.h"
#include "Servers.h"
#include "pamela/syntax/ErrorAt.h"
#include "quincunx/base/Result.h"
#include "quincunx/pamela/Simulate.h"

#include <cstdint>
#include <string>
#include <vector>

namespace quincunx::pamela {

/// How a number comes about.
enum class NumberKind : uint8_t {
  constant,
  slot,      ///< an index
  operation, ///< `op` of one or two operands
  function,  ///< function `which` of the operands
  fixedLaw,  ///< drawn from Program::laws[slot]
  law,       ///< drawn from law `which` of the operands
  reduction, ///< `op` over the index in `slot`; operands: from, to, body
  branch,    ///< condition, then, else
  truth,     ///< 1 with the probability that the operand is
  rates,     ///< the same of moments; operands: mean, variance
  /// Which of the values is taken; operands: the selector or `none`, then the values. Their number
  /// when none is.
  choice,
  select, ///< a choice, then what it chooses from
};

struct CompiledNumber {
  NumberKind form = NumberKind::constant;
  Op op = Op::number;
  uint8_t which = 0;
  bool isLong = false;           ///< a chain of many operations, each the first operand of the next
  uint32_t first = 0, count = 0; ///< Program::operands
  uint32_t slot = 0;
  double value = 0;
  Place at;
};

enum class Code : uint8_t {
  delay,  ///< a: time
  use,    ///< a: resource, b: time
  seq,    ///< a: slot (the last index in the next one), b: from, c: to, d: where it goes on
  next,   ///< the end of a loop's body. a: slot, d: body
  fork,   ///< a: first of the targets, b: how many, d: where it goes on, e: `any` k or none
  par,    ///< a: slot, b: from, c: to, d: where it goes on, e: `any` k or none; the body follows
  jump,   ///< d: where to
  unless, ///< a: condition, d: where to when it is false
  choose, ///< a: choice, b: first of the targets
  end,    ///< of a part, or of all
};

struct Instruction {
  Code code = Code::end;
  uint32_t a = 0, b = 0, c = 0, d = 0, e = none;
  Place at;
};

/// What `use` names; `server` is known when index and multiplicity are constants.
struct Resource {
  uint32_t index = none, servers = none, server = none;
  std::string name;
  Place at;
};

struct Program {
  std::vector<CompiledNumber> values;
  std::vector<uint32_t> operands;
  std::vector<Instruction> instructions;
  std::vector<uint32_t> targets;
  std::vector<Resource> resources;
  Servers servers; ///< those that are known before a run
  std::vector<LawSampler> laws;
  uint32_t slots = 0; ///< the size of a frame
  std::vector<std::string> notes;
};

/// The program begins at instruction 0.
Result<Program> compile(const Model &model, const SimulateOptions &options);

} // namespace quincunx::pamela
