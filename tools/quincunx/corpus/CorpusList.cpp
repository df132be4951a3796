// quincunx corpus ls and show: what runs and timings there are, and what the corpus is about.
// Counts are not read. It changes nothing and interprets nothing; quincunx report does.
#include "CorpusVerbs.h"
#include "record/ShellWords.h"
#include "system/NextStep.h"

#include "quincunx/base/Text.h"
#include "quincunx/report/JsonText.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace quincunx::tool {

namespace {

using Json = nlohmann::ordered_json;

void print(const Json &json) { std::puts(jsonText(json).c_str()); }

std::string rounded(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

Json optionalNumber(const std::optional<double> &value) { return value ? Json(*value) : Json(); }

Json runJson(const Run &run) {
  Json features = Json::object();
  for (const auto &[name, value] : run.features)
    features[name] = value;
  for (const auto &[name, text] : run.texts)
    features[name] = text;
  return {{"identity", run.identity},
          {"label", run.label},
          {"arguments", run.arguments},
          {"standardInput", run.standardInput},
          {"outcome", outcomeName(run.outcome)},
          {"exitStatus", run.exitStatus},
          {"features", features},
          {"start", run.start},
          {"wall", run.wall},
          {"user", run.user},
          {"system", run.system},
          {"peakMemory", run.peakMemory},
          {"pageFaults", optionalNumber(run.pageFaults)},
          {"cycles", optionalNumber(run.cycles)},
          {"instructions", optionalNumber(run.instructions)},
          {"branchMisses", optionalNumber(run.branchMisses)},
          {"processes", run.processes},
          {"tag", run.tag},
          {"commit", run.commit},
          {"host", run.host}};
}

/// Ten digits of a commit, and whether files differed from it.
std::string shortCommit(const std::string &commit) {
  const size_t end = std::min(commit.find('+'), commit.size());
  return commit.substr(0, std::min<size_t>(end, 10)) + commit.substr(end);
}

std::set<std::string> shortCommits(const std::set<std::string> &commits) {
  std::set<std::string> out;
  for (const std::string &commit : commits)
    out.insert(shortCommit(commit));
  return out;
}

std::string joined(const std::set<std::string> &texts) {
  std::string out;
  for (const std::string &text : texts)
    out += (out.empty() ? "" : ", ") + escape(text);
  return out;
}

std::vector<std::string> runRow(const Run &run) {
  std::string features;
  for (const auto &[name, value] : run.features)
    features += (features.empty() ? "" : " ") + escape(name) + "=" + exact(value);
  for (const auto &[name, text] : run.texts)
    features += (features.empty() ? "" : " ") + escape(name) + "=" + escape(text);
  return {escape(run.identity.substr(0, 12)),
          outcomeName(run.outcome),
          std::to_string(run.exitStatus),
          rounded(run.user),
          rounded(run.wall),
          std::to_string(run.processes),
          escape(run.label),
          features,
          escape(run.tag),
          escape(shortCommit(run.commit)),
          escape(run.host)};
}

struct ValueRange {
  size_t runs = 0;
  double least = INFINITY, most = -INFINITY;
};

/// What show prints, gathered in one pass.
struct Overview {
  std::map<std::string, std::string> facts;
  std::array<size_t, 4> outcomes{};
  std::map<std::string, ValueRange> features;
  std::map<std::string, std::map<std::string, size_t>> texts; ///< runs by feature and value
  std::optional<TimedProgram> program;                        ///< that was timed
  std::vector<Timing> timings;
  std::vector<Corpus::Build> builds;
  size_t runs() const { return outcomes[0] + outcomes[1] + outcomes[2] + outcomes[3]; }
};

Result<Overview> survey(const Corpus &corpus) {
  Overview out;
  auto facts = corpus.facts();
  if (!facts)
    return facts.error();
  out.facts = std::move(*facts);
  const auto read = corpus.forEachRun(
      [&](Run &&run) -> Status {
        ++out.outcomes[static_cast<size_t>(run.outcome)];
        for (const auto &[name, value] : run.features) {
          ValueRange &spread = out.features[name];
          ++spread.runs;
          spread.least = std::min(spread.least, value);
          spread.most = std::max(spread.most, value);
        }
        for (const auto &[name, text] : run.texts)
          ++out.texts[name][text];
        return Done{};
      },
      Corpus::ReadMask::description);
  if (!read)
    return read.error();
  auto program = corpus.timedProgram();
  if (!program)
    return program.error();
  auto timings = corpus.timings();
  if (!timings)
    return timings.error();
  auto builds = corpus.builds();
  if (!builds)
    return builds.error();
  out.builds = std::move(*builds);
  out.program = std::move(*program);
  out.timings = std::move(*timings);
  return out;
}

size_t repetitionsOf(const std::vector<Timing> &timings) {
  size_t all = 0;
  for (const Timing &timing : timings)
    all += timing.repetitions.size();
  return all;
}

double minTime(const Timing &timing) {
  double least = INFINITY;
  for (const Repetition &repetition : timing.repetitions)
    least = std::min(least, repetition.cpu());
  return least;
}

Json timingsJson(const std::vector<Timing> &timings) {
  Json all = Json::array();
  for (const Timing &timing : timings)
    all.push_back({{"label", timing.label},
                   {"arguments", timing.arguments},
                   {"standardInput", timing.standardInput},
                   {"repetitions", timing.repetitions.size()},
                   {"time", minTime(timing)}});
  return all;
}

Json programJson(const Overview &overview) {
  const TimedProgram &program = *overview.program;
  return {{"path", program.path},
          {"md5", program.md5},
          {"processorModel", program.processorModel},
          {"parallel", program.parallel},
          {"pinned", program.pinned < 0 ? Json() : Json(program.pinned)},
          {"inputs", overview.timings.size()},
          {"repetitions", repetitionsOf(overview.timings)},
          {"startUps", program.startUps.size()}};
}

Json overviewJson(const Corpus &corpus, const std::vector<Map> &maps, const Overview &overview) {
  Json json{
      {"schema", schemaOf("corpus-show")}, {"corpus", corpus.path()}, {"facts", Json::object()}};
  for (const auto &[name, value] : overview.facts)
    json["facts"][name] = value;
  for (Outcome outcome :
       {Outcome::finished, Outcome::timedOut, Outcome::crashed, Outcome::cutShort})
    json["runs"][outcomeName(outcome)] = overview.outcomes[static_cast<size_t>(outcome)];
  json["features"] = Json::object();
  for (const auto &[name, spread] : overview.features)
    json["features"][name] = {{"runs", spread.runs}, {"min", spread.least}, {"max", spread.most}};
  json["texts"] = Json::object();
  for (const auto &[name, values] : overview.texts)
    json["texts"][name] = values;
  json["maps"] = Json::array();
  for (const Map &map : maps)
    json["maps"].push_back({{"hash", hex(map.hash)},
                            {"path", map.path},
                            {"functions", map.functions.size()},
                            {"counters", map.counterCount}});
  json["builds"] = Json::array();
  for (const Corpus::Build &b : overview.builds)
    json["builds"].push_back({{"build", b.identity},
                              {"path", b.path},
                              {"runs", b.runs},
                              {"lastStart", b.lastStart},
                              {"newest", b.isNewest},
                              {"tags", b.tags},
                              {"commits", b.commits},
                              {"hosts", b.hosts}});
  if (overview.program)
    json["timed"] = programJson(overview);
  return json;
}

/// The first row has headings; of the columns from `begin` to `end` those that say something.
Table withoutEmptyColumns(std::vector<std::vector<std::string>> rows, size_t begin, size_t end) {
  for (size_t column = end; column-- > begin;)
    if (std::all_of(rows.begin() + 1, rows.end(),
                    [&](const auto &row) { return row[column].empty(); }))
      for (auto &row : rows)
        row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
  Table table(rows.front());
  for (size_t i = 1; i < rows.size(); ++i)
    table.add(rows[i]);
  return table;
}

/// Empties those of the columns that say the same of all runs, and says it once.
std::string takeCommon(std::vector<std::vector<std::string>> &rows, size_t begin, size_t end) {
  std::string common;
  for (size_t column = begin; column < end && rows.size() > 2; ++column) {
    const std::string value = rows[1][column];
    if (value.empty() || !std::all_of(rows.begin() + 1, rows.end(),
                                      [&](const auto &row) { return row[column] == value; }))
      continue;
    common += (common.empty() ? "" : ", ") + rows[0][column] + ' ' + value;
    for (size_t i = 1; i < rows.size(); ++i)
      rows[i][column].clear();
  }
  return common;
}

void printOverview(const Corpus &corpus, const std::vector<Map> &maps, const Overview &overview) {
  std::printf("corpus   %s\n", escape(corpus.path()).c_str());
  for (const auto &[name, all] : overview.facts)
    for (std::string_view value : fields(all, '\n'))
      if (!value.empty())
        std::printf("%-8s %s\n", escape(name).c_str(), escape(value).c_str());
  std::printf("runs     %zu: %zu finished, %zu timed out, %zu crashed", overview.runs(),
              overview.outcomes[0], overview.outcomes[1], overview.outcomes[2]);
  if (overview.outcomes[3] > 0)
    std::printf(", %zu cut short", overview.outcomes[3]);
  std::puts("");
  if (overview.program)
    std::printf("timed    %s: %zu repetitions of %zu inputs, %zu start-ups\n",
                escape(overview.program->path).c_str(), repetitionsOf(overview.timings),
                overview.timings.size(), overview.program->startUps.size());
  Table features({"feature", "runs", "min", "max"});
  for (const auto &[name, spread] : overview.features)
    features.add(
        {escape(name), std::to_string(spread.runs), exact(spread.least), exact(spread.most)});
  Table texts({"text feature", "value", "runs"});
  for (const auto &[name, values] : overview.texts)
    for (const auto &[text, runs] : values)
      texts.add({escape(name), escape(text), std::to_string(runs)});
  Table images({"map", "functions", "counters", "path"});
  for (const Map &map : maps)
    images.add({hex(map.hash).substr(0, 12), std::to_string(map.functions.size()),
                std::to_string(map.counterCount), escape(map.path)});
  std::vector<std::vector<std::string>> buildRows{
      {"build", "runs", "last run", "path", "tag", "commit", "host"}};
  for (const Corpus::Build &b : overview.builds)
    buildRows.push_back({escape(b.identity.substr(0, 12)), std::to_string(b.runs),
                         dateText(b.lastStart), escape(b.path) + (b.isNewest ? "" : " (older)"),
                         joined(b.tags), joined(shortCommits(b.commits)), joined(b.hosts)});
  const Table builds = withoutEmptyColumns(buildRows, 4, 7);
  for (const Table *table :
       std::initializer_list<const Table *>{&features, &texts, &builds, &images})
    if (!table->empty())
      std::printf("\n%s", table->text().c_str());
}

Json listJson(const std::vector<Run> &runs, const std::vector<Timing> &timings) {
  Json all{{"schema", schemaOf("corpus-ls")}, {"runs", Json::array()}};
  for (const Run &run : runs)
    all["runs"].push_back(runJson(run));
  if (!timings.empty())
    all["timed"] = timingsJson(timings);
  return all;
}

void printList(const std::vector<Run> &runs, const std::vector<Timing> &timings) {
  std::vector<std::vector<std::string>> rows{{"run", "outcome", "status", "user s", "wall s",
                                              "processes", "label", "features", "tag", "commit",
                                              "host"}};
  for (const Run &run : runs)
    rows.push_back(runRow(run));
  const std::string common = takeCommon(rows, 8, 11);
  std::fputs(withoutEmptyColumns(rows, 8, 11).text().c_str(), stdout);
  if (!common.empty())
    std::printf("(all: %s)\n", common.c_str());
  Table timed({"timed", "least s", "label"});
  for (const Timing &timing : timings)
    timed.add({std::to_string(timing.repetitions.size()), rounded(minTime(timing)),
               escape(timing.label)});
  if (!timed.empty())
    std::printf("\n%s", timed.text().c_str());
}

} // namespace

const char *outcomeName(Outcome outcome) {
  constexpr const char *names[] = {"finished", "timed-out", "crashed", "cut-short"};
  const auto i = static_cast<size_t>(outcome); // names in the order of Outcome
  return i < std::size(names) ? names[i] : "unknown";
}

int listCorpus(const std::string &path, bool json) {
  const Result<Corpus> corpus = Corpus::open(path, Corpus::Mode::read);
  if (!corpus)
    return fail(corpus.error());
  std::vector<Run> runs;
  const auto read = corpus->forEachRun(
      [&](Run &&run) -> Status {
        runs.push_back(std::move(run));
        return Done{};
      },
      Corpus::ReadMask::description);
  if (!read)
    return fail(read.error());
  std::stable_sort(runs.begin(), runs.end(), [](const Run &a, const Run &b) {
    return std::tie(a.start, a.label) < std::tie(b.start, b.label);
  });
  auto timings = corpus->timings();
  if (!timings)
    return fail(timings.error());
  std::stable_sort(timings->begin(), timings->end(),
                   [](const Timing &a, const Timing &b) { return a.label < b.label; });
  if (json)
    print(listJson(runs, *timings));
  else {
    printList(runs, *timings);
    printNext(std::cout, joinWords({"report", path}));
  }
  return ok;
}

int showCorpus(const std::string &path, bool json) {
  const Result<Corpus> corpus = Corpus::open(path, Corpus::Mode::read);
  if (!corpus)
    return fail(corpus.error());
  const Result<std::vector<Map>> maps = corpus->storedMaps();
  if (!maps)
    return fail(maps.error());
  const Result<Overview> overview = survey(*corpus);
  if (!overview)
    return fail(overview.error());
  if (json)
    print(overviewJson(*corpus, *maps, *overview));
  else {
    printOverview(*corpus, *maps, *overview);
    printNext(std::cout, joinWords({"report", path}));
  }
  return ok;
}

} // namespace quincunx::tool
