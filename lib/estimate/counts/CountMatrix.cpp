// Filling the matrix of counts and folding equal columns.
// The idea: most counters of a program tell the same (a block and the next, a function and its
// callee) or nothing; on a real program one column in twenty is distinct (docs/03). What frames
// that never returned leave open stands in columns of its own, one per tree, so that a cost is
// linear in all columns. Of recorders it keeps what calls cost in all.
#include "quincunx/estimate/CountMatrix.h"

#include "quincunx/base/Text.h"
#include "quincunx/profile/Calls.h"
#include "quincunx/profile/DenseCounts.h"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <tuple>

namespace quincunx {

std::vector<double> CountMatrix::perRun(std::span<const double> weights) const {
  std::vector<double> sum(rows.size(), 0.0);
  for (size_t c = 0; c < columns.size(); ++c)
    if (weights[c] != 0)
      columns[c].addTo(sum, weights[c]);
  return sum;
}

std::vector<double> CountMatrix::perRun(size_t f, const LinearForm &form) const {
  const Columns &own = functions[f];
  std::vector<double> sum(rows.size(), 0.0);
  const auto add = [&](uint32_t column, double weight) {
    if (column != noIndex && weight != 0)
      columns[column].addTo(sum, weight);
  };
  for (size_t c = 0; c < own.counters.size(); ++c)
    add(own.counters[c], form.perCounter[c]);
  for (size_t t = 0; t < own.trees.size() && t < form.lost.size(); ++t)
    add(own.trees[t], form.lost[t].low + (form.lost[t].high - form.lost[t].low) / 2);
  return sum;
}

std::vector<double> CountMatrix::perColumn(std::span<const double> weights) const {
  std::vector<double> sums;
  sums.reserve(columns.size());
  for (const Column &c : columns)
    sums.push_back(c.dot(weights));
  return sums;
}

std::vector<double> CountMatrix::perColumn(std::span<const double> weights,
                                           std::span<const double> from) const {
  std::vector<double> sums;
  sums.reserve(columns.size());
  for (size_t c = 0; c < columns.size(); ++c)
    sums.push_back(columns[c].dot(weights, from[c]));
  return sums;
}

std::vector<double> CountMatrix::row(size_t run) const {
  std::vector<double> counts;
  counts.reserve(columns.size());
  for (const Column &c : columns)
    counts.push_back(c.at(run));
  return counts;
}

uint64_t mostCounts(const Corpus &corpus) {
  std::error_code unknown;
  const uintmax_t bytes = std::filesystem::file_size(corpus.path(), unknown);
  return countsOfAnyCorpus + (unknown ? 0 : 100 * bytes);
}

CountMatrixBuilder::CountMatrixBuilder(const std::vector<Map> &m, size_t expectedRuns,
                                       uint64_t most)
    : maps(m), expected(expectedRuns), mostColumns(most / std::max<size_t>(expectedRuns, 1)),
      counters(m.size()), guards(m.size()) {
  for (uint32_t i = 0; i < maps.size(); ++i) {
    mapOf[maps[i].hash] = i;
    counters[i].resize(maps[i].counterCount);
    for (uint32_t f = 0; f < maps[i].functions.size(); ++f)
      if (const Function &function = maps[i].functions[f]; function.guarded && !function.exact) {
        FlowSolver flowSolver(function);
        std::vector<double> lost = flowSolver.frameForms().lost;
        guards[i].emplace(f, Guard{std::move(flowSolver), std::move(lost)});
      }
  }
}

Status CountMatrixBuilder::add(const Run &run, double weight) {
  if (run.outcome == Outcome::crashed) {
    ++matrix.crashed;
    return Done{};
  }
  if (run.outcome == Outcome::finished && run.images.empty()) {
    ++matrix.unrecorded;
    return Done{};
  }
  for (const ImageCounts &image : run.images)
    if (const Status s = addImage(image); !s)
      return Error{"run '" + escape(run.label) + "' (" + escape(image.path) + ") " +
                   s.error().text};
  matrix.rows.push_back({run.identity, run.label, run.outcome, weight, run.features, run.texts,
                         run.pageFaults, run.branchMisses, run.peakMemory});
  return Done{};
}

Status CountMatrixBuilder::addImage(const ImageCounts &image) {
  const auto found = mapOf.find(image.map);
  if (found == mapOf.end()) {
    ++matrix.withoutMap;
    return Done{};
  }
  const uint32_t m = found->second;
  if (const Status s = checkCounts(image, maps[m]); !s)
    return s;
  if (const Status s = expandCounts(image.counts, maps[m], dense); !s)
    return s;
  inherited.clear();
  if (!image.inherited.index.empty())
    if (const Status s = expandCounts(image.inherited, maps[m], inherited); !s)
      return s;
  const size_t run = matrix.rows.size();
  Column *const own = counters[m].data(); // indices were checked
  const uint32_t *const index = image.counts.index.data();
  const uint64_t *const value = image.counts.value.data();
  for (size_t i = 0; i < image.counts.index.size(); ++i) {
    Column &column = own[index[i]];
    if (column.empty() && ++hit > mostColumns)
      return Error{"hits, with others, more counters than so small a corpus can tell apart in " +
                   std::to_string(expected) + " runs"};
    column.set(run, static_cast<double>(value[i]), expected);
  }
  for (const auto &[function, guard] : guards[m])
    addFrames(m, function);
  if (!image.recorders.index.empty())
    addCalls(m, image);
  return Done{};
}

void CountMatrixBuilder::addCalls(uint32_t map, const ImageCounts &image) {
  const size_t run = matrix.rows.size();
  for (uint32_t f = 0; f < maps[map].functions.size(); ++f)
    if (const CallTotals own = callTotals(maps[map].functions[f], image);
        own.calls > 0 && own.cut == 0) {
      auto &[calls, costs, least, most] = callTotalsOf[{map, f}];
      calls.set(run, static_cast<double>(own.calls), expected);
      costs.set(run, own.sum, expected);
      least.set(run, costBucket(own.least).low, expected);
      most.set(run, std::min(costBucket(own.most).high, own.sum), expected);
    }
}

void CountMatrixBuilder::addFrames(uint32_t map, uint32_t function) {
  const Function &f = maps[map].functions[function];
  const Guard &guard = guards[map].at(function);
  const auto own = std::span(dense).subspan(f.firstCounter, f.counterCount);
  double lost = 0;
  for (uint32_t c = 0; c < f.counterCount; ++c)
    lost += guard.lost[c] * static_cast<double>(own[c]);
  if (lost == 0 && inherited.empty())
    return;
  const Frames frames = guard.flowSolver.frames(
      own, inherited.empty() ? std::span<const uint64_t>{}
                             : std::span(inherited).subspan(f.firstCounter, f.counterCount));
  std::vector<Column> &columns = trees[{map, function}];
  columns.resize(frames.lostIn.size());
  for (size_t t = 0; t < columns.size(); ++t) {
    const double came = frames.inheritedIn.empty() ? 0 : frames.inheritedIn[t];
    columns[t].set(matrix.rows.size(), std::max(0.0, frames.lostIn[t]) - came, expected);
  }
}

Result<CountMatrix> CountMatrixBuilder::finish() {
  if (matrix.rows.empty())
    return Error{matrix.unrecorded != 0
                     ? "no run left a record: was the program built with the quincunx flag?"
                 : matrix.crashed != 0 ? "every run crashed; none is left to estimate from"
                                       : "the corpus has no runs"};
  std::map<Column, uint32_t> numbers;
  const auto numberOf = [&](Column &&column) {
    column.trim();
    if (column.empty())
      return noIndex;
    return numbers.try_emplace(std::move(column), static_cast<uint32_t>(numbers.size()))
        .first->second;
  };
  for (uint32_t m = 0; m < maps.size(); ++m)
    for (uint32_t f = 0; f < maps[m].functions.size(); ++f) {
      const Function &function = maps[m].functions[f];
      CountMatrix::Columns own{m, f, {}, {}, {}, {}, {}, {}};
      for (uint32_t c = 0; c < function.counterCount; ++c)
        own.counters.push_back(numberOf(std::move(counters[m][function.firstCounter + c])));
      if (const auto at = trees.find({m, f}); at != trees.end())
        for (Column &column : at->second)
          own.trees.push_back(numberOf(std::move(column)));
      if (const auto at = callTotalsOf.find({m, f}); at != callTotalsOf.end())
        std::tie(own.calls, own.callCosts, own.leastCost, own.mostCost) = std::move(at->second);
      const auto ran = [](const std::vector<uint32_t> &c) {
        return std::any_of(c.begin(), c.end(), [](uint32_t column) { return column != noIndex; });
      };
      if (ran(own.counters) || ran(own.trees))
        matrix.functions.push_back(std::move(own));
    }
  matrix.columns.resize(numbers.size());
  while (!numbers.empty()) {
    auto node = numbers.extract(numbers.begin());
    matrix.columns[node.mapped()] = std::move(node.key());
  }
  return std::move(matrix);
}

Result<CountMatrix> readCounts(const Corpus &corpus, const std::vector<Map> &maps) {
  const Result<size_t> runs = corpus.runCount();
  if (!runs)
    return runs.error();
  CountMatrixBuilder builder(maps, *runs, mostCounts(corpus));
  if (const Status s = corpus.forEachRun([&](Run &&run) { return builder.add(run); }); !s)
    return s.error();
  return builder.finish();
}

} // namespace quincunx
