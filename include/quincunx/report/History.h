// The builds of a program in the order of its history: what a run cost in each, and which of them
// changed it. Reference: docs/21-compare-and-check.md.
#pragma once

#include "quincunx/report/Compare.h"

#include <iosfwd>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace quincunx {

struct HistoryEntry {
  std::string build, path; ///< identity; of the program
  std::set<std::string> tags, commits, hosts;
  double start = 0; ///< of its first run, seconds since the epoch
  size_t runs = 0;
  std::optional<Comparison> change; ///< with the entry before it; none: it is the first, or `why`
  std::vector<FigureChange> cost;   ///< of a run; before and after are one
  std::string why;                  ///< no comparison was possible
  /// Its verdict is faster or slower, or functions cost more or less than noise explains.
  bool isChange() const;
};

struct History {
  std::string machine, unit;
  bool isByCommits = false; ///< in the order of commits; else of first runs
  std::vector<HistoryEntry> builds;
  size_t changes() const;
};

void printHistory(const History &history, const Display &display, std::ostream &out);
Status printHistoryJson(const std::vector<History> &programs, const Display &display,
                        std::ostream &out);

} // namespace quincunx
