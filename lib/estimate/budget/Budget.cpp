// Budgets of the command line and of files, one a line. Their syntax is BudgetSyntax.cpp's.
#include "BudgetSyntax.h"

#include "quincunx/base/ReadFile.h"
#include "quincunx/base/Text.h"

namespace quincunx {

namespace {

/// A comment begins the line or stands behind a blank, as names may hold the sign.
std::string_view withoutComment(std::string_view line) {
  for (size_t i = 0; i < line.size(); ++i)
    if (line[i] == '#' && (i == 0 || isBlank(line[i - 1])))
      return line.substr(0, i);
  return line;
}

} // namespace

Result<Budget> parseBudget(std::string_view text) {
  const std::string_view first = text.substr(0, text.find_first_of("\r\n"));
  if (first.size() < text.size())
    return Error{"budget '" + escape(first) + "' goes on in another line"};
  Result<Budget> budget = readBudget(text, &parseChange);
  if (budget)
    return budget;
  return Error{"budget '" + escape(text) + "', " + budget.error().text};
}

Result<std::vector<Budget>> readBudgets(const std::string &path) {
  const Result<std::string> text = readTextFile(path);
  if (!text)
    return text.error();
  std::vector<Budget> budgets;
  unsigned number = 0;
  for (std::string_view line : fields(*text, '\n')) {
    ++number;
    line = withoutComment(line);
    while (!line.empty() && (isBlank(line.back()) || line.back() == '\r'))
      line.remove_suffix(1);
    while (!line.empty() && isBlank(line.front()))
      line.remove_prefix(1);
    if (line.empty())
      continue;
    Result<Budget> budget = parseBudget(line);
    if (!budget)
      return Error{budget.error().text, path, number};
    budget->file = path;
    budget->line = number;
    budgets.push_back(std::move(*budget));
  }
  return budgets;
}

} // namespace quincunx
