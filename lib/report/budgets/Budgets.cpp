// Budgets for people: a table, on a terminal and in Markdown, with a sentence below it for each
// budget that does not hold.
#include "BudgetText.h"

#include "quincunx/base/Text.h"
#include "report/layout/Grid.h"
#include "report/layout/Sections.h"

#include <algorithm>
#include <array>
#include <ostream>

namespace quincunx {

namespace {

/// "12 budgets: 10 hold, 1 is broken, of 1 cannot be told".
std::string summary(const BudgetReport &r) {
  std::array<size_t, 3> count{};
  for (const CheckedBudget &b : r.budgets)
    ++count[static_cast<size_t>(b.answer)];
  const auto part = [&](BudgetAnswer answer, const char *one, const char *several) {
    const size_t n = count[static_cast<size_t>(answer)];
    return n == 0 ? std::string() : std::to_string(n) + (n == 1 ? one : several);
  };
  std::string parts;
  for (const std::string &s : {part(BudgetAnswer::broken, " is broken", " are broken"),
                               part(BudgetAnswer::cannotTell, " cannot be told", " cannot be told"),
                               part(BudgetAnswer::holds, " holds", " hold")})
    if (!s.empty())
      parts += (parts.empty() ? "" : ", ") + s;
  return std::to_string(r.budgets.size()) + (r.budgets.size() == 1 ? " budget: " : " budgets: ") +
         parts;
}

std::string written(const CheckedBudget &b, const std::string &folder) {
  return b.budget.file.empty()
             ? ""
             : escape(pathFrom(folder, b.budget.file)) + ":" + std::to_string(b.budget.line) + ": ";
}

/// What has to be said beside the answers.
std::vector<Note> notesOn(const BudgetReport &r) {
  std::vector<Note> notes = r.notes;
  for (const CheckedBudget &b : r.budgets)
    if (!b.unit.empty() && nanoseconds(b.unit) == 0) {
      notes.push_back({"unit", "costs without a unit are in " + escape(b.unit)});
      break;
    }
  for (const CheckedBudget &b : r.budgets)
    if (b.leftOut > 0)
      notes.push_back({"left-out", escape(b.budget.text, mostSaid) + ": " +
                                       std::to_string(b.leftOut) +
                                       (b.leftOut == 1 ? " run is" : " runs are") +
                                       " left out, without that feature above 0"});
  if (std::ranges::any_of(r.budgets, [](const auto &b) { return b.isAverage; }))
    notes.push_back({"average", "totals marked ~ take each call as the average one of its run"});
  if (std::ranges::any_of(r.budgets, [](const auto &b) { return b.ranOnce; }))
    notes.push_back({"once", "each input ran once, so that nobody knows whether it counts the same "
                             "again; run --repeat 2 tells"});
  return notes;
}

/// A cell of Markdown.
std::string cell(const std::string &text) {
  std::string out;
  for (const char c : text)
    out += (std::string("\\`*_{}[]<>|#~&").find(c) == std::string::npos ? "" : "\\") +
           std::string(1, c);
  return out;
}

} // namespace

void printBudgets(const BudgetReport &r, const Display &display, std::ostream &out) {
  Grid grid({"", "value", "lies in", "bound", "budget"}, 1);
  for (const CheckedBudget &b : r.budgets)
    grid.add({wordFor(b.answer), valueText(b), intervalText(b), boundText(b),
              escape(b.budget.text, mostSaid)});
  grid.print(out, display);
  out << "\n";
  for (const CheckedBudget &b : r.budgets)
    if (b.answer != BudgetAnswer::holds)
      out << written(b, r.folder) << sentenceOf(b) << "\n";
  printNotes(notesOn(r), out);
  out << summary(r) << "\n";
}

std::string markdownOf(const BudgetReport &r) {
  std::string s = "### Budgets of " + cell(escape(r.corpus)) + "\n\n" + cell(summary(r)) +
                  "\n\n| | budget | value | lies in | bound |\n|---|---|---:|---:|---:|\n";
  for (const CheckedBudget &b : r.budgets)
    s += std::string("| ") +
         (b.answer == BudgetAnswer::holds ? ""
          : r.fails(b)                    ? ":x: "
                                          : ":grey_question: ") +
         wordFor(b.answer) + " | " + cell(escape(b.budget.text, mostSaid)) + " | " +
         cell(valueText(b)) + " | " + cell(intervalText(b)) + " | " + cell(boundText(b)) + " |\n";
  for (const CheckedBudget &b : r.budgets)
    if (b.answer != BudgetAnswer::holds)
      s += "\n- " + cell(written(b, r.folder) + sentenceOf(b)) + "\n";
  for (const Note &n : notesOn(r))
    s += "\nNote: " + cell(printable(n.text)) + "\n";
  return s;
}

} // namespace quincunx
