// From columns to functions and lines.
// The idea: whatever is linear in counts is conserved like counts, so flow carries it from the
// counters to every block (lib/model/FlowSolver). A block's cost is divided among its lines
// (BlockCosts::linesOf); a line is executed as often as the block of it that is busiest in the
// mean, per instance of the function, and instances add up. Blocks of code that it calls in files
// of others count only where the line has no block of its own, and then the first of them does.
// Where frames were lost (in older builds) a function's cost has what they may have done in it, its
// lines have not. It knows nothing of runs.
#include "Attribution.h"

#include "quincunx/base/Parallel.h"

namespace quincunx {

Attribution::Attribution(const BlockCosts &c, const FunctionRows &r,
                         std::span<const double> meanCounts)
    : costs(&c), rows(&r), entries(c.matrix().functions.size()) {
  for (size_t f = 0; f < entries.size(); ++f)
    addFunction(f, meanCounts);
}

SourceLine Attribution::at(size_t f, const Location &place) const {
  const Function &function = costs->function(f);
  if (place.scope >= function.scopes.size())
    return {};
  const Scope &scope = function.scopes[place.scope];
  const std::string file =
      scope.file < function.files.size() ? function.files[scope.file].path : "";
  return {file, place.line, scope.function, place.called, rows->isForeign(f, place.scope)};
}

/// `noIndex` where the file or the line is not known.
uint32_t Attribution::number(size_t f, const Location &place) {
  SourceLine line = at(f, place);
  if (line.file.empty() || line.line == 0)
    return noIndex;
  if (line.foreign)
    line = {"", 0, rows->place(rows->of(f, place.scope)).name, false, true};
  const auto [found, fresh] =
      numbers.try_emplace({line.file, line.line}, static_cast<uint32_t>(all.size()));
  if (fresh)
    all.push_back(std::move(line));
  return found->second;
}

void Attribution::addFunction(size_t f, std::span<const double> meanCounts) {
  const Function &function = costs->function(f);
  const std::vector<double> counts = flow(f, meanCounts).blocks;
  struct Counting {
    size_t entry;
    bool called;
  };
  std::map<std::pair<uint32_t, uint32_t>, Counting> busiest; // by scope and line
  std::vector<Entry> &own = entries[f];
  const std::vector<std::vector<Cumulants>> each = costs->linesOf(f);
  for (uint32_t b = 0; b < function.blocks.size(); ++b) {
    for (size_t i = 0; i < function.blocks[b].lines.size(); ++i) {
      const Location &place = function.blocks[b].lines[i];
      const uint32_t line = number(f, place);
      if (line == noIndex)
        continue;
      const auto [found, fresh] =
          busiest.try_emplace({place.scope, place.line}, Counting{own.size(), place.called});
      own.push_back({b, line, static_cast<uint32_t>(i), each[b][i], fresh});
      auto &[entry, called] = found->second;
      if (fresh || place.called || (!called && counts[b] <= counts[own[entry].block]))
        continue;
      own[entry].busiest = false;
      own.back().busiest = true;
      found->second = {own.size() - 1, false};
    }
  }
}

FlowValues Attribution::flow(size_t f, std::span<const double> perColumn) const {
  std::vector<double> perCounter;
  for (const uint32_t c : costs->matrix().functions[f].counters)
    perCounter.push_back(c == noIndex ? 0 : perColumn[c]);
  return costs->flowSolver(f).flow(perCounter);
}

/// What counters cost is of the lines of the blocks in which they count.
void Attribution::addCounters(std::span<const double> perColumn, double Cumulants::*order,
                              PerPart &out) const {
  for (size_t f = 0; f < entries.size(); ++f) {
    const std::span<const CounterCost> counters = costs->counters(f);
    if (counters.empty())
      continue;
    for (const CounterCost &c : counters) {
      const uint32_t column = costs->matrix().functions[f].counters[c.counter];
      if (column == noIndex)
        continue;
      const std::vector<double> shares = costs->lineShares(f, c);
      for (const Entry &e : entries[f])
        if (e.block == c.block)
          out.lineCosts[e.line] += perColumn[column] * c.price.*order * shares[e.inBlock];
    }
  }
}

PerPart Attribution::of(std::span<const double> perColumn, size_t order) const {
  PerPart out;
  out.functionCosts.resize(rows->size());
  out.functionCalls.resize(rows->size());
  forEachParallel(rows->size(),
                  [&](size_t row) { out.functionCosts[row] = rows->dot(row, order, perColumn); });
  std::vector<double> calls(entries.size());
  std::vector<std::vector<double>> blocks(entries.size());
  forEachParallel(entries.size(), [&](size_t f) {
    FlowValues own = flow(f, perColumn);
    const std::vector<Edge> &edges = costs->function(f).edges;
    for (size_t e = 0; e < edges.size(); ++e)
      if (edges[e].kind == EdgeKind::entry)
        calls[f] += own.edges[e];
    blocks[f] = std::move(own.blocks);
  });
  for (size_t f = 0; f < entries.size(); ++f)
    out.functionCalls[rows->of(f)] += calls[f];
  out.lineCosts.resize(all.size());
  out.lineCounts.resize(all.size());
  for (size_t f = 0; f < entries.size(); ++f)
    for (const Entry &e : entries[f]) {
      out.lineCosts[e.line] += blocks[f][e.block] * e.cost.*cumulantOrders[order];
      if (e.busiest)
        out.lineCounts[e.line] += blocks[f][e.block];
    }
  addCounters(perColumn, cumulantOrders[order], out);
  return out;
}

} // namespace quincunx
