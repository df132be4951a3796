// A place is the sites of all functions that have it: copies of one function, instances of a
// template.
#include "quincunx/estimate/ThreadChanges.h"

#include "StrandRuns.h"

#include "quincunx/base/Text.h"
#include "quincunx/map/SourceFiles.h"
#include "quincunx/parallel/LoopSchedule.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace quincunx {

namespace {

/// How often something happened at sites, over runs, and in how many.
struct Met {
  std::map<uint32_t, size_t> times;
  size_t runs = 0;
};

struct Meetings {
  Met locks, begun, loops, serial;
  bool hasTeams = false; ///< of several threads

  const Met &of(const Change &change) const {
    return change.target == Change::Target::lock       ? locks
           : change.isSerial                           ? serial
           : change.target == Change::Target::schedule ? loops
                                                       : begun;
  }
};

Status meet(const Corpus &corpus, Meetings &met) {
  LeftOut left;
  const Status read = forEachStrandRun(corpus, left, [&](const Run &run) -> Status {
    for (Met *of : {&met.locks, &met.begun, &met.loops, &met.serial})
      ++of->runs;
    for (const StrandThread &t : run.strands.front().threads) {
      bool isBack = false; // from waiting, and has the lock again that it gave up for that
      size_t standsFor = 1;
      for (const StrandEvent &e : t.events) {
        if (takesLock(e.kind) && !isBack)
          met.locks.times[e.site] += standsFor;
        else if (e.kind == QX_STRAND_CREATE || e.kind == QX_STRAND_TEAM ||
                 e.kind == QX_STRAND_SPAWN)
          ++met.begun.times[e.site];
        else if (e.kind == QX_STRAND_LOOP)
          ++met.loops.times[e.site];
        else if (e.kind == QX_STRAND_SERIAL)
          ++met.serial.times[e.site];
        met.hasTeams |= e.kind == QX_STRAND_MEMBER;
        isBack = e.kind == QX_STRAND_WAKE || e.kind == QX_STRAND_TIMEOUT;
        standsFor = e.kind == QX_STRAND_FOLDED ? e.object : 1;
      }
    }
    return Done{};
  });
  return read && met.begun.runs == 0 ? nothingIn(left) : read;
}

Error about(const Change &change, const std::string &why) {
  return Error{"change '" + escape(change.text) + "': " + why};
}

class Applier {
public:
  Applier(const std::vector<Map> &m, const Meetings &m2)
      : files(sourceFiles(m)), sites(strandSites(m)), met(m2) {}

  Status apply(const Change &change, ThreadChanges &out) const {
    if (!change.variable.empty())
      return about(change, "a number is expected here, as in *= 0.5; sweeps are of costs");
    if (change.target == Change::Target::threads) {
      if (out.strands.threads != 0)
        return about(change, "the number of threads was changed before");
      out.strands.threads = static_cast<uint32_t>(change.value.k1);
      const std::string threads = shortNumber(change.value.k1);
      out.changes.push_back({change.text,
                             (met.hasTeams ? "teams that had most threads have " : "teams have ") +
                                 threads + (met.hasTeams ? "" : " threads"),
                             "iterations and tasks take what they took"});
      return Done{};
    }
    const Met &of = met.of(change);
    const Result<std::vector<uint32_t>> at = sitesAt(change, of);
    if (!at)
      return at.error();
    size_t times = 0;
    for (const uint32_t site : *at) {
      times += of.times.at(site);
      if (change.target == Change::Target::schedule) {
        if (out.strands.schedules.contains(site))
          return about(change,
                       "this loop was changed before; the last change would undo the first");
        out.strands.schedules[site] = dealingOf(change);
      } else if (change.target == Change::Target::join) {
        out.strands.first.insert(site);
      } else if (change.target == Change::Target::work) {
        double &factor = out.strands.work.try_emplace(site, 1).first->second;
        if ((factor *= change.value.k1) > mostTimes)
          return about(change, "at most " + exact(mostTimes) + " times the work can be told");
      } else if (out.strands.apart.contains(site) || out.strands.unlocked.contains(site)) {
        return about(change, "this lock was changed before; the last change would undo the first");
      } else if (change.isApart) {
        out.strands.apart[site] = static_cast<uint32_t>(out.changes.size());
      } else {
        out.strands.unlocked.insert(site);
      }
    }
    const double perRun = static_cast<double>(times) / static_cast<double>(of.runs);
    const std::string place = escape(fileName(sites.at(at->front()).file)) + ":" +
                              std::to_string(sites.at(at->front()).line);
    out.changes.push_back({change.text, effectOf(change, place, perRun), assumptionOf(change)});
    return Done{};
  }

private:
  Result<std::vector<uint32_t>> sitesAt(const Change &change, const Met &of) const {
    const Result<std::string> path = matchSource(change.place.file, files);
    if (!path)
      return about(change, path.error().text);
    std::vector<uint32_t> found = sitesAt(change, *path, of);
    if (!found.empty())
      return found;
    if (change.target == Change::Target::schedule) {
      Change other = change;
      other.isSerial = !change.isSerial;
      if (!sitesAt(other, *path, met.of(other)).empty())
        return about(change, change.isSerial ? "a team shares that loop; write schedule(FILE:LINE)"
                                             : "one thread goes through that loop; write "
                                               "schedule(loop FILE:LINE)");
    }
    return about(change, nothingAt(change, *path, of));
  }

  std::vector<uint32_t> sitesAt(const Change &change, const std::string &path,
                                const Met &of) const {
    // A directive stands in front of its loop, over some lines.
    const uint32_t behind = change.target == Change::Target::schedule && !change.isSerial ? 3 : 0;
    std::map<uint32_t, std::vector<uint32_t>> found; // by line
    for (const auto &[site, times] : of.times)
      if (const auto at = sites.find(site); at != sites.end() && at->second.file == path &&
                                            at->second.line >= change.place.line &&
                                            at->second.line - change.place.line <= behind)
        found[at->second.line].push_back(site);
    return found.empty() ? std::vector<uint32_t>() : found.begin()->second;
  }

  static StrandChanges::Dealing dealingOf(const Change &change) {
    StrandChanges::Dealing dealing{.chunk = change.chunk, .isSerial = change.isSerial};
    const auto all = parallel::schedules();
    for (size_t i = 0; i < all.size(); ++i)
      if (all[i].name == change.schedule)
        dealing.schedule = static_cast<parallel::Schedule>(i);
    return dealing;
  }

  std::string nothingAt(const Change &change, const std::string &path, const Met &of) const {
    std::vector<std::pair<size_t, std::string>> places; // how far away
    for (const auto &[site, times] : of.times)
      if (const auto at = sites.find(site); at != sites.end() && at->second.line != 0) {
        const StrandSite &s = at->second;
        const auto apart = static_cast<size_t>(
            std::abs(static_cast<int64_t>(s.line) - static_cast<int64_t>(change.place.line)));
        places.emplace_back(s.file == path ? apart : SIZE_MAX,
                            escape(fileName(s.file)) + ":" + std::to_string(s.line));
      }
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    const char *const what = change.target == Change::Target::lock ? "no lock is had"
                             : change.isSerial ? "no loop whose iterations were recorded begins"
                             : change.target == Change::Target::schedule
                                 ? "no loop that a team shares begins"
                                 : "no thread, team or task is begun";
    if (places.empty() && change.isSerial)
      return "iterations of a loop that one thread goes through are recorded where a build asks "
             "for them: -fplugin-arg-quincunx-record=counts,calls,strands "
             "-fplugin-arg-quincunx-loop=" +
             escape(change.place.file) + ":" + std::to_string(change.place.line);
    if (places.empty())
      return std::string(what) + " in these runs, at any place that is known";
    std::string all;
    for (size_t i = 0; i < std::min(places.size(), mostNamed); ++i)
      all += (all.empty() ? "" : ", ") + places[i].second;
    return std::string(what) + " there; they are at " + all +
           (places.size() > mostNamed ? " and elsewhere" : "");
  }

  static std::string effectOf(const Change &c, const std::string &place, double perRun) {
    const std::string times = "(" + shortNumber(perRun) + " a run)";
    if (c.isSerial)
      return "a team shares it " + times + " as " + c.schedule.substr(0, c.schedule.find(',')) +
             (c.chunk != 0 ? "," + std::to_string(c.chunk) : "");
    if (c.target == Change::Target::schedule)
      return "threads that come to the loop at " + place + " " + times +
             " are dealt its iterations as " + c.schedule.substr(0, c.schedule.find(',')) +
             (c.chunk != 0 ? "," + std::to_string(c.chunk) : "");
    if (c.target == Change::Target::join)
      return "threads or members of teams begun there " + times + " end with the first of them";
    if (c.target == Change::Target::work)
      return "threads, teams or tasks begun there " + times + " do " + shortNumber(c.value.k1) +
             " times the work";
    return c.isApart ? "who has a lock there " + times + " keeps waiting only those who come there"
                     : "nobody waits for locks that are had there " + times;
  }
  static std::string assumptionOf(const Change &c) {
    return c.target == Change::Target::work ? "those that they begin do not"
           : c.target == Change::Target::join
               ? "each is taken to have gone on to its own end in these runs"
           : c.isSerial ? "iterations take what they took, and need nothing of each other"
           : c.target == Change::Target::schedule ? "each iteration takes what it took"
                                                  : "threads do what they did";
  }
  /// Three digits are enough for people.
  static std::string shortNumber(double x) {
    if (x == 0)
      return "0";
    const double unit = std::pow(10, std::floor(std::log10(std::abs(x))) - 2);
    return exact(unit >= 1 ? std::round(x / unit) * unit : std::round(x / unit) / (1 / unit));
  }

  static constexpr size_t mostNamed = 5;
  static constexpr double mostTimes = 1000; ///< counts have 64 bits
  const std::vector<SourceFile> files;
  const StrandSites sites;
  const Meetings &met;
};

} // namespace

Result<ThreadChanges> threadChanges(const Corpus &corpus, const std::vector<Map> &maps,
                                    const std::vector<Change> &changes) {
  Meetings met;
  if (const Status s = meet(corpus, met); !s)
    return s.error();
  const bool isSized = std::ranges::any_of(
      changes, [](const Change &c) { return c.target == Change::Target::threads; });
  if (const auto serial = std::ranges::find_if(changes, &Change::isSerial);
      serial != changes.end() && !isSized && !met.hasTeams)
    return about(*serial, "how many threads share the loop? Add 'threads = 8'");
  const Applier applier(maps, met);
  ThreadChanges out;
  for (const Change &c : changes)
    if (const Status s = applier.apply(c, out); !s)
      return s.error();
  return out;
}

} // namespace quincunx
