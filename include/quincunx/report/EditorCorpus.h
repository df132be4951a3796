// What a corpus knows that editors show, read once and never changed. Figures are those of
// `quincunx report`. Reference: docs/24-editor.md.
#pragma once

#include "quincunx/estimate/CheckBudgets.h"
#include "quincunx/estimate/Observed.h"
#include "quincunx/map/Map.h"
#include "quincunx/report/Display.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace quincunx {

class EditorCorpus {
public:
  /// `totals`: by FunctionFigures::number, what the function cost with all it calls in each of
  /// Observed::runs, where that is known.
  EditorCorpus(Observed observed, FunctionNames names, std::vector<SourceFile> sources,
               std::map<size_t, std::vector<double>> totals);
  EditorCorpus(const EditorCorpus &) = delete; ///< it points into itself
  EditorCorpus &operator=(const EditorCorpus &) = delete;

  const Observed observed;
  const std::vector<SourceFile> sources; ///< ordered by path
  const Display display;                 ///< of names
  std::vector<CheckedBudget> budgets;    ///< that are broken
  std::optional<Error> unasked;          ///< why budgets were not asked

  /// Functions, groups in place of their functions, and what was called and not counted, that a
  /// source calls so: "parse" of `ns::Parser::parse`; the costliest first.
  std::vector<const FunctionFigures *> called(const std::string &identifier) const;
  /// What it cost in each run; null: not known.
  const std::vector<double> *totalsOf(const FunctionFigures &f) const;

private:
  std::map<size_t, std::vector<double>> totals;
  std::multimap<std::string, const FunctionFigures *> byIdentifier;
};

} // namespace quincunx
