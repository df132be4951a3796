// Writes the record of a function, for the pass. Format: docs/11-formats.md.
#pragma once

#include "quincunx/map/Map.h"
#include "quincunx/map/SourceBlock.h"

namespace quincunx {

/// The format that is written. Format 4 had no guesses at edges and no Call::starts, format 5
/// nothing of record=predictor: what is not recorded takes no bytes. Format 6 had no
/// Memory::memoryAccess, and so other counters. Up to format 7 arms stood in the order of the
/// compiler, and there was no Branch::limit. Format 8 had no SourceBlocks, and inline assembly was
/// a call. Format 9 had no bytes of calls and no Call::written, and copies of memory were no calls.
/// Format 10 had no budgets, format 11 no discriminators, and format 12 no types and no aliases.
inline constexpr uint64_t recordFormat = 13;

/// Body bytes of one function record (without its header and its places in the count vector).
std::string encode(const Function &f, const SourceBlocks &sources = {});

} // namespace quincunx
