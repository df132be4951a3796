// quincunx corpus add: raw records that someone collected without quincunx run (a batch system, a
// machine in the field) become runs. Records of one run carry its name and are added up; the name
// is the run's identity, so adding the same files again changes nothing. Bad files are named and
// left out, and the rest is added. It cannot know exit statuses: what wrote its record counts as
// finished. Live files are records of processes that were killed, called _exit or became another
// program; nobody knows which, so when it was the first process, the run was cut short: it costs at
// least what was counted.
#include "CorpusVerbs.h"
#include "record/ImportRecords.h"
#include "record/JobPlan.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace quincunx::tool {

namespace {

using Identity = std::array<uint8_t, 16>;

/// Files by the process they are of, and processes by the name of their run.
struct RecordsByRun {
  std::map<std::string, std::vector<Identity>> processesOfRun;
  std::map<Identity, std::vector<std::string>> files;
  bool anyBad = false;
};

RecordsByRun sortByRun(const std::vector<std::string> &files) {
  RecordsByRun out;
  std::set<Identity> running;
  std::vector<std::pair<Identity, std::string>> order;
  for (const std::string &file : files) {
    const Result<ProcessRecord> record = readRawFile(file);
    if (!record || record->running) {
      fail(record ? Error{escape(file) + " is of process " + std::to_string(record->pid) +
                          ", which still runs; add it when that has ended"}
                  : record.error());
      if (record)
        running.insert(record->identity);
      out.anyBad = true;
      continue;
    }
    if (record->run.empty())
      continue;
    std::vector<std::string> &known = out.files[record->identity];
    if (known.empty())
      order.emplace_back(record->identity, record->run);
    if (std::find(known.begin(), known.end(), file) == known.end())
      known.push_back(file);
  }
  for (const auto &[identity, run] : order)
    if (!running.contains(identity)) // also its open record must wait
      out.processesOfRun[run].push_back(identity);
  return out;
}

/// What all files of one process say.
Result<ProcessRecord> readProcess(Corpus &corpus, const std::vector<std::string> &files) {
  ProcessRecord process;
  process.cutShort = true; // that of no file
  for (const std::string &file : files) {
    Result<ProcessRecord> record = readRawFile(file);
    if (!record)
      return record.error();
    if (Status s = addMaps(corpus, *record, "."); !s)
      return Error{escape(file) + ": " + s.error().text};
    if (process.run.empty())
      process = std::move(*record);
    else
      unite(process, *record);
  }
  return process;
}

int64_t saturatingSum(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? (b < 0 ? INT64_MIN : INT64_MAX) : sum;
}

/// Says that a run is not whole, which it is not then.
void complainOfMissing(const MissingProcesses &missing, Run &run) {
  const size_t count = missing.count();
  if (count == 0 || run.outcome != Outcome::finished)
    return;
  run.outcome = Outcome::cutShort;
  std::fprintf(stderr,
               "quincunx: run %s: counts of %zu %s are missing; it counts as at least what there "
               "is\n",
               escape(run.label).c_str(), count, count == 1 ? "process" : "processes");
}

Result<Run> assemble(Corpus &corpus, const RecordsByRun &sorted,
                     const std::vector<Identity> &processes, const std::string &label) {
  Run run;
  int64_t start = INT64_MAX, end = INT64_MIN;
  std::string program;
  MissingProcesses missing;
  for (const Identity &identity : processes) {
    const Result<ProcessRecord> record = readProcess(corpus, sorted.files.at(identity));
    if (!record)
      return record.error();
    add(run, *record);
    missing.add(*record);
    if (run.identity.empty() || record->startRealtime < start) { // of the first process
      program = record->program;
      run.outcome = record->cutShort ? Outcome::cutShort : Outcome::finished;
    }
    run.identity = record->run;
    start = std::min(start, record->startRealtime);
    end = std::max(end, saturatingSum(record->startRealtime, std::max(record->wall, int64_t{0})));
    run.user += 1e-9 * static_cast<double>(record->user);
    run.system += 1e-9 * static_cast<double>(record->system);
  }
  run.start = 1e-9 * static_cast<double>(start);
  // Not below zero: no process ends before it starts, nor the run before its first.
  run.wall = 1e-9 * static_cast<double>(static_cast<uint64_t>(end) - static_cast<uint64_t>(start));
  run.label = label.empty() ? fileName(program) : label;
  for (ImageCounts &image : run.images)
    image.embedded.reset();
  complainOfMissing(missing, run);
  return run;
}

/// Who says it now knows better than the run; false: one is not of the form.
bool setFeatures(const std::vector<std::string> &texts, Run &run) {
  for (const std::string &text : texts)
    if (!setFeature(text, run.features, run.texts)) {
      fail({"--feature " + escape(text) + " is not name=value"});
      return false;
    }
  return true;
}

} // namespace

int addRecords(const AddOptions &options) {
  if (Run none; !setFeatures(options.features, none))
    return usage;
  Result<Corpus> corpus = Corpus::open(options.corpus, Corpus::Mode::write);
  if (!corpus)
    return fail(corpus.error());
  const RecordsByRun sorted = sortByRun(options.files);
  bool anyBad = sorted.anyBad;
  size_t added = 0, known = 0;
  for (const auto &[name, processes] : sorted.processesOfRun) {
    const Result<bool> isKnown = corpus->hasRun(name);
    if (!isKnown)
      return fail(isKnown.error());
    if (*isKnown) {
      ++known;
      continue;
    }
    Result<Run> run = assemble(*corpus, sorted, processes, options.label);
    if (run)
      setFeatures(options.features, *run);
    const auto stored = run ? corpus->add(*run) : Status(run.error());
    added += static_cast<bool>(stored);
    if (!stored) {
      fail(stored.error());
      anyBad = true;
    }
  }
  std::fprintf(stderr, "quincunx: %zu %s added to %s%s\n", added, added == 1 ? "run" : "runs",
               escape(options.corpus).c_str(),
               known > 0 ? (", " + std::to_string(known) + " were there already").c_str() : "");
  return anyBad ? failed : ok;
}

} // namespace quincunx::tool
