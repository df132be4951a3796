// Demangles names and matches them. This is the only file that asks the C++ runtime for it.
// Reference: Itanium C++ ABI, abi::__cxa_demangle. Clones and other suffixes after a dot ("f.cold")
// are left to the runtime, which shows them in brackets.
#include "quincunx/report/Names.h"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <regex>
#include <string_view>

namespace quincunx {

std::string demangle(const std::string &linkageName) {
  // Names of internal functions may carry their file in front ("file.c:name").
  const size_t colon = linkageName.rfind(':');
  const size_t start =
      colon != std::string::npos && linkageName.compare(colon + 1, 2, "_Z") == 0 ? colon + 1 : 0;
  if (linkageName.compare(start, 2, "_Z") != 0)
    return linkageName;
  int status = 0;
  const std::unique_ptr<char, void (*)(void *)> text(
      abi::__cxa_demangle(linkageName.c_str() + start, nullptr, nullptr, &status), std::free);
  return status == 0 && text ? linkageName.substr(0, start) + text.get() : linkageName;
}

namespace {

/// Characters of an operator's name at `at` ("<<", "()", "[]"); 0 where there is none.
size_t operatorLength(const std::string &name, size_t at) {
  constexpr std::string_view word = "operator";
  if (at < word.size() || name.compare(at - word.size(), word.size(), word) != 0)
    return 0;
  if (name.compare(at, 2, "()") == 0)
    return 2;
  const size_t end = name.find_first_not_of("<>=-!&|^~+*/%,[]", at);
  return (end == std::string::npos ? name.size() : end) - at;
}

/// "f<...>(...)" of "f<int, char>(int)".
std::string withoutBrackets(const std::string &name) {
  std::string out;
  size_t depth = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    const size_t skip = depth == 0 ? operatorLength(name, i) : 0;
    if (skip > 0) {
      out.append(name, i, skip);
      i += skip - 1;
      continue;
    }
    const bool opens = name[i] == '<' || name[i] == '(', closes = name[i] == '>' || name[i] == ')';
    depth -= closes && depth > 0;
    if (depth == 0)
      out += name[i];
    if (opens && depth++ == 0 && name.find_first_of(")>", i) != i + 1)
      out += "...";
  }
  return out;
}

} // namespace

std::string shortened(const std::string &demangled, size_t most) {
  if (demangled.size() <= most)
    return demangled;
  std::string out = withoutBrackets(demangled);
  const size_t front = most / 4;
  if (out.size() > most && most > front + 3)
    out.replace(front, out.size() - (most - 3), "...");
  return out;
}

/// std::regex recurses over its subject; names longer than this are matched by their beginning.
static constexpr size_t longestMatched = 1000;

struct NamePattern::Compiled {
  std::regex regex;
};

Result<NamePattern> NamePattern::compile(const std::string &text) {
  NamePattern out;
  if (text.empty())
    return out;
  try {
    out.compiled = std::make_shared<Compiled>(Compiled{std::regex(text)});
    return out;
  } catch (const std::regex_error &) {
    return Error{"'" + text + "' is not a regular expression"};
  }
}

bool NamePattern::matches(const std::string &demangled) const {
  try {
    return isEmpty() || std::regex_search(demangled.substr(0, longestMatched), compiled->regex);
  } catch (const std::regex_error &) { // too complex for this name
    return false;
  }
}

} // namespace quincunx
