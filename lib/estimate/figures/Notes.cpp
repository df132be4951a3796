// Notes on runs that were left out, and runs that were stopped. It does not judge what they mean
// for a figure beyond that.
#include "Notes.h"

#include <cstdio>

namespace quincunx {

std::string plural(uint64_t n, const std::string &one, const std::string &many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

std::string brief(double x, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, x);
  return text;
}

std::string signedPercent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%+.1f %%", 100 * share);
  return text;
}

std::vector<Note> notesOn(const RunTally &runs) {
  std::vector<Note> notes;
  const auto note = [&](const char *kind, std::string text) {
    notes.push_back({kind, std::move(text)});
  };
  if (runs.crashed != 0)
    note("crashed",
         plural(runs.crashed, "run crashed and is", "runs crashed and are") + " left out");
  if (runs.unrecorded != 0)
    note("unrecorded", plural(runs.unrecorded, "finished run left no record and is",
                              "finished runs left no record and are") +
                           " left out");
  if (runs.censored != 0) {
    const double share = 100 * static_cast<double>(runs.finished) /
                         static_cast<double>(runs.finished + runs.censored);
    note("censored",
         plural(runs.censored, "run was", "runs were") +
             " stopped by the time limit or cut short: mean and variance are lower bounds, and"
             " percentiles above p" +
             brief(share) + " are open");
  }
  if (runs.withoutMap != 0)
    note("no-map", plural(runs.withoutMap, "image has", "images have") +
                       " no map in the corpus; its share of the cost is missing");
  return notes;
}

} // namespace quincunx
