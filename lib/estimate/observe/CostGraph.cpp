// Mean costs per function, line and call.
// The idea: a block's cost is that of its code, which is of its lines, and of what it calls that no
// map has, which is a function's of its own. Both are linear in counts, so one flow of mean counts
// (each run by its weight and its scale) gives all; calls of counted functions are TotalCosts'.
// What lines do not have of a function, as frames that were lost, is of the line where it begins:
// lines add up to the function, and functions to the program.
#include "quincunx/estimate/CostGraph.h"

#include "estimate/price/FunctionCosts.h"

#include <map>

namespace quincunx {

namespace {

class GraphBuilder {
public:
  GraphBuilder(const CountedRuns &counted, const std::vector<Map> &all, const Machine &machine,
               const std::vector<double> &w)
      : matrix(counted.matrix), maps(all), blocks(matrix, maps, machine), weights(w) {
    if (weights.empty())
      weights = ofMean();
    for (size_t d = 0; d < weights.size(); ++d)
      scaled.push_back(weights[d] * blocks.scale(d));
    meanCounts = matrix.perColumn(weights);
    meanScaled = matrix.perColumn(scaled);
    for (size_t f = 0; f < matrix.functions.size(); ++f)
      numberOf.try_emplace(blocks.function(f).name, f);
  }

  /// `program`: what a run costs.
  Result<CostGraph> build(const Observed &observed, double program) {
    out.functions.resize(matrix.functions.size()); // others follow
    for (size_t f = 0; f < matrix.functions.size(); ++f)
      addFunction(f);
    if (const Status s = addCalls(observed.request); !s)
      return s.error();
    out.machine = observed.machine;
    out.unit = observed.unit;
    out.runs = static_cast<double>(observed.used());
    out.program = out.outside = program;
    for (const CostGraph::Function &f : out.functions)
      out.outside -= f.self;
    return std::move(out);
  }

private:
  std::vector<double> ofMean() const {
    std::vector<double> all;
    double sum = 0;
    for (const CountMatrix::Row &row : matrix.rows)
      sum += row.weight;
    for (const CountMatrix::Row &row : matrix.rows)
      all.push_back(row.weight / sum);
    return all;
  }

  struct Place {
    std::string file;
    uint32_t line = 0;
    auto operator<=>(const Place &) const = default;
  };

  Place placeOf(const Function &f, const Location &at) const {
    if (at.scope >= f.scopes.size() || f.scopes[at.scope].file >= f.files.size() || at.line == 0)
      return {};
    return {f.files[f.scopes[at.scope].file].path, at.line};
  }
  /// Where it begins.
  Place beginOf(const Function &f) const {
    return f.scopes.empty() ? Place{} : placeOf(f, {f.scopes[0].line, 0, 0});
  }
  FlowValues flow(size_t f, std::span<const double> perColumn) const {
    std::vector<double> perCounter;
    for (const uint32_t c : matrix.functions[f].counters)
      perCounter.push_back(c == noIndex ? 0 : perColumn[c]);
    return blocks.flowSolver(f).flow(perCounter);
  }
  double mean(const TotalCosts::PerRun &perRun) const {
    double sum = 0;
    for (size_t d = 0; d < perRun.size(); ++d)
      sum += weights[d] * perRun[d];
    return sum;
  }

  void addFunction(size_t f);
  void addLibraryCalls(size_t f, const std::vector<double> &costs,
                       const std::vector<double> &times);
  size_t libraryFunction(const std::string &name);
  Status addCalls(const std::string &request);
  Place callOf(size_t f, const std::string &callee) const;

  const CountMatrix &matrix;
  const std::vector<Map> &maps;
  const BlockCosts blocks;
  std::vector<double> weights, scaled; ///< per run
  std::vector<double> meanCounts, meanScaled;
  std::map<std::string, size_t> numberOf; ///< of counted functions, by linkage name
  std::map<std::string, size_t> libraryNumber;
  CostGraph out;
};

void GraphBuilder::addFunction(size_t f) {
  const CountMatrix::Columns &columns = matrix.functions[f];
  const Function &code = blocks.function(f);
  const std::vector<double> counts = flow(f, meanScaled).blocks;
  const std::vector<std::vector<Cumulants>> each = blocks.linesOf(f);
  std::map<Place, double> lines;
  double inLines = 0;
  const auto add = [&](const Place &at, double cost) {
    lines[at] += cost;
    inLines += cost;
  };
  for (size_t b = 0; b < code.blocks.size(); ++b)
    for (size_t i = 0; i < each[b].size(); ++i)
      add(placeOf(code, code.blocks[b].lines[i]), counts[b] * each[b][i].k1);
  std::vector<double> called(code.calls.size(), 0.0); // cost per run of what no map has
  for (size_t c = 0; c < code.calls.size(); ++c) {
    const Call &call = code.calls[c];
    called[c] = counts[call.block] * blocks.calls(f)[c].k1;
    if (const size_t at = lineOf(code, call); at < each[call.block].size()) {
      add(placeOf(code, code.blocks[call.block].lines[at]), -called[c]);
      continue;
    }
    const std::vector<double> shares = blocks.lineShares(f, call.block);
    for (size_t i = 0; i < shares.size(); ++i)
      add(placeOf(code, code.blocks[call.block].lines[i]), -shares[i] * called[c]);
  }
  double inLibrary = 0;
  for (const CounterCost &c : blocks.counters(f)) {
    const uint32_t column = columns.counters[c.counter];
    const double cost = column == noIndex ? 0 : meanScaled[column] * c.price.k1;
    if (c.isBytes()) {
      called[c.call] += cost;
      continue;
    }
    const std::vector<double> shares = blocks.lineShares(f, c);
    for (size_t i = 0; i < shares.size(); ++i)
      add(placeOf(code, code.blocks[c.block].lines[i]), shares[i] * cost);
  }
  for (const double cost : called)
    inLibrary += cost;
  CostGraph::Function &own = out.functions[f];
  const Place begin = beginOf(code);
  own.self = blocks.dot(f, 0, meanScaled) - inLibrary;
  lines[begin] += own.self - inLines;
  own.name = code.name;
  own.file = begin.file;
  own.line = begin.line;
  own.image = maps[columns.map].path;
  for (const auto &[at, cost] : lines)
    if (cost != 0)
      own.lines.push_back({at.file, at.line, cost});
  addLibraryCalls(f, called, flow(f, meanCounts).blocks);
}

/// `costs`: per call of `f`, of what no map has; `times`: how often its blocks are executed.
void GraphBuilder::addLibraryCalls(size_t f, const std::vector<double> &costs,
                                   const std::vector<double> &times) {
  const Function &code = blocks.function(f);
  std::map<std::pair<size_t, Place>, std::pair<double, double>> calls; // times and cost
  for (size_t c = 0; c < code.calls.size(); ++c) {
    const Call &call = code.calls[c];
    if (call.callee.empty() || numberOf.contains(call.callee) || !(times[call.block] > 0))
      continue;
    auto &[made, cost] = calls[{libraryFunction(call.callee), placeOf(code, call.at)}];
    made += times[call.block];
    cost += costs[c];
  }
  for (const auto &[to, figures] : calls) {
    const auto &[callee, at] = to;
    const auto &[made, cost] = figures;
    out.functions[f].calls.push_back({callee, at.file, at.line, made, cost});
    CostGraph::Function &other = out.functions[callee];
    other.times += made;
    other.self += cost;
    other.total += cost;
    other.lines.front().cost += cost;
  }
}

size_t GraphBuilder::libraryFunction(const std::string &name) {
  const auto [at, isNew] = libraryNumber.try_emplace(name, out.functions.size());
  if (isNew) {
    out.functions.emplace_back().name = name;
    out.functions.back().cycle = at->second;
    out.functions.back().lines.emplace_back();
  }
  return at->second;
}

/// Where `f` calls it first; where it begins, if it is called through a pointer.
GraphBuilder::Place GraphBuilder::callOf(size_t f, const std::string &callee) const {
  const Function &code = blocks.function(f);
  for (const Call &call : code.calls)
    if (call.callee == callee)
      return placeOf(code, call.at);
  for (const Call &call : code.calls)
    if (call.callee.empty())
      return placeOf(code, call.at);
  return beginOf(code);
}

Status GraphBuilder::addCalls(const std::string &request) {
  const size_t root = rootOf(blocks, request);
  TotalCosts totals(matrix, maps, root);
  const TotalCosts::Costs costs = totals.solve(ownCosts(blocks, 0));
  if (!isKnown(totals, matrix.rows.size()))
    return Error{
        "calls through pointers contradict each other in too many runs: it is not known who "
        "calls whom"};
  const auto add = [&](size_t f, const TotalCosts::Calls &call, const Place &at) {
    TotalCosts::PerRun cost = call.times;
    for (size_t d = 0; d < cost.size(); ++d)
      cost[d] *= costs.ofCall(f, call.callee, d);
    if (const double times = mean(call.times); times > 0)
      out.functions[f].calls.push_back({call.callee, at.file, at.line, times, mean(cost)});
  };
  for (size_t f = 0; f < matrix.functions.size(); ++f) {
    CostGraph::Function &own = out.functions[f];
    own.times = mean(totals.entries(f));
    own.total = mean(costs.total[f]);
    own.cycle = out.functions.size() + totals.cycleOf(f); // above those that call nothing
    for (const TotalCosts::Calls &call : totals.calls(f))
      add(f, call, callOf(f, blocks.function(call.callee).name));
  }
  if (root != TotalCosts::none)
    for (const TotalCosts::Calls &call : totals.callbacks())
      if (call.callee != root)
        add(root, call, beginOf(blocks.function(root)));
  return Done{};
}

} // namespace

Result<CostGraph> costGraph(const CountedRuns &counted, const std::vector<Map> &maps,
                            const Machine &machine, const std::vector<double> &weights) {
  double program = weights.empty() ? counted.observed.program.moments.mean : 0;
  for (size_t d = 0; d < weights.size(); ++d)
    program += weights[d] * counted.observed.runs[d].cost.k1;
  return GraphBuilder(counted, maps, machine, weights).build(counted.observed, program);
}

} // namespace quincunx
