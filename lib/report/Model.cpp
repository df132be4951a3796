// The model for people.
// The idea: prediction and measurement side by side, in the units of one call; whoever reads it
// sees at once where independence does not hold. It computes nothing that is not in the model.
#include "quincunx/report/Model.h"

#include "Grid.h"
#include "ModelTree.h"
#include "quincunx/base/Text.h"
#include "quincunx/report/Names.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>

namespace quincunx {

namespace {

std::string heading(const std::string &text, bool colour) {
  return colour ? "\033[1m" + text + "\033[0m" : text;
}

std::string assumptions(const ModelReport &m) {
  if (m.options.thesis)
    return "as in the thesis";
  return m.options.branch + " branches, " + (m.options.perRun ? "runs mixed" : "all runs together");
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

/// Of the function in the measurement; null when it is not there.
const FunctionFigures *measuredOf(const ModelReport &m, uint32_t number) {
  if (m.measured == nullptr)
    return nullptr;
  const Function &f = *m.graph.functions[number];
  const FunctionFigures place = placeOf(f, m.graph.imageOf[number]);
  for (const FunctionFigures &c : m.measured->functions)
    if (c.image == place.image && c.name == place.name && c.file == place.file &&
        c.line == place.line)
      return &c;
  return nullptr;
}

void printNotes(const ModelReport &m, std::ostream &out) {
  for (const Note &n : m.model.notes)
    out << "note: " << escape(n.text) << "\n";
  if (m.measured == nullptr)
    out << "note: calls were not measured: " << escape(m.notMeasured) << "\n";
  out << "note: callees that are not instrumented, and indirect calls, cost nothing here; parts "
         "are taken to be independent of each other\n";
}

} // namespace

Result<std::vector<size_t>> modelledFunctions(const ModelReport &m, const ReportOptions &options) {
  const Result<NamePattern> pattern = NamePattern::compile(options.function);
  if (!pattern)
    return pattern.error();
  std::vector<size_t> found, exactly;
  for (size_t i = 0; i < m.model.functions.size(); ++i) {
    const std::string &linkage = m.graph.functions[m.model.functions[i].number]->name;
    const std::string name = demangle(linkage);
    if (name == options.function || linkage == options.function)
      exactly.push_back(i);
    if (pattern->matches(name))
      found.push_back(i);
  }
  if (!exactly.empty())
    found = exactly;
  if (found.empty())
    return Error{"no function that ran matches '" + escape(options.function) + "'"};
  std::stable_sort(found.begin(), found.end(), [&](size_t a, size_t b) {
    const ModelledFunction &x = m.model.functions[a], &y = m.model.functions[b];
    return x.calls * x.cost.exclusive.k1 > y.calls * y.cost.exclusive.k1;
  });
  return found;
}

Status printModel(const ModelReport &m, const ReportOptions &options, std::ostream &out) {
  const auto chosen = modelledFunctions(m, options);
  if (!chosen)
    return chosen.error();
  out << heading("Model of one call", options.colour) << " with all it calls, in "
      << escape(m.model.unit) << " (machine " << escape(m.model.machine) << "), " << m.model.runs
      << (m.model.runs == 1 ? " run" : " runs") << "; " << assumptions(m) << "\n\n";
  Grid grid({"calls/run", "mean", "sd", "p50", "p99", "measured mean", "sd", "p99", "sd error",
             "function"},
            1);
  size_t shown = 0;
  for (const size_t i : *chosen) {
    if (options.top != 0 && shown == options.top)
      break;
    ++shown;
    const ModelledFunction &f = m.model.functions[i];
    const FunctionFigures *c = measuredOf(m, f.number);
    const Cumulants &k = f.cost.inclusive;
    std::vector<std::string> row{figure(f.calls), figure(k.k1), figure(deviation(k)),
                                 quantile(f, 0.5), quantile(f, 0.99)};
    if (f.cost.endless)
      row = {figure(f.calls), "none", "", "", ""};
    if (c)
      row.insert(row.end(),
                 {figure(c->cost.moments.mean), figure(c->cost.deviation),
                  figure(c->cost.percentiles[2].value), error(deviation(k), c->cost.deviation)});
    else
      row.insert(row.end(), {"", "", "", ""});
    row.push_back(escape(demangle(m.graph.functions[f.number]->name)));
    grid.add(row);
  }
  grid.print(out, options.colour);
  if (shown < chosen->size())
    out << "(" << chosen->size() - shown << " more of " << chosen->size()
        << " functions: --top 0 shows all)\n";
  out << "\nmean of a run: " << figure(m.model.composedMean) << " composed over what is called "
      << "from outside, " << figure(m.model.observedMean) << " by counts\n\n";
  printNotes(m, out);
  return Done{};
}

namespace {

void printComparison(const ModelReport &m, const ModelledFunction &f, bool colour,
                     std::ostream &out) {
  const FunctionFigures *c = measuredOf(m, f.number);
  const Moments is = moments(f.cost.inclusive);
  Grid grid({"one call", "model", "measured", "error"}, 0);
  const auto row = [&](const char *name, double model, double measured) {
    grid.add({name, figure(model), c ? figure(measured) : "", c ? error(model, measured) : ""});
  };
  const Moments was = c ? c->cost.moments : Moments{};
  row("mean", is.mean, was.mean);
  row("sd", is.deviation(), c ? c->cost.deviation : 0);
  row("skewness", is.skewness, was.skewness);
  row("kurtosis", is.kurtosis, was.kurtosis);
  constexpr const char *names[] = {"p50", "p90", "p99", "p99.9"};
  for (size_t i = 0; f.law && i < reportedPercentiles.size(); ++i)
    row(names[i], f.law->quantile(reportedPercentiles[i]), c ? c->cost.percentiles[i].value : 0);
  grid.print(out, colour);
}

void printBranches(const Function &f, const ModelledTree &tree, bool colour, std::ostream &out) {
  if (tree.branches.empty())
    return;
  Grid grid({"per call", "true", "rate of variance", "branch"}, 1);
  for (const ModelledBranch &b : tree.branches) {
    const Location &at = f.branches[b.branch].at;
    std::string where = at.line == 0 ? "" : "line ";
    if (at.line != 0)
      where += std::to_string(at.line);
    if (at.column != 0)
      where.append(":").append(std::to_string(at.column));
    if (at.scope != 0 && at.scope < f.scopes.size())
      where.append(" in ").append(demangle(f.scopes[at.scope].function));
    if (!b.why.empty())
      where.append("  (").append(b.why).append(")");
    grid.add({figure(b.n / tree.executed.entries), percent(b.p),
              figure(b.rate ? b.rate->k2 : b.p * (1 - b.p)), escape(where)});
  }
  grid.print(out, colour);
  out << "\n";
}

} // namespace

Status printTree(const ModelReport &m, const ModelledTree &tree, const ReportOptions &options,
                 std::ostream &out) {
  const Function &f = *m.graph.functions[tree.number];
  const auto at = std::find_if(m.model.functions.begin(), m.model.functions.end(),
                               [&](const ModelledFunction &g) { return g.number == tree.number; });
  const FunctionFigures place = placeOf(f, 0);
  out << heading(escape(demangle(f.name)), options.colour);
  if (!place.file.empty())
    out << " (" << escape(fileName(place.file)) << ":" << place.line << ")";
  out << ", " << figure(at->calls) << " calls per run, in " << escape(m.model.unit) << " (machine "
      << escape(m.model.machine) << "), " << m.model.runs << (m.model.runs == 1 ? " run" : " runs")
      << "; " << assumptions(m) << "\n\n";
  printComparison(m, *at, options.colour, out);
  out << "\n";
  printBranches(f, tree, options.colour, out);
  Grid grid({"per call", "mean", "sd", "skewness", "kurtosis", "each time"}, 1);
  for (const TreeLine &l : treeLines(f, tree)) {
    const Moments is = moments(l.cost);
    grid.add({figure(l.perCall), figure(is.mean), figure(is.deviation()), figure(is.skewness),
              figure(is.kurtosis), std::string(2 * l.depth, ' ') + l.what});
  }
  grid.print(out, options.colour);
  out << "\n";
  printNotes(m, out);
  return Done{};
}

} // namespace quincunx
