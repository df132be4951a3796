// A clock tells of processors only where it was read on a machine like this one.
#include "TimesOfThreads.h"

#include "ClockOfCounts.h"
#include "system/Processor.h"

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

} // namespace

Result<TimesOfThreads> timesOfThreads(const PricedCorpus &priced, const Observed &observed,
                                      const StrandChanges &changes, double processors) {
  const Result<double> clock = processorsOfClock(priced.corpus);
  if (!clock)
    return clock.error();
  const Processors on{processors, *clock};
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
  std::vector<RunWork> runs;
  for (const ParallelTime &t : times->runs)
    runs.push_back(t.run);
  for (const std::vector<Note> &more :
       {notesOnWaits(libraryOf(observed), priced.maps, runs), observed.notes})
    for (const Note &n : more)
      if (n.kind != "threads" && n.kind != "censored") // of figures that are not here
        notes->push_back(n);
  return TimesOfThreads{std::move(*times), std::move(*notes), on};
}

} // namespace quincunx::tool
