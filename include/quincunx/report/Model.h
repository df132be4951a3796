// The model of a program for people and for programs: what one call of each function is predicted
// to cost beside what was measured, and the tree of one function with the moments of every node.
#pragma once

#include "quincunx/estimate/Guess.h"
#include "quincunx/report/Terminal.h"

#include <span>

namespace quincunx {

struct ModelReport {
  const Modelled &model;
  const CallGraph &graph;
  const std::vector<Map> &maps;
  ModelOptions options;
  /// Measured single calls; null where they were not recorded, and `notMeasured` says why.
  const ObservedCalls *measured = nullptr;
  std::string notMeasured;
  const Guessed *guessed = nullptr; ///< what `model` is from, without runs
  std::string request;              ///< the marked function, where requests take the place of runs

  /// Null: calls of the function were not measured.
  const FunctionFigures *measuredOf(uint32_t number) const {
    return measured == nullptr ? nullptr
                               : measured->of(*graph.functions[number], graph.imageOf[number]);
  }
};

Status printModel(const ModelReport &m, const ReportOptions &options, std::ostream &out);
Status printTree(const ModelReport &m, const ModelledTree &tree, const ReportOptions &options,
                 std::ostream &out);
/// The same tree as printTree() alone, below one line that says what stands behind it, with the
/// share of each line in the cost of a call; for printers of the compiler. `labels`: what blocks
/// are called, parallel to those of the function; may be empty.
void printRegions(const ModelReport &m, const ModelledTree &tree,
                  std::span<const std::string> labels, std::ostream &out);
Status printModelJson(const ModelReport &m, const ModelledTree *tree, const std::string &corpus,
                      const ReportOptions &options, std::ostream &out);

/// The functions that the options mean (FunctionNames::matching). Numbers of the model's functions.
Result<std::vector<size_t>> modelledFunctions(const Modelled &model, const CallGraph &graph,
                                              const ReportOptions &options);

/// One line per function for other tools, the compiler among them (-fplugin-arg-quincunx-use=): a
/// comment with the unit, a heading, then fields between tabs. Functions of one name and file are
/// one line, the costliest. Reference: docs/11-formats.md.
Status printSummary(const ModelReport &m, std::ostream &out);

} // namespace quincunx
