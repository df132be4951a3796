// quincunx explain: who makes the variance, and who makes the tail. The explanation is
// lib/estimate's, the text lib/report's; here are only the options and where the runs come from.
#include "Verbs.h"

#include "quincunx/base/Text.h"
#include "quincunx/report/Explain.h"
#include "quincunx/report/Names.h"

#include "Reader.h"
#include "RequestsOf.h"

#include <iostream>
#include <memory>

namespace quincunx::tool {

namespace {

struct Options {
  std::string corpus, machine = defaultMachine, per = "run", function;
  ExplainOptions report;
  bool json = false;
};

Result<CountedRuns> countsOf(const Corpus &corpus, const std::vector<Map> &maps,
                             const Machine &machine, const Options &options) {
  if (options.per == "run")
    return countRuns(corpus, maps, machine);
  const Result<RequestFunction> requests = requestsOf(corpus, maps, options.function);
  if (!requests)
    return requests.error();
  Result<CountedRuns> counted = countRequests(corpus, maps, machine, *requests);
  if (!counted)
    return Error{"requests of " + escape(demangle(requests->name)) + ": " + counted.error().text};
  return counted;
}

int runExplain(Options options, bool topGiven) {
  const Result<Machine> machine = machineByName(options.machine);
  if (!machine)
    return fail(machine.error());
  const Result<Corpus> corpus = Corpus::open(options.corpus, Corpus::Mode::read);
  if (!corpus)
    return fail(corpus.error());
  const Result<std::vector<Map>> maps = corpus->maps();
  if (!maps)
    return fail(maps.error());
  Result<CountedRuns> counted = countsOf(*corpus, *maps, *machine, options);
  if (!counted)
    return fail(counted.error());
  const Explained explained =
      explain(std::move(counted->observed), BlockCosts(counted->matrix, *maps, *machine));
  if (options.json && !topGiven)
    options.report.top = 0;
  options.report.colour = wantsColour();
  std::ios::sync_with_stdio(false);
  if (!options.json)
    printExplained(explained, options.report, std::cout);
  else if (const Status s =
               printExplainedJson(explained, options.corpus, options.report, std::cout);
           !s)
    return fail(s.error());
  std::cout.flush();
  return std::cout ? ok : fail(Error{"cannot write the explanation"});
}

} // namespace

void addExplain(CLI::App &app, int &status) {
  auto options = std::make_shared<Options>();
  CLI::App *verb =
      app.add_subcommand("explain", "Show who makes the variance, and what the slow runs do");
  verb->footer("Examples:\n"
               "  quincunx explain prog.qx\n"
               "  quincunx explain --top 3 --machine unit prog.qx\n"
               "  quincunx explain --per request --function handle server.qx\n"
               "  quincunx explain --json prog.qx | jq '.tail.lines[0]'");
  verb->add_option("corpus", options->corpus, "Corpus file (.qx)")->required()->type_name("CORPUS");
  verb->add_flag("--json", options->json, "Everything at full precision, for programs");
  CLI::Option *top =
      verb->add_option("--top", options->report.top,
                       "Rows of each table, 0 for all (default: 10, with --json all)")
          ->type_name("N");
  verb->add_option("--per", options->per,
                   "Why whole runs differ, or requests: calls of a marked function (default: run)")
      ->check(CLI::IsMember({"run", "request"}).description(""))
      ->type_name("run|request");
  verb->add_option("--function", options->function, "With --per request, the requests' function")
      ->type_name("REGEX");
  verb->add_option("--machine", options->machine,
                   "What instructions cost: unit, x86-64 or a .machine file (default: " +
                       std::string(defaultMachine) + ")")
      ->type_name("NAME|FILE");
  verb->callback([options, top, &status] { status = runExplain(*options, top->count() != 0); });
}

} // namespace quincunx::tool
