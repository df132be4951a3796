// quincunx compare: what a change of the sources did, by the runs of two builds. The comparison is
// lib/estimate's, the text lib/report's; here is which builds are meant, and the exit status.
#include "Verbs.h"

#include "quincunx/base/Text.h"
#include "quincunx/report/Compare.h"

#include "arguments/ComparedBuilds.h"
#include "record/ShellWords.h"
#include "system/NextStep.h"
#include "system/TerminalTraits.h"
#include "system/WrappedNotes.h"

#include <iostream>
#include <memory>

namespace quincunx::tool {

namespace {

/// Exit statuses: that there is no answer is no matter of how it failed.
enum CompareStatus : int { notWorse = 0, worse = 1, noAnswer = 2 };

struct CompareArguments {
  ComparedCorpora corpora;
  CompareOptions report;
  bool json = false;
};

int failNoAnswer(const Error &error) {
  fail(error);
  return noAnswer;
}

int answerOf(const Comparison &c) {
  return c.verdict == ChangeVerdict::unknown  ? noAnswer
         : c.verdict == ChangeVerdict::slower ? worse
                                              : notWorse;
}

/// Where the first function is that changed, and can be shown.
std::string questionOf(const Comparison &c, const CompareArguments &options) {
  const std::string &corpus = options.corpora.pathAfter();
  for (const FunctionChange &f : c.functions)
    if (f.after && !f.after->file.empty() && f.after->members.empty())
      return joinWords({"annotate", corpus, fileName(f.after->file)});
  return joinWords({"report", corpus});
}

int runCompare(CompareArguments options, bool topGiven) {
  Result<ComparedBuilds> builds = openCompared(options.corpora);
  if (!builds)
    return failNoAnswer(builds.error());
  const Result<Comparison> comparison =
      compare(builds->before.runs(), builds->after.runs(), builds->machine(),
              builds->isPricedByAfter, shortNames());
  if (!comparison)
    return failNoAnswer(comparison.error());
  if (options.json && !topGiven)
    options.report.top = 0;
  options.report.display = readersDisplay(builds->names);
  writeInLargePieces();
  if (!options.json) {
    printComparison(*comparison, builds->called, options.report, std::cout);
    printNext(std::cout, questionOf(*comparison, options));
  } else if (const Status s =
                 printComparisonJson(*comparison, builds->called, options.report, std::cout);
             !s)
    return failNoAnswer(s.error());
  const int status = finishOutput("the comparison", answerOf(*comparison));
  return std::cout ? status : noAnswer;
}

} // namespace

void addCompare(CLI::App &app, int &status) {
  auto options = std::make_shared<CompareArguments>();
  CLI::App *verb = app.add_subcommand("compare", "Show what a change did: two builds, same inputs");
  verb->footer(
      "Examples:\n"
      "  quincunx compare before.qx after.qx\n"
      "  quincunx compare prog.qx                 # its newest build with the one before\n"
      "  quincunx compare prog.qx --against v1.2 --build v1.3\n"
      "  quincunx compare prog.qx --against main  # what was recorded of that branch's last "
      "commit\n"
      "  quincunx compare --json before.qx after.qx | jq '.functions[0]'\n"
      "Exit status: 0 the same or faster, 1 slower (in the mean), 2 cannot tell, or an error.");
  addComparedCorpora(*verb, options->corpora);
  verb->add_flag("--json", options->json, "Everything at full precision, for programs");
  CLI::Option *top =
      verb->add_option("--top", options->report.top,
                       "Functions and inputs to show, 0 for all (default: 20, with --json all)")
          ->type_name("N");
  addNames(*verb, options->corpora.after);
  addForeignOptions(*verb, options->corpora.after.foreign);
  addPricingOptions(*verb, options->corpora.after.pricing);
  verb->callback([options, top, &status] { status = runCompare(*options, top->count() != 0); });
}

} // namespace quincunx::tool
