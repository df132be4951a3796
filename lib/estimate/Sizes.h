// Private to lib/estimate: what runs of other sizes would cost, inside the sizes that were
// profiled.
#pragma once

#include "quincunx/dist/Mixture.h"
#include "quincunx/estimate/Change.h"
#include "quincunx/estimate/CountMatrix.h"

namespace quincunx {

/// Parts that stand for the new sizes, and the run that each comes from.
struct Resized {
  std::vector<Part> parts;
  std::vector<uint32_t> run;
};

/// `parts`: one per run, as they are; `change`: size(FEATURE), its value a number. Errors: a
/// feature that no run has, sizes with too few runs near them.
Result<Resized> resize(const std::vector<CountMatrix::Row> &rows, const std::vector<Part> &parts,
                       const Change &change);
/// Which sizes there are, in words.
std::string sizesIn(const std::vector<CountMatrix::Row> &rows, const std::string &feature);

} // namespace quincunx
