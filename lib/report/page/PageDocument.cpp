// The document of a page. The idea: rows are those of a report, in its order; functions that were
// compiled stand beside them, as stacks and calls are theirs; columns over the runs are packed,
// with all digits where percentiles come from them.
#include "PageDocument.h"

#include "Packed.h"
#include "quincunx/base/Text.h"
#include "quincunx/report/CostStacks.h"
#include "quincunx/report/Names.h"
#include "quincunx/report/Terminal.h"
#include "report/layout/Grid.h"
#include "report/layout/Sections.h"
#include "report/runs/RunDocument.h"
#include "report/runs/Verdict.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace quincunx {

namespace {

/// One packed text for each order of cumulant, without those that are 0 in all runs behind the
/// first.
ordered_json packedOrders(const std::vector<Cumulants> &costs, Precision precision) {
  ordered_json out = ordered_json::array();
  size_t last = 1;
  for (size_t r = 1; r < cumulantOrders.size(); ++r)
    if (std::ranges::any_of(costs, [&](const Cumulants &k) { return k.*cumulantOrders[r] != 0; }))
      last = r + 1;
  for (size_t r = 0; r < last; ++r) {
    std::vector<double> order;
    for (const Cumulants &k : costs)
      order.push_back(k.*cumulantOrders[r]);
    out.push_back(packed(order, precision));
  }
  return out;
}

ordered_json figuresOf(const SummaryStatistics &s) {
  ordered_json j;
  static constexpr const char *names[] = {"p50", "p90", "p99", "p999"};
  for (size_t i = 0; i < s.percentiles.size(); ++i)
    j[names[i]] = number(s.percentiles[i].value);
  j["min"] = number(s.min);
  j["max"] = number(s.max);
  j["mean"] = number(s.moments.mean);
  return j;
}

std::string placeText(const std::string &file, uint32_t line) {
  return file.empty() || line == 0 ? "" : fileName(file) + ":" + std::to_string(line);
}

constexpr int noColumn = -1; ///< as the page knows it

class Document {
public:
  Document(const Page &p, const std::string &version)
      : page(p), names(p.display.names),
        labels(p.observed.functions, p.observed.images, p.display, p.observed.groups) {
    const Observed &o = page.observed;
    j = {{"version", 1},          {"tool", version},      {"title", title()},
         {"corpus", page.corpus}, {"machine", o.machine}, {"unit", o.unit}};
    j["request"] = o.request.empty() ? "" : names.of(o.request);
    j["constantRuns"] = o.used() < 2;
    j["runs"] = {{"used", o.used()},
                 {"censored", o.censored},
                 {"crashed", o.crashed},
                 {"unrecorded", o.unrecorded}};
    j["program"] = toJson(o.program);
  }

  ordered_json whole() {
    addRuns();
    addFeatures();
    addColumns();
    addRows();
    addGraph();
    addCode();
    addGrowth();
    addFiles();
    addTrust();
    return std::move(j);
  }

private:
  std::string title() const {
    const std::string path =
        page.observed.images.empty() ? page.corpus : page.observed.images.front().path;
    return fileName(path);
  }

  void addRuns() {
    ordered_json labelsOfRuns = ordered_json::array(), open = ordered_json::array();
    std::vector<double> weights;
    for (size_t d = 0; d < page.rows.size(); ++d) {
      labelsOfRuns.push_back(page.rows[d].label);
      weights.push_back(page.rows[d].weight);
      if (isCensored(page.rows[d].outcome))
        open.push_back(d);
    }
    const bool areEqual = std::ranges::all_of(weights, [&](double w) { return w == weights[0]; });
    j["labels"] = std::move(labelsOfRuns);
    j["weights"] = areEqual ? ordered_json() : ordered_json(packed(weights, Precision::whole));
    j["open"] = std::move(open);
    j["expected"] = packedOrders(page.expected, Precision::whole);
    j["residual"] = residualJson(page.residual);
    j["ranks"] = percentilesToDraw(page.rows.size());
  }

  void addFeatures() {
    std::set<std::string> numbers, texts;
    for (const CountMatrix::Row &row : page.rows) {
      for (const auto &[name, value] : row.features)
        numbers.insert(name);
      for (const auto &[name, value] : row.texts)
        texts.insert(name);
    }
    j["features"] = j["texts"] = ordered_json::object();
    for (const std::string &name : numbers) {
      std::vector<double> values;
      for (const CountMatrix::Row &row : page.rows)
        values.push_back(row.features.contains(name) ? row.features.at(name) : NAN);
      j["features"][name] = packed(values, Precision::whole);
    }
    for (const std::string &name : texts)
      for (const CountMatrix::Row &row : page.rows)
        j["texts"][name].push_back(row.texts.contains(name) ? ordered_json(row.texts.at(name))
                                                            : ordered_json());
  }

  void addColumns() {
    j["columns"] = ordered_json::array();
    for (const Page::Column &c : page.columns) {
      columnOf.emplace(c.of, static_cast<int>(j["columns"].size()));
      j["columns"].push_back(
          {{"name", c.name}, {"cost", packedOrders(c.perRun, Precision::single)}});
    }
    for (const PriceColumn &c : page.prices)
      j["columns"].push_back({{"name", c.name},
                              {"isPrice", true},
                              {"cost", packedOrders(c.perRun, Precision::single)}});
  }
  int column(const std::string &of) const {
    const auto at = columnOf.find(of);
    return at == columnOf.end() ? noColumn : at->second;
  }

  void addRows() {
    j["rows"] = ordered_json::array();
    ReportOptions all;
    all.top = 0;
    all.display = page.display;
    const Result<Rows> rows = selectRows(page.observed, all);
    if (!rows) // nothing is looked for, so that nothing can be missing
      return;
    for (const FunctionFigures *f : rows->shown)
      addRow(*f);
    if (page.observed.unattributed)
      addRow(*page.observed.unattributed);
  }

  void addRow(const FunctionFigures &f) {
    ordered_json row{{"number", j["rows"].size()},
                     {"name", f.isLibrary ? page.display.function(f.name) : labels.of(f)},
                     {"full", demangle(f.name)},
                     {"place", f.members.empty() ? placeText(f.file, f.line) : ""},
                     {"file", f.file},
                     {"line", f.line}};
    row["kind"] = f.isLibrary ? "library" : f.isForeign ? "headers" : f.inlined ? "inlined" : "";
    row["linkage"] = f.members.empty() ? std::vector<std::string>{f.name} : f.members;
    row["priced"] = f.isPriced;
    row["self"] = figuresOf(f.cost);
    row["total"] = row["totalShare"] = nullptr;
    row["totalExact"] = f.isLibrary || !f.total || f.total->isRecorded;
    if (f.total) {
      row["total"] = figuresOf(f.total->cost);
      row["totalShare"] = number(f.total->share);
    }
    row["calls"] =
        f.inlined || f.name == unattributedName ? ordered_json() : number(f.calls.moments.mean);
    row["call"] = f.call ? figuresOf(*f.call) : ordered_json();
    row["column"] = column(f.name);
    row["scales"] = isAllOf(f);
    for (const std::string &member : f.members)
      columnOf.try_emplace(member, column(f.name));
    j["rows"].push_back(std::move(row));
  }

  /// Does the column of its name have what its row has? Not where something was inlined.
  bool isAllOf(const FunctionFigures &f) const {
    const int at = column(f.name);
    if (at == noColumn)
      return false;
    double sum = 0, weight = 0;
    for (size_t d = 0; d < page.rows.size(); ++d) {
      sum += page.rows[d].weight * page.columns[static_cast<size_t>(at)].perRun[d].k1;
      weight += page.rows[d].weight;
    }
    return std::abs(sum / weight - f.cost.moments.mean) <= 1e-6 * f.cost.moments.mean;
  }

  void addGraph() {
    j["graph"] = j["calls"] = j["stacks"] = ordered_json::array();
    const CostGraph &g = page.graph;
    for (const CostGraph::Function &f : g.functions)
      j["graph"].push_back(
          {{"name", names.of(f.name)}, {"linkage", f.name}, {"column", column(f.name)}});
    for (size_t f = 0; f < g.functions.size(); ++f)
      for (const CostGraph::Call &c : g.functions[f].calls)
        j["calls"].push_back({f, c.callee, number(c.times), number(c.cost)});
    for (const CostStack &stack : g.functions.empty() ? std::vector<CostStack>() : stacksOf(g)) {
      ordered_json line = ordered_json::array({number(stack.cost)});
      for (const size_t f : stack.functions)
        line.push_back(f);
      j["stacks"].push_back(std::move(line));
    }
  }

  std::string placeOf(const SourceLine &at) const { return placeText(at.file, at.line); }

  void addCode() {
    const Explained &e = page.explained;
    j["verdict"] = verdict(e, page.display);
    j["loops"] = j["branches"] = j["groups"] = ordered_json::array();
    for (const LoopShares &l : e.loops)
      j["loops"].push_back({{"place", placeOf(l.at)},
                            {"function", l.at.function},
                            {"entered", number(l.entered)},
                            {"repeats", number(l.repeats)},
                            {"mean", number(l.mean)},
                            {"variance", number(l.variance)}});
    for (const BranchShares &b : e.branches)
      j["branches"].push_back({{"place", placeOf(b.at)},
                               {"function", b.at.function},
                               {"evaluated", number(b.evaluated)},
                               {"taken", number(b.taken)},
                               {"cost", number(b.cost)}});
    for (const Cluster &c : e.groups)
      j["groups"].push_back({{"name", groupOf(c)}, {"runs", c.runs}});
  }

  /// By the cost of its runs, and what is known of their inputs.
  std::string groupOf(const Cluster &c) const {
    std::string name = percent(c.share) + " of the runs";
    for (const auto &[feature, range] : c.features)
      name += ", " + feature + " " + shortFigure(range.low) +
              (range.low == range.high ? "" : " to " + shortFigure(range.high));
    return name;
  }

  ordered_json loopJson(const LoopGrowth &l, const std::string &feature) const {
    return {{"place", placeText(l.at.file, l.at.line)},
            {"function", l.at.function},
            {"share", number(l.share)},
            {"law", l.law.text(feature)},
            {"holds", l.holds}};
  }

  void addGrowth() {
    j["growth"] = ordered_json::array();
    for (const PageGrowth &g : page.growth) {
      ordered_json of{{"feature", g.feature}, {"law", nullptr}, {"why", g.why}};
      if (g.law)
        of["law"] = {{"of", g.law->of},
                     {"b", g.law->b},
                     {"power", g.law->form == SizeLaw::Form::power ? ordered_json(g.law->power)
                                                                   : ordered_json()},
                     {"text", g.law->text(g.feature)},
                     {"error", number(g.law->error)}};
      of["loops"] = ordered_json::array();
      for (const LoopGrowth &l : g.loops)
        of["loops"].push_back(loopJson(l, g.feature));
      j["growth"].push_back(std::move(of));
    }
  }

  void addFiles() {
    j["files"] = ordered_json::array();
    for (const PageFile &f : page.files) {
      ordered_json lines = ordered_json::array();
      for (const auto &[line, figures] : f.lines)
        if (figures.mean > 0)
          lines.push_back({line, number(figures.mean), number(figures.share)});
      j["files"].push_back(
          {{"path", f.path}, {"parts", f.parts}, {"why", f.why}, {"lines", std::move(lines)}});
    }
  }

  void addTrust() {
    const Observed &o = page.observed;
    j["inputError"] = o.inputError;
    j["startUp"] = o.startUp;
    j["builds"] = j["timed"] = j["notes"] = ordered_json::array();
    for (const Corpus::Build &b : page.provenance.builds)
      j["builds"].push_back({{"id", b.identity},
                             {"path", fileName(b.path)},
                             {"runs", b.runs},
                             {"used", b.read},
                             {"tags", b.tags},
                             {"commits", b.commits}});
    for (const TimedRun &t : page.timed)
      j["timed"].push_back({t.row, t.time});
    for (const Note &n : o.notes)
      j["notes"].push_back(n.text);
  }

  const Page &page;
  const FunctionNames &names;
  const Labels labels;
  std::map<std::string, int> columnOf; ///< by linkage name or group
  ordered_json j;
};

} // namespace

ordered_json residualJson(const Moments &e) {
  if (!(e.variance > 0))
    return nullptr;
  return {{"variance", e.variance}, {"skewness", e.skewness}, {"kurtosis", e.kurtosis}};
}

// Evenly to p90, and from there evenly in the logarithm of what is above.
ordered_json percentilesToDraw(size_t runs) {
  ordered_json ranks = ordered_json::array();
  const auto n = static_cast<double>(runs);
  const double most = std::min(0.999, 1 - 0.5 / n);
  for (int i = 0; i <= 80; ++i) {
    const double p =
        i <= 50 ? 0.01 + 0.0178 * i : 1 - 0.1 * std::pow((1 - most) / 0.1, (i - 50) / 30.0);
    if (p > most)
      continue;
    const Ranks r = quantileRanks(runs, p);
    ranks.push_back({p, static_cast<double>(r.low) / n, static_cast<double>(r.high) / n});
  }
  return ranks;
}

ordered_json pageDocument(const Page &page, const std::string &version) {
  return Document(page, version).whole();
}

} // namespace quincunx
