// quincunx corpus log: the builds in a corpus in the order of their history, each compared with the
// one before it. Whether a difference is a change is decided as quincunx compare does; here is the
// order, and one calibration for all of them.
#include "CorpusVerbs.h"

#include "quincunx/base/Text.h"
#include "quincunx/estimate/Compare.h"
#include "quincunx/report/History.h"

#include "arguments/ComparedBuilds.h"
#include "arguments/PricedCorpus.h"
#include "arguments/RowGroups.h"
#include "record/Git.h"
#include "record/RecordFolder.h"
#include "record/ShellWords.h"
#include "system/NextStep.h"
#include "system/TerminalTraits.h"
#include "system/WrappedNotes.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <optional>
#include <set>

namespace quincunx::tool {

namespace {

using Build = Corpus::Build;

/// A build with its runs.
struct OpenBuild {
  Corpus corpus;
  std::vector<Map> maps;
  RunSource runs() const { return {corpus, maps, {}}; }
};

Result<OpenBuild> opened(const std::string &path, const Build &build) {
  Result<Corpus> corpus = Corpus::open(path, Corpus::Mode::read);
  if (!corpus)
    return corpus.error();
  if (const Result<size_t> left = corpus->select(build.identity); !left)
    return left.error();
  Result<std::vector<Map>> maps = corpus->maps();
  if (!maps)
    return maps.error();
  if (const Status grouped = groupRows(*maps, {}); !grouped)
    return grouped.error();
  return OpenBuild{std::move(*corpus), std::move(*maps)};
}

/// Where a build is in `order`: at the first of its commits, and behind what was committed there if
/// its sources had changes on top. None: nobody knows.
std::optional<std::pair<size_t, bool>> placeOf(const Build &build,
                                               const std::vector<std::string> &order) {
  std::optional<std::pair<size_t, bool>> first;
  for (const std::string &commit : build.commits) {
    const size_t mark = commit.find('+');
    const auto at =
        static_cast<size_t>(std::ranges::find(order, commit.substr(0, mark)) - order.begin());
    if (const std::pair place(at, mark != std::string::npos);
        at < order.size() && (!first || place < *first))
      first = place;
  }
  return first;
}

/// Puts the older builds first; true: by the history of the repository that we are in. It has to
/// know the commits of all builds.
bool arrange(std::vector<Build> &builds) {
  std::ranges::stable_sort(builds, {}, &Build::firstStart);
  std::set<std::string> commits;
  for (const Build &b : builds)
    for (const std::string &commit : b.commits)
      commits.insert(commit.substr(0, commit.find('+')));
  const RecordFolder folder;
  if (commits.empty() || !folder.status())
    return false;
  const auto order = oldestFirst(".", commits, folder.path());
  if (!order ||
      !std::ranges::all_of(builds, [&](const Build &b) { return placeOf(b, *order).has_value(); }))
    return false;
  std::ranges::stable_sort(builds, {}, [&](const Build &b) { return *placeOf(b, *order); });
  return true;
}

/// Compares each build with the one before it, by the prices of one calibration.
class HistoryReader {
public:
  HistoryReader(const std::string &p, const Machine &m) : path(p), machine(m) {}
  /// `builds`: of one program.
  Result<History> read(std::vector<Build> builds);

private:
  Status readFitted(const std::vector<Build> &builds);
  Result<Machine> pricesFor(const OpenBuild &build) const;

  std::string path;
  Machine machine;
  std::optional<OpenBuild> fitted; ///< the build that prices were fitted to; none: to no build
};

Status HistoryReader::readFitted(const std::vector<Build> &builds) {
  for (const Build &b : builds)
    if (!machine.fit.functions.empty() && std::ranges::count(machine.fit.builds, b.identity) > 0) {
      Result<OpenBuild> build = opened(path, b);
      if (!build)
        return build.error();
      fitted.emplace(std::move(*build));
      return Done{};
    }
  return Done{};
}

Result<Machine> HistoryReader::pricesFor(const OpenBuild &build) const {
  return fitted ? carriedTo(build.maps, machine, fitted->runs()) : machine;
}

Result<History> HistoryReader::read(std::vector<Build> builds) {
  History out;
  out.machine = machine.name;
  out.unit = machine.unit;
  out.isByCommits = arrange(builds);
  if (const Status s = readFitted(builds); !s)
    return s.error();
  std::optional<OpenBuild> before;
  Machine prices = machine; ///< of the build before
  for (const Build &b : builds) {
    Result<OpenBuild> now = opened(path, b);
    if (!now)
      return now.error();
    HistoryEntry entry{b.identity,   b.path, b.tags, b.commits, b.hosts,
                       b.firstStart, b.runs, {},     {},        {}};
    const Result<Machine> own = pricesFor(*now);
    if (!own)
      return own.error();
    if (const Result<Comparison> itself = compare(now->runs(), now->runs(), *own, false))
      entry.cost = itself->figures;
    if (before) {
      Result<Comparison> change = compare(before->runs(), now->runs(), prices, false, shortNames());
      if (change)
        entry.change = std::move(*change);
      else
        entry.why = change.error().text;
    }
    prices = *own;
    before.emplace(std::move(*now));
    out.builds.push_back(std::move(entry));
  }
  return out;
}

Result<std::vector<History>> readHistories(const Corpus &corpus, const Machine &machine) {
  const Result<std::vector<Build>> builds = corpus.builds();
  if (!builds)
    return builds.error();
  std::map<std::string, std::vector<Build>> programs;
  for (const Build &b : *builds)
    programs[fileName(b.path)].push_back(b);
  std::vector<History> out;
  for (auto &[name, own] : programs) {
    Result<History> history = HistoryReader(corpus.path(), machine).read(std::move(own));
    if (!history)
      return history.error();
    out.push_back(std::move(*history));
  }
  if (out.empty())
    return Error{escape(corpus.path()) + " has no builds: it has no runs"};
  return out;
}

/// The last change.
std::string nextQuestion(const std::string &path, const std::vector<History> &programs) {
  for (const History &h : programs)
    for (size_t i = h.builds.size(); i-- > 1;)
      if (h.builds[i].isChange())
        return joinWords({"compare", path, "--against", h.builds[i - 1].build.substr(0, 12),
                          "--build", h.builds[i].build.substr(0, 12)});
  return joinWords({"report", path});
}

} // namespace

int logCorpus(const std::string &path, const PricingOptions &pricing, bool json) {
  const Result<Corpus> corpus = Corpus::open(path, Corpus::Mode::read);
  if (!corpus)
    return fail(corpus.error());
  const Result<Machine> machine = machineFor(*corpus, pricing);
  if (!machine)
    return fail(machine.error());
  const Result<std::vector<History>> programs = readHistories(*corpus, *machine);
  if (!programs)
    return fail(programs.error());
  const Result<std::vector<Map>> maps = corpus->maps();
  if (!maps)
    return fail(maps.error());
  const FunctionNames names = namesOf({}, *maps);
  const Display display = readersDisplay(names);
  writeInLargePieces();
  if (json) {
    if (const Status s = printHistoryJson(*programs, display, std::cout); !s)
      return fail(s.error());
    return finishOutput("the history");
  }
  for (const History &h : *programs)
    printHistory(h, display, std::cout);
  printNext(std::cout, nextQuestion(path, *programs));
  return finishOutput("the history");
}

} // namespace quincunx::tool
