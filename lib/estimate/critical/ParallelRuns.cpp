// Each run's path is found by itself, and shares are averaged afterwards: which thread is the last
// one differs from run to run, so the path of mean times would be that of no run.
#include "quincunx/estimate/ParallelRuns.h"

#include "quincunx/base/Text.h"
#include "quincunx/numeric/Quantile.h"
#include "quincunx/strands/LibraryNames.h"

#include "StrandRuns.h"

#include <algorithm>
#include <optional>
#include <span>

namespace quincunx {

namespace {

/// Where functions that are not of the standard library make the call, from the innermost one to
/// that which they are all inlined into: any of them may be where a program's own layer is used.
std::vector<StrandSite> sitesOf(const Function &f, const Call &call) {
  std::vector<StrandSite> sites;
  uint32_t scope = call.at.scope, file = noIndex, line = call.at.line;
  for (bool isLast = false; !isLast && scope < f.scopes.size(); scope = f.scopes[scope].parent) {
    const Scope &s = f.scopes[scope];
    file = file == noIndex ? s.file : file;
    const bool isOutermost = s.parent >= scope;
    if (!isOutermost && s.line == 0) // text that is included there
      continue;
    isLast = isOutermost || s.function.find(QX_CODE_OF_DIRECTIVE) != std::string::npos;
    if (isLast || !isOfLibrary(s.function))
      sites.push_back(
          {isLast ? f.name : s.function, file < f.files.size() ? f.files[file].path : "", line});
    line = s.callLine;
    file = noIndex;
  }
  if (sites.empty())
    sites.push_back({f.name, "", line});
  return sites;
}

/// Parts of all runs, each by its run's number.
using Shares = std::map<StrandPlace, std::map<size_t, double>>;

void addShares(Shares &shares, size_t run, const CriticalPath &path) {
  for (const auto &[place, work] : path.parts)
    shares[place][run] = static_cast<double>(work) / static_cast<double>(path.span);
}

std::vector<PathPart> partsOf(const Shares &shares, const std::vector<RunWork> &runs) {
  std::vector<double> spans;
  for (const RunWork &r : runs)
    spans.push_back(static_cast<double>(r.locked));
  const double worst = percentile(spans, 0.99);
  const auto many =
      static_cast<double>(std::ranges::count_if(spans, [&](double s) { return s >= worst; }));
  std::vector<PathPart> parts;
  for (const auto &[place, ofRuns] : shares) {
    PathPart part{place};
    for (const auto &[run, share] : ofRuns) {
      part.mean += share / static_cast<double>(runs.size());
      if (spans[run] >= worst)
        part.atWorst += share / many;
    }
    parts.push_back(part);
  }
  std::ranges::stable_sort(parts, std::greater<>(), &PathPart::mean);
  return parts;
}

} // namespace

StrandSites strandSites(const std::vector<Map> &maps) {
  StrandSites sites;
  const auto add = [&](const Function &f, const Call &call) {
    for (StrandSite &site : sitesOf(f, call)) {
      const std::string &name = site.function;
      const uint32_t number = qx_strand_site(name.data(), name.size(), site.line);
      sites.emplace(number, std::move(site));
    }
  };
  for (const Map &m : maps)
    for (const Function &f : m.functions) {
      for (const Call &c : f.calls)
        add(f, c);
      // Loops and counters have the place of code that need not be a call's.
      for (const Block &b : f.blocks)
        for (const Location &line : b.lines) {
          Call around;
          around.at = line;
          add(f, around);
        }
    }
  return sites;
}

namespace {

/// Calls that wait for other threads and write nothing down: by linkage names that begin so.
constexpr std::pair<const char *, const char *> unseen[] = {
    {"_ZNSt13__future_base13_State_baseV211_Make_ready", "futures that are set as a thread ends"},
    {"_ZSt25notify_all_at_thread_exit", "who is notified as a thread ends"},
    {"_ZNSt3__120__libcpp_atomic_wait", "C++20's atomics, latches, barriers and semaphores"},
    {"_ZNSt8__detail11__wait_impl", "C++20's atomics, latches, barriers and semaphores"},
    {"call_once", "call_once()"},
    {"_ZN3tbb", "TBB"},
    {"GOMP_", "libgomp"},
    {"__kmpc_ordered", "ordered regions"},
    {"__kmpc_doacross_wait", "ordered loops (doacross)"},
    {"__kmpc_fork_teams", "leagues of teams"},
    {"omp_fulfill_event", "detached tasks"}};

/// Calls that wait for what others send, by their whole names; what is read may be a pipe where one
/// was made.
constexpr const char *receives[] = {
    "poll",       "ppoll",           "select",       "pselect",    "epoll_wait", "epoll_pwait",
    "recv",       "recvfrom",        "recvmsg",      "accept",     "accept4",    "eventfd_read",
    "sigwait",    "sigwaitinfo",     "sigtimedwait", "sigsuspend", "pause",      "msgrcv",
    "mq_receive", "mq_timedreceive", "semop",        "semtimedop"};
constexpr const char *pipes[] = {"pipe", "pipe2", "eventfd", "socketpair"};

/// Calls that go on after a time, by their whole names.
constexpr const char *sleeps[] = {"sleep", "usleep", "nanosleep", "clock_nanosleep", "thrd_sleep"};

/// Is that called from code all of which, the inlined one too, passes?
template <class Passes>
bool isCalledFrom(const std::vector<Map> &maps, const char *callee, Passes passes) {
  constexpr size_t deepest = 50;
  for (const Map &m : maps)
    for (const Function &f : m.functions)
      for (const Call &c : f.calls) {
        if (c.callee != callee)
          continue;
        std::vector<std::string_view> around;
        for (uint32_t s = c.at.scope; s < f.scopes.size() && around.size() < deepest;
             s = f.scopes[s].parent) {
          if (f.scopes[s].line != 0) // else text that is included there
            around.push_back(f.scopes[s].function);
          if (f.scopes[s].parent >= s)
            break;
        }
        around.push_back(f.name);
        if (passes(around))
          return true;
      }
  return false;
}

} // namespace

std::vector<Note> notesOnWaits(const std::vector<std::string> &called, const std::vector<Map> &maps,
                               const std::vector<RunWork> &runs) {
  std::vector<Note> notes;
  const auto isCalled = [&](std::string_view prefix) {
    return std::ranges::any_of(called, [&](const auto &name) { return name.starts_with(prefix); });
  };
  const auto missing = [&](const std::string &what) {
    notes.push_back({"waits", "waits of " + what + " were not recorded: spans may be too short"});
  };
  for (const auto &[prefix, what] : unseen)
    if (isCalled(prefix))
      missing(what);
  if (isCalled("syscall") && isCalledFrom(maps, "syscall", [](const auto &around) {
        return !isOfLibrary(std::string(around.front()));
      }))
    missing("futexes");
  const auto firstOf = [&](std::span<const char *const> names) {
    const auto at = std::ranges::find_if(
        names, [&](const char *name) { return std::ranges::count(called, name) != 0; });
    return at == names.end() ? nullptr : *at;
  };
  if (const char *receive = firstOf(receives))
    missing(std::string(receive) + "() and its like (pipes, sockets, signals)");
  else if (const char *pipe = firstOf(pipes);
           pipe != nullptr && (isCalled("read") || isCalled("fread") || isCalled("fget")))
    missing(std::string("pipes (") + pipe + ")");
  for (const char *sleep : sleeps)
    if (std::ranges::count(called, sleep) != 0)
      notes.push_back({"sleeps", std::string("threads sleep for a time (") + sleep +
                                     "): how long that is, and what they wait for so, is in "
                                     "nothing here"});
  if (std::ranges::any_of(runs, &RunWork::hasTimeouts))
    notes.push_back({"sleeps", "threads wait until a time is over (wait_for, wait_until): how long "
                               "that is, is in nothing here"});
  if (isCalled("sched_yield") && isCalledFrom(maps, "sched_yield", [](const auto &around) {
        return !isOfLibrary(std::string(around.front()));
      }))
    notes.push_back({"yields", "threads look again and again for what others do (sched_yield): "
                               "as often as in these runs, which other times would change"});
  if (const auto spins = std::ranges::find_if(runs, [](const RunWork &r) { return r.spins != 0; });
      spins != runs.end()) {
    const StrandSites sites = strandSites(maps);
    const auto at = sites.find(spins->spins);
    const std::string place =
        at != sites.end() && at->second.line != 0
            ? " at " + escape(fileName(at->second.file)) + ":" + std::to_string(at->second.line)
            : "";
    notes.push_back({"spins", "threads look again and again at a variable until another one has "
                              "set it" +
                                  place +
                                  ": the turns are in their work, as many as in these runs, and "
                                  "who waits for whom there is in nothing here"});
  }
  if (const auto folded = std::ranges::count_if(runs, &RunWork::hasFolded); folded != 0)
    notes.push_back(
        {"folded",
         "in " + std::to_string(folded) + " of " + std::to_string(runs.size()) +
             " runs threads had locks, or took jobs from counters, so often that of those at one "
             "place only sums were kept: they are told as fewer, longer ones, and in which order "
             "threads had them is not known"});
  if (const auto uncounted = std::ranges::count_if(runs, &RunWork::hasUncounted); uncounted != 0)
    notes.push_back({"uncounted", "in " + std::to_string(uncounted) + " of " +
                                      std::to_string(runs.size()) +
                                      " runs threads count counters whose value says who comes "
                                      "last so often that only the first times were kept: that "
                                      "somebody goes on behind the others is not known of all"});
  if (const auto elsewhere = std::ranges::count_if(runs, &RunWork::isElsewhere); elsewhere != 0)
    notes.push_back(
        {"elsewhere", "in " + std::to_string(elsewhere) + " of " + std::to_string(runs.size()) +
                          " runs threads were at work far longer than what was counted usually "
                          "takes: it is in code that was not built with the flag, and in nothing "
                          "here, or waits for memory"});
  if (isCalled("pthread_rwlockattr_setkind_np"))
    notes.push_back({"writers", "locks that are shared may let writers go first "
                                "(pthread_rwlockattr_setkind_np): here readers do"});
  if (isCalled("__kmpc_cancel"))
    notes.push_back({"cancelled", "parts of OpenMP that are cancelled do here what they did in "
                                  "these runs, which is chance"});
  if (std::ranges::any_of(runs, &RunWork::hasUnexplained))
    notes.push_back({"waits",
                     "some waits ended that nobody who was recorded let go on (by code that "
                     "was not built with record=strands?): spans may be too short"});
  if (std::ranges::any_of(runs, &RunWork::hasClaims))
    notes.push_back({"dealt", "jobs from counters and flags are done by the threads that took them "
                              "in these runs, which was chance: spans may be longer than they had "
                              "to be; quincunx scale deals them anew"});
  if (std::ranges::none_of(runs, &RunWork::hasTeams)) { // libomp joins none of its threads
    if (std::ranges::any_of(runs, &RunWork::hasUnjoined))
      notes.push_back({"unjoined",
                       "some threads were never joined: they are waited for here, and the "
                       "process may end before they do"});
    if (isCalled("__kmpc_fork_call"))
      missing("OpenMP, of which libomp reported nothing,");
    return notes;
  }
  if (isCalled("__kmpc_dispatch_init") && std::ranges::any_of(runs, &RunWork::hasChunks))
    notes.push_back({"dealt", "loops with schedule(dynamic) or (guided) are as their chunks were "
                              "dealt in these runs: spans may be longer than they had to be"});
  if (std::ranges::any_of(runs, &RunWork::hasExclusion))
    notes.push_back({"exclusion", "that tasks with depend(mutexinoutset) exclude each other is in "
                                  "nothing here: spans may be too short"});
  if (std::ranges::any_of(runs, &RunWork::hasTeamOfOne))
    notes.push_back({"one-thread", "in teams of one thread, loops are not shared and tasks are "
                                   "executed where they are made, so that they are in a row"});
  return notes;
}

Result<bool> hasStrands(const Corpus &corpus) {
  LeftOut left;
  bool found = false;
  const Status read = forEachStrandRun(corpus, left, [&](const Run &) -> Status {
    found = true;
    return Error{"one is enough"};
  });
  return read || found ? Result<bool>(found) : read.error();
}

Result<ParallelRuns> parallelRuns(const Corpus &corpus, const ClockCosts &costs) {
  ParallelRuns out;
  Shares shares;
  const Status read = forEachStrandRun(corpus, out, [&](Run &&run) -> Status {
    const Result<ParallelWork> work = workOf(run, costs);
    if (!work) {
      if (out.notWhole++ == 0)
        out.whyNot = work.error().text;
      return Done{};
    }
    addShares(shares, out.runs.size(), work->locked);
    out.runs.push_back(figuresOf(run, *work));
    return Done{};
  });
  if (!read)
    return read.error();
  if (out.runs.empty())
    return nothingIn(out);
  out.parts = partsOf(shares, out.runs);
  return out;
}

Result<std::pair<RunWork, ParallelWork>> parallelRun(const Corpus &corpus, const ClockCosts &costs,
                                                     const std::string &name) {
  const Result<Run> run = strandRun(corpus, name);
  if (!run)
    return run.error();
  Result<ParallelWork> work = workOf(*run, costs);
  if (!work)
    return work.error();
  RunWork figures = figuresOf(*run, *work);
  return std::pair(std::move(figures), std::move(*work));
}

} // namespace quincunx
