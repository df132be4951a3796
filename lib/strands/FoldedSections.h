// Sections of locks, and jobs from counters, of which many stand as one, as the run had too many to
// keep each.
#pragma once

#include "quincunx/strands/Events.h"

#include <optional>

namespace quincunx {

struct EvenSections {
  ProcessStrands strands;
  double slowMotion = 1; ///< that factor
};

/// The same run with fewer sections (and jobs) that are longer, all of them by one factor, whether
/// they were folded or not: each waits as long for others as those that it stands for did together,
/// as a program whose sections all take c times as long and come c times as seldom is the same one
/// in slow motion. What a thread does in all stays, and its events but for those of such sections,
/// for remarks, and for the order in which locks were had. Nothing, if nothing was folded.
std::optional<EvenSections> evenSections(const ProcessStrands &ran);

} // namespace quincunx
