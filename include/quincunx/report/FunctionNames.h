// What functions of a program are called in all that is shown: short names that are each of one
// function, or names in full. Reference: docs/03-runs-kept-apart.md, "Names". It escapes nothing.
#pragma once

#include "quincunx/base/Result.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace quincunx {

enum class NameStyle : uint8_t { brief, full };

/// All that a program names: functions, those that were inlined, and what they call.
class ProgramNames {
public:
  /// `line`: where it starts in `file`; 0: not known.
  void add(const std::string &linkageName, const std::string &file = {}, uint32_t line = 0);

  struct Place {
    std::string file;
    uint32_t line = 0; ///< 0 where functions of one name have several
    bool isKnown = false;
  };
  /// By linkage name, in order.
  const std::map<std::string, Place> &all() const { return places; }

private:
  std::map<std::string, Place> places;
};

class FunctionNames {
public:
  /// Knows no program: a short name may be of several functions.
  explicit FunctionNames(NameStyle style = NameStyle::brief);
  FunctionNames(const ProgramNames &program, NameStyle style);

  /// The name that is shown, in either style.
  std::string of(const std::string &linkageName) const;
  /// Is the function called so: by its linkage name, in full, or by its short name? "..." is the
  /// same as the sign for it.
  bool isCalled(const std::string &linkageName, const std::string &text) const;
  /// Is `text` a short name that the function would have if no other shared it?
  bool mayBeCalled(const std::string &linkageName, const std::string &text) const;
  /// What all instances of a template, or of a member of one, are called together, "sort<…>"; those
  /// of one place in the source, if there are several. Empty: it is no such instance.
  std::string instancesOf(const std::string &linkageName) const;
  bool isBrief() const { return style == NameStyle::brief; }
  /// Those of the linkage names that `text` means, by number: those called so; where there are
  /// none, those that may be; or else those in whose full or short name it is found as a regular
  /// expression. All of them where `text` is empty. An error when it is no expression.
  Result<std::vector<size_t>> matching(const std::vector<std::string> &linkageNames,
                                       const std::string &text) const;

  /// Why `text` means none of them, and which it may have been meant to.
  Error noneMatches(const std::vector<std::string> &linkageNames, const std::string &text) const;

private:
  struct Known;
  std::string brief(const std::string &linkageName) const;
  NameStyle style;
  std::shared_ptr<const Known> known;
};

} // namespace quincunx
