// quincunx report: what a corpus says, as a table or as JSON. The estimate is lib/estimate's, the
// text lib/report's; here are only the options and what kind of terminal reads.
#include "Verbs.h"

#include "quincunx/report/Json.h"

#include "arguments/PricingOptions.h"
#include "arguments/RequestSelection.h"
#include "system/TerminalTraits.h"

#include <iostream>
#include <map>
#include <memory>

namespace quincunx::tool {

namespace {

struct Options {
  std::string corpus;
  PricingOptions pricing;
  ReportOptions report;
  std::string sort = "p99", per = "run";
  bool json = false;
};

SortBy sortBy(const std::string &word) {
  static const std::map<std::string, SortBy> keys{{"p99", SortBy::p99},     {"mean", SortBy::mean},
                                                  {"share", SortBy::share}, {"sd", SortBy::sd},
                                                  {"calls", SortBy::calls}, {"name", SortBy::name}};
  return keys.at(word); // the command line let no other word pass
}

Status print(const Corpus &corpus, const Machine &machine, const Options &options) {
  if (options.per == "call") {
    const Result<ObservedCalls> calls = observeCalls(corpus, machine);
    if (!calls)
      return calls.error();
    return options.json ? printCallsJson(*calls, options.corpus, options.report, std::cout)
                        : printCalls(*calls, options.report, std::cout);
  }
  const bool perRequest = options.per == "request";
  const Result<Observed> observed =
      perRequest ? observeSelectedRequests(corpus, machine, options.report.function)
                 : observe(corpus, machine);
  if (!observed)
    return observed.error();
  ReportOptions report = options.report;
  if (perRequest)
    report.function.clear(); // it chose the requests
  return options.json ? printJson(*observed, options.corpus, report, std::cout)
                      : printReport(*observed, report, std::cout);
}

int runReport(Options options, bool topGiven) {
  if (const Result<Machine> named = machineOf(options.pricing); !named)
    return fail(named.error());
  const Result<Corpus> corpus = Corpus::open(options.corpus, Corpus::Mode::read);
  if (!corpus)
    return fail(corpus.error());
  // Single calls were priced while the program ran, which no calibration can change.
  if (options.per == "call" && options.pricing.units.empty())
    options.pricing.units = "counts";
  const Result<Machine> machine = machineFor(*corpus, options.pricing, options.per == "run");
  if (!machine)
    return fail(machine.error());
  options.report.sort = sortBy(options.sort);
  if (options.json && !topGiven)
    options.report.top = 0;
  options.report.colour = wantsColour();
  options.report.utf8 = readsUtf8();
  std::ios::sync_with_stdio(false);
  if (const Status printed = print(*corpus, *machine, options); !printed)
    return fail(printed.error());
  std::cout.flush();
  return std::cout ? ok : fail(Error{"cannot write the report"});
}

} // namespace

void addReport(CLI::App &app, int &status) {
  auto options = std::make_shared<Options>();
  CLI::App *verb = app.add_subcommand("report", "Show percentiles, moments and who costs how much");
  verb->footer("Examples:\n"
               "  quincunx report prog.qx\n"
               "  quincunx report --sort share --top 5 prog.qx\n"
               "  quincunx report --function '^parse' --machine unit prog.qx\n"
               "  quincunx report --per call --sort calls prog.qx\n"
               "  quincunx report --per request server.qx\n"
               "  quincunx report --units counts prog.qx                # of a calibrated corpus\n"
               "  quincunx report --json prog.qx | jq .program.p99.value");
  verb->add_option("corpus", options->corpus, "Corpus file (.qx)")->required()->type_name("CORPUS");
  verb->add_flag("--json", options->json, "Everything at full precision, for programs");
  CLI::Option *top = verb->add_option("--top", options->report.top,
                                      "Functions to show, 0 for all (default: 20, with --json all)")
                         ->type_name("N");
  verb->add_option("--sort", options->sort, "Order of functions (default: p99)")
      ->check(CLI::IsMember({"p99", "mean", "share", "sd", "calls", "name"}).description(""))
      ->type_name("p99|mean|share|sd|calls|name");
  verb->add_option("--per", options->per,
                   "Cost of whole runs, of requests (calls of a marked function), or of single "
                   "calls with all they called (default: run)")
      ->check(CLI::IsMember({"run", "request", "call"}).description(""))
      ->type_name("run|request|call");
  verb->add_option("--function", options->report.function,
                   "Only functions whose name matches; with --per request, the requests' function")
      ->type_name("REGEX");
  addPricingOptions(*verb, options->pricing);
  verb->callback([options, top, &status] { status = runReport(*options, top->count() != 0); });
}

} // namespace quincunx::tool
