// Which runs have a path, and what is said where none has.
#include "StrandRuns.h"

#include "quincunx/base/Text.h"
#include "quincunx/profile/Features.h"

namespace quincunx {

namespace {
constexpr double mostlyThere = 0.98; ///< code that no clock counts is far less
/// Counts in a second of a processor: code has ten times as many, recorded and all, unless most of
/// its loads miss all caches.
constexpr double slowest = 1e8;
/// Seconds that a process, and each of its threads, may take to begin, to wait and to end.
constexpr double ofProcess = 0.02, ofThread = 0.005;

} // namespace

RunWork figuresOf(const Run &run, const ParallelWork &work) {
  return {.label = run.label,
          .identity = run.identity,
          .work = work.work,
          .span = work.free.span,
          .locked = work.locked.span,
          .threads = work.threads,
          .strands = work.strands,
          .hasTeams = work.hasTeams,
          .hasTeamOfOne = work.hasTeamOfOne,
          .hasExclusion = work.hasExclusion,
          .hasUnjoined = work.hasUnjoined,
          .hasUnexplained = work.hasUnexplained,
          .hasTimeouts = work.hasTimeouts,
          .spins = work.spins,
          .hasFolded = work.hasFolded,
          .hasUncounted = work.hasUncounted,
          .hasClaims = work.hasClaims,
          .isElsewhere = run.user > ofProcess + ofThread * static_cast<double>(work.threads) &&
                         static_cast<double>(work.work) < slowest * run.user};
}

Result<ParallelWork> workOf(const Run &run, const ClockCosts &costs) {
  Result<ParallelWork> work = parallelWork(run.strands.front());
  const std::string name = "run " + escape(run.label) + ": ";
  if (!work)
    return Error{name + work.error().text};
  const auto cost = costs.find(run.identity);
  if (cost != costs.end() && static_cast<double>(work->work) < mostlyThere * cost->second)
    return Error{name + "a part of its work is of threads of which the end is not known: they were "
                        "at work when the process ended; join them before"};
  return work;
}

Status forEachStrandRun(const Corpus &corpus, LeftOut &out,
                        const std::function<Status(Run &&)> &visit) {
  return corpus.forEachRun(
      [&](Run &&run) -> Status {
        size_t *const left = run.outcome != Outcome::finished ? &out.notFinished
                             : run.strands.empty()            ? &out.notRecorded
                             : run.processes > 1              ? &out.severalProcesses
                                                              : nullptr;
        if (left == nullptr)
          return visit(std::move(run));
        ++*left;
        return Done{};
      },
      Corpus::ReadMask::strands);
}

Result<Run> strandRun(const Corpus &corpus, const std::string &name) {
  constexpr size_t enough = 6; // letters of an identity: fewer may be the name of an input
  LeftOut left;
  std::vector<Run> found;
  std::string others; // runs of that input by their number of threads
  const Status read = forEachStrandRun(corpus, left, [&](Run &&run) -> Status {
    if (run.label == name || (name.size() >= enough && run.identity.starts_with(name)))
      found.push_back(std::move(run));
    else if (run.label.starts_with(name + " " + threadsFeature + "="))
      others += (others.empty() ? "'" : ", '") + escape(run.label) + "'";
    return Done{};
  });
  if (!read)
    return read.error();
  if (found.empty() && !others.empty())
    return Error{"runs of " + escape(name) + " are called " + others};
  if (found.empty())
    return Error{"no finished run with strands is called " + escape(name) +
                 "; quincunx corpus ls lists runs"};
  if (found.size() > 1)
    return Error{std::to_string(found.size()) + " runs are called " + escape(name) +
                 "; name one by its identity (quincunx corpus ls --json)"};
  return std::move(found.front());
}

Error nothingIn(const LeftOut &left) {
  if (left.notWhole > 0)
    return Error{left.whyNot};
  if (left.notRecorded > 0)
    return Error{"no strands were recorded; compile and link with "
                 "-fplugin-arg-quincunx-record=counts,calls,strands and run again"};
  if (left.severalProcesses > 0)
    return Error{"its runs are of several processes each, and who of them waits for whom is not "
                 "recorded"};
  return Error{"no run has finished; a run that was stopped has no critical path"};
}

std::string threadsText(uint32_t n) {
  return std::to_string(n) + (n == 1 ? " thread" : " threads");
}

} // namespace quincunx
