// The syntax of changes, by recursive descent:
//
//   change  = target ("=" | ":=" | "*=" | "+=" | "-=") value
//   target  = "cost" "(" ("lines" FILE ":" N ["-" N] | FUNCTION) ")"
//           | ("calls" | "total") "(" FUNCTION ")"
//           | "trips" "(" "loop" FILE ":" N [":" COLUMN] ")"
//           | "p" "(" "branch" FILE ":" N [":" COLUMN] ["to line" N] ")"
//           | "machine" | "threads" | ("mix" | "size") "(" FEATURE ")"
//           | "price" "(" (CLASS | EVENT) ")"
//           | "lock" "(" FILE ":" N ")" | "schedule" "(" ["loop"] FILE ":" N ")"
//           | ("work" | "join") "(" "thread" FILE ":" N ")"
//   value   = factor {"*" factor} | "moments" "(" N "," N "," N "," N ")" | FILE | "none" | "own" |
//   "first"
//           | ["monotonic:"] ("static" | "dynamic" | "guided") ["," CHUNK]
//   factor  = NUMBER | VARIABLE     (at most one number and two variables)
//
// The idea: names of functions may hold nearly anything, so that what stands in brackets ends at
// the bracket that closes them, and places are read from their end. It looks nothing up.
#include "quincunx/estimate/Change.h"

#include "quincunx/base/Nearest.h"
#include "quincunx/base/Text.h"
#include "quincunx/cost/Machine.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace quincunx {

namespace {

using Target = Change::Target;

struct Word {
  const char *name;
  Target target;
};
constexpr std::array<Word, 14> words{{{"cost", Target::cost},
                                      {"calls", Target::calls},
                                      {"total", Target::total},
                                      {"trips", Target::trips},
                                      {"p", Target::probability},
                                      {"machine", Target::machine},
                                      {"price", Target::price},
                                      {"mix", Target::mix},
                                      {"size", Target::size},
                                      {"lock", Target::lock},
                                      {"work", Target::work},
                                      {"schedule", Target::schedule},
                                      {"join", Target::join},
                                      {"threads", Target::threads}}};

bool isBlank(char c) { return c == ' ' || c == '\t'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// A piece of the text that knows where it stands.
struct Piece {
  size_t at = 0; ///< from 0
  std::string_view text;

  Piece part(size_t from, size_t length = std::string_view::npos) const {
    return {at + from, text.substr(from, length)};
  }
  Piece trimmed() const {
    size_t from = 0, to = text.size();
    while (from < to && isBlank(text[from]))
      ++from;
    while (to > from && isBlank(text[to - 1]))
      --to;
    return part(from, to - from);
  }
  Error expected(const std::string &what) const { return wrong("expected " + what); }
  Error wrong(const std::string &what) const {
    return Error{"column " + std::to_string(at + 1) + ": " + what};
  }
};

/// The length of the name that `text` starts with.
size_t nameLength(std::string_view text) {
  size_t n = 0;
  while (n < text.size() && (isLetter(text[n]) || (n > 0 && isDigit(text[n]))))
    ++n;
  return n;
}

bool isName(std::string_view text) { return !text.empty() && nameLength(text) == text.size(); }

class Parser {
public:
  explicit Parser(std::string_view text) : all{0, text} {}
  Result<Change> parse();

private:
  Result<Piece> target(Piece rest);
  Result<Piece> brackets(Piece rest);
  Status inside(Piece piece);
  Status place(Piece piece, const std::string &keyword, bool range);
  Result<Piece> sign(Piece rest);
  Status value(Piece piece);
  Status schedule(Piece piece);
  Status monomial(Piece piece);
  Status limits(Piece piece) const;

  Piece all;
  Change change;
};

/// The number at the end of `piece`, behind `separator`, which is cut off with it.
bool takeNumber(Piece &piece, char separator, uint32_t &number) {
  const size_t at = piece.text.rfind(separator);
  if (at == std::string_view::npos || at + 1 == piece.text.size())
    return false;
  const std::string_view digits = piece.text.substr(at + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size())
    return false;
  piece = piece.part(0, at);
  return true;
}

/// The text up to the bracket that closes the one at its start.
size_t closing(std::string_view text) {
  size_t depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(')
      ++depth;
    else if (text[i] == ')' && --depth == 0)
      return i;
  }
  return std::string_view::npos;
}

Result<Piece> Parser::target(Piece rest) {
  rest = rest.trimmed();
  const std::string name(rest.text.substr(0, nameLength(rest.text)));
  for (const Word &w : words)
    if (name == w.name) {
      change.target = w.target;
      return rest.part(name.size()).trimmed();
    }
  std::vector<std::string> names;
  for (const Word &w : words)
    names.emplace_back(w.name);
  const std::string hint = nearest(name, names);
  return rest.expected("cost, calls, total, trips, p, machine, price, mix, size, lock, work, "
                       "schedule, join or threads" +
                       (hint.empty() ? "" : "; did you mean '" + hint + "'?"));
}

Result<Piece> Parser::brackets(Piece rest) {
  if (!rest.text.starts_with('('))
    return rest.expected("'('");
  const size_t close = closing(rest.text);
  if (close == std::string_view::npos)
    return rest.part(rest.text.size()).expected("')'");
  if (Status s = inside(rest.part(1, close - 1).trimmed()); !s)
    return s.error();
  return rest.part(close + 1).trimmed();
}

/// What stands in the brackets.
Status Parser::inside(Piece piece) {
  const auto startsWith = [&](std::string_view keyword) {
    return piece.text.starts_with(keyword) && piece.text.size() > keyword.size() &&
           isBlank(piece.text[keyword.size()]);
  };
  if (change.target == Target::cost && startsWith("lines"))
    return place(piece, "lines", true);
  if (change.target == Target::trips)
    return startsWith("loop") ? place(piece, "loop", false)
                              : Status(piece.expected("'loop FILE:LINE'"));
  if (change.target == Target::probability)
    return startsWith("branch") ? place(piece, "branch", false)
                                : Status(piece.expected("'branch FILE:LINE'"));
  if (change.target == Target::lock || change.target == Target::schedule) {
    change.isSerial = change.target == Target::schedule && startsWith("loop");
    return place(piece, change.isSerial ? "loop" : "", false);
  }
  if (change.target == Target::work || change.target == Target::join)
    return startsWith("thread") ? place(piece, "thread", false)
                                : Status(piece.expected("'thread FILE:LINE'"));
  if (piece.text.empty())
    return piece.expected(change.target == Target::cost ? "a function, or 'lines FILE:FROM-TO'"
                          : change.target == Target::calls || change.target == Target::total
                              ? "a function"
                          : change.target == Target::price ? "a class of instructions, or an event"
                                                           : "the name of a feature");
  change.name = piece.text;
  return Done{};
}

Status Parser::place(Piece piece, const std::string &keyword, bool range) {
  piece = piece.part(keyword.size()).trimmed();
  const Piece whole = piece;
  Place &to = change.place;
  constexpr std::string_view behind = " to line";
  Piece place = piece;
  if (uint32_t line = 0; keyword == "branch" && takeNumber(place, ' ', line))
    if (place = place.trimmed(); line > 0 && place.text.ends_with(behind)) {
      to.arm = line;
      piece = place.part(0, place.text.size() - behind.size()).trimmed();
    }
  uint32_t last = 0;
  const bool several = range && takeNumber(piece, '-', last);
  bool good = takeNumber(piece, ':', to.line);
  if (uint32_t line = 0; good && !range && takeNumber(piece, ':', line))
    to.column = std::exchange(to.line, line);
  to.last = several ? last : to.line;
  to.file = piece.trimmed().text;
  good = good && !to.file.empty() && to.line > 0 && to.last >= to.line;
  if (good && change.isOfThreads() && to.column != 0)
    return whole.expected("FILE:LINE, as in queue.c:40");
  if (good)
    return Done{};
  return whole.expected(change.isOfThreads() ? "FILE:LINE, as in queue.c:40"
                        : range              ? "FILE:LINE or FILE:FROM-TO, as in json.c:100-180"
                                             : "FILE:LINE or FILE:LINE:COLUMN, as in json.c:61:12");
}

Result<Piece> Parser::sign(Piece rest) {
  const bool mayScale = change.target != Target::machine && change.target != Target::mix &&
                        change.target != Target::lock && change.target != Target::schedule &&
                        change.target != Target::join && change.target != Target::threads;
  const bool mayAdd = change.target == Target::probability;
  const bool maySet = change.target != Target::total && change.target != Target::work;
  for (const std::string_view s : {"*=", ":=", "=", "+=", "-="}) {
    const bool adds = s == "+=" || s == "-=";
    if (!rest.text.starts_with(s) || (s == "*=" ? !mayScale : adds ? !mayAdd : !maySet))
      continue;
    change.scales = s == "*=";
    change.adds = adds;
    if (s == "-=")
      change.value.k1 = -1;
    return rest.part(s.size()).trimmed();
  }
  return rest.expected(!maySet    ? "'*='"
                       : mayAdd   ? "'=', '*=', '+=' or '-='"
                       : mayScale ? "'=' or '*='"
                                  : "'='");
}

Status Parser::value(Piece piece) {
  if (change.target == Target::machine || change.target == Target::mix) {
    if (piece.text.empty())
      return piece.expected(change.target == Target::mix ? "a file" : "a machine or its file");
    change.file = piece.text;
    return Done{};
  }
  if (change.target == Target::lock) {
    change.isApart = piece.text == "own";
    return change.isApart || piece.text == "none" ? Status(Done{})
                                                  : piece.expected("'none' or 'own'");
  }
  if (change.target == Target::schedule)
    return schedule(piece);
  if (change.target == Target::join)
    return piece.text == "first" ? Status(Done{}) : piece.expected("'first'");
  if (change.target == Target::threads) {
    constexpr double most = 1 << 16;
    const bool good = parseNumber(piece.text, change.value.k1) && change.value.k1 >= 1 &&
                      change.value.k1 <= most && change.value.k1 == std::floor(change.value.k1);
    return good ? Status(Done{}) : piece.expected("a number of threads, from 1 to 65536");
  }
  const bool isCost = change.target == Target::cost || change.target == Target::calls ||
                      change.target == Target::price;
  if (isCost && !change.scales && piece.text.starts_with("moments(")) {
    const Result<Cumulants> cost = parseCost(piece.text);
    if (!cost)
      return piece.wrong(cost.error().text);
    change.value = *cost;
    return Done{};
  }
  if (change.target == Target::price &&
      (isName(piece.text) || piece.text.find('*') != std::string::npos))
    return piece.expected("a number: prices have no variables");
  return monomial(piece);
}

/// As schedule() of OpenMP has it.
Status Parser::schedule(Piece piece) {
  const Piece whole = piece;
  uint32_t chunk = 0;
  if (piece.text.find(',') != std::string_view::npos) {
    const size_t comma = piece.text.find(',');
    const Piece number = piece.part(comma + 1).trimmed();
    const auto [end, error] =
        std::from_chars(number.text.data(), number.text.data() + number.text.size(), chunk);
    if (error != std::errc() || end != number.text.data() + number.text.size() || chunk == 0)
      return number.expected("a chunk of 1 iteration or more");
    piece = piece.part(0, comma).trimmed();
  }
  std::string_view name = piece.text;
  if (name.starts_with("nonmonotonic:"))
    name.remove_prefix(std::string_view("nonmonotonic:").size());
  const bool isShare = name == "static" || name == "monotonic:static";
  if (isShare)
    change.schedule = chunk != 0 ? "static,chunk" : "static";
  else if (name == "dynamic" || name == "monotonic:dynamic" || name == "guided")
    change.schedule = name;
  else if (name == "monotonic:guided")
    change.schedule = "guided";
  else
    return whole.expected("static, dynamic or guided, with a chunk or without: dynamic,16");
  change.chunk = isShare ? chunk : std::max<uint32_t>(chunk, 1);
  return Done{};
}

/// The product of at most one number and two variables.
Status Parser::monomial(Piece piece) {
  const double sign = std::exchange(change.value.k1, 1.0); // of +=, -=
  bool number = false, good = true;
  for (Piece rest = piece; good;) {
    const size_t star = rest.text.find('*');
    const Piece factor = rest.part(0, star).trimmed();
    if (isName(factor.text) && change.otherVariable.empty() && factor.text != change.variable)
      (change.variable.empty() ? change.variable : change.otherVariable) = factor.text;
    else if (!number && parseNumber(factor.text, change.value.k1))
      number = true;
    else
      good = false;
    if (star == std::string_view::npos)
      break;
    rest = rest.part(star + 1);
  }
  if (good)
    if (const Status s = limits(piece); !s)
      return s;
  change.value.k1 *= sign;
  if (good)
    return Done{};
  const bool isCost = change.target == Target::cost || change.target == Target::calls ||
                      change.target == Target::price;
  return piece.expected(change.scales ? "a factor: a number, variables or their product"
                        : isCost      ? "a cost: a number, variables, their product, or "
                                        "moments(mean, variance, skewness, kurtosis)"
                                      : "a number, variables or their product");
}

Status Parser::limits(Piece piece) const {
  if (change.value.k1 < 0)
    return piece.expected("a number that is not negative");
  if (change.target == Target::probability && !change.scales && change.variable.empty() &&
      change.value.k1 > 1)
    return piece.expected("a probability, from 0 to 1");
  return Done{};
}

Result<Change> Parser::parse() {
  change.text = all.trimmed().text;
  Result<Piece> rest = target(all);
  if (rest && change.target != Target::machine && change.target != Target::threads)
    rest = brackets(*rest);
  if (rest)
    rest = sign(*rest);
  if (!rest)
    return rest.error();
  if (Status s = value(*rest); !s)
    return s.error();
  // `size(n) = 4 * n`: the feature itself is no variable.
  if (change.target == Target::size && !change.name.empty() &&
      (change.variable == change.name || change.otherVariable == change.name)) {
    change = withValue(change, change.name, 1);
    change.scales = true;
  }
  return change;
}

} // namespace

Change withValue(Change change, const std::string &name, double x) {
  if (change.otherVariable == name) {
    change.otherVariable.clear();
    change.value.k1 *= x;
  } else if (change.variable == name) {
    change.variable = std::exchange(change.otherVariable, "");
    change.value.k1 *= x;
  }
  return change;
}

Result<Change> parseChange(std::string_view text) {
  Result<Change> change = Parser(text).parse();
  if (change)
    return change;
  return Error{"change '" + escape(text) + "', " + change.error().text};
}

} // namespace quincunx
