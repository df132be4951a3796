// The format of geninfo(1). Functions have their linkage names, as names there hold no commas, and
// genhtml --demangle-cpp reads them.
#include "quincunx/report/Lcov.h"

#include "WholeCosts.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <numeric>
#include <ostream>

namespace quincunx {

namespace {

int64_t whole(double count) { return WholeCosts::number(count); }

/// How many there are, and how many of them were hit.
void printTotals(const char *found, size_t all, const char *hit, size_t some, std::ostream &out) {
  out << found << ':' << all << "\n" << hit << ':' << some << "\n";
}

void printFunctions(const FileCoverage &file, std::ostream &out) {
  const auto name = [](const FileCoverage::Function &f) {
    std::string text = escapeWhole(f.name);
    std::ranges::replace(text, ',', ':');
    return text;
  };
  size_t hit = 0;
  for (const FileCoverage::Function &f : file.functions)
    out << "FN:" << f.line << ',' << name(f) << "\n";
  for (const FileCoverage::Function &f : file.functions) {
    out << "FNDA:" << whole(f.calls) << ',' << name(f) << "\n";
    hit += whole(f.calls) > 0;
  }
  printTotals("FNF", file.functions.size(), "FNH", hit, out);
}

void printBranches(const FileCoverage &file, std::ostream &out) {
  size_t found = 0, hit = 0, block = 0;
  uint32_t line = 0;
  for (const FileCoverage::Branch &b : file.branches) {
    block = b.line == line ? block + 1 : 0;
    line = b.line;
    const double evaluated = std::accumulate(b.taken.begin(), b.taken.end(), 0.0);
    for (size_t arm = 0; arm < b.taken.size(); ++arm) {
      out << "BRDA:" << line << ',' << block << ',' << arm << ','
          << (evaluated > 0 ? std::to_string(whole(b.taken[arm])) : "-") << "\n";
      ++found;
      hit += whole(b.taken[arm]) > 0;
    }
  }
  printTotals("BRF", found, "BRH", hit, out);
}

void printLines(const FileCoverage &file, std::ostream &out) {
  size_t hit = 0;
  for (const auto &[line, executions] : file.lines) {
    out << "DA:" << line << ',' << whole(executions) << "\n";
    hit += whole(executions) > 0;
  }
  printTotals("LF", file.lines.size(), "LH", hit, out);
}

} // namespace

void printLcov(const std::vector<FileCoverage> &files, std::ostream &out) {
  for (const FileCoverage &file : files) {
    if (file.lines.empty() && file.functions.empty())
      continue;
    out << "TN:\nSF:" << escapeWhole(file.path) << "\n";
    printFunctions(file, out);
    printBranches(file, out);
    printLines(file, out);
    out << "end_of_record\n";
  }
}

} // namespace quincunx
