// quincunx corpus add: raw records that someone collected without quincunx run (a batch system, a
// machine in the field) become runs. Records of one run carry its name and are added up; the name
// is the run's identity, so adding the same files again changes nothing. Bad files are named and
// left out, and the rest is added. It cannot know exit statuses: what wrote its record counts as
// finished. Live files are records of processes that were killed, called _exit or became another
// program; nobody knows which, so when it was the first process, the run was cut short: it costs at
// least what was counted.
#include "CorpusVerbs.h"
#include "Gather.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <map>
#include <vector>

namespace quincunx::tool {

namespace {

/// Files by the name of their run; each record once, however often it is given.
struct Sorted {
  std::map<std::string, std::vector<std::string>> filesOfRun;
  bool anyBad = false;
};

Sorted sortByRun(const std::vector<std::string> &files) {
  Sorted out;
  struct Found {
    std::string file, run;
    bool cutShort;
  };
  std::map<std::array<uint8_t, 16>, Found> processes;
  std::vector<std::array<uint8_t, 16>> order;
  for (const std::string &file : files) {
    const Result<ProcessRecord> record = readRawFile(file);
    if (!record || record->running) {
      fail(record ? Error{escape(file) + " is of process " + std::to_string(record->pid) +
                          ", which still runs; add it when that has ended"}
                  : record.error());
      out.anyBad = true;
      continue;
    }
    if (record->run.empty())
      continue;
    const Found found{file, record->run, record->cutShort};
    const auto [known, isNew] = processes.try_emplace(record->identity, found);
    if (isNew)
      order.push_back(record->identity);
    else if (known->second.cutShort) // the record itself says more than a live file
      known->second = found;
  }
  for (const auto &identity : order)
    out.filesOfRun[processes[identity].run].push_back(processes[identity].file);
  return out;
}

Result<Run> assemble(Corpus &corpus, const std::vector<std::string> &files,
                     const std::string &label) {
  Run run;
  int64_t start = INT64_MAX, end = INT64_MIN;
  std::string program;
  for (const std::string &file : files) {
    const Result<ProcessRecord> record = readRawFile(file);
    if (!record)
      return record.error();
    if (Status s = addMaps(corpus, *record, "."); !s)
      return Error{escape(file) + ": " + s.error().text};
    add(run, *record);
    run.identity = record->run;
    if (record->startRealtime < start) { // of the first process
      program = record->program;
      run.outcome = record->cutShort ? Outcome::cutShort : Outcome::finished;
    }
    start = std::min(start, record->startRealtime);
    end = std::max(end, record->startRealtime + record->wall);
    run.user += 1e-9 * static_cast<double>(record->user);
    run.system += 1e-9 * static_cast<double>(record->system);
    run.peakMemory = std::max(run.peakMemory, static_cast<double>(record->peakMemory));
  }
  run.start = 1e-9 * static_cast<double>(start);
  run.wall = 1e-9 * static_cast<double>(end - start);
  run.label = label.empty() ? fileName(program) : label;
  for (ImageCounts &image : run.images)
    image.embedded.reset();
  return run;
}

bool parseFeatures(const std::vector<std::string> &texts, std::map<std::string, double> &out) {
  for (const std::string &text : texts) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 ||
        !parseNumber(text.substr(equals + 1), out[text.substr(0, equals)])) {
      fail({"--feature " + escape(text) + " is not name=number"});
      return false;
    }
  }
  return true;
}

} // namespace

int addRecords(const AddOptions &options) {
  std::map<std::string, double> features;
  if (!parseFeatures(options.features, features))
    return usage;
  Result<Corpus> corpus = Corpus::open(options.corpus, Corpus::Mode::write);
  if (!corpus)
    return fail(corpus.error());
  const Sorted sorted = sortByRun(options.files);
  bool anyBad = sorted.anyBad;
  size_t added = 0, known = 0;
  for (const auto &[name, files] : sorted.filesOfRun) {
    if (corpus->hasRun(name)) {
      ++known;
      continue;
    }
    Result<Run> run = assemble(*corpus, files, options.label);
    if (run)
      run->features = features;
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
