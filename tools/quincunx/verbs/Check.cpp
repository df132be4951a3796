// quincunx check: do budgets hold? They are of a file and of the command line; the answers are
// lib/estimate's, their text lib/report's. Its exit status is for builds: 0: all hold, 1: one is
// broken, 2: it could not be asked.
#include "Verbs.h"

#include "quincunx/base/Text.h"
#include "quincunx/estimate/CheckBudgets.h"
#include "quincunx/report/Budgets.h"

#include "arguments/BudgetQuestion.h"
#include "arguments/SourceBudgets.h"
#include "system/ReplaceFile.h"
#include "system/TerminalTraits.h"
#include "system/WrappedNotes.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

namespace quincunx::tool {

namespace {

struct CheckArguments {
  BudgetQuestion question;
  std::vector<std::string> budgets;
  std::string file;
  std::string junit, sarif, markdown, summary;
  bool github = false, strict = false;
};

/// Of a file, of the source, and of the command line.
Result<std::vector<Budget>> budgetsOf(const CheckArguments &options,
                                      const std::vector<SourceBudget> &ofSource) {
  std::vector<Budget> all;
  std::error_code none;
  const bool isThere = std::filesystem::exists(usualBudgets, none);
  const std::string file = !options.file.empty() ? options.file : isThere ? usualBudgets : "";
  if (!file.empty()) {
    Result<std::vector<Budget>> ofFile = readBudgets(file);
    if (!ofFile)
      return ofFile.error();
    all = std::move(*ofFile);
  }
  for (const SourceBudget &s : ofSource)
    all.push_back(s.budget);
  for (const std::string &text : options.budgets) {
    Result<Budget> budget = parseBudget(text);
    if (!budget)
      return budget.error();
    all.push_back(std::move(*budget));
  }
  if (all.empty())
    return Error{file.empty() ? "no budgets: write them in quincunx.budget, one a line, behind the "
                                "corpus, as 'p99(program) < 2 ms', or at functions, as "
                                "[[quincunx::budget(\"p99 < 2 ms\")]]"
                              : "it has no budgets",
                 file};
  return all;
}

Status writeFiles(const BudgetReport &report, const CheckArguments &options) {
  for (const auto &[path, text] :
       {std::pair{options.junit, &junitOf}, std::pair{options.sarif, &sarifOf},
        std::pair{options.markdown, &markdownOf}})
    if (!path.empty())
      if (Status s = replaceFile(path, text(report)); !s)
        return s;
  return Done{};
}

/// Answers for the plugin: lines of name, file, budget, answer, and the answer in words.
std::string summaryOf(const BudgetReport &report, const std::vector<SourceBudget> &ofSource) {
  std::string text =
      "# quincunx budgets 1\t" + report.version + "\nfunction\tfile\tbudget\tanswer\tin words\n";
  for (const SourceBudget &s : ofSource)
    for (const CheckedBudget &b : report.budgets)
      if (b.budget.file == s.budget.file && b.budget.line == s.budget.line &&
          b.budget.text == s.budget.text)
        for (const std::string &function : s.functions)
          text += escapeWhole(function) + "\t" + escapeWhole(fileName(s.budget.file)) + "\t" +
                  escapeWhole(s.written) + "\t" + wordFor(b.answer) + "\t" + sentenceOf(b) + "\n";
  return text;
}

int runCheck(const CheckArguments &options) {
  const Result<std::vector<SourceBudget>> ofSource = sourceBudgets(options.question.corpus);
  if (!ofSource)
    return failUsage(ofSource.error());
  const Result<std::vector<Budget>> budgets = budgetsOf(options, *ofSource);
  if (!budgets)
    return failUsage(budgets.error());
  Result<BudgetReport> report = askBudgets(*budgets, options.question);
  if (!report)
    return failUsage(report.error());
  report->strict = options.strict;
  writeInLargePieces();
  printBudgets(*report, readersDisplay(), std::cout);
  if (options.github)
    printAnnotations(*report, std::cout);
  if (const Status written = writeFiles(*report, options); !written)
    return failUsage(written.error());
  if (!options.summary.empty())
    if (const Status s = replaceFile(options.summary, summaryOf(*report, *ofSource)); !s)
      return failUsage(s.error());
  return finishOutput("the answers", report->fails() ? failed : ok);
}

void addOptions(CLI::App &verb, CheckArguments &options) {
  addCorpusArgument(verb, options.question.corpus);
  verb.add_option(
          "budgets", options.budgets,
          "FIGURE(FUNCTION|program) <= BOUND, where FIGURE is mean, sd, min, max, p50, p99, "
          "... of the cost, of self, calls or bytes, [per request|FEATURE], and BOUND a "
          "number with its unit or [FACTOR *] baseline; growth(FUNCTION) <= LAW; whatif "
          "'CHANGE': FIGURE <= BOUND")
      ->type_name("BUDGET");
  verb.add_option("--budget", options.file,
                  "Budgets of this file, one a line (default: quincunx.budget, where there is one)")
      ->type_name("FILE");
  verb.add_option("--baseline", options.question.baseline,
                  "What budgets mean by baseline: another corpus, or another build in this one")
      ->type_name("CORPUS|ID|TAG|REV");
  verb.add_flag("--strict", options.strict, "Fail as well where nobody can tell");
  verb.add_option("--junit", options.junit, "Write JUnit XML, a test case for each budget")
      ->type_name("FILE");
  verb.add_option("--sarif", options.sarif, "Write SARIF 2.1.0, with the lines of functions")
      ->type_name("FILE");
  verb.add_option("--markdown", options.markdown,
                  "Write a summary in Markdown, as for $GITHUB_STEP_SUMMARY")
      ->type_name("FILE");
  verb.add_option("--summary", options.summary,
                  "Write the answers to budgets of the source: the plugin, with use=FILE, warns of "
                  "broken ones where they are written")
      ->type_name("FILE");
  verb.add_flag("--github", options.github, "Print annotations for GitHub Actions as well");
  verb.add_option("--function", options.question.corpus.requests,
                  "The function of requests, where several are marked")
      ->type_name("REGEX");
  addForeignOptions(verb, options.question.corpus.foreign);
  addPricingOptions(verb, options.question.corpus.pricing);
}

} // namespace

void addCheck(CLI::App &app, int &status) {
  auto options = std::make_shared<CheckArguments>();
  CLI::App *verb = app.add_subcommand("check", "Check budgets, and fail where one is broken");
  verb->footer(
      "Examples:\n"
      "  quincunx check prog.qx                                # what quincunx.budget says\n"
      "  quincunx check prog.qx 'p99(program) < 2 ms' 'mean calls(malloc) <= 3 per request'\n"
      "  quincunx check prog.qx --baseline main.qx 'self mean(parse) <= 1.02 * baseline'\n"
      "  quincunx check prog.qx 'growth(sort) <= n log n' 'p99(program) per size < 40 ns'\n"
      "  quincunx check prog.qx \"whatif 'machine = small.machine': p99 < 5 ms\"\n"
      "  quincunx check --strict --junit budgets.xml --sarif budgets.sarif prog.qx\n"
      "Exit status: 0 all hold, 1 one is broken (with --strict: or cannot be told), 2 the "
      "question is wrong.");
  addOptions(*verb, *options);
  verb->callback([options, &status] { status = runCheck(*options); });
}

} // namespace quincunx::tool
