// Prints the model for people. The idea: prediction and measurement side by side, in the units of
// one call; whoever reads it sees at once where independence does not hold. It computes nothing
// that is not in the model.
#include "quincunx/report/Model.h"

#include "BranchTables.h"
#include "ModelTree.h"
#include "OpenCalls.h"
#include "quincunx/base/Text.h"
#include "report/layout/Grid.h"
#include "report/layout/Sections.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>
#include <set>

namespace quincunx {

namespace {

std::string runsOf(const ModelReport &m, const Display &display) {
  if (m.model.guessed)
    return "no runs";
  const std::string number = std::to_string(m.model.runs), many = m.model.runs == 1 ? "" : "s";
  return m.request.empty() ? number + " run" + many
                           : number + " request" + many + " of " + display.function(m.request);
}

std::string assumptions(const ModelReport &m) {
  if (m.model.guessed)
    return "branches and trips as the compiler guesses";
  if (m.options.publishedMethod)
    return "by the published method";
  return m.options.branch + " branches, " + (m.options.perRun ? "runs mixed" : "all runs together");
}

/// "cost units (machine x86-64), 60 runs; bernoulli branches".
std::string pricedAs(const ModelReport &m, const Display &display) {
  return escape(m.model.unit) + " (machine " + escape(m.model.machine) + "), " +
         runsOf(m, display) + "; " + assumptions(m);
}

std::string quantile(const ModelledFunction &f, double p) {
  return f.law ? figure(f.law->quantile(p)) : "";
}

double deviation(const Cumulants &k) { return std::sqrt(std::max(0.0, k.k2)); }

std::string error(double is, double should) {
  if (should == 0)
    return is == 0 ? "0.0 %" : "";
  char text[32];
  std::snprintf(text, sizeof text, "%+.1f %%", 100 * (is / should - 1));
  return text;
}

void printNotes(const ModelReport &m, std::ostream &out) {
  printNotes(m.model.notes, out);
  if (m.model.guessed)
    return;
  if (m.measured == nullptr)
    out << "note: calls were not measured: " << printable(m.notMeasured) << "\n";
  out << "note: callees that are not instrumented cost nothing here; parts are taken to be "
         "independent of each other\n";
}

} // namespace

Result<std::vector<size_t>> modelledFunctions(const Modelled &model, const CallGraph &graph,
                                              const ReportOptions &options) {
  std::vector<std::string> linkageNames;
  for (const ModelledFunction &f : model.functions)
    linkageNames.push_back(graph.functions[f.number]->name);
  auto all = options.display.names.matching(linkageNames, options.function);
  if (!all)
    return all.error();
  std::vector<size_t> found = std::move(*all);
  if (found.empty())
    return options.display.names.noneMatches(linkageNames, options.function);
  std::stable_sort(found.begin(), found.end(), [&](size_t a, size_t b) {
    const ModelledFunction &x = model.functions[a], &y = model.functions[b];
    return x.calls * x.cost.exclusive.k1 > y.calls * y.cost.exclusive.k1;
  });
  return found;
}

namespace {

/// Figures of the model alone, with a mark behind those that may not hold.
std::vector<std::string> modelRow(const ModelledFunction &f) {
  const Cumulants &k = f.cost.inclusive;
  if (f.cost.endless)
    return {"none", "", "", ""};
  const auto marked = [](std::string text, bool is) { return std::move(text) + (is ? " ?" : ""); };
  const Verdict &v = f.verdict;
  const bool mean = f.open || v.otherMean, spread = f.open || !v.refuted.empty(),
             law = mean || spread || v.otherPercentiles;
  return {marked(figure(k.k1), mean), marked(figure(deviation(k)), spread),
          marked(quantile(f, 0.5), law), marked(quantile(f, 0.99), law)};
}

/// What is known against its figures, a sentence each.
std::vector<std::string> reasons(const Verdict &v) {
  std::vector<std::string> all;
  if (!v.refuted.empty())
    all.push_back(printable(v.refuted) + (v.asMeasured ? "; charged as measured" : ""));
  if (v.otherMean)
    all.emplace_back("its mean is another, as what it calls costs other callers more or less");
  if (v.otherPercentiles && v.refuted.empty())
    all.emplace_back("measured calls have other percentiles than the law with its moments");
  return all;
}

} // namespace

namespace {

/// Loops of the chosen functions whose trips hold what has no value.
void printOpenLoops(const ModelReport &m, const std::vector<size_t> &chosen,
                    const ReportOptions &options, std::ostream &out) {
  if (m.guessed == nullptr || m.guessed->open.empty())
    return;
  Grid grid({"line", "trips per entry", "unknown", "loop of"}, 3);
  size_t shown = 0, all = 0;
  for (const size_t i : chosen)
    for (const OpenLoop &o : m.guessed->open) {
      if (o.number != m.model.functions[i].number ||
          (++all, options.top != 0 && shown >= options.top))
        continue;
      ++shown;
      const Function &f = *m.graph.functions[o.number];
      std::string names;
      for (const std::string &name : o.unknowns)
        names.append(names.empty() ? "" : ", ").append(name);
      const uint32_t line = f.loops[o.loop].at.line;
      grid.add({line == 0 ? "?" : std::to_string(line), escape(f.loops[o.loop].trips),
                escape(names), options.display.function(f.name)});
    }
  if (all == 0)
    return;
  grid.print(out, options.display);
  printRest(shown, all, "loops", out);
  out << "\n";
}

/// Why figures of rows are marked.
void printReasons(const ModelReport &m, std::span<const size_t> rows, const Display &display,
                  std::ostream &out) {
  Grid grid({"?", "independence does not carry what is marked, because"}, 2);
  grid.holdsSentences();
  bool any = false;
  for (const size_t i : rows) {
    const ModelledFunction &f = m.model.functions[i];
    for (std::string &why : reasons(f.verdict)) {
      any = true;
      grid.add({display.function(m.graph.functions[f.number]->name), std::move(why)});
    }
  }
  if (!any)
    return;
  grid.print(out, display);
  out << "\n";
}

/// The column where what was measured begins.
constexpr size_t firstMeasured = 5;

/// The row of a function, with what was measured unless all is guessed.
std::vector<std::string> comparedRow(const ModelReport &m, const ModelledFunction &f,
                                     const Display &display) {
  const FunctionFigures *c = m.measuredOf(f.number);
  const Cumulants &k = f.cost.inclusive;
  std::vector<std::string> row = modelRow(f);
  if (!m.model.guessed)
    row.insert(row.begin(), figure(f.calls));
  if (c)
    row.insert(row.end(),
               {figure(c->cost.moments.mean), error(k.k1, c->cost.moments.mean),
                figure(c->cost.deviation), figure(c->cost.percentiles[2].value),
                f.verdict.refuted.empty() ? error(deviation(k), c->cost.deviation) : "refuted"});
  else if (!m.model.guessed)
    row.insert(row.end(), {"", "", "", "", ""});
  row.push_back(display.function(m.graph.functions[f.number]->name));
  return row;
}

bool isForeign(const ModelReport &m, size_t modelled) {
  const uint32_t number = m.model.functions[modelled].number;
  const uint32_t group = m.graph.functions[number]->scopes[0].group;
  return group != noIndex && m.maps[m.graph.imageOf[number]].groups[group].isForeign;
}

/// Unless functions are asked for, those that are no code of others, if there are any.
std::vector<size_t> tabled(const ModelReport &m, const std::vector<size_t> &chosen,
                           const ReportOptions &options) {
  std::vector<size_t> own;
  for (const size_t i : chosen)
    if (!options.function.empty() || !isForeign(m, i))
      own.push_back(i);
  return own.empty() ? chosen : own;
}

} // namespace

Status printModel(const ModelReport &m, const ReportOptions &options, std::ostream &out) {
  const auto all = modelledFunctions(m.model, m.graph, options);
  if (!all)
    return all.error();
  const std::vector<size_t> chosen = tabled(m, *all, options);
  const bool guessed = m.model.guessed;
  printHeading(guessed ? "Guessed cost of one call" : "Model of one call",
               " with all it calls, in " + pricedAs(m, options.display), options.display, out);
  out << "\n";
  const size_t shown = options.top == 0 ? chosen.size() : std::min(options.top, chosen.size());
  Grid grid(guessed ? std::vector<std::string>{"guessed mean", "guessed sd", "guessed p50",
                                               "guessed p99", "function"}
                    : std::vector<std::string>{m.request.empty() ? "calls/run" : "calls/request",
                                               "mean", "sd", "p50", "p99", "measured mean",
                                               "context effect", "measured sd", "measured p99",
                                               "sd error", "function"},
            1);
  grid.isDividedAt({firstMeasured});
  for (size_t i = 0; i < shown; ++i)
    grid.add(comparedRow(m, m.model.functions[chosen[i]], options.display));
  grid.print(out, options.display);
  printRest(shown, chosen.size(), "functions", out);
  if (const size_t folded = all->size() - chosen.size(); folded > 0)
    out << "(" << folded << " more are code of headers, and in the cost of those that call them: "
        << "--headers shows them)\n";
  out << "\n";
  printOpenLoops(m, chosen, options, out);
  printReasons(m, std::span(chosen).first(shown), options.display, out);
  printOpenCalls(m, std::span(chosen).first(shown), options.display, out);
  if (!guessed)
    out << "mean of a " << (m.request.empty() ? "run" : "request") << ": "
        << figure(m.model.composedMean) << " composed over what is called "
        << "from outside, " << figure(m.model.observedMean) << " by counts\n\n";
  printNotes(m, out);
  return Done{};
}

namespace {

const ModelledFunction &modelledOf(const ModelReport &m, uint32_t number) {
  return *std::find_if(m.model.functions.begin(), m.model.functions.end(),
                       [&](const ModelledFunction &f) { return f.number == number; });
}

void printComparison(const ModelReport &m, const ModelledFunction &f, const Display &display,
                     std::ostream &out) {
  const FunctionFigures *c = m.measuredOf(f.number);
  const Moments is = moments(f.cost.inclusive);
  Grid grid(m.model.guessed ? std::vector<std::string>{"one call", "guessed"}
                            : std::vector<std::string>{"one call", "model", "measured", "error"},
            0);
  const auto row = [&](const char *name, double model, double measured) {
    std::vector<std::string> cells{name, figure(model)};
    if (!m.model.guessed)
      cells.insert(cells.end(), {c ? figure(measured) : "", c ? error(model, measured) : ""});
    grid.add(std::move(cells));
  };
  const Moments was = c ? c->cost.moments : Moments{};
  row("mean", is.mean, was.mean);
  row("sd", is.deviation(), c ? c->cost.deviation : 0);
  row("skewness", is.skewness, was.skewness);
  row("kurtosis", is.kurtosis, was.kurtosis);
  constexpr const char *names[] = {"p50", "p90", "p99", "p99.9"};
  for (size_t i = 0; f.law && i < reportedPercentiles.size(); ++i)
    row(names[i], f.law->quantile(reportedPercentiles[i]), c ? c->cost.percentiles[i].value : 0);
  grid.print(out, display);
}

std::string indented(const TreeLine &l) { return std::string(2 * l.depth, ' ') + l.what; }

/// Executions per call, and the moments of one.
std::vector<std::string> momentsOf(const TreeLine &l) {
  const Moments is = moments(l.cost);
  return {figure(l.perCall), figure(is.mean), figure(is.deviation()), figure(is.skewness),
          figure(is.kurtosis)};
}

} // namespace

Status printTree(const ModelReport &m, const ModelledTree &tree, const ReportOptions &options,
                 std::ostream &out) {
  const Function &f = *m.graph.functions[tree.number];
  const ModelledFunction &model = modelledOf(m, tree.number);
  const FunctionFigures place = placeOf(f, 0);
  std::string rest;
  if (!place.file.empty())
    rest += " (" + escape(fileName(place.file)) + ":" + std::to_string(place.line) + ")";
  if (!m.model.guessed)
    rest += ", " + figure(model.calls) + " calls per " + (m.request.empty() ? "run" : "request");
  rest += ", in " + pricedAs(m, options.display);
  printHeading(options.display.function(f.name), rest, options.display, out);
  out << "\n";
  printComparison(m, model, options.display, out);
  for (const std::string &why : reasons(model.verdict))
    printWrapped("independence does not carry it: " + why, options.display, out);
  if (model.open)
    printWrapped("the mean is between " + figure(model.open->least) + " and " +
                     figure(model.open->most) + ": " +
                     openCalls(m.graph, *model.open, options.display),
                 options.display, out);
  out << "\n";
  if (m.model.guessed)
    printGuesses(f, tree, options.display, out);
  else
    printBranches(f, tree, options.display, out), printLoops(f, tree, options.display, out);
  const std::string by = m.model.guessed ? "guessed " : "";
  Grid grid(
      {by + "per call", by + "mean", by + "sd", by + "skewness", by + "kurtosis", "each time"}, 1);
  for (const TreeLine &l : treeLines(m.graph, tree, options.display)) {
    std::vector<std::string> row = momentsOf(l);
    row.push_back(indented(l));
    grid.add(std::move(row));
  }
  grid.print(out, options.display);
  out << "\n";
  printNotes(m, out);
  return Done{};
}

namespace {

/// Loops of a function that run as often as what is not known here says.
void printUnknownTrips(const ModelReport &m, uint32_t number, std::span<const std::string> labels,
                       std::ostream &out) {
  const Function &f = *m.graph.functions[number];
  for (const OpenLoop &o : m.guessed->open) {
    if (o.number != number)
      continue;
    const Loop &loop = f.loops[o.loop];
    out << "note: loop";
    if (!labels.empty() && !labels[loop.header].empty())
      out << " " << escape(labels[loop.header]);
    if (loop.at.line != 0)
      out << " line " << loop.at.line;
    std::string names;
    for (const std::string &name : o.unknowns)
      names.append(" ").append(escape(name));
    out << " has " << escape(loop.trips)
        << " trips, of which is not known here:" << cut(names, mostSaid) << "\n";
  }
}

/// Callees without figures of their own.
void printEndlessCallees(const ModelReport &m, uint32_t number, const Display &display,
                         std::ostream &out) {
  std::set<std::pair<std::string, bool>> endless;
  for (const CallSite &c : m.graph.calls[number]) {
    const auto is = [&](const ModelledFunction &f) { return f.number == c.callee; };
    const auto f = std::find_if(m.model.functions.begin(), m.model.functions.end(), is);
    if (f == m.model.functions.end() ? m.model.guessed : f->cost.endless)
      endless.emplace(display.function(m.graph.functions[c.callee]->name),
                      f != m.model.functions.end());
  }
  for (const auto &[name, isRecursive] : endless)
    out << "note: " << name << " costs nothing here, as it "
        << (isRecursive ? "calls itself again for ever" : "never ends by these guesses") << "\n";
}

} // namespace

void printRegions(const ModelReport &m, const ModelledTree &tree,
                  std::span<const std::string> labels, std::ostream &out) {
  const Display display; // of anybody: what a compiler prints goes to files as well
  const Function &f = *m.graph.functions[tree.number];
  const FunctionFigures place = placeOf(f, 0);
  if (!place.file.empty())
    out << escape(fileName(place.file)) << ":" << place.line << ": ";
  if (m.model.guessed)
    out << "guessed";
  else
    out << "measured, " << figure(modelledOf(m, tree.number).calls) << " calls per run, "
        << runsOf(m, display);
  out << ", in " << escape(m.model.unit) << " (machine " << escape(m.model.machine) << "); "
      << (m.model.guessed ? assumptions(m) : m.options.branch + " branches") << "\n";
  Grid grid({"per call", "mean", "sd", "skewness", "kurtosis", "share", "each time"}, 1);
  for (const TreeLine &l : treeLines(m.graph, tree, display, labels)) {
    std::vector<std::string> row = momentsOf(l);
    row.push_back(l.kind == "fork" ? "" : percent(l.share));
    row.push_back(indented(l));
    grid.add(std::move(row));
  }
  grid.print(out, display);
  printEndlessCallees(m, tree.number, display, out);
  for (const std::string &why : reasons(modelledOf(m, tree.number).verdict))
    out << "note: independence does not carry it: " << why << "\n";
  if (const auto &open = modelledOf(m, tree.number).open)
    out << "note: the mean is between " << figure(open->least) << " and " << figure(open->most)
        << ": " << openCalls(m.graph, *open, display) << "\n";
  if (m.guessed != nullptr)
    printUnknownTrips(m, tree.number, labels, out);
}

} // namespace quincunx
