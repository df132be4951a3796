// quincunx scale: times and speedups by number of threads. Here are only the options.
#include "Verbs.h"

#include "quincunx/report/Scale.h"

#include "arguments/TimesOfThreads.h"
#include "record/ShellWords.h"
#include "system/NextStep.h"
#include "system/TerminalTraits.h"

#include <iostream>
#include <memory>

namespace quincunx::tool {

namespace {

struct ScaleArguments {
  CorpusOptions corpus;
  double processors = std::numeric_limits<double>::infinity();
  std::string threads;
  size_t top = 10;
  bool json = false;
};

int runScale(const ScaleArguments &options) {
  Processors on{.asked = options.processors};
  if (!options.threads.empty()) {
    const Result<std::vector<uint32_t>> threads = parseThreadCounts(options.threads);
    if (!threads)
      return failUsage(threads.error());
    on.threads = *threads;
  }
  const Result<PricedCorpus> priced = openPriced(options.corpus);
  if (!priced)
    return fail(priced.error());
  const Result<Observed> observed = observe(*priced);
  if (!observed)
    return fail(observed.error());
  const Result<TimesOfThreads> of = timesOfThreads(*priced, *observed, {}, on);
  if (!of)
    return fail(of.error());
  const ScaleReport report{strandSites(priced->maps), of->notes, of->processors, options.top};
  if (options.json) {
    const Status printed = printScaleJson(of->times, report, std::cout);
    return printed ? finishOutput("the times") : fail(printed.error());
  }
  printScale(of->times, report, readersDisplay(priced->names), std::cout);
  printNext(std::cout, joinWords({"critical", options.corpus.path}));
  return finishOutput("the times");
}

} // namespace

void addScale(CLI::App &app, int &status) {
  auto options = std::make_shared<ScaleArguments>();
  CLI::App *verb = app.add_subcommand(
      "scale", "Say how long a program with threads is waited for, and what limits it");
  verb->footer("Record:\n"
               "  quincunx run -o prog.qx --threads 1,2,4,8 -- ./prog {} ::: inputs/*\n"
               "  quincunx run -o prog.qx --threads 1,2 --timed -- ./plain {} ::: inputs/*\n"
               "  quincunx calibrate prog.qx\n"
               "Examples:\n"
               "  quincunx scale prog.qx\n"
               "  quincunx scale --threads 1..256:x2 prog.qx   # of OpenMP: also what did not run\n"
               "  quincunx scale --processors 2 prog.qx    # its threads share two\n"
               "  quincunx scale --json prog.qx");
  addCorpusArgument(*verb, options->corpus);
  verb->add_option("--processors", options->processors,
                   "Threads share so many (default: each thread has one)")
      ->check(CLI::Range(1, 1'000'000).description(""))
      ->type_name("N");
  verb->add_option("--threads", options->threads,
                   "Numbers of threads (default: those of the runs). With others than were "
                   "recorded, teams of OpenMP have so many, and loops are dealt anew")
      ->type_name("N,...|A..B[:xFACTOR|:STEP]");
  verb->add_option("--top", options->top, "Waits to show; 0: all (default: 10)")->type_name("N");
  verb->add_flag("--json", options->json, "Everything at full precision, for programs");
  addPricingOptions(*verb, options->corpus.pricing);
  addNames(*verb, options->corpus);
  verb->callback([options, &status] { status = runScale(*options); });
}

} // namespace quincunx::tool
