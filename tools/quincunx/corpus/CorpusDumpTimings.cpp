// Dumps what a corpus knows of timed runs, ordered by identities, for `quincunx corpus dump`.
// docs/11-formats.md lists the fields.
#include "CorpusVerbs.h"
#include "DumpLine.h"

#include "quincunx/base/Text.h"

namespace quincunx::tool {

namespace {

void dumpProgram(const TimedProgram &program) {
  (DumpLine("timed-program") << program.md5 << program.path << program.processorModel
                             << (program.parallel ? "parallel" : "serial")
                             << (program.pinned < 0 ? "-" : std::to_string(program.pinned)))
      .put();
  for (const StartUp &one : program.startUps)
    (DumpLine("start-up") << one.identity << one.start << one.wall << one.user << one.system).put();
}

void dumpTiming(const Timing &timing) {
  (DumpLine("timed") << timing.identity << timing.label << orDash(timing.standardInput)).put();
  for (size_t i = 0; i < timing.arguments.size(); ++i)
    (DumpLine("timed-argument") << timing.identity << uint64_t{i + 1} << timing.arguments[i]).put();
  for (const Repetition &r : timing.repetitions)
    (DumpLine("repetition") << r.identity << timing.identity << uint64_t{r.round}
                            << std::to_string(r.exitStatus) << r.start << r.wall << r.user
                            << r.system << r.minorFaults << r.majorFaults << r.voluntarySwitches
                            << r.involuntarySwitches << r.peakMemory << r.cycles << r.instructions
                            << r.branchMisses << r.cacheMisses)
        .put();
}

void dumpSamples(const SampledInput &input) {
  for (const SampledExecution &e : input.executions) {
    (DumpLine("sampled") << e.identity << input.input.identity << e.start << e.cpu << e.interval)
        .put();
    for (const auto &[place, count] : e.samples)
      (DumpLine("sample") << e.identity << orDash(place.function) << orDash(place.file)
                          << uint64_t{place.line} << orDash(place.object) << count)
          .put();
  }
}

} // namespace

Status dumpTimings(const Corpus &corpus) {
  const auto program = corpus.timedProgram();
  if (!program)
    return program.error();
  if (*program)
    dumpProgram(**program);
  const auto timings = corpus.timings();
  if (!timings)
    return timings.error();
  for (const Timing &timing : *timings)
    dumpTiming(timing);
  const auto samples = corpus.samples();
  if (!samples)
    return samples.error();
  for (const SampledInput &input : *samples)
    dumpSamples(input);
  const Result<std::string> calibration = corpus.calibration();
  if (!calibration)
    return calibration.error();
  for (const std::string_view line : fields(*calibration, '\n'))
    if (!line.empty())
      (DumpLine("calibration") << std::string(line)).put();
  return Done{};
}

} // namespace quincunx::tool
