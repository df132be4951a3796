// Distributions over calls, by adding up histograms.
// The idea: the buckets are the same everywhere, so the calls of all runs are one law (CallLaw.h).
// Runs that crashed are left out, like everywhere.
#include "quincunx/estimate/ObservedCalls.h"

#include "estimate/counts/RecordedCalls.h"

#include "CallLaw.h"

#include <algorithm>
#include <map>

namespace quincunx {

namespace {

struct Kept {
  CallLaw law;
  uint32_t dearest = 0;
  std::string label;
};

/// Why costs recorded with these weights are not in the machine's units; empty: they are.
std::string differs(const Function &f, const Machine &machine) {
  if (!machine.constant())
    return "calls were recorded with constant costs, machine " + machine.name + " has random ones";
  for (uint32_t kind = 0; kind < classCount; ++kind) {
    const char *name = className(static_cast<InstructionClass>(kind));
    double weight = 0;
    for (const ClassCount &c : f.clock)
      if (static_cast<uint32_t>(c.kind) == kind)
        weight = c.count;
    if (machine.cost(name).k1 != weight)
      return "calls were recorded while the program ran, with a " + std::string(name) +
             " at a cost of " + std::to_string(static_cast<int>(weight)) + "; machine " +
             machine.name + " prices it otherwise";
  }
  return "";
}

/// Adds up calls run by run.
class CallObserver {
public:
  explicit CallObserver(const std::vector<Map> &m) : maps(m) {
    for (const Map &map : maps) {
      mapOf[map.hash] = kept.size();
      kept.emplace_back(map.functions.size());
    }
  }
  void add(const Run &run);
  /// `lost`: per map and function, calls under which frames were lost.
  void finish(const std::map<std::pair<size_t, size_t>, uint64_t> &lost, ObservedCalls &out) const;

private:
  const std::vector<Map> &maps;
  std::map<Hash, size_t> mapOf;
  std::vector<std::vector<Kept>> kept; ///< per map and function
  uint64_t runs = 0;
};

void CallObserver::add(const Run &run) {
  if (run.outcome == Outcome::crashed || run.images.empty())
    return;
  ++runs;
  for (const ImageCounts &image : run.images) {
    const auto found = mapOf.find(image.map);
    if (found == mapOf.end())
      continue;
    for (size_t i = 0; i < kept[found->second].size(); ++i) {
      const CallCosts costs = callCosts(maps[found->second].functions[i], image);
      if (costs.calls == 0)
        continue;
      Kept &k = kept[found->second][i];
      const uint32_t last = costs.buckets.rbegin()->first;
      if (k.law.calls() == 0 || last > k.dearest)
        k.dearest = last, k.label = run.label;
      k.law.add(costs);
    }
  }
}

void CallObserver::finish(const std::map<std::pair<size_t, size_t>, uint64_t> &lost,
                          ObservedCalls &out) const {
  out.runs = runs;
  for (size_t m = 0; m < kept.size(); ++m)
    for (size_t i = 0; i < kept[m].size(); ++i) {
      const Kept &k = kept[m][i];
      if (k.law.calls() == 0)
        continue;
      FunctionFigures f = placeOf(maps[m].functions[i], m);
      f.cost = k.law.statistics();
      f.calls.moments.mean = static_cast<double>(k.law.calls()) / static_cast<double>(runs);
      out.functions.push_back(std::move(f));
      out.slowest.push_back(k.label);
      const auto at = lost.find({m, i});
      out.cut.push_back(std::max(k.law.cut(), at == lost.end() ? 0 : at->second));
    }
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

/// Was the cost of calls recorded, in the units of `machine`?
Status checkRecorded(const std::vector<Map> &maps, const Machine &machine) {
  bool recorded = false;
  for (const Map &map : maps)
    for (const Function &f : map.functions)
      if (f.callRecorder != noIndex) {
        recorded = true;
        if (const std::string why = differs(f, machine); !why.empty())
          return Error{why};
      }
  if (!recorded)
    return Error{"the cost of calls was not recorded; build without "
                 "-fplugin-arg-quincunx-record=, or with calls in its list"};
  return Done{};
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

Result<ObservedCalls> observeCalls(const Corpus &corpus, const Machine &machine) {
  const Result<std::vector<Map>> maps = corpus.maps();
  if (!maps)
    return maps.error();
  if (const Status s = checkRecorded(*maps, machine); !s)
    return s.error();
  const Result<size_t> runs = corpus.runCount();
  if (!runs)
    return runs.error();
  CallObserver observer(*maps);
  CountMatrixBuilder builder(*maps, *runs, mostCounts(corpus));
  const Status read = corpus.forEachRun(
      [&](Run &&run) {
        observer.add(run);
        return builder.add(run);
      },
      Corpus::ReadMask::recorders);
  if (!read)
    return read.error();
  const Result<CountMatrix> matrix = builder.finish();
  if (!matrix)
    return matrix.error();
  ObservedCalls out{machine.name, machine.unit, 0, {}, {}, {}, {}};
  observer.finish(callsThatLost(*matrix, *maps), out);
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
