// The parts of a name as the C++ runtime writes it: the namespaces, classes and functions that it
// leads through, each with its template arguments and parameters. It shortens nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quincunx {

/// One step of a name; what it points to is the text that was parsed.
struct NameStep {
  std::string_view name; ///< "vector", "operator()", "{lambda(int)#1}", without tags of the ABI
  std::string_view arguments; ///< of a template, what stands between the brackets
  bool isTemplate = false;
  std::string_view parameters; ///< with their parentheses; empty: it is no function
  std::string_view qualifiers; ///< " const &" behind them

  /// The class of a lambda, or (clang's internal names) another that has no name.
  bool isUnnamed() const;
  bool isConversion() const;
};

/// Steps of a name that starts at `at`, which moves behind it; none where no name starts. In a type
/// (`inFunction` false) parameters are those of functions that something stands in:
/// "f(int)::Local".
std::vector<NameStep> stepsOf(std::string_view text, size_t &at, bool inFunction);

/// A whole name of a function, which may have words in front ("non-virtual thunk to "), a type that
/// it returns, and clones behind (" [clone .cold]").
struct DemangledName {
  std::string_view prefix;
  std::vector<NameStep> steps;          ///< never empty
  std::vector<std::string_view> clones; ///< ".cold"

  /// Nothing where the text is no name of a function that this knows how to read.
  static std::optional<DemangledName> parse(std::string_view text);
};

/// Where the bracket that opens at `at` closes; npos: nowhere.
size_t closingOf(std::string_view text, size_t at);
/// Pieces between commas that stand in no brackets, without blanks around them.
std::vector<std::string_view> splitArguments(std::string_view text);

} // namespace quincunx
