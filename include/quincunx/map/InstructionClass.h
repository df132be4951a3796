// Classes of executed instructions, in which a map says what a block does and a machine what that
// costs. Which instruction belongs to which class is decided in passes/Classify.cpp.
#pragma once

#include "quincunx/base/Index.h"

#include <cstddef>
#include <string_view>

namespace quincunx {

/// Classes of executed work. `construct` is the unit of the published method: a branch, switch or
/// loop test evaluated, a call made. The others partition the instructions that cost something.
enum class InstructionClass : uint8_t {
  construct,
  add,       ///< integer add, subtract, compare, select, logic, shift
  multiply,  ///< integer multiply
  divide,    ///< integer divide and remainder
  fadd,      ///< floating add, subtract, compare, negate
  fmultiply, ///< floating multiply, fused multiply-add
  fdivide,   ///< floating divide, remainder, square root
  convert,   ///< conversions that cost something
  load,
  store,
  atomic,
  branch, ///< conditional branch
  jump,   ///< unconditional branch, switch, indirect branch, return
  call,
  vector, ///< arithmetic on vectors
  memory, ///< memcpy, memmove, memset intrinsics
  other
};
inline constexpr size_t classCount = 17;
/// Name as written in .machine files ("load"), and back; `noIndex` when unknown.
const char *className(InstructionClass c);
uint32_t classByName(std::string_view name);

struct ClassCount {
  InstructionClass kind;
  uint32_t count;
  bool operator==(const ClassCount &) const = default;
};

} // namespace quincunx
