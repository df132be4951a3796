// What the names and places in a question mean in the program: functions, what they call, lines,
// branches and loops. It counts and prices nothing.
#pragma once

#include "estimate/change/FunctionsNamed.h"
#include "estimate/price/LibraryFunctions.h"
#include "quincunx/estimate/Change.h"
#include "quincunx/estimate/CountMatrix.h"
#include "quincunx/estimate/WhatIf.h"
#include "quincunx/map/SourceFunctions.h"

#include <functional>
#include <set>

namespace quincunx {

/// A block, a branch, a loop or a call: the `index`-th of the `function`-th of a matrix.
struct ProgramElement {
  size_t function = 0;
  uint32_t index = 0;
};

/// What a range of lines is in one function.
struct LineRange {
  size_t function = 0;
  /// Per block, which of its lines are in the range.
  std::vector<std::vector<bool>> lines;
  /// Are blocks without lines in it, and is what is called there?
  bool withBare = false, withCalls = true;
  /// How often the range is executed when the block or edge is once: whenever flow comes into it
  /// from lines outside.
  std::vector<double> beginsInBlock, beginsAtEdge;
};

/// What was called and not counted, and is meant by a name, by the first reading that finds some.
std::set<std::string> libraryNamed(const std::string &name, const LibraryFunctions &called,
                                   const NameReader &reader);

class NameResolver {
public:
  /// All must outlive it. `options` say what functions are called.
  NameResolver(const CountMatrix &matrix, const std::vector<Map> &maps,
               const WhatIfOptions &options);

  /// "run", or what is in its place; several of them.
  const std::string &observed() const { return options.observed; }
  std::string several() const { return options.observed + "s"; }
  /// As it is shown, escaped.
  std::string sourceName(const std::string &linkageName) const;
  /// One function of the source, with all builds, copies and instances of it that are one row.
  struct Meant {
    std::vector<bool> sources;     ///< per number of ofSource(): is it that one?
    std::vector<size_t> functions; ///< what was compiled of it and ran: numbers of the matrix
  };
  /// `name`: a linkage name, one that is shown, or as in the source with or without namespaces,
  /// parameters and template arguments; in front of it FILE: or IMAGE: where that does not say
  /// which. Errors: there is none (with the nearest), it may be several (with a list).
  Result<Meant> function(const std::string &name) const;
  const SourceFunctions &ofSource() const { return sources; }
  /// Does the name mean functions of the program, one or several, and not what it calls that was
  /// not counted?
  bool isCounted(const std::string &name) const;
  /// Every call of what was not counted and is meant by a name, as above; an error where nothing
  /// has it.
  Result<std::vector<ProgramElement>> calls(const std::string &callee) const;
  /// The code of one function of the source, wherever it was compiled or inlined, without what it
  /// calls; entered where flow comes into it or what is inlined in it. None: it never ran.
  std::vector<LineRange> bodies(const Meant &meant) const;
  /// In every function with code of these lines that ran; an error where there is no code.
  Result<std::vector<LineRange>> lines(const Place &place) const;
  /// Branches of two arms, and loops, at a place of the source, in every copy of its function that
  /// ran. Errors: none stands there (with the nearest), several do (with their columns).
  Result<std::vector<ProgramElement>> branches(const Place &place) const;
  Result<std::vector<ProgramElement>> loops(const Place &place) const;

private:
  /// `at`: where the items of a function stand; those of line 0 do not count.
  Result<std::vector<ProgramElement>>
  standing(const Place &place, const std::string &what,
           const std::function<std::vector<Location>(const Function &)> &at) const;
  Error unknown(const std::string &name) const;
  LineRange bodyIn(size_t function, const std::vector<bool> &meant) const;

  const CountMatrix &matrix;
  const std::vector<Map> &maps;
  const LibraryFunctions called;
  const SourceFunctions sources;
  const WhatIfOptions &options;
  std::vector<NamedFunction> sourceNames; ///< by number in `sources`, without groups
  std::vector<size_t> sourceNumbers;      ///< parallel to `sourceNames`
};

} // namespace quincunx
