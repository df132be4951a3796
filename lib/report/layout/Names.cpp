// Demangles names and matches them. This is the only file that asks the C++ runtime for it.
// Reference: Itanium C++ ABI, abi::__cxa_demangle. Clones and other suffixes after a dot ("f.cold")
// are left to the runtime, which shows them in brackets.
#include "quincunx/report/Names.h"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <regex>

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
