// quincunx scale: times and speedups by number of threads. Here are only the options.
#include "Verbs.h"

#include "quincunx/report/Scale.h"

#include "arguments/ClockOfCounts.h"
#include "arguments/PricedCorpus.h"
#include "record/ShellWords.h"
#include "system/NextStep.h"
#include "system/Processor.h"
#include "system/TerminalTraits.h"

#include <iostream>
#include <memory>

namespace quincunx::tool {

namespace {

struct Options {
  CorpusOptions corpus;
  double processors = std::numeric_limits<double>::infinity();
  size_t top = 10;
  bool json = false;
};

/// On how many the plain program was timed, if that was on a machine like this one.
Result<double> processorsOfClock(const Corpus &corpus) {
  const auto program = corpus.timedProgram();
  if (!program)
    return program.error();
  const bool isHere = *program && (*program)->processorModel == processorModel();
  return isHere ? static_cast<double>(allowedProcessors().size()) : 0.0;
}

int runScale(const Options &options) {
  const Result<PricedCorpus> priced = openPriced(options.corpus);
  if (!priced)
    return fail(priced.error());
  const Result<Observed> observed = observe(*priced);
  if (!observed)
    return fail(observed.error());
  const Result<double> clock = processorsOfClock(priced->corpus);
  if (!clock)
    return fail(clock.error());
  const Processors processors{options.processors, *clock};
  const Result<Observed> inClock = observeInClock(priced->corpus, priced->maps);
  if (!inClock)
    return fail(inClock.error());
  const Result<ParallelTimes> times =
      parallelTimes(priced->corpus, *observed, clockCostsOf(*inClock), processors);
  if (!times)
    return fail(times.error());
  const auto notes = notesOnTimes(*times);
  if (!notes)
    return fail(notes.error());
  std::vector<RunWork> runs;
  for (const ParallelTime &t : times->runs)
    runs.push_back(t.run);
  ScaleReport report{strandSites(priced->maps), *notes, processors, options.top};
  for (const std::vector<Note> &more : {notesOnWaits(libraryOf(*observed), runs), observed->notes})
    for (const Note &n : more)
      if (n.kind != "threads" && n.kind != "censored") // of figures that are not here
        report.notes.push_back(n);
  if (options.json) {
    const Status printed = printScaleJson(*times, report, std::cout);
    return printed ? finishOutput("the times") : fail(printed.error());
  }
  printScale(*times, report, readersDisplay(priced->names), std::cout);
  printNext(std::cout, joinWords({"critical", options.corpus.path}));
  return finishOutput("the times");
}

} // namespace

void addScale(CLI::App &app, int &status) {
  auto options = std::make_shared<Options>();
  CLI::App *verb = app.add_subcommand(
      "scale", "Say how long a program with threads is waited for, and what limits it");
  verb->footer("Record:\n"
               "  quincunx run -o prog.qx --threads 1,2,4,8 -- ./prog {} ::: inputs/*\n"
               "  quincunx run -o prog.qx --threads 1,2 --timed -- ./plain {} ::: inputs/*\n"
               "  quincunx calibrate prog.qx\n"
               "Examples:\n"
               "  quincunx scale prog.qx\n"
               "  quincunx scale --processors 2 prog.qx    # its threads share two\n"
               "  quincunx scale --json prog.qx");
  addCorpusArgument(*verb, options->corpus);
  verb->add_option("--processors", options->processors,
                   "Threads share so many (default: each thread has one)")
      ->check(CLI::Range(1, 1'000'000).description(""))
      ->type_name("N");
  verb->add_option("--top", options->top, "Waits to show; 0: all (default: 10)")->type_name("N");
  verb->add_flag("--json", options->json, "Everything at full precision, for programs");
  addPricingOptions(*verb, options->corpus.pricing);
  addNames(*verb, options->corpus);
  verb->callback([options, &status] { status = runScale(*options); });
}

} // namespace quincunx::tool
