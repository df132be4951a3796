// Tables of work and span, and of what the longest way consists of. A row of the path says what its
// strands end with, where that is called, and where their threads were created.
#include "quincunx/report/Critical.h"

#include "StrandText.h"
#include "quincunx/base/Text.h"
#include "quincunx/numeric/Quantile.h"
#include "report/layout/Grid.h"
#include "report/layout/JsonDocument.h"
#include "report/layout/Sections.h"

#include <algorithm>
#include <ostream>

namespace quincunx {

namespace {

double value(uint64_t x) { return static_cast<double>(x); }
double ratio(uint64_t work, uint64_t span) { return span == 0 ? 1 : value(work) / value(span); }

struct Row {
  const char *name;
  double (*of)(const RunWork &);
};
constexpr Row rows[] = {
    {"work", [](const RunWork &r) { return value(r.work); }},
    {"span", [](const RunWork &r) { return value(r.span); }},
    {"span with locks", [](const RunWork &r) { return value(r.locked); }},
    {"parallelism", [](const RunWork &r) { return ratio(r.work, r.span); }},
    {"parallelism with locks", [](const RunWork &r) { return ratio(r.work, r.locked); }},
    {"threads", [](const RunWork &r) { return value(r.threads); }},
    {"strands", [](const RunWork &r) { return value(r.strands); }},
};
constexpr std::pair<const char *, double> shownPercentiles[] = {
    {"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}};

std::vector<double> valuesOf(const Row &row, const std::vector<RunWork> &runs) {
  std::vector<double> values;
  for (const RunWork &r : runs)
    values.push_back(row.of(r));
  return values;
}

double meanOf(const std::vector<double> &values) {
  double sum = 0;
  for (const double v : values)
    sum += v;
  return sum / value(values.size());
}

} // namespace

void printParallelRuns(const ParallelRuns &runs, const CriticalReport &report,
                       const Display &display, std::ostream &out) {
  const auto &[sites, notes, top] = report;
  const size_t n = runs.runs.size();
  out << heading("Work and span of " + std::to_string(n) + (n == 1 ? " run" : " runs"), display)
      << ", in counts" << leftOut(runs) << "\n\n";
  Grid figures({"p50", "p90", "p99", "mean", ""}, 1);
  for (const Row &row : rows) {
    const std::vector<double> values = valuesOf(row, runs.runs);
    std::vector<std::string> cells;
    for (const auto &[name, p] : shownPercentiles)
      cells.push_back(shortFigure(percentile(values, p)));
    cells.push_back(shortFigure(meanOf(values)));
    cells.emplace_back(row.name);
    figures.add(cells);
  }
  figures.print(out, display);
  out << '\n' << heading("Critical path, with locks", display) << "\n\n";
  printPathParts(runs.parts, sites, top, display, out);
  printNotes(notes, out);
}

void printParallelRun(const RunWork &run, const ParallelWork &work, const CriticalReport &report,
                      const Display &display, std::ostream &out) {
  const auto &[sites, notes, top] = report;
  out << heading("Run " + escape(run.label), display) << ", in counts\n";
  Grid figures({"", ""}, 1);
  for (const Row &row : rows)
    figures.add({shortFigure(row.of(run)), row.name});
  figures.print(out, display);
  out << '\n' << heading("Critical path, with locks", display) << ", in its order\n\n";
  Grid legs({"work", "share", "thread", "from", "up to", "in"}, 3);
  const std::vector<PathLeg> &all = work.locked.legs;
  const size_t shown = top == 0 ? all.size() : std::min(top, all.size());
  for (size_t i = 0; i < shown; ++i)
    legs.add({shortFigure(value(all[i].work)), percent(value(all[i].work) / value(run.locked)),
              std::to_string(all[i].thread), kindName(all[i].from.kind), kindName(all[i].to.kind),
              all[i].to.kind == QX_STRAND_END ? "" : placeText(sites, all[i].to.site, display)});
  legs.print(out, display);
  printRest(shown, all.size(), "legs", out);
  printNotes(notes, out);
}

namespace {

ordered_json runJson(const RunWork &r) {
  return {{"label", r.label},    {"identity", r.identity},    {"work", r.work},
          {"span", r.span},      {"spanWithLocks", r.locked}, {"threads", r.threads},
          {"strands", r.strands}};
}

ordered_json pathJson(const CriticalPath &path, const StrandSites &sites) {
  ordered_json legs = ordered_json::array();
  for (const PathLeg &leg : path.legs)
    legs.push_back({{"thread", leg.thread},
                    {"work", leg.work},
                    {"from", kindName(leg.from.kind)},
                    {"upTo", kindName(leg.to.kind)},
                    {"in", siteJson(sites, leg.to.site)}});
  return legs;
}

} // namespace

Status printParallelRunsJson(const ParallelRuns &runs, const CriticalReport &report,
                             std::ostream &out) {
  ordered_json j{{"schema", schemaOf("critical")}, {"unit", "counts"},
                 {"leftOut", leftOutJson(runs)},   {"figures", ordered_json::object()},
                 {"runs", ordered_json::array()},  {"criticalPath", ordered_json::array()}};
  for (const Row &row : rows) {
    const std::vector<double> values = valuesOf(row, runs.runs);
    ordered_json &figure = j["figures"][row.name];
    for (const auto &[name, p] : shownPercentiles)
      figure[name] = number(percentile(values, p));
    figure["mean"] = number(meanOf(values));
  }
  for (const RunWork &r : runs.runs)
    j["runs"].push_back(runJson(r));
  j["criticalPath"] = pathPartsJson(runs.parts, report.sites);
  return write(std::move(j), report.notes, out);
}

Status printParallelRunJson(const RunWork &run, const ParallelWork &work,
                            const CriticalReport &report, std::ostream &out) {
  ordered_json j{{"schema", schemaOf("critical-run")}, {"unit", "counts"}, {"run", runJson(run)}};
  j["criticalPath"] = pathJson(work.free, report.sites);
  j["criticalPathWithLocks"] = pathJson(work.locked, report.sites);
  return write(std::move(j), report.notes, out);
}

} // namespace quincunx
