// quincunx check: do budgets hold? They are of a file and of the command line; the answers are
// lib/estimate's, their text lib/report's. Its exit status is for builds: 0: all hold, 1: one is
// broken, 2: it could not be asked.
#include "Verbs.h"

#include "quincunx/base/Text.h"
#include "quincunx/estimate/CheckBudgets.h"
#include "quincunx/estimate/Provenance.h"
#include "quincunx/report/Budgets.h"

#include "arguments/NamesAsked.h"
#include "arguments/PricedCorpus.h"
#include "arguments/RowGroups.h"
#include "arguments/SourceBudgets.h"
#include "system/ReplaceFile.h"
#include "system/TerminalTraits.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

namespace quincunx::tool {

namespace {

/// Looked for in the current folder.
constexpr const char *usualFile = "quincunx.budget";

struct Options {
  CorpusOptions corpus;
  std::vector<std::string> budgets;
  std::string file, baseline;
  std::string junit, sarif, markdown, summary;
  bool github = false, strict = false;
};

/// Of a file, of the source, and of the command line.
Result<std::vector<Budget>> budgetsOf(const Options &options,
                                      const std::vector<SourceBudget> &ofSource) {
  std::vector<Budget> all;
  std::error_code none;
  const bool isThere = std::filesystem::exists(usualFile, none);
  const std::string file = !options.file.empty() ? options.file : isThere ? usualFile : "";
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

/// What decides a budget: time or counts, of runs or requests.
struct Kind {
  bool isTime = false, isPerRequest = false;
  bool operator==(const Kind &) const = default;
};

Kind kindOf(const Budget &b, const PricingOptions &pricing) {
  const bool isCost = b.quantity == Budget::Quantity::total || b.quantity == Budget::Quantity::self;
  const bool isRelative = b.ofBaseline || b.figure == Budget::Figure::growth;
  // What another machine says is not said of this one.
  const bool isOfOther = std::ranges::any_of(
      b.changes, [](const Change &c) { return c.target == Change::Target::machine; });
  return {isCost &&
              ((isRelative && pricing.units == "time") || (nanoseconds(b.unit) > 0 && !isOfOther)),
          b.isPerRequest()};
}

CorpusOptions optionsFor(const Kind &kind, const Options &options) {
  CorpusOptions of = options.corpus;
  of.per = kind.isPerRequest ? "request" : "run";
  if (of.pricing.machine.empty())
    of.pricing.units = kind.isTime ? "time" : "counts";
  return of;
}

/// The baseline: another corpus, or another build in this one.
Result<std::optional<PricedCorpus>> openBaseline(const CorpusOptions &now, const Options &options) {
  if (options.baseline.empty())
    return std::optional<PricedCorpus>();
  CorpusOptions of = now;
  std::error_code none;
  if (std::filesystem::exists(options.baseline, none)) {
    of.path = options.baseline;
    of.build.clear();
  } else if (options.baseline.ends_with(".qx"))
    return Error{"no such corpus", options.baseline};
  else
    of.build = options.baseline;
  of.pricing.units = of.pricing.machine.empty() ? "counts" : ""; // prices are those of now
  Result<PricedCorpus> opened = openPriced(of);
  if (!opened)
    return Error{"the baseline: " + opened.error().text, opened.error().file};
  if (const auto grouped = groupRows(*opened, of); !grouped)
    return grouped.error();
  return std::optional<PricedCorpus>(std::move(*opened));
}

bool isAllOfSource(const std::vector<Budget> &budgets) {
  return std::ranges::all_of(budgets, [](const Budget &b) { return b.isOfSource; });
}

/// Checks budgets of one kind.
Result<std::vector<CheckedBudget>> checkKind(const Kind &kind, const std::vector<Budget> &budgets,
                                             const Options &options, std::vector<Note> &notes) {
  const CorpusOptions of = optionsFor(kind, options);
  Result<PricedCorpus> priced = openPriced(of);
  // It has no prices in time, or no requests; what was asked wrongly is an error.
  const bool isUnasked = (kind.isTime && of.pricing.machine.empty()) ||
                         (kind.isPerRequest && of.requests.empty() && machineOf(of.pricing));
  if (!priced && isUnasked && isAllOfSource(budgets)) {
    std::vector<CheckedBudget> out;
    for (const Budget &b : budgets)
      out.push_back(unanswered(b, priced.error().text));
    return out;
  }
  if (!priced)
    return priced.error();
  if (const auto grouped = groupRows(*priced, of); !grouped)
    return grouped.error();
  CorpusOptions asked = of; // requests of the baseline where some are compared with
  if (std::ranges::none_of(budgets, &Budget::ofBaseline))
    asked.per = "run";
  const Result<std::optional<PricedCorpus>> baseline = openBaseline(asked, options);
  if (!baseline)
    return baseline.error();
  const Result<Provenance> provenance = provenanceOf(priced->corpus);
  if (!provenance)
    return provenance.error();
  std::vector<Note> ofKind;
  addNotes(*provenance, kind.isTime ? priced->machine.unit : "", ofKind);
  for (Note &n : ofKind)
    if (std::ranges::none_of(notes, [&](const Note &was) { return was.text == n.text; }))
      notes.push_back(std::move(n));
  const Display display = readersDisplay(priced->names);
  BudgetWorld world{priced->runs(), {}, priced->machine};
  if (*baseline)
    world.baseline.emplace((*baseline)->runs());
  return checkBudgets(budgets, world, namesAsked(display));
}

/// All of them, in the order they came in.
Result<BudgetReport> check(const std::vector<Budget> &budgets, const Options &options) {
  BudgetReport report;
  report.corpus = options.corpus.path;
  report.strict = options.strict;
  report.version = QUINCUNX_VERSION;
  std::error_code none;
  report.folder = std::filesystem::current_path(none).string();
  report.budgets.resize(budgets.size());
  std::vector<bool> isDone(budgets.size());
  for (size_t first = 0; first < budgets.size(); ++first) {
    if (isDone[first])
      continue;
    const Kind kind = kindOf(budgets[first], options.corpus.pricing);
    std::vector<Budget> alike;
    std::vector<size_t> numbers;
    for (size_t i = first; i < budgets.size(); ++i)
      if (kindOf(budgets[i], options.corpus.pricing) == kind) {
        alike.push_back(budgets[i]);
        numbers.push_back(i);
        isDone[i] = true;
      }
    Result<std::vector<CheckedBudget>> checked = checkKind(kind, alike, options, report.notes);
    if (!checked)
      return checked.error();
    for (size_t i = 0; i < numbers.size(); ++i)
      report.budgets[numbers[i]] = std::move((*checked)[i]);
  }
  return report;
}

Status writeFiles(const BudgetReport &report, const Options &options) {
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

int runCheck(const Options &options) {
  const Result<std::vector<SourceBudget>> ofSource = sourceBudgets(options.corpus);
  if (!ofSource)
    return failUsage(ofSource.error());
  const Result<std::vector<Budget>> budgets = budgetsOf(options, *ofSource);
  if (!budgets)
    return failUsage(budgets.error());
  const Result<BudgetReport> report = check(*budgets, options);
  if (!report)
    return failUsage(report.error());
  std::ios::sync_with_stdio(false);
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

void addOptions(CLI::App &verb, Options &options) {
  addCorpusArgument(verb, options.corpus);
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
  verb.add_option("--baseline", options.baseline,
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
  verb.add_option("--function", options.corpus.requests,
                  "The function of requests, where several are marked")
      ->type_name("REGEX");
  addForeignOptions(verb, options.corpus.foreign);
  addPricingOptions(verb, options.corpus.pricing);
}

} // namespace

void addCheck(CLI::App &app, int &status) {
  auto options = std::make_shared<Options>();
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
