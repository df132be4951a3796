// Distributions over calls, by adding up histograms (CallObserver).
// The idea: calls were recorded in units of the build; by a machine with other prices, those of a
// function are multiplied with what such a unit costs below it in their run (ObservedTotals).
#include "quincunx/estimate/ObservedCalls.h"

#include "estimate/counts/RecordedCalls.h"

#include "ObservedTotals.h"
#include "quincunx/base/Text.h"
#include "quincunx/estimate/RunSource.h"

#include <algorithm>
#include <map>

namespace quincunx {

namespace {

/// Are calls that were recorded by these weights in the machine's units?
bool isClock(const Function &f, const Machine &machine) {
  for (uint32_t kind = 0; kind < classCount; ++kind) {
    const char *name = className(static_cast<InstructionClass>(kind));
    double weight = 0;
    for (const ClassCount &c : f.clock)
      if (static_cast<uint32_t>(c.kind) == kind)
        weight = c.count;
    if (machine.cost(name).k1 != weight)
      return false;
  }
  return machine.constant();
}

/// Per map and function: calls in runs in which a frame under them was lost. What that had used up
/// is in no sum.
std::map<std::pair<size_t, size_t>, uint64_t> callsThatLost(const CountMatrix &matrix,
                                                            const std::vector<Map> &maps) {
  bool any = false;
  for (size_t f = 0; f < matrix.functions.size() && !any; ++f) {
    const CountMatrix::Columns &own = matrix.functions[f];
    any = !framesLost(matrix, f, FlowSolver(maps[own.map].functions[own.function])).empty();
  }
  std::map<std::pair<size_t, size_t>, uint64_t> out;
  if (!any)
    return out;
  const std::vector<std::vector<bool>> loses = losesUnder(matrix, maps, CallCounts(matrix, maps));
  for (size_t f = 0; f < matrix.functions.size(); ++f) {
    const CountMatrix::Columns &own = matrix.functions[f];
    double calls = 0;
    for (size_t d = 0; d < matrix.rows.size() && !own.calls.empty(); ++d)
      calls += loses[f][d] ? own.calls.at(d) : 0;
    if (calls > 0)
      out[{own.map, own.function}] = static_cast<uint64_t>(calls);
  }
  return out;
}

/// Are all recorded calls in the units of `machine`? An error when none were recorded.
Result<bool> inUnits(const std::vector<Map> &maps, const Machine &machine) {
  bool recorded = false, same = true;
  for (const Map &map : maps)
    for (const Function &f : map.functions)
      if (f.callRecorder != noIndex) {
        recorded = true;
        same = same && isClock(f, machine);
      }
  if (!recorded)
    return Error{"the cost of calls was not recorded; build without "
                 "-fplugin-arg-quincunx-record=, or with calls in its list"};
  return same;
}

/// Adds a row for each function of the matrix with calls that ended.
void addFunctions(const CallObserver &calls, const CountMatrix &matrix,
                  const std::vector<Map> &maps, ObservedCalls &out) {
  const auto lost = callsThatLost(matrix, maps);
  out.runs = calls.runs();
  for (const CountMatrix::Columns &own : matrix.functions) {
    const auto &[law, dearestIn, dearest] = calls.of(own.map, own.function);
    if (law.calls() == 0)
      continue;
    FunctionFigures f = placeOf(maps[own.map].functions[own.function], own.map);
    f.cost = law.statistics();
    f.calls.moments.mean = static_cast<double>(law.calls()) / static_cast<double>(calls.runs());
    out.functions.push_back(std::move(f));
    out.slowest.push_back(dearestIn);
    const auto at = lost.find({own.map, own.function});
    out.cut.push_back(std::max(law.cut(), at == lost.end() ? 0 : at->second));
  }
}

} // namespace

const FunctionFigures *ObservedCalls::of(const Function &f, size_t image) const {
  const FunctionFigures place = placeOf(f, image);
  const auto at = std::find_if(functions.begin(), functions.end(), [&](const FunctionFigures &c) {
    return c.image == place.image && c.name == place.name && c.file == place.file &&
           c.line == place.line;
  });
  return at == functions.end() ? nullptr : &*at;
}

Result<ObservedCalls> observeCalls(const Corpus &corpus, const Machine &machine,
                                   OtherPrices others) {
  const Result<std::vector<Map>> maps = corpus.maps();
  if (!maps)
    return maps.error();
  const Result<bool> isExact = inUnits(*maps, machine);
  if (!isExact)
    return isExact.error();
  if (!*isExact && others == OtherPrices::refused)
    return Error{"calls were recorded while the program ran, in units of the build, and machine " +
                 escape(machine.name) + " prices instructions otherwise"};
  const Result<CountMatrix> matrix =
      readCounts(RunSource{corpus, *maps, std::nullopt}, Corpus::ReadMask::recorders);
  if (!matrix)
    return matrix.error();
  ObservedCalls out{machine.name, machine.unit, 0, {}, {}, {}, {}};
  std::optional<BlockCosts> blocks;
  std::optional<ObservedTotals> totals;
  if (!*isExact) {
    blocks.emplace(*matrix, *maps, machine);
    totals.emplace(*matrix, *maps, *blocks, "");
    if (!totals->known())
      return Error{"the calls that were counted contradict each other in too many runs, so it is "
                   "not known what they cost by these prices; --unit counts shows them as they "
                   "were recorded"};
    out.notes.push_back({"converted",
                         "calls were recorded in units of the build; what a unit costs below a "
                         "function is taken to be the same for all its calls in a run: means are "
                         "those of the counts, percentiles an estimate"});
  }
  const Result<CallObserver> calls = readCalls(corpus, *matrix, *maps, totals ? &*totals : nullptr);
  if (!calls)
    return calls.error();
  addFunctions(*calls, *matrix, *maps, out);
  out.notes.push_back({"calls",
                       "of a recursive function the outermost calls only; calls that never "
                       "returned are not in it; calls of one run that differ by less than 1.6 % "
                       "may be taken as equal"});
  if (std::any_of(out.cut.begin(), out.cut.end(), [](uint64_t n) { return n > 0; }))
    out.notes.push_back({"cut",
                         "functions marked \"cut\" had so many calls that may have cost more: "
                         "they ended in a jump to code that was not counted, and that may have "
                         "called back; or a frame under them was left by longjmp, exit or an "
                         "exception, and what it had used up is not in them"});
  return out;
}

} // namespace quincunx
