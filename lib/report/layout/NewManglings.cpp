// Reads mangled names as far as their brackets tell. The idea: words have their length in front,
// what opens ends with an E, and so everything that stands between can be passed over without
// knowing what it means. In expressions letters mean other things than in types.
#include "NewManglings.h"

#include <algorithm>
#include <array>

namespace quincunx {

namespace {

/// Deeper and longer ones nobody writes.
constexpr size_t deepest = 200, longest = 1 << 12;

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLower(char c) { return c >= 'a' && c <= 'z'; }

class Reader {
public:
  explicit Reader(std::string_view mangled) : text(mangled) {}

  bool isAtEnd() const { return at >= text.size(); }
  size_t position() const { return at; }
  bool isAt(std::string_view what) const { return text.substr(at).starts_with(what); }
  bool take(std::string_view what) {
    const bool is = isAt(what);
    at += is ? what.size() : 0;
    return is;
  }

  /// A word that has its length in front; empty: there is none.
  std::string_view word() {
    size_t end = at, length = 0;
    while (end < text.size() && isDigit(text[end]) && length < text.size())
      length = 10 * length + static_cast<size_t>(text[end++] - '0');
    if (end == at || length == 0 || end + length > text.size())
      return {};
    at = end + length;
    return text.substr(end, length);
  }

  /// Passes a sign, with all that it opens. False at an E, in front of a clone (".cold"), and where
  /// nothing can be made of it.
  bool pass(bool inExpression = false) {
    if (isAtEnd() || isAt("E") || isAt(".") || depth >= deepest)
      return false;
    ++depth;
    const bool isPassed = passSign(inExpression);
    --depth;
    return isPassed;
  }

  /// All up to the E that closes, and that one.
  bool passRest(bool inExpression) {
    while (pass(inExpression))
      ;
    return take("E");
  }

private:
  bool passSign(bool inExpression) {
    if (take("Ul")) // a lambda: what it is called with, and a number
      return passRest(false) && reference("");
    if (take("Q")) { // what is required, up to the E of what requires it
      while (pass(true))
        ;
      return true;
    }
    if (isAt("A") && at + 1 < text.size() && isDigit(text[at + 1])) { // so many of what follows
      while (isDigit(text[++at]) && at + 1 < text.size())
        ;
      return take("_");
    }
    if (isDigit(text[at]))
      return !word().empty();
    if (take("L"))
      return take("_Z") ? passRest(false) : literal();
    if (take("S"))
      return reference("tabsiod");
    if (isAt("Tt") || isAt("Dt") || isAt("DT")) {
      at += 2;
      return passRest(text[at - 2] == 'D');
    }
    if (isAt("Tk") || isAt("Tn") || isAt("Ty") || isAt("Tp")) {
      at += 2;
      return true;
    }
    if (take("T"))
      return reference("");
    if (take("D"))
      return extended();
    for (const char opens : std::string_view("IJNFZX"))
      if (take({&opens, 1}))
        return passRest(opens == 'X');
    if (inExpression)
      for (const std::string_view opens : {"cl", "il", "tl", "cp", "nw", "na", "rq"})
        if (take(opens))
          return passRest(true);
    if (inExpression && take("sr"))
      return scope();
    if (inExpression && (take("fp") || take("fL")))
      return reference("");
    ++at;
    return true;
  }

  /// Behind an S or a T: a number with an underline, or one of `letters`.
  bool reference(std::string_view letters) {
    if (!isAtEnd() && letters.find(text[at]) != std::string_view::npos)
      return take(text.substr(at, 1));
    take("L"); // of what is around: TL0__
    for (int marks = text[at - 1] == 'L' ? 2 : 1; marks > 0; --marks) {
      while (!isAtEnd() && (isDigit(text[at]) || (text[at] >= 'A' && text[at] <= 'Z')))
        ++at;
      if (!take("_"))
        return false;
    }
    return true;
  }

  /// Behind "sr": words with an E, or a type.
  bool scope() {
    if (isAtEnd() || !isDigit(text[at]))
      return pass();
    while (!word().empty())
      if (take("I") && !passRest(false))
        return false;
    return take("E");
  }

  /// Behind an L: a type, and the number that it has.
  bool literal() {
    if (!isAtEnd() && isLower(text[at]))
      ++at;
    else if (!pass())
      return false;
    while (!isAtEnd() && !isAt("E"))
      ++at;
    return take("E");
  }

  /// Behind a D.
  bool extended() {
    if (take("F") || take("B") || take("U") || take("v")) { // numbers of bits, of elements
      while (!isAtEnd() && isDigit(text[at]))
        ++at;
      return take("_") || take("b") || take("x");
    }
    at = std::min(at + 1, text.size());
    return true;
  }

  std::string_view text;
  size_t at = 0;
  size_t depth = 0;
};

/// Says the words of a name.
class Path {
public:
  explicit Path(Reader &of) : reader(of) {}

  /// False: it cannot be told where the name ends.
  bool read() {
    if (reader.take("Z"))
      return ++depth < deepest && local();
    if (!reader.take("N"))
      return step() && (!reader.isAt("I") || arguments());
    while (reader.take("K") || reader.take("V") || reader.take("r") || reader.take("R") ||
           reader.take("O") || reader.take("H"))
      ;
    while (!reader.take("E"))
      if (said.size() > longest || !(reader.isAt("I") ? arguments() : step()))
        return false;
    return true;
  }

  std::string said;

private:
  /// Always true.
  bool say(std::string_view name) {
    said.append(said.empty() ? "" : "::").append(name);
    last = name;
    return true;
  }

  /// What stands in a function, of which the parameters are passed over.
  bool local() {
    if (!read() || !reader.passRest(false))
      return false;
    if (reader.take("s"))
      return true;
    if (reader.take("d"))
      while (!reader.isAtEnd() && !reader.take("_"))
        if (!reader.pass())
          return false;
    return read();
  }

  bool arguments() {
    reader.take("I");
    said += "<...>";
    return reader.passRest(false);
  }

  bool step() {
    while (reader.take("F") || reader.take("L"))
      ;
    if (reader.take("W")) // a module
      return !reader.word().empty() && step();
    if (reader.take("B")) // a tag
      return !reader.word().empty();
    if (const std::string_view word = reader.word(); !word.empty()) {
      say(word.starts_with("_GLOBAL__N") ? "(anonymous namespace)" : word);
      return true;
    }
    if (reader.take("Ul"))
      return say("{lambda()#1}") && reader.passRest(false) && number();
    if (reader.take("Ut"))
      return say("{unnamed type#1}") && number();
    for (const std::string_view sign : {"C1", "C2", "C3", "D0", "D1", "D2"})
      if (reader.take(sign))
        return say((sign.front() == 'D' ? "~" : "") + last);
    return substituted() || operation();
  }

  bool number() {
    while (!reader.isAtEnd() && !reader.take("_"))
      if (!reader.pass())
        return false;
    return true;
  }

  bool substituted() {
    constexpr std::array<std::array<std::string_view, 2>, 7> known{{{"St", "std"},
                                                                    {"Sa", "std::allocator"},
                                                                    {"Sb", "std::basic_string"},
                                                                    {"Ss", "std::string"},
                                                                    {"Si", "std::istream"},
                                                                    {"So", "std::ostream"},
                                                                    {"Sd", "std::iostream"}}};
    for (const auto &[sign, name] : known)
      if (reader.take(sign)) {
        say(name);
        if (sign == "St") {
          const std::string_view word = reader.word();
          return !word.empty() && say(word);
        }
        return true;
      }
    return reader.isAt("S") && say("...") && reader.pass();
  }

  /// An operator, by the letters that stand for it.
  bool operation() {
    constexpr std::array<std::array<std::string_view, 2>, 40> signs{
        {{"nw", " new"}, {"na", " new[]"}, {"dl", " delete"}, {"da", " delete[]"}, {"ng", "-"},
         {"ad", "&"},    {"de", "*"},      {"co", "~"},       {"pl", "+"},         {"mi", "-"},
         {"ml", "*"},    {"dv", "/"},      {"rm", "%"},       {"an", "&"},         {"or", "|"},
         {"eo", "^"},    {"aS", "="},      {"pL", "+="},      {"mI", "-="},        {"mL", "*="},
         {"dV", "/="},   {"rM", "%="},     {"ls", "<<"},      {"rs", ">>"},        {"eq", "=="},
         {"ne", "!="},   {"lt", "<"},      {"gt", ">"},       {"le", "<="},        {"ge", ">="},
         {"ss", "<=>"},  {"nt", "!"},      {"aa", "&&"},      {"oo", "||"},        {"pp", "++"},
         {"mm", "--"},   {"pt", "->"},     {"cl", "()"},      {"ix", "[]"},        {"cm", ","}}};
    for (const auto &[letters, sign] : signs)
      if (reader.take(letters))
        return say("operator" + std::string(sign));
    if (reader.take("cv"))
      return say("operator auto") && reader.pass();
    return false;
  }

  Reader &reader;
  std::string last;
  size_t depth = 0;
};

} // namespace

std::string withoutNewMarks(std::string_view mangled) {
  Reader reader(mangled);
  std::string out;
  const auto passName = [&] {
    reader.take("St");
    return !reader.word().empty() || reader.pass();
  };
  while (!reader.isAtEnd()) {
    const size_t from = reader.position();
    if (reader.take("Tk")) { // a concept, in front of the argument that meets it
      if (!passName() || reader.isAt("I"))
        return {};                  // what it is an argument of has a number
    } else if (reader.take("Tn")) { // a type, in front of a value of it
      while (reader.take("P") || reader.take("R") || reader.take("O") || reader.take("K"))
        ;
      if (!reader.pass())
        return {};
    } else if (reader.isAt("Tt")) { // parameters, in front of a template
      if (!reader.pass())
        return {};
    } else if (reader.isAt(
                   "Q")) { // what is required, of which only at the end nothing has a number
      if (!reader.pass() || !(reader.isAtEnd() || reader.isAt(".")))
        return {};
    } else if (reader.take("NH")) { // what the object is comes as a parameter
      out += 'N';
    } else if (!reader.word().empty()) {
      out += mangled.substr(from, reader.position() - from);
    } else {
      reader.take(mangled.substr(from, 1));
      out += mangled[from];
    }
  }
  return out;
}

// Letters of words may look like the beginning of a list. What expressions are made of is not told
// from types here.
size_t longestList(std::string_view mangled) {
  for (const char *expression : {"X", "DT", "Dt"})
    if (mangled.find(expression) != std::string_view::npos)
      return mangled.size();
  constexpr size_t most = 64; // lists that are read, each to its end
  size_t longest = 1, lists = 0;
  for (size_t at = 0; at < mangled.size(); ++at) {
    if (mangled[at] != 'I' && mangled[at] != 'J')
      continue;
    Reader reader(mangled.substr(at + 1));
    size_t members = 0;
    while (reader.pass())
      ++members;
    if (++lists > most || !reader.isAt("E"))
      return mangled.size();
    longest = std::max(longest, members);
  }
  return longest;
}

std::string pathInName(std::string_view mangled) {
  Reader reader(mangled);
  Path path(reader);
  return reader.take("_Z") && path.read() ? path.said : std::string{};
}

} // namespace quincunx
