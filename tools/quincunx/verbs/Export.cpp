// quincunx export: what a corpus says, in the formats of other tools. What it says is
// lib/estimate's, the formats are lib/report's.
#include "Verbs.h"

#include "quincunx/base/Text.h"
#include "quincunx/report/Callgrind.h"
#include "quincunx/report/CostStacks.h"
#include "quincunx/report/RunsCsv.h"
#include "quincunx/report/SampleProfile.h"

#include "arguments/PricedCorpus.h"
#include "system/TerminalTraits.h"

#include <iostream>
#include <memory>

namespace quincunx::tool {

namespace {

struct Options {
  std::string format;
  CorpusOptions corpus;
};

/// The graph of who calls whom, printed; `program`: the path that was recorded.
Status printProfile(const PricedCorpus &priced, const Options &options,
                    const std::string &program) {
  const Result<CountedRuns> counted = countRuns(priced);
  if (!counted)
    return counted.error();
  if (options.format == "sampleprof") {
    printSampleProfile(inlineCounts(counted->matrix, priced.maps), std::cout);
    return Done{};
  }
  const Result<CostGraph> graph = costGraph(*counted, priced.maps, priced.machine);
  if (!graph)
    return graph.error();
  if (options.format == "callgrind")
    printCallgrind(*graph, priced.names, program, std::cout);
  else if (options.format == "folded")
    printFolded(*graph, priced.names, std::cout);
  else
    printSpeedscope(*graph, priced.names, fileName(options.corpus.path), std::cout);
  return Done{};
}

int runExport(const Options &options) {
  const Result<PricedCorpus> priced = openPriced(options.corpus);
  if (!priced)
    return fail(priced.error());
  std::ios::sync_with_stdio(false);
  Status printed = Done{};
  if (options.format == "csv") {
    const Result<Observed> observed = observe(*priced);
    printed = observed ? Status(Done{}) : observed.error();
    if (observed)
      printRunsCsv(*observed, std::cout);
  } else {
    printed = printProfile(*priced, options, priced->maps.empty() ? "" : priced->maps.front().path);
  }
  return printed ? finishOutput("the export") : fail(printed.error());
}

} // namespace

void addExport(CLI::App &app, int &status) {
  auto options = std::make_shared<Options>();
  CLI::App *verb = app.add_subcommand("export", "Write costs in the formats of other tools");
  verb->footer("Formats, of the mean of a run:\n"
               "  callgrind   lines, functions and calls: KCachegrind, callgrind_annotate\n"
               "  folded      stacks: flamegraph.pl, inferno\n"
               "  speedscope  stacks: speedscope.app\n"
               "  sampleprof  executions of lines, of all runs: clang -fprofile-sample-use\n"
               "and of single ones:\n"
               "  csv         a row for each run\n"
               "Examples:\n"
               "  quincunx export callgrind prog.qx >callgrind.out.prog && kcachegrind "
               "callgrind.out.prog\n"
               "  quincunx export folded prog.qx | flamegraph.pl >prog.svg\n"
               "  quincunx export speedscope prog.qx >prog.speedscope.json\n"
               "  quincunx export sampleprof prog.qx >prog.prof && clang++-22 -O2 "
               "-fprofile-sample-use=prog.prof ...\n"
               "  quincunx export csv --unit counts prog.qx >runs.csv");
  verb->add_option("format", options->format, "What to write")
      ->required()
      ->check(
          CLI::IsMember({"callgrind", "folded", "speedscope", "sampleprof", "csv"}).description(""))
      ->type_name("callgrind|folded|speedscope|sampleprof|csv");
  addCorpusArgument(*verb, options->corpus);
  addNames(*verb, options->corpus);
  addCorpusOptions(*verb, options->corpus,
                   "Of whole runs, or of requests: calls of a marked function (default: run)");
  verb->callback([options, &status] { status = runExport(*options); });
}

} // namespace quincunx::tool
