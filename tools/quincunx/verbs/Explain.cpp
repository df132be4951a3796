// quincunx explain: who makes the variance, and who makes the tail. The explanation is
// lib/estimate's, the text lib/report's; here are only the options and where the runs come from.
#include "Verbs.h"

#include "quincunx/report/Explain.h"

#include "arguments/RequestSelection.h"
#include "arguments/RowGroups.h"
#include "system/NextStep.h"
#include "system/TerminalTraits.h"
#include "system/WrappedNotes.h"

#include <iostream>
#include <memory>

namespace quincunx::tool {

namespace {

struct ExplainArguments {
  CorpusOptions corpus;
  ExplainOptions report;
  bool json = false;
};

/// What would be if the function that makes most of the variance cost half; where that hardly makes
/// any, its lines: code of headers has no name to ask by, and what was inlined is asked about by
/// its lines.
std::string questionOf(const Explained &e, const CorpusOptions &corpus, const Display &display) {
  size_t most = e.functions.size();
  for (size_t f = 0; f < e.functionShares.size(); ++f)
    if (e.functions[f].name != unattributedName && !e.functions[f].isForeign &&
        !e.functions[f].inlined &&
        (most == e.functions.size() ||
         e.functionShares[f].variance > e.functionShares[most].variance))
      most = f;
  constexpr double hardly = 0.05;
  if (most == e.functions.size() || e.functionShares[most].variance < hardly)
    return questionFor(corpus, "annotate"); // it is in code that has no name to ask by
  const std::string name = !e.functions[most].members.empty()
                               ? e.functions[most].name
                               : display.names.of(e.functions[most].name);
  return questionFor(corpus, "whatif", "cost(" + name + ") *= 0.5");
}

int runExplain(ExplainArguments options, bool topGiven) {
  Result<PricedCorpus> priced = openPriced(options.corpus);
  if (!priced)
    return fail(priced.error());
  if (const auto grouped = groupRows(*priced, options.corpus); !grouped)
    return fail(grouped.error());
  Result<CountedRuns> counted = countRuns(*priced);
  if (!counted)
    return fail(counted.error());
  const Explained explained = explain(std::move(counted->observed),
                                      BlockCosts(counted->matrix, priced->maps, priced->machine),
                                      !options.json); // for programs there is each function
  if (options.json && !topGiven)
    options.report.top = 0;
  options.report.display = readersDisplay(priced->names);
  writeInLargePieces();
  if (!options.json) {
    printExplained(explained, options.report, std::cout);
    printNext(std::cout, questionOf(explained, options.corpus, options.report.display));
  } else if (const Status s =
                 printExplainedJson(explained, options.corpus.path, options.report, std::cout);
             !s)
    return fail(s.error());
  return finishOutput("the explanation");
}

} // namespace

void addExplain(CLI::App &app, int &status) {
  auto options = std::make_shared<ExplainArguments>();
  CLI::App *verb =
      app.add_subcommand("explain", "Show who makes the variance, and what the slow runs do");
  verb->footer("Examples:\n"
               "  quincunx explain prog.qx\n"
               "  quincunx explain --top 3 --machine unit prog.qx\n"
               "  quincunx explain --per request --function handle server.qx\n"
               "  quincunx explain --json prog.qx | jq '.tail.lines[0]'");
  addCorpusArgument(*verb, options->corpus);
  verb->add_flag("--json", options->json, "Everything at full precision, for programs");
  CLI::Option *top =
      verb->add_option("--top", options->report.top,
                       "Rows of each table, 0 for all (default: 10, with --json all)")
          ->type_name("N");
  addNames(*verb, options->corpus);
  addForeignOptions(*verb, options->corpus.foreign);
  addCorpusOptions(*verb, options->corpus,
                   "Why whole runs differ, or requests: calls of a marked function (default: run)");
  verb->callback([options, top, &status] { status = runExplain(*options, top->count() != 0); });
}

} // namespace quincunx::tool
