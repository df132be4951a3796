// Counts of functions and branches per run.
// The idea: each is a linear form in the counters of its function, and so one product of the matrix
// and a vector.
#include "quincunx/estimate/RunCounters.h"

#include <functional>

namespace quincunx {

namespace {

using PerRun = std::vector<double>;

void add(const PerRun &more, PerRun &sum) {
  sum.resize(more.size());
  for (size_t d = 0; d < more.size(); ++d)
    sum[d] += more[d];
}

class CounterReader {
public:
  CounterReader(const CountMatrix &m, const IsForeign &is) : matrix(m), isForeign(is) {}

  void read(const Function &f, size_t number) {
    const FlowSolver flow(f);
    add(matrix.perRun(number, {flow.frameForms().entered, {}}), out.calls[f.name]);
    for (const Branch &b : f.branches) {
      const Scope *const scope = b.at.scope < f.scopes.size() ? &f.scopes[b.at.scope] : nullptr;
      const bool decides = !b.isSwitch && b.arms.size() == 2 && b.arms[0] != b.arms[1];
      if (scope == nullptr || scope->file >= f.files.size() || b.at.line == 0 || !decides ||
          !b.senseKnown || isForeign(f.files[scope->file].path))
        continue;
      RunCounters::Branch &branch =
          out.branches[{f.files[scope->file].path, b.at.line, b.at.column}];
      const auto taken = [&](uint32_t arm) {
        std::vector<double> edges(f.edges.size());
        edges[b.arms[arm]] = 1;
        return matrix.perRun(number, flow.linear(std::vector<double>(f.blocks.size()), edges));
      };
      const PerRun isTrue = taken(0);
      add(isTrue, branch.isTrue);
      add(isTrue, branch.evaluated);
      add(taken(1), branch.evaluated);
    }
  }

  RunCounters out;

private:
  const CountMatrix &matrix;
  const IsForeign &isForeign;
};

} // namespace

RunCounters runCounters(const CountMatrix &matrix, const std::vector<Map> &maps,
                        const IsForeign &isForeign) {
  CounterReader reader(matrix, isForeign);
  for (size_t f = 0; f < matrix.functions.size(); ++f) {
    const CountMatrix::Columns &own = matrix.functions[f];
    reader.read(maps[own.map].functions[own.function], f);
  }
  return std::move(reader.out);
}

} // namespace quincunx
