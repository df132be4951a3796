// Runs jobs, several at once, and stores each as a run. The idea: every run gets a random name and
// a private folder for its records, so concurrent runs cannot mix and nothing of an unfinished run
// is kept; each finished run is one transaction. A folder serves one run after another, because
// making and removing it is a tenth of what a tiny run costs; it gets another name each time, so
// that what outlives a run finds none. It does not choose what to run and does not judge failures.
#include "Session.h"

#include "ChildOutcome.h"
#include "ImportRecords.h"
#include "NoRecord.h"
#include "OutputFiles.h"
#include "system/ExitStatus.h"
#include "system/Processor.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <filesystem>

#include <unistd.h>

namespace quincunx::tool {

namespace {

namespace fs = std::filesystem;

/// The pattern the runtime expands, with the percents of our own path doubled.
std::string recordPattern(const std::string &folder) {
  std::string out;
  for (char c : folder)
    out += c == '%' ? std::string("%%") : std::string(1, c);
  return out + "/%n-%p-%h.qxraw";
}

} // namespace

Session::Session(const RecordOptions &from, std::vector<Job> todo, Corpus &into,
                 std::string recordFolder, std::string commit)
    : options(from), jobs(std::move(todo)), corpus(into), folder(std::move(recordFolder)),
      sourceCommit(std::move(commit)), host(hostName()),
      outcomes(jobs.size(), from.quiet, goodStatusesOf(from, into)),
      granted(HardwareCounters::isGranted()), executor(from.timeout, granted) {
  if (!granted)
    outcomes.say(notGranted);
}

Result<std::string> Session::emptyFolder() {
  if (!emptyFolders.empty()) {
    std::string out = std::move(emptyFolders.back());
    emptyFolders.pop_back();
    return out;
  }
  const std::string out = folder + "/" + std::to_string(++foldersMade);
  std::error_code problem;
  if (!fs::create_directory(out, problem))
    return Error{"cannot make " + escape(out) + ": " + problem.message()};
  return out;
}

/// From now on nothing comes in: whoever knows the folder of a run that is done knows its old name.
void Session::rename(RunFiles &own) {
  const std::string fresh = folder + "/" + std::to_string(++foldersMade);
  if (::rename(own.folder.c_str(), fresh.c_str()) != 0)
    return;
  if (own.standardError.starts_with(own.folder))
    own.standardError.replace(0, own.folder.size(), fresh);
  own.folder = fresh;
  own.isRenamed = true;
}

/// Removes what is in a folder, `files`, for the next run.
void Session::empty(const RunFiles &own, const std::vector<std::string> &files) {
  bool isEmpty = own.isRenamed;
  for (const std::string &file : files)
    isEmpty = ::unlink(file.c_str()) == 0 && isEmpty;
  std::error_code no;
  if (isEmpty)
    emptyFolders.push_back(own.folder);
  else
    fs::remove_all(own.folder, no);
}

Status Session::begin(size_t number) {
  RunFiles &own = runFiles[number];
  own.identity = newIdentity();
  const Result<std::string> in = emptyFolder();
  if (!in)
    return in.error();
  own.folder = *in;
  own.standardError = own.folder + "/stderr";
  LaunchOptions launch;
  launch.environment = {{"QUINCUNX_RUN", own.identity},
                        {"QUINCUNX_OUT", recordPattern(own.folder)}};
  if (!options.keepOutput.empty()) {
    const std::string base = outputBase(options.keepOutput, number, jobs[number].label);
    launch.standardOutput = base + ".out";
    own.standardError = base + ".err";
  }
  launch.standardError = own.standardError;
  return executor.start(number, jobs[number], launch);
}

Run Session::describe(const ChildResult &end) const {
  const Job &job = jobs[end.job];
  Run run;
  run.identity = runFiles.at(end.job).identity;
  run.label = job.label;
  run.features = job.features;
  run.texts = job.texts;
  if (!options.noArguments) {
    run.arguments.assign(job.words.begin() + 1, job.words.end());
    if (!job.standardInput.empty())
      run.standardInput = (fs::path(job.folder) / job.standardInput).string();
  }
  run.exitStatus = exitStatusOf(end);
  run.outcome = outcomeOf(end, options.okStatus);
  run.start = end.start;
  run.wall = end.wall;
  run.user = end.user;
  run.system = end.system;
  run.pageFaults = static_cast<double>(end.minorFaults);
  run.cycles = end.hardware.cycles;
  run.instructions = end.hardware.instructions;
  run.branchMisses = end.hardware.branchMisses;
  run.tag = options.tag;
  run.commit = sourceCommit;
  run.host = options.noArguments ? "" : host;
  return run;
}

Status Session::addProcess(const ChildResult &end, Run &run, ProcessRecord &process) {
  const std::string &in = jobs[end.job].folder;
  if (Status s = addMaps(corpus, process, in.empty() ? "." : in); !s)
    return s;
  add(run, process);
  return Done{};
}

/// Reads file `i`; nothing when there is nothing in it to take. When another file has come in its
/// place, that one is added to `files`.
Result<std::optional<ProcessRecord>> Session::readRecord(std::vector<std::string> &files, size_t i,
                                                         const Run &run, Processes &processes) {
  const std::string file = files[i];
  Result<ProcessRecord> record = readRawFile(file);
  std::error_code no;
  const bool isWhole = record && !record->cutShort && !record->run.empty();
  if (isLiveName(file) && !isWhole && !fs::exists(file, no)) {
    // A process that outlives the run ended just now, and its record may be newer than our list.
    const std::string instead = recordOfLive(file);
    if (fs::exists(instead, no) && std::find(files.begin(), files.end(), instead) == files.end())
      files.push_back(instead);
    return std::optional<ProcessRecord>();
  }
  if (!record && isLiveName(file)) {
    outcomes.say(record.error().text + "; the rest of run " + escape(run.label) + " is taken");
    anyRecord = true;
    processes.missing.addUnknown();
    return std::optional<ProcessRecord>();
  }
  if (!record)
    return record.error();
  return record->run.empty() ? std::optional<ProcessRecord>() : std::optional(std::move(*record));
}

/// Processes that became another program, which was not told where to write, may have left its
/// record where they were.
void Session::addStrays(const ChildResult &end, const Run &run, Processes &processes) {
  std::set<int64_t> became;
  for (const auto &[identity, process] : processes.open)
    if (!process.running)
      became.insert(process.pid);
  if (became.empty() || run.outcome != Outcome::finished)
    return;
  for (const std::string &file : strayRecords(jobs[end.job].folder, became, end.start)) {
    outcomes.say("run " + escape(run.label) +
                 ": a program was started with an emptied environment; " + "its record is " +
                 escape(file));
    processes.missing.addUnknown();
  }
}

/// Adds what processes counted that have no record of their end.
Status Session::addOpen(const ChildResult &end, Run &run, Processes &processes) {
  size_t running = 0;
  for (auto &[identity, process] : processes.open) {
    processes.missing.add(process);
    if (Status s = addProcess(end, run, process); !s)
      return s;
    running += process.running;
  }
  addStrays(end, run, processes);
  if (running > 0 && run.outcome == Outcome::finished)
    outcomes.say("run " + escape(run.label) + ": " + std::to_string(running) +
                 (running == 1 ? " process of it still runs" : " processes of it still run") +
                 "; counted up to now");
  return Done{};
}

/// Adds up the run's records, which are `files`, and stores their maps.
Status Session::collect(const ChildResult &end, std::vector<std::string> files, Run &run,
                        Processes &processes) {
  auto &[closed, open, missing] = processes;
  for (size_t i = 0; i < files.size(); ++i) {
    Result<std::optional<ProcessRecord>> read = readRecord(files, i, run, processes);
    if (!read)
      return read.error();
    std::optional<ProcessRecord> &record = *read;
    if (!record || closed.contains(record->identity))
      continue;
    if (!record->cutShort) {
      closed.insert(record->identity);
      missing.add(*record);
      open.erase(record->identity);
      if (Status s = addProcess(end, run, *record); !s)
        return s;
    } else if (const auto at = open.find(record->identity); at != open.end()) {
      unite(at->second, *record);
    } else {
      open.emplace(record->identity, std::move(*record));
    }
  }
  if (Status s = addOpen(end, run, processes); !s)
    return s;
  for (ImageCounts &image : run.images)
    image.embedded.reset();
  return Done{};
}

Status Session::finish(const ChildResult &end) {
  rename(runFiles.at(end.job));
  Run run = describe(end);
  Processes processes;
  const std::vector<std::string> files = filesIn(runFiles.at(end.job).folder);
  if (Status s = collect(end, recordsAmong(files), run, processes); !s)
    return s;
  if (run.peakMemory == 0) // no record tells; the system means ours before the exec as well
    run.peakMemory = end.peakMemory;
  if (Status s = store(end, run, processes); !s)
    return s;
  empty(runFiles.at(end.job), files);
  runFiles.erase(end.job);
  return Done{};
}

Status Session::store(const ChildResult &end, Run &run, const Processes &processes) {
  const bool hasRecord = !processes.closed.empty() || !processes.open.empty();
  anyRecord = anyRecord || hasRecord;
  if (!hasRecord && run.outcome == Outcome::finished) {
    const RunFiles &own = runFiles.at(end.job);
    const NoRecord why = whyNoRecord(jobs[end.job], own.folder);
    if (!anyRecord && why.notBuilt)
      return Error{escape(jobs[end.job].words[0]) + " left no record: " + why.cause};
    outcomes.lost(run.label, why.cause, own.standardError);
    return Done{};
  }
  const size_t missing = processes.missing.count();
  if (missing > 0 && run.outcome == Outcome::finished)
    run.outcome = Outcome::cutShort;
  if (Status s = corpus.add(run); !s)
    return s;
  outcomes.stored(run, options.timeout, runFiles.at(end.job).standardError, missing);
  return Done{};
}

int Session::work(bool isKnown) {
  anyRecord = isKnown;
  Status status = Done{};
  size_t next = 0;
  while (status && !executor.interrupted() && (next < jobs.size() || executor.running() > 0)) {
    while (status && next < jobs.size() && executor.running() < options.jobs)
      status = begin(next++);
    for (const ChildResult &end : status ? executor.wait() : std::vector<ChildResult>{})
      if (status)
        status = finish(end);
  }
  executor.stopAll();
  outcomes.clear();
  if (!status)
    return fail(status.error());
  return outcomes.conclude(corpus.path(), executor.interrupted());
}

} // namespace quincunx::tool
