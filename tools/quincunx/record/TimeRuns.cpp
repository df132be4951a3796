// Does the work around a series of timed runs: which program, whether it is kept on one processor,
// what is missing, and what came of it. Running is TimedSession's.
#include "TimeRuns.h"

#include "OutputFiles.h"
#include "PlainProgram.h"
#include "RecordFolder.h"
#include "TimedSession.h"
#include "system/ExitStatus.h"
#include "system/Processor.h"

#include "quincunx/base/Text.h"
#include "quincunx/estimate/InputTimes.h"

#include <algorithm>
#include <cmath>

namespace quincunx::tool {

namespace {

constexpr size_t minStartUps = 15;

void say(const RecordOptions &options, const std::string &text) {
  if (!options.quiet)
    std::fprintf(stderr, "quincunx: %s\n", printable(text).c_str());
}

std::string rounded(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

/// Seconds, in the unit that people would use.
std::string duration(double seconds) {
  return seconds >= 1      ? rounded(seconds) + " s"
         : seconds >= 1e-3 ? rounded(1e3 * seconds) + " ms"
                           : rounded(1e6 * seconds) + " us";
}

/// What the timings in the corpus say, all of them.
Status summarise(const RecordOptions &options, const Corpus &corpus) {
  const auto timings = corpus.timings();
  if (!timings)
    return timings.error();
  const auto program = corpus.timedProgram();
  if (!program)
    return program.error();
  if (!*program || timings->empty())
    return Done{};
  const InputTimes timed = estimateTimes(*timings, (*program)->startUps);
  std::string text = escape(options.corpus) + " has " + std::to_string(timed.repetitions) +
                     " timed runs of " + std::to_string(timed.inputs.size()) +
                     (timed.inputs.size() == 1 ? " input" : " inputs") + ": median " +
                     duration(timed.median);
  if (std::isfinite(timed.noise))
    text += ", noise " + rounded(100 * timed.noise) + " %";
  if (timed.startUp)
    text += ", start-up " + duration(timed.startUp->time);
  say(options, text);
  for (const Note &note : timed.notes)
    say(options, "note: " + note.text);
  return Done{};
}

/// Whether the program is parallel, from the corpus or by trying it; said to the user.
Result<bool> findParallel(const RecordOptions &options, const InputsToTime &all,
                          const std::optional<TimedProgram> &known, TimedSession &session) {
  if (known)
    return known->parallel;
  // Threads of libomp that wait do not keep processors busy.
  if (std::ranges::any_of(options.plan.threads, [](uint32_t n) { return n > 1; }))
    return true;
  if (all.counted > 0) {
    const bool parallel = 2 * all.busy > all.counted;
    say(options, "the program is " + std::string(parallel ? "parallel" : "serial") + ": " +
                     std::to_string(all.busy) + " of " + std::to_string(all.counted) +
                     " counted runs have more than 1.1 times their wall time of processor time");
    return parallel;
  }
  say(options,
      "no counted runs say whether the program is parallel: a round that is not kept shows");
  const Result<bool> parallel = session.isParallel();
  if (parallel)
    say(options, std::string("the program is ") + (*parallel ? "parallel" : "serial"));
  return parallel;
}

/// The processor to keep the program on, -1 for any; the one it was kept on before, if that may be.
int findProcessor(const RecordOptions &options, const std::optional<TimedProgram> &known,
                  bool parallel) {
  const std::vector<int> allowed = allowedProcessors();
  int pinned = parallel || allowed.empty() ? -1 : allowed.back();
  if (known && (known->pinned < 0 ||
                std::find(allowed.begin(), allowed.end(), known->pinned) != allowed.end()))
    pinned = known->pinned;
  else if (known)
    say(options, "processor " + std::to_string(known->pinned) +
                     ", on which it was timed before, may not be used now");
  if (pinned >= 0)
    say(options, "timed runs are kept on processor " + std::to_string(pinned));
  else
    say(options, std::string("timed runs are kept on no processor: ") +
                     (parallel ? "the program is parallel" : "the system does not let us"));
  return pinned;
}

size_t missingOf(size_t there, size_t wanted, bool resume) {
  return resume ? wanted - std::min(there, wanted) : wanted;
}

/// What is still to be run.
struct TimedWork {
  std::vector<size_t> missing; ///< repetitions, per input
  size_t total = 0, startUps = 0;
};

TimedWork workLeft(const RecordOptions &options, const InputsToTime &all,
                   const std::optional<TimedProgram> &known) {
  const size_t repeat = options.repeat.value_or(7);
  TimedWork work;
  for (const InputToTime &input : all.inputs)
    work.total += work.missing.emplace_back(missingOf(input.there, repeat, options.resume));
  if (all.twice > 0)
    say(options, std::to_string(all.twice) + " inputs were given before and are timed once");
  if (options.resume)
    say(options, std::to_string(repeat * all.inputs.size() - work.total) + " of " +
                     std::to_string(repeat * all.inputs.size()) + " timed runs are in " +
                     escape(options.corpus) + " already");
  work.startUps =
      missingOf(known ? known->startUps.size() : 0, std::max(repeat, minStartUps), options.resume);
  return work;
}

/// Runs what is left; the exit status.
int runLeft(const RecordOptions &options, Corpus &corpus, TimedProgram program,
            const InputsToTime &all, const std::optional<TimedProgram> &known,
            const TimedWork &work) {
  const RecordFolder folder;
  if (Status s = folder.status(); !s)
    return fail(s.error());
  if (Status s = makeOutputFolder(options.keepOutput); !s)
    return fail(s.error());
  TimedSession session(options, all.inputs, corpus, folder.path(), work.total);
  const Result<bool> parallel = findParallel(options, all, known, session);
  if (!parallel)
    return session.interrupted() ? interruptedStatus : fail(parallel.error());
  program.parallel = *parallel;
  program.pinned = findProcessor(options, known, *parallel);
  if (Status s = corpus.setTimedProgram(program); !s)
    return fail(s.error());
  return session.work(schedule(work.missing, all.rounds + 1, work.startUps), program.pinned);
}

} // namespace

int timeRuns(const RecordOptions &options, std::vector<Job> jobs) {
  Result<TimedProgram> program = plainProgram(jobs, !options.noArguments);
  if (!program)
    return fail(program.error());
  Result<Corpus> corpus = Corpus::open(options.corpus, Corpus::Mode::write);
  if (!corpus)
    return fail(corpus.error());
  Result<std::vector<Job>> some =
      spreadOverCost(std::move(jobs), options.corpus, options.mostTimed);
  if (!some)
    return fail(some.error());
  Result<InputsToTime> all = inputsToTime(std::move(*some), *corpus, options.noArguments);
  if (!all)
    return fail(all.error());
  const auto known = corpus->timedProgram();
  if (!known)
    return fail(known.error());
  if (*known) {
    program->parallel = (*known)->parallel;
    program->pinned = (*known)->pinned;
    if (Status s = corpus->setTimedProgram(*program); !s) // or it is another one
      return fail(s.error());
  }
  const TimedWork work = workLeft(options, *all, *known);
  int status = ok;
  if (work.total > 0)
    status = runLeft(options, *corpus, *program, *all, *known, work);
  if (Status s = summarise(options, *corpus); !s)
    return fail(s.error());
  return status;
}

} // namespace quincunx::tool
