// quincunx html: a corpus as a page for a browser. Here is what goes into it, from lib/estimate;
// how it looks is share/page's, the document lib/report's.
#include "Verbs.h"

#include "quincunx/base/ReadFile.h"
#include "quincunx/base/Text.h"
#include "quincunx/estimate/Explain.h"
#include "quincunx/estimate/TimedRuns.h"
#include "quincunx/map/SourceFiles.h"
#include "quincunx/profile/CorpusSources.h"
#include "quincunx/report/Annotate.h"
#include "quincunx/report/Page.h"
#include "quincunx/report/Terminal.h"

#include "arguments/ComparedBuilds.h"
#include "arguments/NamesAsked.h"
#include "arguments/RowGroups.h"
#include "system/ReplaceFile.h"
#include "system/TerminalTraits.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>
#include <sstream>

namespace quincunx::tool {

namespace {

struct HtmlArguments {
  CorpusOptions corpus;
  std::string out, after; ///< another corpus: the two are compared
};

/// A column for each is what a page can hold, and what a reader looks at.
constexpr size_t mostColumns = 300, mostFiles = 12, mostFeatures = 8;
/// Of all text in a page, bytes.
constexpr size_t mostText = 2u << 20;

class PageMaker {
public:
  PageMaker(const PricedCorpus &p, const IsForeign &foreign, const HtmlArguments &o)
      : priced(p), isForeign(foreign), options(o) {
    page.corpus = options.corpus.path;
    page.display = readersDisplay(priced.names);
    page.residual = priced.machine.fit.residual;
  }
  Result<Page> make();

private:
  Status observeRuns();
  Status countAll();
  void findColumns(BlockCosts &costs);
  void findGrowth(const BlockCosts &costs);
  Status listFiles();
  Status findTimes(const CountMatrix &matrix);

  const PricedCorpus &priced;
  const IsForeign &isForeign;
  const HtmlArguments &options;
  Page page;
};

Status PageMaker::observeRuns() {
  Result<Observed> observed = priced.requests
                                  ? observe(priced)
                                  : observeWithTotals(priced.corpus, priced.maps, priced.machine);
  if (!observed)
    return observed.error();
  Result<Provenance> provenance = provenanceOf(priced.corpus);
  if (!provenance)
    return provenance.error();
  page.observed = std::move(*observed);
  page.provenance = std::move(*provenance);
  page.provenance.fittedTo = priced.machine.fit.builds;
  addNotes(page.provenance, page.observed.unit, page.observed.notes);
  return Done{};
}

/// Names that a change of costs may have, those first that make most of the mean, the spread or the
/// tail, by themselves or with what was inlined into them. What was inlined everywhere and code of
/// headers have none.
void PageMaker::findColumns(BlockCosts &costs) {
  const Observed &o = page.observed;
  std::map<std::string, double> compiled;
  for (const CostGraph::Function &f : page.graph.functions)
    compiled[f.name] += f.self / page.graph.program;
  struct Asked {
    double most = 0;
    std::string name, of;
  };
  std::vector<Asked> asked;
  const auto add = [&](const FunctionFigures &f) {
    if (f.inlined || f.isForeign || !f.isPriced)
      return;
    const double deviation = o.program.deviation > 0 ? f.cost.deviation / o.program.deviation : 0,
                 tail = f.cost.percentiles[2].value / o.program.percentiles[2].value;
    double most = std::max({f.share, deviation, tail}), whole = compiled[f.name];
    for (const std::string &member : f.members)
      whole += compiled[member];
    most = std::max(most, whole);
    if (most > 0)
      asked.push_back({most, f.members.empty() ? priced.names.of(f.name) : f.name, f.name});
  };
  std::set<size_t> groups;
  for (const FunctionFigures &g : o.groups)
    groups.insert(g.number);
  for (const FunctionFigures &f : o.functions)
    if (!groups.contains(f.group))
      add(f);
  std::ranges::for_each(o.groups, add);
  std::ranges::for_each(o.library, add);
  std::ranges::stable_sort(asked, std::greater(), &Asked::most);
  asked.resize(std::min(asked.size(), mostColumns));
  std::vector<std::string> names;
  for (const Asked &a : asked)
    names.push_back(a.name);
  std::vector<CostColumn> columns = costColumns(costs, namesAsked(page.display), names);
  for (size_t i = 0; i < asked.size(); ++i)
    if (!columns[i].empty())
      page.columns.push_back({asked[i].name, asked[i].of, std::move(columns[i])});
}

void PageMaker::findGrowth(const BlockCosts &costs) {
  std::set<std::string> features;
  for (const CountMatrix::Row &row : page.rows)
    for (const auto &[name, value] : row.features)
      if (features.size() < mostFeatures)
        features.insert(name);
  for (const std::string &feature : features) {
    PageGrowth growth{feature, {}, "", {}};
    std::vector<double> n, y;
    for (size_t d = 0; d < page.rows.size(); ++d)
      if (const auto at = page.rows[d].features.find(feature);
          at != page.rows[d].features.end() && at->second > 0 && !isCensored(page.rows[d].outcome))
        n.push_back(at->second), y.push_back(page.expected[d].k1);
    if (Result<SizeLaw> law = fitSizeLaw(n, y))
      growth.law = *law;
    else
      growth.why = law.error().text;
    if (Result<Growth> loops = growthWith(feature, costs))
      growth.loops = std::move(loops->loops);
    page.growth.push_back(std::move(growth));
  }
}

Status PageMaker::findTimes(const CountMatrix &matrix) {
  static const std::map<std::string, double> inNs{{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
  const auto unit = inNs.find(page.observed.unit);
  if (priced.requests || priced.machine.fit.builds.empty() || unit == inNs.end())
    return Done{};
  const auto timings = priced.corpus.timings();
  if (!timings)
    return timings.error();
  const Result<TimedRuns> timed = timedRuns(priced.corpus, matrix, estimateTimes(*timings, {}));
  if (!timed)
    return timed.error();
  page.timed = timed->runs;
  for (TimedRun &run : page.timed)
    run.time /= unit->second;
  return Done{};
}

Status PageMaker::countAll() {
  Result<CountedRuns> counted = countRuns(priced);
  if (!counted)
    return counted.error();
  BlockCosts costs(counted->matrix, priced.maps, priced.machine);
  page.rows = counted->matrix.rows;
  page.expected = costs.expectedRuns();
  if (Result<CostGraph> graph = costGraph(*counted, priced.maps, priced.machine))
    page.graph = std::move(*graph);
  else
    page.observed.notes.push_back({"graph", "no flame graph: " + graph.error().text});
  findColumns(costs);
  page.prices = priceColumns(costs, priced.machine);
  findGrowth(costs);
  if (const Status s = findTimes(counted->matrix); !s)
    return s;
  page.explained = explain(std::move(counted->observed), costs);
  return Done{};
}

/// A text of which not all can be shown: what is within so many lines of one that was executed.
constexpr uint32_t around = 6;
std::vector<std::pair<uint32_t, std::string>> partsOf(const std::string &text,
                                                      const FileFigures &lines) {
  if (text.size() <= mostText / 8)
    return {{1, text}};
  std::vector<std::pair<uint32_t, std::string>> parts;
  auto next = lines.begin();
  uint32_t number = 0, shown = 0; // the line at hand, and the last one
  for (const std::string_view line : fields(text, '\n')) {
    ++number;
    while (next != lines.end() && (next->first + around < number || !(next->second.mean > 0)))
      ++next;
    if (next == lines.end() || next->first > number + around)
      continue;
    if (parts.empty() || shown + 1 != number)
      parts.emplace_back(number, "");
    else
      parts.back().second += '\n';
    parts.back().second += line;
    shown = number;
  }
  return parts;
}

/// The text that was compiled, and which version that is; an error says why there is none. A
/// stranger's corpus may name any file of this machine, so that its MD5 must be known there.
Result<std::pair<std::string, SourceVersion>> compiledText(const std::string &path,
                                                           const std::vector<SourceFile> &sources) {
  std::error_code none;
  const Result<std::string> text = std::filesystem::is_regular_file(path, none)
                                       ? readTextFile(path)
                                       : Result<std::string>(Error{""});
  if (!text)
    return Error{"its source is not where it was compiled"};
  std::optional<SourceVersion> version = versionOf(*text, path, sources);
  if (!version || version->md5 == std::vector<Md5>{Md5{}})
    return Error{"its source changed since it was compiled"};
  return std::pair{version->countsComments ? *text : withoutComments(*text), std::move(*version)};
}

Status PageMaker::listFiles() {
  std::map<std::string, double> shares;
  for (const FunctionFigures &f : page.observed.functions)
    if (!f.file.empty() && !isForeign(f.file))
      shares[f.file] += f.share;
  std::vector<std::pair<double, std::string>> dearest;
  for (const auto &[path, share] : shares)
    dearest.emplace_back(share, path);
  std::ranges::sort(dearest, std::greater());
  dearest.resize(std::min(dearest.size(), mostFiles));
  Result<std::vector<MapSources>> sources = readSources(priced.corpus);
  if (!sources)
    return sources.error();
  foldForeign(*sources, priced.maps, isForeign);
  const std::vector<SourceFile> files = sourceFiles(priced.maps);
  size_t bytes = 0;
  for (const auto &[share, path] : dearest) {
    const auto text = compiledText(path, files);
    LineObserver lines(priced.maps, *sources, priced.machine, path,
                       text ? text->second.md5 : std::vector<Md5>(), page.observed.runs.size());
    const auto add = [&](const Run &run, double weight = 1) { return lines.add(run, weight); };
    if (const Status s = priced.requests
                             ? forEachRequest(priced.corpus, priced.maps, *priced.requests, {add})
                             : priced.corpus.forEachRun([&](Run &&run) { return add(run); });
        !s)
      return s;
    Result<FileFigures> figures = lines.finish(page.observed.program.moments.mean);
    if (!figures)
      return figures.error();
    PageFile file{path, std::move(*figures), {}, text ? "" : text.error().text};
    if (text)
      file.parts = partsOf(text->first, file.lines);
    size_t size = 0;
    for (const auto &[line, part] : file.parts)
      size += part.size();
    if (bytes + size > mostText) {
      file.parts.clear();
      file.why = "there is more source than a page holds";
    } else {
      bytes += size;
    }
    page.files.push_back(std::move(file));
  }
  return Done{};
}

Result<Page> PageMaker::make() {
  for (const auto step : {&PageMaker::observeRuns, &PageMaker::countAll, &PageMaker::listFiles})
    if (const Status s = (this->*step)(); !s)
      return s.error();
  return std::move(page);
}

Result<std::string> pageOf(const HtmlArguments &options) {
  Result<PricedCorpus> priced = openPriced(options.corpus);
  if (!priced)
    return priced.error();
  const Result<IsForeign> isForeign = groupRows(*priced, options.corpus);
  if (!isForeign)
    return isForeign.error();
  const Result<Page> page = PageMaker(*priced, *isForeign, options).make();
  if (!page)
    return page.error();
  std::ostringstream text;
  printPage(*page, QUINCUNX_VERSION, text);
  return text.str();
}

Result<std::string> comparisonOf(const HtmlArguments &options) {
  ComparedCorpora corpora;
  corpora.before = options.corpus.path;
  corpora.afterPath = options.after;
  corpora.after = options.corpus;
  const Result<ComparedBuilds> builds = openCompared(corpora);
  if (!builds)
    return builds.error();
  const Result<Comparison> comparison =
      compare(builds->before.runs(), builds->after.runs(), builds->machine(),
              builds->isPricedByAfter, shortNames());
  if (!comparison)
    return comparison.error();
  std::ostringstream text;
  printComparisonPage(*comparison, builds->called, readersDisplay(builds->names), QUINCUNX_VERSION,
                      text);
  return text.str();
}

int runHtml(const HtmlArguments &options) {
  if (!options.after.empty() && options.corpus.per != "run")
    return failUsage(Error{"two corpora are compared by their runs; leave --per out"});
  const Result<std::string> page = options.after.empty() ? pageOf(options) : comparisonOf(options);
  if (!page)
    return fail(page.error());
  if (const Status s = replaceFile(options.out, *page); !s)
    return fail(s.error());
  std::cout << escape(options.out) << ": " << page->size() / 1000 << " kB, for any browser\n";
  return finishOutput("the page");
}

} // namespace

void addHtml(CLI::App &app, int &status) {
  auto options = std::make_shared<HtmlArguments>();
  CLI::App *verb =
      app.add_subcommand("html", "Write a page for a browser, to look at and to share");
  verb->footer(
      "Examples:\n"
      "  quincunx html -o prog.html prog.qx && xdg-open prog.html\n"
      "  quincunx html -o prog.html --build before prog.qx\n"
      "  quincunx html -o prog.html --unit counts prog.qx\n"
      "The page is one file without a request to any server. Its sliders say what would be "
      "if functions cost more or less, as quincunx whatif does.");
  addCorpusArgument(*verb, options->corpus);
  verb->add_option("after", options->after, "Corpus of another build: what it changed")
      ->type_name("AFTER");
  verb->add_option("-o,--output", options->out, "The page")->required()->type_name("FILE");
  addNames(*verb, options->corpus);
  addForeignOptions(*verb, options->corpus.foreign);
  addCorpusOptions(*verb, options->corpus,
                   "Of whole runs, or of requests: calls of a marked function (default: run)");
  verb->callback([options, &status] { status = runHtml(*options); });
}

} // namespace quincunx::tool
