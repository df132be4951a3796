// Lists the inputs that are to be timed, with what the corpus knows of each. The idea: an input is
// one however often it is timed or given, so that all its repetitions stand together; it is
// recognised by label and arguments, as runs are (Resume.cpp), and by standard input. It runs
// nothing.
#include "InputsToTime.h"

#include "quincunx/base/Text.h"
#include "quincunx/cost/Machine.h"
#include "quincunx/estimate/Observed.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <unordered_map>

namespace quincunx::tool {

namespace {

Timing timingOf(const Job &job, bool noArguments) {
  Timing timing;
  timing.label = job.label;
  if (!noArguments) {
    timing.arguments = argumentsOf(job);
    if (!job.standardInput.empty())
      timing.standardInput = (std::filesystem::path(job.folder) / job.standardInput).string();
  }
  timing.identity = timingIdentity(timing.label, timing.arguments, timing.standardInput);
  return timing;
}

/// Whether both are one input, as far as both know it.
bool isSame(const Timing &known, const Timing &now) {
  const auto agree = [](const auto &a, const auto &b) { return a.empty() || b.empty() || a == b; };
  return known.label == now.label && agree(known.arguments, now.arguments) &&
         agree(known.standardInput, now.standardInput);
}

/// What the corpus says of inputs: their timings, and how their counted runs ended.
Status addKnown(InputsToTime &all, const Corpus &corpus) {
  std::unordered_map<std::string, std::vector<InputToTime *>> byLabel;
  for (InputToTime &input : all.inputs)
    byLabel[input.timing.label].push_back(&input);
  const auto timings = corpus.timings();
  if (!timings)
    return timings.error();
  for (const Timing &known : *timings) {
    for (const Repetition &repetition : known.repetitions)
      all.rounds = std::max(all.rounds, repetition.round);
    for (InputToTime *input : byLabel[known.label])
      if (input->there == 0 && isSame(known, input->timing)) {
        input->timing = {known.identity, known.label, known.arguments, known.standardInput, {}};
        input->there = known.repetitions.size();
        break;
      }
  }
  return corpus.forEachRun(
      [&](Run &&run) -> Status {
        if (run.outcome != Outcome::finished)
          return Done{};
        ++all.counted;
        all.busy += isBusy(run.user + run.system, run.wall);
        for (InputToTime *input : byLabel[run.label])
          if (run.arguments.empty() || run.arguments == argumentsOf(input->job))
            input->expected.insert(run.exitStatus);
        return Done{};
      },
      Corpus::ReadMask::description);
}

/// What runs cost, by label; of several with one, the last.
Result<std::unordered_map<std::string, double>> costsByLabel(const std::string &path) {
  Result<Corpus> corpus = Corpus::open(path, Corpus::Mode::read);
  if (!corpus)
    return corpus.error();
  if (const Result<size_t> newest = corpus->select(""); !newest)
    return newest.error();
  const Result<std::vector<Map>> maps = corpus->maps();
  const Result<Machine> machine = machineByName(usualMachine);
  if (!maps || !machine)
    return maps ? machine.error() : maps.error();
  Observer observer(*maps, *machine, 0, 0, 0);
  if (const Status read = corpus->forEachRun([&](Run &&run) { return observer.add(run); }); !read)
    return read.error();
  const Result<Observed> observed = observer.finish();
  if (!observed)
    return observed.error();
  std::unordered_map<std::string, double> costs;
  for (const RunFigures &run : observed->runs)
    costs[run.label] = run.cost.k1;
  return costs;
}

} // namespace

Result<std::vector<Job>> spreadOverCost(std::vector<Job> jobs, const std::string &corpus,
                                        size_t most) {
  if (jobs.size() <= most)
    return jobs;
  const auto costs = costsByLabel(corpus);
  if (!costs)
    return costs.error();
  std::vector<std::pair<double, size_t>> counted; // cost, number of the job
  for (size_t i = 0; i < jobs.size(); ++i)
    if (const auto at = costs->find(jobs[i].label); at != costs->end())
      counted.emplace_back(at->second, i);
  std::sort(counted.begin(), counted.end());
  std::set<size_t> chosen;
  const size_t number = std::min(most, counted.size());
  for (size_t k = 0; k < number; ++k)
    chosen.insert(counted[number < 2 ? k : k * (counted.size() - 1) / (number - 1)].second);
  std::vector<Job> out;
  for (const size_t i : chosen)
    out.push_back(std::move(jobs[i]));
  return out;
}

bool isBusy(double cpu, double wall) { return cpu > 1.1 * wall; }

Result<InputsToTime> inputsToTime(std::vector<Job> jobs, const Corpus &corpus, bool noArguments) {
  InputsToTime all;
  std::map<std::string, size_t> known; // by identity
  for (Job &job : jobs) {
    Timing timing = timingOf(job, noArguments);
    const auto [at, isNew] = known.emplace(timing.identity, all.inputs.size());
    if (isNew) {
      all.inputs.push_back({std::move(job), std::move(timing), 0, {}});
      continue;
    }
    const Job &first = all.inputs[at->second].job;
    if (first.words != job.words || first.standardInput != job.standardInput)
      return Error{"two inputs are both called " + escape(job.label) +
                   ", and with --no-args nothing else is stored; give them names with --label"};
    ++all.twice;
  }
  if (Status s = addKnown(all, corpus); !s)
    return s.error();
  return all;
}

} // namespace quincunx::tool
