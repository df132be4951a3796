// Checked budgets, for people and for the services that run builds: a table, JUnit XML, SARIF
// 2.1.0, GitHub's annotations, Markdown. It decides nothing. Reference: docs/22-budgets.md.
#pragma once

#include "quincunx/estimate/CheckBudgets.h"
#include "quincunx/estimate/Note.h"
#include "quincunx/report/Display.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace quincunx {

struct BudgetReport {
  std::string corpus; ///< its path, as the reader gave it
  std::vector<CheckedBudget> budgets;
  bool strict = false; ///< a budget that nobody can tell of fails as well
  std::vector<Note> notes;
  std::string folder;  ///< files below it are named from there
  std::string version; ///< of quincunx

  bool fails(const CheckedBudget &b) const {
    return b.answer == BudgetAnswer::broken || (strict && b.answer == BudgetAnswer::cannotTell);
  }
  bool fails() const;
};

const char *wordFor(BudgetAnswer answer);
/// "p99(parse) < 2 ms is broken: 2.31 ms (2.2 .. 2.42), 15.5 % above 2 ms; by its 90 % interval".
std::string sentenceOf(const CheckedBudget &b);
void printBudgets(const BudgetReport &r, const Display &display, std::ostream &out);
/// For GitHub Actions, a line for each that does not hold.
void printAnnotations(const BudgetReport &r, std::ostream &out);

std::string junitOf(const BudgetReport &r);
std::string sarifOf(const BudgetReport &r);
std::string markdownOf(const BudgetReport &r);

} // namespace quincunx
