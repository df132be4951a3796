// quincunx corpus log: the builds in a corpus in the order of their history, each compared with the
// one before it. Whether a difference is a change is decided as quincunx compare does; here is the
// order, and one calibration for all of them.
#include "CorpusVerbs.h"

#include "quincunx/base/Text.h"
#include "quincunx/estimate/Compare.h"
#include "quincunx/report/History.h"

#include "arguments/PricedCorpus.h"
#include "arguments/RowGroups.h"
#include "record/Git.h"
#include "record/RecordFolder.h"
#include "record/ShellWords.h"
#include "system/NextStep.h"
#include "system/TerminalTraits.h"

#include <algorithm>
#include <iostream>
#include <map>

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

/// Without "+changes".
std::string commitOf(const Build &build) {
  return build.commits.size() == 1
             ? build.commits.begin()->substr(0, build.commits.begin()->find('+'))
             : std::string();
}

/// Puts the older builds first; true: by the history of the repository that we are in. It has to
/// know the commits of all builds.
bool arrange(std::vector<Build> &builds) {
  std::ranges::stable_sort(builds, {}, &Build::firstStart);
  std::vector<std::string> commits;
  for (const Build &b : builds)
    commits.push_back(commitOf(b));
  const RecordFolder folder;
  if (!folder.status())
    return false;
  const auto order = oldestFirst(".", commits, folder.path());
  const auto placeOf = [&](const Build &b) {
    return std::ranges::find(*order, commitOf(b)) - order->begin();
  };
  if (!order || std::ranges::any_of(builds, [&](const Build &b) {
        return placeOf(b) == static_cast<ptrdiff_t>(order->size());
      }))
    return false;
  std::ranges::stable_sort(builds, {}, placeOf);
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
  for (const Build &b : builds) {
    Result<OpenBuild> now = opened(path, b);
    if (!now)
      return now.error();
    HistoryEntry entry{b.identity,   b.path, b.tags, b.commits, b.hosts,
                       b.firstStart, b.runs, {},     {}};
    if (before) {
      const Result<Machine> prices = pricesFor(*before);
      if (!prices)
        return prices.error();
      Result<Comparison> change = compare(before->runs(), now->runs(), *prices, false);
      if (change)
        entry.change = std::move(*change);
      else
        entry.why = change.error().text;
    }
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
  std::ios::sync_with_stdio(false);
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
