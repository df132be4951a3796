// quincunx corpus add: raw records that someone collected without quincunx run (a batch system, a
// machine in the field) become runs. Records of one run carry its name and are added up; the name
// is the run's identity, so adding the same files again changes nothing. Bad files are named and
// left out, and the rest is added. It cannot know exit statuses: what left a record counts as
// finished.
#include "CorpusVerbs.h"
#include "Gather.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <map>
#include <set>

namespace quincunx::tool {

namespace {

/// Files by the name of their run; each record once, however often it is given.
struct Sorted {
  std::map<std::string, std::vector<std::string>> filesOfRun;
  bool anyBad = false;
};

Sorted sortByRun(const std::vector<std::string> &files) {
  Sorted out;
  std::set<std::array<uint8_t, 16>> seen;
  for (const std::string &file : files) {
    const Result<ProcessRecord> record = readRawFile(file);
    if (!record) {
      fail(record.error());
      out.anyBad = true;
    } else if (seen.insert(record->identity).second) {
      out.filesOfRun[record->run].push_back(file);
    }
  }
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
    if (record->startRealtime < start)
      program = record->program; // of the first process
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
