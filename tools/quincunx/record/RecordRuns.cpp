// Does the work around a series of runs: plans it, opens the corpus, leaves out what is done, notes
// command and machine, and takes a corpus away again that got no run. Running is Session's.
#include "RecordRuns.h"

#include "MeasuredMachine.h"
#include "OutputFiles.h"
#include "RecordFolder.h"
#include "Resume.h"
#include "Session.h"
#include "ShellWords.h"
#include "SourceCommit.h"
#include "TimeRuns.h"
#include "system/ExitStatus.h"
#include "system/Processor.h"

#include "quincunx/base/Text.h"
#include "quincunx/estimate/Provenance.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <sys/utsname.h>

namespace quincunx::tool {

namespace {

namespace fs = std::filesystem;

std::string machine() {
  utsname names{};
  ::uname(&names);
  std::string out = processorModel();
  out.append(", ").append(names.sysname).append(" ").append(names.release);
  return out;
}

/// Adds a line to a fact, unless it is there.
Status addToFact(Corpus &corpus, const char *name, const std::string &value) {
  const Result<std::string> known = corpus.fact(name);
  if (!known)
    return known.error();
  const auto lines = fields(*known, '\n');
  if (std::find(lines.begin(), lines.end(), value) != lines.end())
    return Done{};
  return corpus.setFact(name, known->empty() ? value : *known + "\n" + value);
}

Status setFacts(Corpus &corpus, const RecordOptions &options) {
  const auto &words = options.plan.words;
  const auto end = std::find_if(words.begin(), words.end(),
                                [](const auto &word) { return word == ":::" || word == "::::"; });
  const std::string command =
      options.noArguments ? fileName(words.front()) : joinWords({words.begin(), end});
  const Status s = addToFact(corpus, "command", command);
  return s ? addToFact(corpus, "machine", machine()) : s;
}

/// Keeps what --ok-status says, so that reports know.
Status keepGoodStatuses(Corpus &corpus, const std::vector<int> &statuses) {
  std::string list;
  for (const int status : std::set<int>(statuses.begin(), statuses.end()))
    list += (list.empty() ? "" : ",") + std::to_string(status);
  return list.empty() ? Status(Done{}) : addToFact(corpus, goodStatusFact, list);
}

/// What the user wants to know before it starts.
void announce(const RecordOptions &options, size_t there, size_t done, size_t all, bool isNew) {
  if (options.quiet)
    return;
  const std::string name = escape(options.corpus);
  if (options.resume && !isNew)
    std::fprintf(stderr, "quincunx: %zu of %zu runs are in %s already\n", done, all, name.c_str());
  else if (there > 0)
    std::fprintf(stderr, "quincunx: adding to the %zu runs in %s (--resume skips those)\n", there,
                 name.c_str());
  if (isNew && !options.noArguments)
    std::fprintf(stderr,
                 "quincunx: arguments, paths and the name of this host are stored in %s (see "
                 "--no-args and quincunx corpus scrub)\n",
                 name.c_str());
}

/// Gives a corpus with runs its prices; the exit status of `work` if that could be done, or was
/// not to be: nobody waits for a measurement after Ctrl-C.
int priced(Corpus &corpus, const RecordOptions &options, int work) {
  if (work != ok && work != someRunsFailed)
    return work;
  const Status kept = keepMachine(corpus, options.machine, options.quiet);
  return kept ? work : fail(kept.error());
}

/// The part of the work in which the corpus is open.
int record(const RecordOptions &options, std::vector<Job> jobs, bool isNew) {
  Result<Corpus> corpus = Corpus::open(options.corpus, Corpus::Mode::write);
  if (!corpus)
    return fail(corpus.error());
  const std::vector<Job> once = jobs;
  for (size_t round = 1; round < options.repeat.value_or(1); ++round)
    jobs.insert(jobs.end(), once.begin(), once.end());
  const size_t all = jobs.size();
  size_t others = 0; // runs of other builds
  if (options.resume) {
    const Result<size_t> found = removeDone(jobs, options.corpus, options.noArguments, options.tag);
    if (!found)
      return fail(found.error());
    others = *found;
  }
  if (const Status s = keepGoodStatuses(*corpus, options.okStatus); !s)
    return fail(s.error());
  const size_t left = jobs.size();
  const Result<size_t> there = corpus->runCount();
  if (!there)
    return fail(there.error());
  announce(options, *there, all - left, all, isNew);
  if (others > 0)
    std::fprintf(stderr, "quincunx: %zu %s in %s of another build, and not taken for done\n",
                 others, others == 1 ? "run" : "runs",
                 (escape(options.corpus) + (others == 1 ? " is" : " are")).c_str());
  if (left == 0)
    return priced(*corpus, options, ok);
  if (Status s = setFacts(*corpus, options); !s)
    return fail(s.error());
  if (Status s = makeOutputFolder(options.keepOutput); !s)
    return fail(s.error());
  const RecordFolder folder;
  if (Status s = folder.status(); !s)
    return fail(s.error());
  if (folder.swept() > 0 && !options.quiet)
    std::fprintf(stderr, "quincunx: removed what %zu killed %s left beside %s\n", folder.swept(),
                 folder.swept() == 1 ? "process" : "processes", escape(folder.path()).c_str());
  const SourceCommit commit = sourceCommitOf(jobs.front(), folder.path());
  if (!commit.why.empty() && !options.quiet)
    std::fprintf(stderr, "quincunx: %s\n", commit.why.c_str());
  Session session(options, std::move(jobs), *corpus, folder.path(), commit.name);
  const int status = session.work(left < all);
  return priced(*corpus, options, status);
}

} // namespace

std::set<int> goodStatusesOf(const RecordOptions &options, const Corpus &corpus) {
  const Result<std::set<int>> known = goodStatuses(corpus);
  std::set<int> all = known ? *known : std::set<int>();
  all.insert(options.okStatus.begin(), options.okStatus.end());
  return all;
}

int recordRuns(const RecordOptions &options) {
  JobPlan plan = options.plan;
  plan.mayLackInputs = options.repeat.has_value();
  Result<std::vector<Job>> jobs = planJobs(plan);
  if (!jobs)
    return failUsage(jobs.error());
  if (const Status s = checkMachine(options.machine); !s)
    return fail(s.error());
  std::error_code no;
  const bool isNew = !fs::exists(options.corpus, no);
  const int status = options.timed ? timeRuns(options, std::move(*jobs))
                                   : record(options, std::move(*jobs), isNew);
  // Nothing was recorded: leave nothing behind.
  if (isNew && status != ok) {
    bool isEmpty = false;
    if (const Result<Corpus> left = Corpus::open(options.corpus, Corpus::Mode::read); left) {
      const auto timings = left->timings();
      const auto runs = left->runCount();
      isEmpty = runs && *runs == 0 && timings && timings->empty();
    }
    if (isEmpty)
      fs::remove(options.corpus, no);
  }
  return status;
}

} // namespace quincunx::tool
