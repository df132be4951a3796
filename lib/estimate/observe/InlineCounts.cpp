// Counts of lines by inline stack.
// The idea: counts are linear in counters, so sums over runs are solved once per function; a block
// gives its count to each of its lines, and of several blocks of a line the busiest decides, as
// compilers that read such profiles take it.
#include "quincunx/estimate/InlineCounts.h"

#include "quincunx/model/FlowSolver.h"

#include <algorithm>

namespace quincunx {

namespace {

/// The executions of one copy of a function.
class CopyCounts {
public:
  CopyCounts(const Function &f, std::span<const double> blocks) : function(f) {
    for (size_t b = 0; b < f.blocks.size(); ++b)
      for (const std::vector<Location> *lines : {&f.blocks[b].lines, &f.blocks[b].again})
        for (const Location &l : *lines) {
          double &most = at(l.scope).lines[codeAt(l)];
          most = std::max(most, blocks[b]);
        }
    for (const Call &c : f.calls)
      if (!c.callee.empty() && c.at.line != 0)
        at(c.at.scope).calls[codeAt(c.at)][c.callee] += blocks[c.block];
  }
  InlineCounts root;

private:
  static uint32_t below(uint32_t line, uint32_t start) { return (line - start) & 0xffff; }
  CodeOfLine codeAt(const Location &l) const {
    return {below(l.line, function.scopes[l.scope].line), l.discriminator};
  }
  InlineCounts &at(uint32_t scope) {
    const Scope &s = function.scopes[scope];
    if (s.parent == noIndex)
      return root;
    const CodeOfLine call{below(s.callLine, function.scopes[s.parent].line), s.callDiscriminator};
    return at(s.parent).inlined[{call, s.function}];
  }

  const Function &function;
};

void add(const InlineCounts &more, InlineCounts &to) {
  to.entered += more.entered;
  for (const auto &[line, count] : more.lines)
    to.lines[line] += count;
  for (const auto &[line, calls] : more.calls)
    for (const auto &[callee, count] : calls)
      to.calls[line][callee] += count;
  for (const auto &[call, counts] : more.inlined)
    add(counts, to.inlined[call]);
}

} // namespace

std::map<std::string, InlineCounts> inlineCounts(const CountMatrix &matrix,
                                                 const std::vector<Map> &maps,
                                                 std::span<const double> weights) {
  const std::vector<double> once(matrix.rows.size(), 1.0);
  const std::vector<double> sums = matrix.perColumn(weights.empty() ? once : weights);
  std::map<std::string, InlineCounts> out;
  for (const CountMatrix::Columns &columns : matrix.functions) {
    const Function &f = maps[columns.map].functions[columns.function];
    std::vector<double> counters;
    for (const uint32_t column : columns.counters)
      counters.push_back(column == noIndex ? 0 : sums[column]);
    FlowValues flow = FlowSolver(f).flow(counters);
    for (double &count : flow.blocks)
      count = std::max(count, 0.0); // frames that never returned leave some a little below
    CopyCounts copy(f, flow.blocks);
    for (size_t e = 0; e < f.edges.size(); ++e)
      if (f.edges[e].kind == EdgeKind::entry)
        copy.root.entered += std::max(flow.edges[e], 0.0);
    add(copy.root, out[f.name]);
  }
  return out;
}

} // namespace quincunx
