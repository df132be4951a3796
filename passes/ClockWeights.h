// What the clock of record=calls charges for an instruction of each class: the prices of the
// machine x86-64, compiled in, as code under way cannot look them up. machines/x86-64.machine says
// where they come from; a unit test compares both.
#pragma once

#include "quincunx/map/InstructionClass.h"

#include <array>

namespace quincunx {

inline constexpr std::array<uint32_t, classCount> clockWeights = {
    0,  // construct
    1,  // add
    2,  // multiply
    4,  // divide
    2,  // fadd
    2,  // fmultiply
    38, // fdivide
    3,  // convert
    1,  // load
    1,  // store
    1,  // atomic
    0,  // branch
    0,  // jump
    1,  // call
    2,  // vector
    4,  // memory
    1,  // other
};

} // namespace quincunx
