// Names of instruction classes.
#include "quincunx/map/InstructionClass.h"

#include <array>

namespace quincunx {

namespace {

constexpr std::array<const char *, classCount> classNames = {
    "construct", "add",    "multiply", "divide", "fadd", "fmultiply", "fdivide", "convert", "load",
    "store",     "atomic", "branch",   "jump",   "call", "vector",    "memory",  "other"};

} // namespace

const char *className(InstructionClass c) { return classNames[static_cast<size_t>(c)]; }

uint32_t classByName(std::string_view name) {
  for (uint32_t i = 0; i < classCount; ++i)
    if (name == classNames[i])
      return i;
  return noIndex;
}

} // namespace quincunx
