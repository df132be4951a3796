// Asks budgets. Those that are decided in one way - by time or counts, of runs or requests - are
// asked together, of a corpus that was opened for that.
#include "BudgetQuestion.h"

#include "NamesAsked.h"
#include "RowGroups.h"

#include "quincunx/base/Text.h"
#include "quincunx/estimate/Provenance.h"

#include "system/TerminalTraits.h"

#include <algorithm>
#include <filesystem>
#include <optional>

namespace quincunx::tool {

namespace {

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

CorpusOptions optionsFor(const Kind &kind, const BudgetQuestion &options) {
  CorpusOptions of = options.corpus;
  of.per = kind.isPerRequest ? "request" : "run";
  if (of.pricing.machine.empty())
    of.pricing.units = kind.isTime ? "time" : "counts";
  return of;
}

/// The baseline: another corpus, or another build in this one.
Result<std::optional<PricedCorpus>> openBaseline(const CorpusOptions &now,
                                                 const BudgetQuestion &options) {
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
                                             const BudgetQuestion &options,
                                             std::vector<Note> &notes) {
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

} // namespace

Result<BudgetReport> askBudgets(const std::vector<Budget> &budgets, const BudgetQuestion &options) {
  BudgetReport report;
  report.corpus = options.corpus.path;
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

} // namespace quincunx::tool
