// Lines of a function before and after.
// The idea: the corpus has no texts, and an edit moves the lines below it. The lines of both builds
// keep their order, so they are aligned such that the costs of those that face each other differ
// least, in sum over all of them (the edit distance of Wagner and Fischer 1974, with costs for
// letters); a line that faces none is new, or gone.
#include "LineChanges.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

constexpr size_t mostLines = 3, mostAligned = 2000;
/// Of the difference of the function, what a line must make to be shown.
constexpr double leastShare = 0.1;

struct LineCost {
  std::string file;
  uint32_t line;
  double cost;
};

/// Of the text of the function, in order.
std::vector<LineCost> linesOf(const FunctionLines &f) {
  std::vector<LineCost> out;
  if (!f.place || !f.place->members.empty())
    return out;
  for (size_t i = 0; i < f.means.lines.size(); ++i)
    if (const SourceLine &line = f.means.lines[i]; line.function == f.place->name && !line.foreign)
      out.push_back({line.file, line.line, f.means.parts.lineCosts[i]});
  std::ranges::sort(out, {}, [](const LineCost &l) { return std::tie(l.file, l.line); });
  return out;
}

std::vector<LineChange> aligned(const std::vector<LineCost> &before,
                                const std::vector<LineCost> &after) {
  const size_t n = before.size(), m = after.size(), width = m + 1;
  std::vector<double> least((n + 1) * width, 0.0); // to align what is behind (i, j)
  const auto facing = [&](size_t i, size_t j) {
    return std::abs(before[i].cost - after[j].cost) + least[(i + 1) * width + j + 1];
  };
  const auto gone = [&](size_t i, size_t j) { return before[i].cost + least[(i + 1) * width + j]; };
  const auto added = [&](size_t i, size_t j) { return after[j].cost + least[i * width + j + 1]; };
  for (size_t i = n + 1; i-- > 0;)
    for (size_t j = m + 1; j-- > 0;) {
      double &best = least[i * width + j];
      if (i < n && j < m)
        best = std::min({facing(i, j), gone(i, j), added(i, j)});
      else if (i < n)
        best = gone(i, j);
      else if (j < m)
        best = added(i, j);
    }
  std::vector<LineChange> out;
  for (size_t i = 0, j = 0; i < n || j < m;) {
    const double best = least[i * width + j];
    if (i < n && j < m && best == facing(i, j)) {
      out.push_back({after[j].file, before[i].line, after[j].line, after[j].cost - before[i].cost});
      ++i, ++j;
    } else if (i < n && best == gone(i, j)) {
      out.push_back({before[i].file, before[i].line, 0, -before[i].cost});
      ++i;
    } else {
      out.push_back({after[j].file, 0, after[j].line, after[j].cost});
      ++j;
    }
  }
  return out;
}

} // namespace

std::vector<LineChange> lineChanges(const FunctionLines &before, const FunctionLines &after,
                                    double difference) {
  const std::vector<LineCost> was = linesOf(before), is = linesOf(after);
  if (was.empty() || is.empty() || was.size() > mostAligned || is.size() > mostAligned)
    return {};
  std::vector<LineChange> all = aligned(was, is);
  std::erase_if(all, [&](const LineChange &l) {
    return std::abs(l.difference) < leastShare * std::abs(difference);
  });
  std::ranges::stable_sort(all, std::greater<>(),
                           [](const LineChange &l) { return std::abs(l.difference); });
  all.resize(std::min(all.size(), mostLines));
  return all;
}

} // namespace quincunx
