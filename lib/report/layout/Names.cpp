// Demangles names and matches them. What the C++ runtime does not know (NewManglings) is read by
// its words. This is the only file that asks the C++ runtime for it, and
// only where the answer cannot be too long: names come from strangers' maps. Reference: Itanium C++
// ABI, abi::__cxa_demangle. Clones and other suffixes after a dot ("f.cold") are left to the
// runtime, which shows them in brackets.
#include "quincunx/report/Names.h"

#include "NewManglings.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <regex>
#include <string_view>
#include <vector>

namespace quincunx {

namespace {

constexpr std::string_view digitsOfReferences = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Of S_ 0, of S0_ 1 and so on, `most` at most.
size_t numberOf(std::string_view digits, size_t most) {
  size_t number = 0;
  for (const char digit : digits)
    number = std::min(most, number * 36 + digitsOfReferences.find(digit));
  return digits.empty() ? 0 : std::min(most, number + 1);
}

/// More bytes than the demangled name has. A reference to what stands before it (S3_, T_) is as
/// long as that, so that each may double what there is, and a name of a few hundred bytes can stand
/// for terabytes. What S3_ means is there at the latest where S3_ or one with a higher number is
/// first used; what T_ means is not looked for. Of a conversion (cv) T_ may mean what follows. A
/// pattern (Dp, sp) is written once for each member of a pack, which is a list in the name.
double mostBytes(std::string_view mangled) {
  constexpr double perByte = 16, enough = 1e18; // "y" is unsigned long long
  const bool mayLookAhead = mangled.find("cv") != std::string_view::npos;
  std::vector<double> before; // bytes that there were, by the number of a reference
  const bool hasPatterns =
      mangled.find("Dp") != std::string_view::npos || mangled.find("sp") != std::string_view::npos;
  const auto perPattern = static_cast<double>(hasPatterns ? longestList(mangled) : 1);
  double bytes = 0, factor = 1;
  for (size_t at = 0; at < mangled.size() && bytes * factor < enough; ++at) {
    bytes += perByte;
    if (mangled.substr(at, 2) == "Dp" || mangled.substr(at, 2) == "sp")
      factor *= perPattern;
    if (mangled[at] != 'S' && mangled[at] != 'T')
      continue;
    const std::string_view rest = mangled.substr(at + 1);
    const std::string_view digits = rest.substr(0, rest.find_first_not_of(digitsOfReferences));
    if (!rest.substr(digits.size()).starts_with('_'))
      continue;
    factor *= mayLookAhead ? 2 : 1;
    if (mangled[at] == 'T') {
      bytes *= 2;
      continue;
    }
    const size_t number = numberOf(digits, mangled.size());
    if (number >= before.size())
      before.resize(number + 1, bytes);
    bytes += before[number];
  }
  return bytes * factor;
}

/// Names that may be longer are shown without all that is not a word in them, and those that are
/// long themselves as they are.
constexpr double mostDemangled = 1 << 26;
constexpr size_t longestMangled = 4096;

using Text = std::unique_ptr<char, void (*)(void *)>;

Text demangled(const std::string &mangled) {
  if (mostBytes(mangled) > mostDemangled)
    return {nullptr, std::free};
  int status = 0;
  return {abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free};
}

} // namespace

std::string demangle(const std::string &linkageName) {
  // Names of internal functions may carry their file in front ("file.c:name").
  const size_t colon = linkageName.rfind(':');
  const size_t start =
      colon != std::string::npos && linkageName.compare(colon + 1, 2, "_Z") == 0 ? colon + 1 : 0;
  const std::string_view mangled = std::string_view(linkageName).substr(start);
  if (!mangled.starts_with("_Z") || mangled.size() > longestMangled)
    return linkageName;
  Text text = demangled(std::string(mangled));
  if (const std::string older = text ? "" : withoutNewMarks(mangled); !older.empty())
    text = demangled(older);
  const std::string said = text ? text.get() : pathInName(mangled);
  return said.empty() ? linkageName : linkageName.substr(0, start) + said;
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
    return Error{"'" + escape(text) + "' is not a regular expression"};
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
