// quincunx critical: work, span and critical path of runs with several threads. What follows from
// what was recorded is lib/estimate's; here are only the options.
#include "Verbs.h"

#include "quincunx/report/Critical.h"

#include "arguments/ClockOfCounts.h"
#include "arguments/PricedCorpus.h"
#include "arguments/SelectedBuild.h"
#include "system/TerminalTraits.h"

#include <iostream>
#include <memory>

namespace quincunx::tool {

namespace {

struct CriticalArguments {
  CorpusOptions corpus;
  std::string run; ///< empty: all
  size_t top = 20;
  bool json = false;
};

Status print(const Corpus &corpus, const CriticalArguments &options, const std::vector<Map> &maps) {
  CriticalReport report{strandSites(maps), {}, options.top};
  Display display = readersDisplay();
  display.names = namesOf(options.corpus, maps);
  const Result<Observed> observed = observeInClock(corpus, maps);
  if (!observed)
    return observed.error();
  const std::vector<std::string> called = libraryOf(*observed);
  const ClockCosts costs = clockCostsOf(*observed);
  if (!options.run.empty()) {
    const auto run = parallelRun(corpus, costs, options.run);
    if (!run)
      return run.error();
    report.notes = notesOnWaits(called, maps, {run->first});
    if (options.json)
      return printParallelRunJson(run->first, run->second, report, std::cout);
    printParallelRun(run->first, run->second, report, display, std::cout);
    return Done{};
  }
  const Result<ParallelRuns> runs = parallelRuns(corpus, costs);
  if (!runs)
    return runs.error();
  report.notes = notesOnWaits(called, maps, runs->runs);
  for (const Note &n : observed->notes)
    if (n.kind == "threads")
      report.notes.push_back(n);
  if (options.json)
    return printParallelRunsJson(*runs, report, std::cout);
  printParallelRuns(*runs, report, display, std::cout);
  return Done{};
}

int runCritical(const CriticalArguments &options) {
  Result<Corpus> corpus = Corpus::open(options.corpus.path, Corpus::Mode::read);
  if (!corpus)
    return fail(corpus.error());
  if (const Status s = selectBuild(*corpus, options.corpus.build); !s)
    return fail(s.error());
  const Result<std::vector<Map>> maps = corpus->maps();
  if (!maps)
    return fail(maps.error());
  const Status printed = print(*corpus, options, *maps);
  return printed ? finishOutput("the critical path") : fail(printed.error());
}

} // namespace

void addCritical(CLI::App &app, int &status) {
  auto options = std::make_shared<CriticalArguments>();
  CLI::App *verb = app.add_subcommand(
      "critical", "Say how much of the work of threads had to be done one after another");
  verb->footer("Build:\n"
               "  clang++-22 $(quincunx flags) -fplugin-arg-quincunx-record=counts,calls,strands "
               "-O2 -g -o prog prog.cpp\n"
               "Examples:\n"
               "  quincunx critical prog.qx\n"
               "  quincunx critical prog.qx inputs/large.txt\n"
               "  quincunx critical --json prog.qx");
  addCorpusArgument(*verb, options->corpus);
  verb->add_option("run", options->run, "Of this run alone: its label, or its identity")
      ->type_name("RUN");
  verb->add_option("--top", options->top, "Rows to show; 0: all (default: 20)")->type_name("N");
  verb->add_flag("--json", options->json, "Everything at full precision, for programs");
  addNames(*verb, options->corpus);
  verb->callback([options, &status] { status = runCritical(*options); });
}

} // namespace quincunx::tool
