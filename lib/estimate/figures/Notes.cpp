// Notes on runs that were left out, and runs that were stopped. It does not judge what they mean
// for a figure beyond that. And on code that is not wholly counted.
#include "Notes.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <cstdio>

namespace quincunx {

namespace {

/// "file.c:12", or what is known of it.
std::string placeOf(const Function &f, const Location &at) {
  const uint32_t file = at.scope < f.scopes.size() ? f.scopes[at.scope].file : noIndex;
  if (at.line == 0 || file >= f.files.size())
    return escape(f.name);
  return escape(fileName(f.files[file].path)) + ":" + std::to_string(at.line);
}

/// The first few of them, each once.
std::string some(std::vector<std::string> places) {
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  constexpr size_t shown = 3;
  std::string text;
  for (size_t i = 0; i < std::min(shown, places.size()); ++i)
    text += (i == 0 ? "" : ", ") + places[i];
  return places.size() > shown ? text + " and " + std::to_string(places.size() - shown) + " more"
                               : text;
}

} // namespace

std::string plural(uint64_t n, const std::string &one, const std::string &many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

std::string brief(double x, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, x);
  return text;
}

std::string counted(double n, const std::string &one) {
  const std::string number = brief(n);
  return number + " " + one + (number == "1" ? "" : "s");
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

std::vector<Note> notesOnAssembly(const std::vector<const Function *> &ran) {
  std::vector<std::string> estimated, repeats;
  for (const Function *f : ran)
    for (const Assembly &a : f->assemblies) {
      if (a.estimated)
        estimated.push_back(placeOf(*f, a.at));
      if (a.repeats)
        repeats.push_back(placeOf(*f, a.at));
    }
  std::vector<Note> notes;
  if (!estimated.empty())
    notes.push_back({"assembly", "inline assembly that could not be read counts one for each "
                                 "statement: " +
                                     some(std::move(estimated))});
  if (!repeats.empty())
    notes.push_back({"assembly-loop", "a loop within inline assembly counts once, however often it "
                                      "turns: " +
                                          some(std::move(repeats))});
  return notes;
}

} // namespace quincunx
