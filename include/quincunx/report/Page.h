// A page for a browser: what a corpus says, in one file that asks nobody for anything, with the
// costs of single functions run by run, so that it can say what would be if they changed.
// Reference: docs/26-pages.md. It computes nothing but order and averages.
#pragma once

#include "quincunx/estimate/CostColumns.h"
#include "quincunx/estimate/CostGraph.h"
#include "quincunx/estimate/Explained.h"
#include "quincunx/estimate/Growth.h"
#include "quincunx/estimate/InputTimes.h"
#include "quincunx/estimate/LineObserver.h"
#include "quincunx/estimate/Provenance.h"
#include "quincunx/report/Compare.h"

#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace quincunx {

/// A source file of the program.
struct PageFile {
  std::string path;
  FileFigures lines;
  /// Its text, or what of it is near lines that were executed, each part with the number of its
  /// first line; none: `why` says why it is not shown.
  std::vector<std::pair<uint32_t, std::string>> parts;
  std::string why;
};

/// How costs grow with a number that is known of inputs.
struct PageGrowth {
  std::string feature;
  std::optional<SizeLaw> law; ///< of the cost of a run
  std::string why;            ///< there is none
  std::vector<LoopGrowth> loops;
};

struct Page {
  std::string corpus; ///< as the reader gave it
  Observed observed;  ///< with totals
  /// Of the same runs; `observed` of it is not used.
  Explained explained;
  CostGraph graph; ///< without functions: it is not known
  std::vector<CountMatrix::Row> rows;
  std::vector<Cumulants> expected; ///< BlockCosts::expectedRuns()
  Moments residual;                ///< of the prices; a variance of 0: none
  /// Names as `cost(NAME)` has them, what each means (FunctionFigures::name), and its costs.
  struct Column {
    std::string name, of;
    CostColumn perRun;
  };
  std::vector<Column> columns;
  std::vector<PriceColumn> prices;
  std::vector<PageFile> files;
  std::vector<PageGrowth> growth;
  std::vector<TimedRun> timed; ///< that calibrated the prices; in the unit of `observed`
  Provenance provenance;
  Display display;
};

/// `version`: of this tool.
void printPage(const Page &page, const std::string &version, std::ostream &out);
/// The page of two builds over the same inputs.
void printComparisonPage(const Comparison &comparison, const ComparedNames &names,
                         const Display &display, const std::string &version, std::ostream &out);

} // namespace quincunx
