// The syntax of budgets, by recursive descent:
//
//   budget     = ["whatif" "'" CHANGE "'" {"'" CHANGE "'"} ":"] figure comparison bound [per]
//   figure     = {word} ["(" ("program" | FUNCTION) ")"] [per]
//   word       = "mean" | "sd" | "min" | "max" | "p" N | "growth"       (one of them)
//              | "total" | "self" | "calls" | "bytes"                   (at most one)
//   per        = "per" ("run" | "request" | FEATURE)
//   comparison = "<" | "<=" | ">" | ">="
//   bound      = N [UNIT] | [N "*"] "baseline" | law                    (a law of growth)
//   law        = "1" | "log n" | "n" ["^" N] ["log n"]
//
// The idea: names of functions may hold nearly anything, so that what stands in brackets ends at
// the bracket that closes them. A budget that is written at its function has neither brackets nor
// changes. It looks nothing up, and is part of the compiler's plugin.
#include "BudgetSyntax.h"

#include "quincunx/base/Nearest.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace quincunx {

namespace {

using Figure = Budget::Figure;
using Quantity = Budget::Quantity;
using Comparison = Budget::Comparison;

template <class T> struct Word {
  std::string_view name;
  T meaning;
};
constexpr std::array<Word<Figure>, 5> figures{{{"mean", Figure::mean},
                                               {"sd", Figure::deviation},
                                               {"min", Figure::min},
                                               {"max", Figure::max},
                                               {"growth", Figure::growth}}};
constexpr std::array<Word<Quantity>, 4> quantities{{{"total", Quantity::total},
                                                    {"self", Quantity::self},
                                                    {"calls", Quantity::calls},
                                                    {"bytes", Quantity::bytes}}};
constexpr std::array<Word<Comparison>, 4> comparisons{{{"<=", Comparison::atMost}, // longest first
                                                       {">=", Comparison::atLeast},
                                                       {"<", Comparison::below},
                                                       {">", Comparison::above}}};
constexpr std::array<Word<double>, 5> timeWords{
    {{"ns", 1}, {"us", 1e3}, {"\u00b5s", 1e3}, {"ms", 1e6}, {"s", 1e9}}};

template <class T, size_t n>
std::optional<T> meaningOf(std::string_view word, const std::array<Word<T>, n> &words) {
  for (const Word<T> &w : words)
    if (word == w.name)
      return w.meaning;
  return {};
}

bool isNumber(std::string_view text, double &value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool isPlain(char c) { return c > ' ' && c <= '~'; }
bool endsWord(char c) { return isBlank(c) || c == '(' || c == '<' || c == '>' || c == '='; }

class Parser {
public:
  Parser(std::string_view t, ReadChange read) : Parser(t) { readChange = read; }
  /// Of one function.
  Parser(std::string_view t, const std::string &f, const std::string &s) : Parser(t) {
    budget.function = f;
    budget.isOfSource = true;
    shown = s;
    while (!text.empty() && isBlank(text.front()))
      text.remove_prefix(1);
  }
  Result<Budget> parse();

private:
  explicit Parser(std::string_view t) : text(t) {
    while (!text.empty() && isBlank(text.back()))
      text.remove_suffix(1);
  }
  bool isOfOne() const { return readChange == nullptr; }
  void skipBlanks();
  std::string_view peekWord() const;
  bool take(std::string_view what);
  bool takeNumber(double &number);
  Status whatif();
  Status word();
  Status brackets();
  Status per();
  Status comparison();
  Status bound();
  Status law();
  Status consistent(size_t figureAt);
  std::string withName(size_t figureEnd) const;
  Error expected(const std::string &what) const { return wrong(at, "expected " + what); }
  static Error wrong(size_t where, const std::string &what) {
    return Error{"column " + std::to_string(where + 1) + ": " + what};
  }

  std::string_view text;
  ReadChange readChange = nullptr; ///< none: it is of one function
  std::string shown;               ///< its name
  size_t at = 0;
  bool hasFigure = false, hasQuantity = false;
  Budget budget;
};

void Parser::skipBlanks() {
  while (at < text.size() && isBlank(text[at]))
    ++at;
}

std::string_view Parser::peekWord() const {
  size_t end = at;
  while (end < text.size() && !endsWord(text[end]))
    ++end;
  return text.substr(at, end - at);
}

bool Parser::take(std::string_view what) {
  skipBlanks();
  if (!text.substr(at).starts_with(what))
    return false;
  at += what.size();
  skipBlanks();
  return true;
}

bool Parser::takeNumber(double &number) {
  skipBlanks();
  const std::string_view rest = text.substr(at);
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (error != std::errc() || !(number >= 0 && number <= 1e300))
    return false;
  at += static_cast<size_t>(end - rest.data());
  skipBlanks();
  return true;
}

/// The changes, between quotes.
Status Parser::whatif() {
  while (!take(":")) {
    const char quote = at < text.size() ? text[at] : ' ';
    if (quote != '\'' && quote != '"')
      return expected(budget.changes.empty() ? "a change in quotes, as in 'cost(parse) *= 2'"
                                             : "':' or another change in quotes");
    const size_t end = text.find(quote, at + 1);
    if (end == std::string_view::npos)
      return expected("another quote behind the change");
    Result<Change> change = readChange(text.substr(at + 1, end - at - 1));
    if (!change)
      return wrong(at, change.error().text);
    if (!change->variable.empty())
      return wrong(at, "a change in a budget has no variable");
    budget.changes.push_back(std::move(*change));
    at = end + 1;
    skipBlanks();
  }
  return budget.changes.empty() ? Status(expected("a change in quotes")) : Done{};
}

/// One of the words of a figure.
Status Parser::word() {
  const std::string word(peekWord());
  double p = 0;
  const auto figure = meaningOf(word, figures);
  const auto quantity = meaningOf(word, quantities);
  const bool isPercentile = word.size() > 1 && word.front() == 'p' &&
                            isNumber(std::string_view(word).substr(1), p) && p > 0 && p < 100;
  if ((figure || isPercentile) && hasFigure)
    return wrong(at, "a second figure; a budget is about one");
  if (quantity && hasQuantity)
    return wrong(at, "one of total, self, calls and bytes, not two");
  if (isPercentile)
    budget.p = p / 100;
  else if (figure)
    budget.figure = *figure;
  else if (quantity)
    budget.quantity = *quantity;
  else {
    std::vector<std::string> names{"p50", "p90", "p99"};
    for (const auto &w : figures)
      names.emplace_back(w.name);
    for (const auto &w : quantities)
      names.emplace_back(w.name);
    const std::string hint = word.empty() ? "" : nearest(word, names);
    return expected(
        std::string(isOfOne() ? "a figure, as p99, mean calls, self sd or growth"
                              : "a figure, as p99(parse), mean calls(malloc), self sd(parse) or "
                                "growth(sort)") +
        (hint.empty() ? "" : "; did you mean '" + hint + "'?"));
  }
  hasFigure = hasFigure || !quantity;
  hasQuantity = hasQuantity || quantity;
  at += word.size();
  skipBlanks();
  return Done{};
}

Status Parser::brackets() {
  size_t depth = 0, end = at;
  for (; end < text.size(); ++end) {
    depth += text[end] == '(';
    if (text[end] == ')' && --depth == 0)
      break;
  }
  if (end == text.size())
    return wrong(end, "expected ')'");
  ++at;
  skipBlanks();
  std::string_view name = text.substr(at, end - at);
  while (!name.empty() && isBlank(name.back()))
    name.remove_suffix(1);
  if (name.empty())
    return expected("a function, or program");
  budget.function = name == "program" ? "" : name;
  at = end + 1;
  skipBlanks();
  return Done{};
}

Status Parser::per() {
  if (peekWord() != "per")
    return Done{};
  if (!budget.per.empty())
    return wrong(at, "a second 'per'");
  take("per");
  budget.per = peekWord();
  if (budget.per.empty())
    return expected("request or the name of a feature");
  take(budget.per);
  return Done{};
}

Status Parser::comparison() {
  for (const auto &[sign, meaning] : comparisons)
    if (take(sign)) {
      budget.comparison = meaning;
      return Done{};
    }
  return expected("'<', '<=', '>' or '>='");
}

Status Parser::bound() {
  budget.bound = 1;
  if (budget.figure == Figure::growth)
    return law();
  const size_t start = at;
  const bool hasNumber = takeNumber(budget.bound);
  const bool hasStar = hasNumber && take("*");
  if (peekWord() == "baseline" && hasStar == hasNumber) {
    budget.ofBaseline = true;
    take("baseline");
    return Done{};
  }
  if (!hasNumber || hasStar) {
    at = hasStar ? at : start;
    return expected(hasStar ? "'baseline'"
                            : "a number with its unit, as 2 ms, or a multiple of the baseline, as "
                              "1.05 * baseline");
  }
  if (peekWord() == "baseline")
    return wrong(start, "expected 'baseline' behind '*', as 1.05 * baseline");
  // "cost units" are two words.
  while (at < text.size() && peekWord() != "per" && !peekWord().empty()) {
    const std::string word(peekWord() == "\u00b5s" ? "us" : peekWord());
    if (!std::ranges::all_of(word, isPlain))
      return expected("a unit, as ms");
    take(peekWord());
    budget.unit += (budget.unit.empty() ? "" : " ") + word;
  }
  return Done{};
}

Status Parser::law() {
  const auto takeLog = [&] {
    const size_t start = at;
    if (take("log") && take("n"))
      return true;
    at = start;
    return false;
  };
  if (budget.comparison != Comparison::atMost && budget.comparison != Comparison::below)
    return wrong(at, "growth has an upper bound: write growth(...) <= n log n");
  if (takeLog()) {
    budget.timesLog = true;
    return Done{};
  }
  if (take("1"))
    return Done{};
  budget.power = 1;
  if (!take("n") || (take("^") && !(takeNumber(budget.power) && budget.power <= 10)))
    return expected("a law of growth: 1, log n, n, n log n, n^2 or another power up to 10");
  budget.timesLog = takeLog();
  return Done{};
}

/// What the words of a budget cannot say together.
Status Parser::consistent(size_t figureAt) {
  const bool isCount = budget.quantity == Quantity::calls || budget.quantity == Quantity::bytes;
  const std::string quantity = budget.quantity == Quantity::calls ? "calls" : "bytes";
  if (!hasFigure)
    return wrong(figureAt, "expected a figure besides: mean, sd, min, max, p50, p99, ...");
  if (isCount && budget.function.empty() && !isOfOne())
    return wrong(figureAt, quantity + " of which function? write " + quantity + "(malloc)");
  // Nobody sees what a program that cannot be asked leaves out.
  if (isOfOne() && !isCount && !budget.unit.empty() && nanoseconds(budget.unit) == 0 &&
      budget.unit != "cost units")
    return wrong(figureAt, "no unit '" + budget.unit + "'; there are ns, us, ms, s and cost units");
  if (isCount && !budget.unit.empty() && budget.unit != quantity)
    return wrong(figureAt, quantity + " are numbers and have no unit '" + budget.unit + "'");
  if (!budget.changes.empty() &&
      (hasQuantity || !budget.function.empty() || !(budget.per.empty() || budget.isPerRequest()) ||
       budget.ofBaseline || budget.figure >= Figure::min))
    return wrong(figureAt, "whatif answers p50 and other percentiles, mean and sd of the program");
  if (budget.figure == Figure::growth && budget.isPerRequest())
    return wrong(figureAt, "growth is with a feature: growth(sort) per size <= n log n");
  return Done{};
}

/// The text with the function's name where its brackets would be.
std::string Parser::withName(size_t figureEnd) const {
  std::string_view figure = text.substr(0, figureEnd);
  while (!figure.empty() && isBlank(figure.back()))
    figure.remove_suffix(1);
  return std::string(figure) + "(" + shown + ") " + std::string(text.substr(figureEnd));
}

Result<Budget> Parser::parse() {
  skipBlanks();
  if (isOfOne() && std::ranges::any_of(text, [](char c) { return c >= 0 && c < ' '; }))
    return wrong(0, "a control character in it");
  if (peekWord() == "whatif") {
    if (isOfOne())
      return wrong(at, "whatif answers of the program, not of one function");
    take("whatif");
    if (Status s = whatif(); !s)
      return s.error();
  }
  const size_t figureAt = at;
  do
    if (Status s = word(); !s)
      return s.error();
  while (at < text.size() && peekWord() != "per" && !peekWord().empty());
  const bool hasBrackets = at < text.size() && text[at] == '(';
  if (hasBrackets && isOfOne())
    return wrong(at, "it is of the function that it is written at, so that it has no brackets");
  if (hasBrackets)
    if (Status s = brackets(); !s)
      return s.error();
  const size_t figureEnd = at;
  for (const auto step : {&Parser::per, &Parser::comparison, &Parser::bound, &Parser::per})
    if (Status s = (this->*step)(); !s)
      return s.error();
  if (at < text.size())
    return expected("the end of the budget");
  if (budget.per == "run")
    budget.per.clear();
  if (Status s = consistent(figureAt); !s)
    return s.error();
  budget.text = isOfOne() ? withName(figureEnd) : std::string(text);
  return budget;
}

} // namespace

double nanoseconds(std::string_view unit) { return meaningOf(unit, timeWords).value_or(0); }

Result<Budget> readBudget(std::string_view text, ReadChange readChange) {
  return Parser(text, readChange).parse();
}

Result<Budget> parseBudgetOf(const std::string &function, const std::string &shown,
                             std::string_view text) {
  return Parser(text, function, shown).parse();
}

} // namespace quincunx
