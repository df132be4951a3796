// Samples the plain program in executions of their own: sampling takes a few percent of time, so
// what is sampled is never timed.
// The idea: inputs take turns until there are enough samples, so that each has as many as it takes
// time. They are taken in an order that jumps over the list: where a round would take too long,
// those that are sampled are spread. Executions are named and stored in batches, as the child that
// names them has to read all debug information each time.
#include "SampleRuns.h"

#include "Sampler.h"
#include "Symbolizer.h"

#include "record/ChildOutcome.h"
#include "record/ImportRecords.h"
#include "record/InputsToTime.h"
#include "record/ProgramPath.h"
#include "record/RecordFolder.h"
#include "system/ExitStatus.h"
#include "system/Progress.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <optional>

namespace quincunx::tool {

namespace {

constexpr uint64_t batch = 4000; ///< samples
constexpr double longest = 60;   ///< seconds, for programs of which an execution gives few samples

class SampledSession {
public:
  SampledSession(const RecordOptions &from, const std::vector<InputToTime> &all, Corpus &into,
                 const std::string &folder, const SamplingMethod &method, std::set<std::string> own)
      : options(from), inputs(all), corpus(into), symbolizer(*Symbolizer::find(), folder),
        addresses(std::move(own)), executor(from.timeout, false),
        sampler(makeSampler(method, addresses, folder)) {}

  int work(uint64_t there, uint64_t wanted, int pinned);

private:
  struct Waiting { ///< for its places to be named
    size_t input = 0;
    SampledExecution execution;
    std::map<SampledAddress, uint64_t> samples;
  };
  Result<std::optional<ChildResult>> runOnce(size_t input, int pinned);
  Status store();
  void say(uint64_t taken) const;

  const RecordOptions &options;
  const std::vector<InputToTime> &inputs;
  Corpus &corpus;
  Symbolizer symbolizer;
  SampledAddresses addresses;
  Executor executor;
  std::unique_ptr<Sampler> sampler;
  std::vector<Waiting> waiting;
  double user = 0; ///< seconds, of what was sampled
};

/// Off the times of a child, most of it in system calls.
void takeHeadStart(ChildResult &end, double headStart) {
  const double inSystem = std::min(end.system, headStart);
  end.system -= inSystem;
  end.user = std::max(0.0, end.user - (headStart - inSystem));
}

/// None when the user interrupted.
Result<std::optional<ChildResult>> SampledSession::runOnce(size_t input, int pinned) {
  LaunchOptions launch;
  launch.processor = pinned;
  launch.standardError = "/dev/null";
  if (Status s = sampler->begin(launch); !s)
    return s.error();
  if (Status s = executor.start(input, inputs[input].job, launch); !s)
    return s.error();
  std::optional<ChildResult> end;
  while (!end && !executor.interrupted())
    if (const std::vector<ChildResult> ended = executor.wait(); !ended.empty())
      end = ended.front();
  if (!end)
    executor.stopAll();
  else
    takeHeadStart(*end, launch.headStart);
  if (Status s = sampler->finish(); !s && end)
    return s.error();
  return end;
}

Status SampledSession::store() {
  std::map<SampledAddress, uint64_t> all;
  for (const Waiting &w : waiting)
    all.insert(w.samples.begin(), w.samples.end());
  if (Status s = symbolizer.name(all, executor); !s || executor.interrupted())
    return s;
  for (Waiting &w : waiting) {
    for (const auto &[address, count] : w.samples)
      w.execution.samples[symbolizer.placeOf(address)] += count;
    if (Status s = corpus.addSamples(inputs[w.input].timing, w.execution); !s)
      return s;
  }
  waiting.clear();
  return Done{};
}

/// A number without common divisors with `n`, near the golden section of it.
size_t strideOf(size_t n) {
  size_t stride = std::max<size_t>(1, static_cast<size_t>(0.618 * static_cast<double>(n)));
  while (std::gcd(stride, n) != 1)
    ++stride;
  return stride;
}

int SampledSession::work(uint64_t there, uint64_t wanted, int pinned) {
  const auto begun = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  };
  Progress progress(wanted - there, options.quiet, "samples");
  uint64_t taken = 0, stored = 0;
  const size_t stride = strideOf(inputs.size());
  bool anyFinished = false;
  for (size_t turn = 0; there + taken < wanted && seconds() < longest; ++turn) {
    const size_t input = turn * stride % inputs.size();
    const Result<std::optional<ChildResult>> end = runOnce(input, pinned);
    if (!end)
      return fail(end.error());
    if (!*end)
      break;
    Waiting w{
        input,
        {newIdentity(), (*end)->start, (*end)->user + (*end)->system, sampler->interval(), {}},
        addresses.take()};
    anyFinished = anyFinished || outcomeOf(**end, options.okStatus) == Outcome::finished;
    if (!anyFinished && turn + 1 == inputs.size())
      return fail(Error{"no execution that was sampled ended well: does " +
                        escape(inputs[input].job.words.front()) +
                        " do what was counted on these inputs?"});
    if (outcomeOf(**end, options.okStatus) != Outcome::finished)
      continue;
    for (const auto &[address, count] : w.samples)
      taken += count;
    user += (*end)->user;
    waiting.push_back(std::move(w));
    progress.reach(std::min(taken, wanted - there));
    if (taken - stored >= batch) {
      if (Status s = store(); !s)
        return fail(s.error());
      stored = taken;
    }
  }
  if (executor.interrupted())
    return interruptedStatus;
  if (Status s = store(); !s)
    return fail(s.error());
  progress.clear();
  if (!options.quiet)
    say(taken);
  return ok;
}

void SampledSession::say(uint64_t taken) const {
  std::fprintf(stderr, "quincunx: %llu samples taken of the plain program%s\n",
               static_cast<unsigned long long>(taken),
               symbolizer.hasLines() || taken == 0
                   ? ""
                   : "; it has no lines, so only whole functions are told apart (build it with "
                     "$(quincunx flags --plain))");
  for (const std::string &note :
       sampler->notes(static_cast<double>(taken) * sampler->interval() / user))
    std::fprintf(stderr, "quincunx: note: %s\n", note.c_str());
}

/// File names of the program that is timed, and of the images that were counted: of what else it
/// runs or loads nothing is known.
Result<std::set<std::string>> ownFiles(const Corpus &corpus, const TimedProgram &program) {
  const auto builds = corpus.builds();
  if (!builds)
    return builds.error();
  std::error_code no; // files are mapped, not links to them
  std::set<std::string> names{
      std::filesystem::weakly_canonical(program.path, no).filename().string()};
  for (const Corpus::Build &build : *builds)
    names.insert(fileName(build.path));
  return names;
}

Result<std::vector<Job>> planned(const RecordOptions &options) {
  JobPlan plan = options.plan;
  plan.mayLackInputs = options.repeat.has_value();
  return planJobs(plan);
}

} // namespace

Status canSample(const RecordOptions &options) {
  const Result<std::vector<Job>> jobs = planned(options);
  if (!jobs)
    return jobs.error();
  const Result<SamplingMethod> method = samplingMethod(findProgram(jobs->front()));
  return method ? Status(Done{}) : method.error();
}

int sampleRuns(const RecordOptions &options, size_t wanted) {
  Result<std::vector<Job>> jobs = planned(options);
  if (!jobs)
    return failUsage(jobs.error());
  const Result<SamplingMethod> method = samplingMethod(findProgram(jobs->front()));
  if (!method)
    return fail(method.error());
  Result<std::vector<Job>> some =
      spreadOverCost(std::move(*jobs), options.corpus, options.mostTimed);
  if (!some)
    return fail(some.error());
  Result<Corpus> corpus = Corpus::open(options.corpus, Corpus::Mode::write);
  if (!corpus)
    return fail(corpus.error());
  const auto program = corpus->timedProgram();
  const auto sampled = corpus->samples();
  const auto own = ownFiles(*corpus, program && *program ? **program : TimedProgram{});
  const Result<InputsToTime> all = inputsToTime(std::move(*some), *corpus, options.noArguments);
  const RecordFolder folder;
  for (const Status &s : {program ? Status(Done{}) : Status(program.error()),
                          sampled ? Status(Done{}) : Status(sampled.error()),
                          own ? Status(Done{}) : Status(own.error()),
                          all ? Status(Done{}) : Status(all.error()), folder.status()})
    if (!s)
      return fail(s.error());
  uint64_t there = 0;
  for (const SampledInput &input : *sampled)
    for (const SampledExecution &execution : input.executions)
      there += execution.total();
  if (there >= wanted || all->inputs.empty())
    return ok;
  if (method->byTimers && !options.quiet)
    std::fprintf(stderr, "quincunx: sampled %s\n", method->text.c_str());
  return SampledSession(options, all->inputs, *corpus, folder.path(), *method, *own)
      .work(there, wanted, *program ? (*program)->pinned : -1);
}

} // namespace quincunx::tool
