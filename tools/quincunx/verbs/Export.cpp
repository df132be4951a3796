// quincunx export: what a corpus says, in the formats of other tools. What it says is
// lib/estimate's, the formats are lib/report's.
#include "Verbs.h"

#include "quincunx/base/Text.h"
#include "quincunx/estimate/PercentileRuns.h"
#include "quincunx/profile/CorpusSources.h"
#include "quincunx/report/Callgrind.h"
#include "quincunx/report/CostStacks.h"
#include "quincunx/report/GoogleBenchmark.h"
#include "quincunx/report/HdrHistogram.h"
#include "quincunx/report/Lcov.h"
#include "quincunx/report/OpenMetrics.h"
#include "quincunx/report/Pprof.h"
#include "quincunx/report/RunsCsv.h"
#include "quincunx/report/SampleProfile.h"
#include "quincunx/report/Timeline.h"

#include "arguments/PricedCorpus.h"
#include "system/TerminalTraits.h"
#include "system/WrappedNotes.h"

#include <algorithm>
#include <iostream>
#include <memory>

namespace quincunx::tool {

namespace {

struct ExportArguments {
  std::string format, percentile; ///< none: the mean
  std::string run;
  bool counters = false;
  CorpusOptions corpus;
};

const std::vector<std::string> percentiles{"p50", "p90", "p99", "p99.9"}; // reportedPercentiles

/// Of each run in a profile, by --for; empty: all runs are equal.
Result<std::vector<double>> weightsOf(const CountedRuns &counted, const ExportArguments &options) {
  if (options.percentile.empty())
    return std::vector<double>{};
  const auto at = std::ranges::find(percentiles, options.percentile) - percentiles.begin();
  return percentileRuns(counted, static_cast<size_t>(at));
}

/// The graph of who calls whom, printed.
Status printProfile(PricedCorpus &priced, const ExportArguments &options) {
  const Result<CountedRuns> counted = countRuns(priced);
  if (!counted)
    return counted.error();
  const Result<std::vector<double>> weights = weightsOf(*counted, options);
  if (!weights)
    return weights.error();
  Result<CostGraph> graph = costGraph(*counted, priced.maps, priced.machine, *weights);
  if (!graph)
    return graph.error();
  if (!options.percentile.empty())
    graph->what = options.percentile;
  if (options.format == "callgrind")
    printCallgrind(*graph, priced.names, priced.maps.empty() ? "" : priced.maps.front().path,
                   std::cout);
  else if (options.format == "folded")
    printFolded(*graph, priced.names, std::cout);
  else if (options.format == "pprof")
    printPprof(*graph, priced.names, std::cout);
  else
    printSpeedscope(*graph, priced.names, fileName(options.corpus.path), std::cout);
  return Done{};
}

Status printSamples(PricedCorpus &priced, const ExportArguments &options) {
  const Result<CountedRuns> counted = countRuns(priced);
  if (!counted)
    return counted.error();
  Result<std::vector<double>> weights = weightsOf(*counted, options);
  if (!weights)
    return weights.error();
  for (double &w : *weights) // they add up to 1, and counts are whole numbers
    w *= static_cast<double>(weights->size());
  printSampleProfile(inlineCounts(counted->matrix, priced.maps, *weights), std::cout);
  return Done{};
}

Status printCoverage(PricedCorpus &priced, const ExportArguments &options) {
  if (priced.requests)
    return Error{"lcov has counts of whole runs; leave --per request out"};
  Result<std::vector<MapSources>> lines = readSources(priced.corpus);
  if (!lines)
    return lines.error();
  const Result<IsForeign> isForeign = foldForeign(priced, options.corpus);
  if (!isForeign)
    return isForeign.error();
  foldForeign(*lines, priced.maps, *isForeign);
  const Result<std::vector<FileCoverage>> files =
      coverage(priced.corpus, priced.maps, *lines, priced.machine, *isForeign);
  if (!files)
    return files.error();
  printLcov(*files, std::cout);
  return Done{};
}

/// What was profiled.
std::string programOf(const PricedCorpus &priced) {
  return priced.maps.empty() ? "" : fileName(priced.maps.front().path);
}

Status printFigures(PricedCorpus &priced, const ExportArguments &options) {
  const Result<Observed> observed = observe(priced);
  if (!observed)
    return observed.error();
  if (options.format == "gbench")
    return printGoogleBenchmark(*observed, priced.names, programOf(priced), std::cout);
  if (options.format == "hgrm")
    return printHdrPercentiles(*observed, std::cout);
  if (options.format == "hlog")
    return printHdrLog(*observed, std::cout);
  printOpenMetrics(*observed, priced.names, programOf(priced), std::cout);
  return Done{};
}

Status printRuns(PricedCorpus &priced, const ExportArguments &options) {
  const Result<CountedRuns> counted = countRuns(priced);
  if (!counted)
    return counted.error();
  RunCounters counters;
  if (options.counters) {
    const Result<IsForeign> isForeign = foreignFiles(options.corpus.foreign, priced.maps, {});
    if (!isForeign)
      return isForeign.error();
    counters = runCounters(counted->matrix, priced.maps, *isForeign);
  }
  printRunsCsv(counted->observed, counters, priced.names, std::cout);
  return Done{};
}

/// What the threads of one run do, simulated.
Status printThreads(PricedCorpus &priced, const ExportArguments &options) {
  if (priced.requests)
    return Error{"requests have no threads of their own; leave --per request out"};
  const Result<Observed> observed = observe(priced);
  if (!observed)
    return observed.error();
  const Result<ReplayedRun> run = replayedRun(priced.corpus, *observed, options.run);
  if (!run)
    return run.error();
  const Result<Timeline> timeline = timelineOf(*run);
  if (!timeline)
    return timeline.error();
  printTimeline(*run, *timeline, strandSites(priced.maps), readersDisplay(priced.names), std::cout);
  return Done{};
}

struct Format {
  const char *name, *says;
  Status (*print)(PricedCorpus &priced, const ExportArguments &options);
};
constexpr Format formats[] = {
    {"callgrind", "costs of lines, functions and calls: KCachegrind, callgrind_annotate",
     printProfile},
    {"pprof", "costs of stacks, by line: pprof", printProfile},
    {"folded", "costs of stacks: flamegraph.pl, inferno", printProfile},
    {"speedscope", "costs of stacks: speedscope.app", printProfile},
    {"chrome", "what the threads of a run (--run) do and wait for, simulated: Perfetto",
     printThreads},
    {"lcov", "counts of lines, functions and branches, of all runs: lcov, genhtml", printCoverage},
    {"sampleprof", "counts of lines, of all runs: clang -fprofile-sample-use", printSamples},
    {"gbench", "times of runs and functions: compare.py of Google Benchmark", printFigures},
    {"openmetrics", "costs of runs and functions: Prometheus", printFigures},
    {"hgrm", "costs of runs, a table of percentiles: HdrHistogram's plotter", printFigures},
    {"hlog", "costs of runs, a histogram: what reads logs of HdrHistogram", printFigures},
    {"csv", "a row for each run: spreadsheets", printRuns},
};

int runExport(const ExportArguments &options) {
  const Format &format = *std::ranges::find(formats, options.format, &Format::name);
  if (!options.percentile.empty() && format.print != printProfile && format.print != printSamples)
    return failUsage(Error{"--for is for profiles, and " + options.format + " is none"});
  if (options.counters && format.print != printRuns)
    return failUsage(Error{"--counters is for csv"});
  if (options.run.empty() == (format.print == printThreads))
    return failUsage(Error{options.run.empty()
                               ? "chrome is of one run: say which, by its label or identity (--run)"
                               : "--run is for chrome; others are of all runs"});
  Result<PricedCorpus> priced = openPriced(options.corpus);
  if (!priced)
    return fail(priced.error());
  writeInLargePieces();
  const Status printed = format.print(*priced, options);
  return printed ? finishOutput("the export") : fail(printed.error());
}

} // namespace

void addExport(CLI::App &app, int &status) {
  auto options = std::make_shared<ExportArguments>();
  CLI::App *verb = app.add_subcommand("export", "Write costs in the formats of other tools");
  std::string says = "Formats:\n", all;
  std::vector<std::string> names;
  for (const Format &format : formats) {
    std::string name = format.name;
    names.push_back(name);
    all += (all.empty() ? "" : "|") + name;
    name.resize(13, ' ');
    says += "  " + name + format.says + "\n";
  }
  verb->footer(says + "Examples:\n"
                      "  quincunx export callgrind prog.qx >callgrind.out.prog && kcachegrind "
                      "callgrind.out.prog\n"
                      "  quincunx export pprof prog.qx >prog.pb && pprof -http=: prog.pb\n"
                      "  quincunx export folded prog.qx | flamegraph.pl >prog.svg\n"
                      "  quincunx export folded --for p99 prog.qx | flamegraph.pl >p99.svg\n"
                      "  quincunx export speedscope prog.qx >prog.speedscope.json\n"
                      "  quincunx export chrome --run 'large.txt threads=8' prog.qx >threads.json"
                      "    # for ui.perfetto.dev\n"
                      "  quincunx export lcov prog.qx >prog.info && genhtml -o html prog.info\n"
                      "  quincunx export sampleprof --for p99 prog.qx >prog.prof && clang++-22 -O2 "
                      "-fprofile-sample-use=prog.prof ...\n"
                      "  quincunx export gbench before.qx >before.json && quincunx export gbench "
                      "after.qx >after.json && compare.py benchmarks before.json after.json\n"
                      "  quincunx export openmetrics prog.qx >prog.prom\n"
                      "  quincunx export hlog prog.qx >prog.hlog\n"
                      "  quincunx export csv --counters --unit counts prog.qx >runs.csv");
  verb->add_option("format", options->format, "What to write")
      ->required()
      ->check(CLI::IsMember(names).description(""))
      ->type_name(all);
  addCorpusArgument(*verb, options->corpus);
  verb->add_option("--for", options->percentile,
                   "Costs of the runs near a percentile, which add up to it (default: the mean)")
      ->check(CLI::IsMember(percentiles).description(""))
      ->type_name("p50|p90|p99|p99.9");
  verb->add_option("--run", options->run, "chrome: the run, by its label or its identity")
      ->type_name("RUN");
  verb->add_flag("--counters", options->counters,
                 "csv: calls of functions and outcomes of conditions, a column for each");
  addNames(*verb, options->corpus);
  addCorpusOptions(*verb, options->corpus,
                   "Of whole runs, or of requests: calls of a marked function (default: run)");
  verb->callback([options, &status] { status = runExport(*options); });
}

} // namespace quincunx::tool
