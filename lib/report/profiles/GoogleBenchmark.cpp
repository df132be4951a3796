// The JSON of Google Benchmark (docs/user_guide.md there), as far as compare.py reads it: it pairs
// benchmarks by name, repetitions by their order, and asks of repetitions whether they are alike
// (Mann and Whitney's test). So runs are repetitions, in the order of their labels, in which equal
// inputs of two corpora stand alike. Both times are processor time: nothing here knows another.
#include "quincunx/report/GoogleBenchmark.h"

#include "WholeCosts.h"
#include "quincunx/base/Text.h"
#include "quincunx/report/JsonText.h"
#include "report/layout/JsonDocument.h"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace quincunx {

namespace {

class BenchmarkWriter {
public:
  BenchmarkWriter(const Observed &o, double seconds)
      : observed(o), nanoseconds(seconds / *secondsIn("ns")) {}

  void addRuns(const std::string &name) {
    std::vector<const RunFigures *> runs;
    for (const RunFigures &run : observed.runs)
      if (run.outcome == Outcome::finished)
        runs.push_back(&run);
    // A test of repetitions takes all for equal.
    if (std::ranges::any_of(runs, [&](auto *run) { return run->weight != runs[0]->weight; }))
      return;
    std::ranges::stable_sort(runs, {}, &RunFigures::label);
    for (size_t i = 0; i < runs.size(); ++i) {
      ordered_json &j = add(name, name, "iteration", runs[i]->cost.k1);
      j["repetitions"] = runs.size();
      j["repetition_index"] = i;
      j["label"] = runs[i]->label;
    }
  }

  void addFigures(const std::string &name, const SummaryStatistics &f) {
    addAggregate(name, "mean", f, f.moments.mean);
    addAggregate(name, "stddev", f, f.deviation);
    for (size_t i = 0; i < f.percentiles.size(); ++i)
      if (!f.percentiles[i].atLeast)
        addAggregate(name, i == 0 ? "median" : percentileNames[i], f, f.percentiles[i].value);
  }

  const ordered_json &benchmarks() const { return all; }

private:
  void addAggregate(const std::string &name, const char *aggregate, const SummaryStatistics &f,
                    double value) {
    if (!std::isfinite(value))
      return;
    ordered_json &j = add(name + '_' + aggregate, name, "aggregate", value);
    j["repetitions"] = f.runs;
    j["aggregate_name"] = aggregate;
    j["aggregate_unit"] = "time";
  }

  ordered_json &add(const std::string &name, const std::string &family, const char *type,
                    double cost) {
    all.push_back({{"name", name},
                   {"run_name", family},
                   {"run_type", type},
                   {"iterations", 1},
                   {"real_time", nanoseconds * cost},
                   {"cpu_time", nanoseconds * cost},
                   {"time_unit", "ns"}});
    return all.back();
  }

  const Observed &observed;
  double nanoseconds; ///< compare.py shows whole ones
  ordered_json all = ordered_json::array();
};

} // namespace

Status printGoogleBenchmark(const Observed &observed, const FunctionNames &names,
                            const std::string &program, std::ostream &out) {
  const std::optional<double> seconds = secondsIn(observed.unit);
  if (!seconds)
    return Error{"gbench has times, and these are " + escape(observed.unit) +
                 ": time the program (quincunx profile, calibrate), or compare counts with "
                 "quincunx compare"};
  BenchmarkWriter writer(observed, *seconds);
  const std::string whole = observed.request.empty() ? "run" : "request";
  writer.addRuns(whole);
  writer.addFigures(whole, observed.program);
  for (const std::vector<FunctionFigures> *list : {&observed.functions, &observed.library})
    for (const FunctionFigures &f : *list)
      if (f.isPriced)
        writer.addFigures(whole + '/' + names.of(f.name), f.cost);
  out << jsonText({{"context",
                    {{"executable", program},
                     {"machine", observed.machine},
                     {"runs", observed.used()},
                     {"stopped_runs", observed.censored}}},
                   {"benchmarks", writer.benchmarks()}})
      << "\n";
  return Done{};
}

} // namespace quincunx
