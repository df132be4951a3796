// quincunx report: what a corpus says, as a table or as JSON. The estimate is lib/estimate's, the
// text lib/report's; here are only the options and what kind of terminal reads.
#include "Verbs.h"

#include "quincunx/report/Json.h"

#include "arguments/RowGroups.h"
#include "arguments/TimesOfThreads.h"
#include "system/TerminalTraits.h"
#include "system/WrappedNotes.h"

#include <iostream>
#include <map>
#include <memory>

namespace quincunx::tool {

namespace {

struct ReportArguments {
  CorpusOptions corpus;
  ReportOptions report;
  std::string sort = "p99";
  std::string threads;
  std::vector<uint32_t> threadCounts; ///< that it says
  bool json = false, net = false;
};

SortBy sortBy(const std::string &word) {
  static const std::map<std::string, SortBy> keys{{"p99", SortBy::p99},     {"mean", SortBy::mean},
                                                  {"share", SortBy::share}, {"sd", SortBy::sd},
                                                  {"calls", SortBy::calls}, {"name", SortBy::name}};
  return keys.at(word); // the command line let no other word pass
}

/// How long runs are waited for, where that is known; a note of `observed` says what it is, or why
/// it is not told. An error, where numbers of threads were asked for.
Result<std::optional<TimesOfThreads>>
wallTimes(const PricedCorpus &priced, const std::vector<uint32_t> &threads, Observed &observed) {
  const Result<bool> known = hasStrands(priced.corpus);
  if (!known)
    return known.error();
  if (!*known && threads.empty())
    return std::optional<TimesOfThreads>();
  Result<TimesOfThreads> times = timesOfThreads(priced, observed, {}, {.threads = threads});
  if (!times && !threads.empty())
    return times.error();
  if (!times) {
    observed.notes.push_back({"scale", "no wall time: " + times.error().text});
    return std::optional<TimesOfThreads>();
  }
  const size_t told = times->times.runs.size();
  observed.notes.push_back(
      {"scale", "wall times are simulated, of " + std::to_string(told) +
                    (told == 1 ? " run" : " runs") +
                    " with a processor for each thread: quincunx scale says what they hang on (~), "
                    "and how they agree with the clock"});
  return std::optional(std::move(*times));
}

Status print(const PricedCorpus &priced, const ReportArguments &options) {
  const std::string &name = options.corpus.path;
  if (options.corpus.per == "call") {
    Result<ObservedCalls> calls =
        observeCalls(priced.corpus, priced.machine, OtherPrices::estimated);
    if (!calls)
      return calls.error();
    addNotes(options.report.provenance, {}, calls->notes); // calls do not wait apart
    return options.json ? printCallsJson(*calls, name, options.report, std::cout)
                        : printCalls(*calls, options.report, std::cout);
  }
  const bool withTotals = !priced.requests;
  Result<Observed> observed = withTotals
                                  ? observeWithTotals(priced.corpus, priced.maps, priced.machine,
                                                      options.report.all ? SIZE_MAX : quickTotals)
                                  : observe(priced);
  if (!observed)
    return observed.error();
  addNotes(options.report.provenance, observed->unit, observed->notes);
  ReportOptions report = options.report;
  const bool isOfRuns = !priced.requests && !options.net; // timed runs have a start
  const Result<std::optional<TimesOfThreads>> wall =
      isOfRuns ? wallTimes(priced, options.threadCounts, *observed)
               : std::optional<TimesOfThreads>();
  if (!wall)
    return wall.error();
  if (*wall)
    report.threads = &(*wall)->times;
  report.efficiencies = !options.threads.empty();
  if (priced.requests)
    report.function.clear(); // it chose the requests
  return options.json ? printJson(*observed, name, report, std::cout)
                      : printReport(*observed, report, std::cout);
}

/// The start of the process costs nothing from now on; returns what it cost.
double withoutStartUp(Machine &machine) {
  const double cost = machine.event("start").k1;
  std::erase_if(machine.events, [](const auto &event) { return event.first == "start"; });
  return cost;
}

int runReport(ReportArguments options, bool topGiven) {
  if (options.net && options.corpus.per != "run")
    return failUsage(
        Error{"--net is of whole runs: requests and calls have no start of a process"});
  if (!options.threads.empty()) {
    if (options.net || options.corpus.per != "run")
      return failUsage(Error{"--threads is of whole runs"});
    const Result<std::vector<uint32_t>> threads = parseThreadCounts(options.threads);
    if (!threads)
      return failUsage(threads.error());
    options.threadCounts = *threads;
  }
  options.corpus.requests = options.report.function;
  Result<PricedCorpus> priced = openPriced(options.corpus);
  if (!priced)
    return fail(priced.error());
  if (const auto grouped = groupRows(*priced, options.corpus); !grouped)
    return fail(grouped.error());
  Result<Provenance> provenance = provenanceOf(priced->corpus);
  if (!provenance)
    return fail(provenance.error());
  options.report.provenance = std::move(*provenance);
  options.report.provenance.fittedTo = priced->machine.fit.builds;
  if (options.net)
    options.report.net = withoutStartUp(priced->machine);
  options.report.sort = sortBy(options.sort);
  options.report.next = questionFor(options.corpus, "explain");
  if (options.json && !topGiven)
    options.report.top = 0;
  options.report.display = readersDisplay(priced->names);
  writeInLargePieces();
  if (const Status printed = print(*priced, options); !printed)
    return fail(printed.error());
  return finishOutput("the report");
}

} // namespace

int reportCorpus(const std::string &corpus) {
  ReportArguments options;
  options.corpus.path = corpus;
  return runReport(std::move(options), false);
}

void addReport(CLI::App &app, int &status) {
  auto options = std::make_shared<ReportArguments>();
  CLI::App *verb = app.add_subcommand("report", "Show percentiles, moments and who costs how much");
  verb->footer(
      "Examples:\n"
      "  quincunx report prog.qx\n"
      "  quincunx report --sort share --top 5 prog.qx\n"
      "  quincunx report --function '^parse' --machine unit prog.qx\n"
      "  quincunx report --per call --sort calls prog.qx\n"
      "  quincunx report --per request server.qx\n"
      "  quincunx report --net prog.qx    # without what it takes to start a process\n"
      "  quincunx report --unit counts prog.qx                # where it has prices\n"
      "  quincunx report --threads 8,64 prog.qx   # wall time, efficiency and its factors\n"
      "  quincunx report --json prog.qx | jq .program.p99.value");
  addCorpusArgument(*verb, options->corpus);
  verb->add_flag("--json", options->json, "Everything at full precision, for programs");
  verb->add_flag("--all", options->report.all,
                 "Every figure: skewness and kurtosis, all percentiles of functions, ten inputs");
  CLI::Option *top = verb->add_option("--top", options->report.top,
                                      "Functions to show, 0 for all (default: 20, with --json all)")
                         ->type_name("N");
  verb->add_option("--sort", options->sort, "Order of functions (default: p99)")
      ->check(CLI::IsMember({"p99", "mean", "share", "sd", "calls", "name"}).description(""))
      ->type_name("p99|mean|share|sd|calls|name");
  verb->add_flag("--net", options->net,
                 "Without the start of the process, which is in the cost of every run");
  verb->add_option("--threads", options->threads,
                   "Wall time with so many threads, efficiency, load balance and serialisation "
                   "(of record=counts,calls,strands)")
      ->type_name("N,...|A..B[:xFACTOR|:STEP]");
  verb->add_option("--per", options->corpus.per,
                   "Cost of whole runs, of requests (calls of a marked function), or of single "
                   "calls with all they called (default: run)")
      ->check(CLI::IsMember({"run", "request", "call"}).description(""))
      ->type_name("run|request|call");
  verb->add_option("--function", options->report.function,
                   "Only functions of this name, or whose name matches; with --per request, the "
                   "requests' function")
      ->type_name("NAME|REGEX");
  addNames(*verb, options->corpus);
  addForeignOptions(*verb, options->corpus.foreign);
  addPricingOptions(*verb, options->corpus.pricing);
  verb->callback([options, top, &status] { status = runReport(*options, top->count() != 0); });
}

} // namespace quincunx::tool
