// Fingerprints of the code of functions, without names and places: the same code has the same one
// in another build, whatever it is called and wherever it stands.
#pragma once

#include "estimate/explain/FunctionRows.h"

#include <cstdint>
#include <vector>

namespace quincunx {

/// Of one row of functions.
struct FunctionBody {
  uint64_t hash = 0;       ///< of its instructions, flow, calls and what is known of constants
  bool isCompiled = false; ///< it has code by itself, which alone is in the hash
  bool operator==(const FunctionBody &) const = default;
};
/// By row.
std::vector<FunctionBody> bodiesOf(const BlockCosts &costs, const FunctionRows &rows);

/// Of a block alone: its instructions, its calls by number, how many ways lead out of it.
std::vector<uint64_t> blockHashes(const Function &f);

} // namespace quincunx
