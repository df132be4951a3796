// See BudgetText.h. What of strangers stands in a budget is escaped here.
#include "BudgetText.h"

#include "quincunx/base/Text.h"
#include "report/layout/Grid.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

bool isGrowth(const CheckedBudget &b) { return b.budget.figure == Budget::Figure::growth; }

std::string withUnit(std::string text, const CheckedBudget &b) {
  const bool isTimed = nanoseconds(b.unit) > 0;
  return isTimed ? text + " " + b.unit : text;
}

std::string percentMore(double share) { return (share > 0 ? "+" : "") + percent(share); }

/// "15.5 % above": how far the value is from the bound.
std::string awayFrom(const CheckedBudget &b) {
  const double away = b.value / b.bound - 1;
  if (isGrowth(b) || !std::isfinite(away) || !(b.bound > 0))
    return "";
  if (away == 0)
    return ", which is " + boundText(b);
  const std::string share = percent(std::fabs(away)) + (away > 0 ? " above " : " below ");
  return ", " + share + boundText(b);
}

} // namespace

bool BudgetReport::fails() const {
  return std::ranges::any_of(budgets, [&](const CheckedBudget &b) { return fails(b); });
}

const char *wordFor(BudgetAnswer answer) {
  switch (answer) {
  case BudgetAnswer::holds:
    return "holds";
  case BudgetAnswer::broken:
    return "broken";
  case BudgetAnswer::cannotTell:
    break;
  }
  return "cannot tell";
}

std::string valueText(const CheckedBudget &b) {
  if (isGrowth(b))
    return std::isfinite(b.interval.low) ? percentMore(b.value) : "?";
  if (std::isnan(b.value))
    return "?";
  return (b.isAverage ? "~" : "") + withUnit(figure(b.value), b);
}

std::string intervalText(const CheckedBudget &b) {
  if (b.interval.low == b.interval.high || std::isnan(b.value))
    return "";
  if (isGrowth(b))
    return std::isfinite(b.interval.low)
               ? percentMore(b.interval.low) + " .. " + percentMore(b.interval.high)
               : "";
  return figure(b.interval);
}

std::string boundText(const CheckedBudget &b) {
  return isGrowth(b) ? percentMore(b.bound) : withUnit(figure(b.bound), b);
}

std::string sentenceOf(const CheckedBudget &b) {
  std::string s = escape(b.budget.text, mostSaid);
  s += b.answer == BudgetAnswer::holds    ? " holds: "
       : b.answer == BudgetAnswer::broken ? " is broken: "
                                          : ": cannot tell: ";
  if (!isGrowth(b) && !std::isnan(b.value)) {
    const std::string interval = intervalText(b);
    s += valueText(b) + (interval.empty() ? "" : " (" + interval + ")") + awayFrom(b);
    s += b.before ? "; the baseline has " + withUnit(figure(*b.before), b) : "";
    s += "; ";
  }
  return s + printable(b.why);
}

BudgetPlace placeOf(const CheckedBudget &b) {
  return b.functionFile.empty() ? BudgetPlace{b.budget.file, b.budget.line}
                                : BudgetPlace{b.functionFile, b.functionLine};
}

std::string pathFrom(const std::string &folder, const std::string &path) {
  const std::string prefix = folder.ends_with('/') ? folder : folder + "/";
  return !folder.empty() && path.starts_with(prefix) ? path.substr(prefix.size()) : path;
}

} // namespace quincunx
