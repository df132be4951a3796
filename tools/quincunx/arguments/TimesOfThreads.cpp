// A clock tells of processors only where it was read on a machine like this one.
#include "TimesOfThreads.h"

#include "ClockOfCounts.h"
#include "quincunx/base/Text.h"
#include "system/Processor.h"

#include <charconv>
#include <set>

namespace quincunx::tool {

namespace {

/// On how many the plain program was timed, if that was on a machine like this one.
Result<double> processorsOfClock(const Corpus &corpus) {
  const auto program = corpus.timedProgram();
  if (!program)
    return program.error();
  const bool isHere = *program && (*program)->processorModel == processorModel();
  return isHere ? static_cast<double>(allowedProcessors().size()) : 0.0;
}

/// Times of other numbers of threads than there were are guesses; false: there are none.
bool markOtherTeams(bool changesThreads, ParallelTimes &times) {
  bool any = false;
  for (ParallelTime &t : times.runs) {
    t.isOfOtherTeams = t.toldFrom != 0;
    if (t.changed)
      t.changed->isOfOtherTeams = t.isOfOtherTeams || changesThreads;
    any = any || t.isOfOtherTeams || (t.changed && t.changed->isOfOtherTeams);
  }
  return any;
}

} // namespace

Result<TimesOfThreads> timesOfThreads(const PricedCorpus &priced, const Observed &observed,
                                      const StrandChanges &changes, Processors on) {
  const Result<double> clock = processorsOfClock(priced.corpus);
  if (!clock)
    return clock.error();
  on.timed = *clock;
  const Result<Observed> inClock = observeInClock(priced.corpus, priced.maps);
  if (!inClock)
    return inClock.error();
  Result<ParallelTimes> times =
      parallelTimes(priced.corpus, observed, clockCostsOf(*inClock), on, changes);
  if (!times)
    return times.error();
  Result<std::vector<Note>> notes = notesOnTimes(*times);
  if (!notes)
    return notes.error();
  if (std::ranges::count(libraryOf(observed), "__kmpc_push_num_threads") != 0 &&
      markOtherTeams(changes.threads != 0, *times))
    notes->push_back({"teams", "teams ask for their number of threads (num_threads): those that "
                               "had as many as the run was asked to have are told with other "
                               "numbers, as if what they ask for followed it"});
  std::vector<RunWork> runs;
  for (const ParallelTime &t : times->runs)
    runs.push_back(t.run);
  const std::vector<Note> onWaits = notesOnWaits(libraryOf(observed), priced.maps, runs);
  if (std::ranges::count(onWaits, "waits", &Note::kind) != 0)
    for (ParallelTime &t : times->runs) {
      t.isPartial = true;
      if (t.changed)
        t.changed->isPartial = true;
    }
  for (const std::vector<Note> &more : {onWaits, observed.notes})
    for (const Note &n : more)
      if (n.kind != "threads" && n.kind != "censored") // of figures that are not here
        notes->push_back(n);
  return TimesOfThreads{std::move(*times), std::move(*notes), on};
}

namespace {

/// Takes the number that the text begins with.
bool takeCount(std::string_view &text, uint32_t &count) {
  constexpr uint32_t most = 1 << 16;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || count == 0 || count > most)
    return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

/// One of what stands between commas.
bool addCounts(std::string_view text, std::set<uint32_t> &counts) {
  uint32_t from = 0, to = 0, step = 1;
  bool isFactor = false;
  if (!takeCount(text, from))
    return false;
  to = from;
  if (text.starts_with("..")) {
    text.remove_prefix(2);
    if (!takeCount(text, to) || to < from)
      return false;
    if (text.starts_with(":")) {
      text.remove_prefix(1);
      isFactor = text.starts_with("x");
      text.remove_prefix(isFactor ? 1 : 0);
      if (!takeCount(text, step) || (isFactor && step == 1))
        return false;
    }
  }
  for (uint64_t n = from; n <= to; n = isFactor ? n * step : n + step)
    counts.insert(static_cast<uint32_t>(n));
  return text.empty();
}

} // namespace

Result<std::vector<uint32_t>> parseThreadCounts(const std::string &text) {
  constexpr size_t most = 1000;
  std::set<uint32_t> counts;
  std::string_view rest = text;
  for (bool isMore = true; isMore;) {
    const size_t comma = rest.find(',');
    isMore = comma != std::string_view::npos;
    if (!addCounts(rest.substr(0, comma), counts))
      return Error{"--threads " + escape(text) +
                   ": expected numbers from 1 to 65536, as 1,2,4 or 1..256:x2 or 8..64:8"};
    rest.remove_prefix(isMore ? comma + 1 : rest.size());
  }
  if (counts.size() > most)
    return Error{"--threads " + escape(text) + ": more than " + std::to_string(most) + " numbers"};
  return std::vector<uint32_t>(counts.begin(), counts.end());
}

} // namespace quincunx::tool
