// Joins runs that were counted with inputs that were timed.
// The idea: the name of an input (timingIdentity) is the same for runs and for timings. Where
// cycles are counted they are the better clock: cycles over the frequency are free of what the
// system did.
#include "quincunx/estimate/TimedRuns.h"

#include <cmath>
#include <map>
#include <set>

namespace quincunx {

namespace {
/// No processor time is known better than that, in ns: the system's clock, and work of its own.
constexpr double resolution = 20e3;
/// Of a time that was taken once.
constexpr double unknownNoise = 0.05;
} // namespace

Result<TimedRuns> timedRuns(const Corpus &corpus, const CountMatrix &matrix,
                            const InputTimes &timed) {
  std::map<std::string, size_t> rowOf; // by identity of the run
  for (size_t d = 0; d < matrix.rows.size(); ++d)
    if (matrix.rows[d].outcome == Outcome::finished)
      rowOf[matrix.rows[d].identity] = d;
  std::map<std::string, size_t> counted; // first row, by name of the input
  TimedRuns out;
  const Status read = corpus.forEachRun(
      [&](Run &&run) -> Status {
        if (const auto row = rowOf.find(run.identity); row != rowOf.end()) {
          const auto [at, isNew] = counted.emplace(
              timingIdentity(run.label, run.arguments, run.standardInput), row->second);
          if (!isNew)
            at->second = std::min(at->second, row->second);
        }
        return Done{};
      },
      Corpus::ReadMask::description);
  if (!read)
    return read.error();
  const auto samples = corpus.samples();
  if (!samples)
    return samples.error();
  for (const SampledInput &s : *samples) {
    const Timing &of = s.input;
    const auto at = counted.find(timingIdentity(of.label, of.arguments, of.standardInput));
    if (at == counted.end())
      continue;
    SampledRun &run = out.sampled.emplace_back();
    run.row = at->second;
    run.executions = s.executions.size();
    for (const SampledExecution &e : s.executions) {
      run.cpu += e.cpu;
      run.user += e.interval * static_cast<double>(e.total());
      for (const auto &[place, count] : e.samples)
        run.samples[place] += count;
    }
  }
  for (const TimedInput &input : timed.inputs) {
    const auto at = counted.find(timingIdentity(input.label, input.arguments, input.standardInput));
    if (at == counted.end()) {
      ++out.uncounted;
      continue;
    }
    const double seconds =
        input.cycles && timed.frequency ? *input.cycles / *timed.frequency : input.time;
    if (seconds > 0)
      out.runs.push_back({at->second, 1e9 * seconds});
    counted.erase(at);
  }
  out.untimed = counted.size();
  return out;
}

Stopwatch stopwatchOf(const InputTimes &timed) {
  Stopwatch s;
  s.noise = std::isfinite(timed.noise) ? timed.noise : unknownNoise;
  s.resolution = resolution;
  if (timed.startUp)
    s.startUp = 1e9 * timed.startUp->time;
  return s;
}

} // namespace quincunx
