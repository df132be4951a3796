// What has to be said about the runs that an estimate is made of, and words for it.
#pragma once

#include "quincunx/estimate/ConfidenceIntervals.h"
#include "quincunx/estimate/Note.h"
#include "quincunx/map/Map.h"

#include <string>
#include <vector>

namespace quincunx {

/// "1 run", "2 runs".
std::string plural(uint64_t n, const std::string &one, const std::string &many);
/// Few significant digits, for numbers in a sentence.
std::string brief(double x, int digits = 6);
/// "1 time", "2.5 times".
std::string counted(double n, const std::string &one);
/// "+1.5 %".
std::string signedPercent(double share);

struct RunTally {
  uint64_t finished = 0, censored = 0;
  uint64_t crashed = 0, unrecorded = 0; ///< left out
  uint64_t withoutMap = 0;              ///< images of which the counts are missing
};
std::vector<Note> notesOn(const RunTally &runs);

/// On inline assembly of which not all that is executed is counted; `ran`: the functions that did.
std::vector<Note> notesOnAssembly(const std::vector<const Function *> &ran);

} // namespace quincunx
