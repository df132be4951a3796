// Reads names that the C++ runtime wrote. The idea: a name is a row of steps with "::" between
// them; brackets nest, but for those of operators, which are read as words. What a function returns
// stands in front of its name: the name is what reaches from a blank to the end. Reference: Itanium
// C++ ABI, 5.1; libstdc++'s and LLVM's demanglers, which write it with small differences.
#include "DemangledName.h"

#include <algorithm>
#include <cctype>

namespace quincunx {

namespace {

constexpr std::string_view operatorWord = "operator", anonymous = "(anonymous namespace)";

bool isWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool startsAt(std::string_view text, size_t at, std::string_view what) {
  return text.substr(std::min(at, text.size())).starts_with(what);
}

/// Is this the word "operator", and not "myoperator" or "operators"?
bool isOperatorAt(std::string_view text, size_t at) {
  const size_t end = at + operatorWord.size();
  return startsAt(text, at, operatorWord) && (at == 0 || !isWordCharacter(text[at - 1])) &&
         (end == text.size() || !isWordCharacter(text[end]));
}

/// Behind the signs of an operator ("<<=", "()") at `at`; `at` where there are none.
size_t behindSigns(std::string_view text, size_t at) {
  static constexpr std::string_view signs[] = {
      "<=>", "<<=", ">>=", "->*", "->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
      "++",  "--",  "+=",  "-=",  "*=", "/=", "%=", "^=", "&=", "|=", "()", "[]", ",",
      "+",   "-",   "*",   "/",   "%",  "^",  "&",  "|",  "~",  "!",  "=",  "<",  ">"};
  for (const std::string_view s : signs)
    if (startsAt(text, at, s))
      return at + s.size();
  return at;
}

} // namespace

size_t closingOf(std::string_view text, size_t at) {
  std::string open; // the brackets that are open
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (isOperatorAt(text, at)) {
      at = std::max(behindSigns(text, at + operatorWord.size()), at + 1) - 1;
      continue;
    }
    if (startsAt(text, at, "->")) {
      ++at;
      continue;
    }
    if (c == '<' || c == '(' || c == '{' || c == '[') {
      open += c;
      continue;
    }
    const char opens = c == '>' ? '<' : c == ')' ? '(' : c == '}' ? '{' : c == ']' ? '[' : '\0';
    if (opens == '\0' || (c == '>' && open.back() != '<'))
      continue;
    while (open.size() > 1 && open.back() != opens) // "less than" in an expression
      open.pop_back();
    open.pop_back();
    if (open.empty())
      return at;
  }
  return std::string_view::npos;
}

std::vector<std::string_view> splitArguments(std::string_view text) {
  std::vector<std::string_view> all;
  const auto add = [&](std::string_view piece) {
    piece.remove_prefix(std::min(piece.find_first_not_of(' '), piece.size()));
    piece = piece.substr(0, piece.find_last_not_of(' ') + 1);
    if (!piece.empty())
      all.push_back(piece);
  };
  size_t from = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (isOperatorAt(text, at))
      at = std::max(behindSigns(text, at + operatorWord.size()), at + 1) - 1;
    else if (std::string_view("<({[").find(text[at]) != std::string_view::npos)
      at = std::min(closingOf(text, at), text.size());
    else if (text[at] == ',') {
      add(text.substr(from, at - from));
      from = at + 1;
    }
  }
  add(text.substr(std::min(from, text.size())));
  return all;
}

bool NameStep::isUnnamed() const {
  return name.starts_with("{lambda") || name.starts_with("$_") || name.starts_with("'lambda");
}

bool NameStep::isConversion() const {
  return isOperatorAt(name, 0) && startsAt(name, operatorWord.size(), " ") &&
         !name.starts_with("operator new") && !name.starts_with("operator delete");
}

namespace {

/// Reads steps, one after the other.
class StepReader {
public:
  StepReader(std::string_view whole, size_t from, bool isFunction)
      : text(whole), at(from), inFunction(isFunction) {}

  /// Moves behind the step; false where there is none.
  bool read(NameStep &step) {
    const size_t from = at;
    if (!readName())
      return false;
    step.name = text.substr(from, at - from);
    skipTags();
    if (startsAt(text, at, " <") && step.name.ends_with('<'))
      ++at;
    if (startsAt(text, at, "<")) {
      step.isTemplate = true;
      step.arguments = group();
      step.arguments.remove_prefix(std::min<size_t>(1, step.arguments.size()));
      step.arguments.remove_suffix(std::min<size_t>(1, step.arguments.size()));
      skipTags();
    }
    if (startsAt(text, at, "("))
      readParameters(step);
    return isSound;
  }
  bool goOn() {
    if (!startsAt(text, at, "::"))
      return false;
    at += 2;
    return true;
  }
  size_t position() const { return at; }

private:
  bool readName() {
    if (startsAt(text, at, anonymous)) {
      at += anonymous.size();
      return true;
    }
    if (at < text.size() && text[at] == '{')
      return !group().empty();
    if (isOperatorAt(text, at))
      return readOperator();
    if (startsAt(text, at, "'")) { // of LLVM: 'lambda0'
      const size_t end = text.find('\'', at + 1);
      at = std::min(end, text.size() - 1) + 1;
      return end != std::string_view::npos;
    }
    const size_t from = at;
    at += startsAt(text, at, "~");
    while (at < text.size() && isWordCharacter(text[at]))
      ++at;
    return at > from;
  }

  bool readOperator() {
    at += operatorWord.size();
    if (const size_t end = behindSigns(text, at); end != at) {
      at = end;
      return true;
    }
    // Of a type, or new, delete[], "" _suffix: up to the parameters.
    while (at < text.size() && text[at] != ')' && text[at] != ',')
      if (startsAt(text, at, anonymous))
        at += anonymous.size();
      else if (text[at] == '(')
        break;
      else if (text[at] == '<')
        group();
      else
        ++at;
    return isSound;
  }

  void skipTags() {
    while (startsAt(text, at, "[abi:") && !group().empty())
      ;
  }

  /// In a type they are what follows, unless something stands in the function.
  void readParameters(NameStep &step) {
    const size_t before = at;
    step.parameters = group();
    const size_t from = at;
    for (bool more = true; more;) {
      more = false;
      for (const std::string_view word : {" const", " volatile", " &&", " &", " noexcept"})
        if (startsAt(text, at, word) &&
            (at + word.size() == text.size() || !isWordCharacter(text[at + word.size()]))) {
          at += word.size();
          more = true;
        }
    }
    step.qualifiers = text.substr(from, at - from);
    if (inFunction || startsAt(text, at, "::"))
      return;
    at = before;
    step.parameters = step.qualifiers = {};
  }

  /// The brackets that open here, and what stands between them.
  std::string_view group() {
    const size_t from = at, end = closingOf(text, at);
    isSound = isSound && end != std::string_view::npos;
    at = isSound ? end + 1 : text.size();
    return isSound ? text.substr(from, at - from) : std::string_view{};
  }

  std::string_view text;
  size_t at;
  bool inFunction, isSound = true;
};

/// The next blank that stands in no brackets; npos: there is none.
size_t nextBlank(std::string_view text, size_t at) {
  for (; at < text.size(); ++at) {
    if (text[at] == ' ')
      return at;
    if (std::string_view("<({[").find(text[at]) != std::string_view::npos)
      at = std::min(closingOf(text, at), text.size() - 1);
  }
  return std::string_view::npos;
}

/// Takes " [clone .cold]", or " (.cold)" of LLVM, from the end.
std::vector<std::string_view> takeClones(std::string_view &text) {
  std::vector<std::string_view> clones;
  for (;;) {
    const bool isGnu = text.ends_with(']');
    const std::string_view opening = isGnu ? " [clone ." : " (.";
    const size_t at = isGnu || text.ends_with(')') ? text.rfind(opening) : std::string_view::npos;
    if (at == std::string_view::npos)
      return clones;
    const size_t from = at + opening.size() - 1;
    clones.insert(clones.begin(), text.substr(from, text.size() - 1 - from));
    text = text.substr(0, at);
  }
}

std::string_view takePrefix(std::string_view &text) {
  for (const std::string_view prefix :
       {"non-virtual thunk to ", "virtual thunk to ", "covariant return thunk to ",
        "guard variable for ", "TLS init function for ", "TLS wrapper function for "})
    if (text.starts_with(prefix)) {
      text.remove_prefix(prefix.size());
      return prefix;
    }
  return {};
}

} // namespace

std::vector<NameStep> stepsOf(std::string_view text, size_t &at, bool inFunction) {
  std::vector<NameStep> steps;
  StepReader reader(text, at, inFunction);
  do {
    NameStep step;
    if (!reader.read(step))
      return {};
    steps.push_back(step);
  } while (reader.goOn());
  at = reader.position();
  return steps;
}

std::optional<DemangledName> DemangledName::parse(std::string_view text) {
  DemangledName name;
  name.clones = takeClones(text);
  name.prefix = takePrefix(text);
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    name.steps = stepsOf(text, end, true);
    const bool returnsSomething = at != 0;
    if (!name.steps.empty() && end == text.size() &&
        (!returnsSomething || !name.steps.back().parameters.empty()))
      return name;
    const size_t blank = nextBlank(text, at);
    at = blank == std::string_view::npos ? text.size() : blank + 1;
  }
  return {};
}

} // namespace quincunx
