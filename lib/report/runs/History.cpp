// Prints histories: a line per build, and below them what each change is, as comparisons say it.
#include "quincunx/report/History.h"

#include "quincunx/base/Text.h"
#include "report/layout/Grid.h"
#include "report/layout/JsonDocument.h"
#include "report/layout/Sections.h"

#include <algorithm>
#include <ostream>

namespace quincunx {

namespace {

constexpr size_t shownOfHash = 8;
const std::vector<std::string> shownFigures{"p50", "p90", "p99", "mean"};

std::string listed(const std::set<std::string> &texts, size_t most = std::string::npos) {
  std::string s;
  for (const std::string &text : texts) {
    const size_t mark = text.find('+'); // "+changes"
    s += (s.empty() ? "" : " ") + escape(mark == std::string::npos || most == std::string::npos
                                             ? text.substr(0, most)
                                             : text.substr(0, std::min(most, mark)) + "+");
  }
  return s;
}

std::string cell(const HistoryEntry &entry, const std::string &name) {
  for (const FigureChange &f : entry.cost)
    if (f.name == name)
      return (f.atLeast ? ">= " : "") + figure(rounded(f.of.after, 4));
  return "?";
}

std::string changeCell(const HistoryEntry &entry) {
  if (!entry.why.empty())
    return "?";
  return entry.isChange() ? changePercent(entry.change->mean().of.change.value) : "";
}

/// Headings of what is known of any build; how many.
size_t addOrigins(const History &h, std::vector<std::string> &headings) {
  const size_t before = headings.size();
  const auto isAny = [&](std::set<std::string> HistoryEntry::*which) {
    return std::ranges::any_of(h.builds,
                               [&](const HistoryEntry &e) { return !(e.*which).empty(); });
  };
  if (isAny(&HistoryEntry::commits))
    headings.emplace_back("commit");
  if (isAny(&HistoryEntry::tags))
    headings.emplace_back("tag");
  return headings.size() - before;
}

std::vector<std::string> rowOf(const History &h, size_t i,
                               const std::vector<std::string> &headings) {
  const HistoryEntry &entry = h.builds[i];
  std::vector<std::string> row{dateText(entry.start), escape(entry.build.substr(0, shownOfHash)),
                               std::to_string(entry.runs)};
  for (const std::string &name : shownFigures)
    row.push_back(cell(entry, name));
  row.push_back(changeCell(entry));
  for (size_t c = row.size(); c < headings.size(); ++c)
    row.push_back(headings[c] == "tag" ? listed(entry.tags) : listed(entry.commits, shownOfHash));
  return row;
}

void printChanges(const History &h, const Display &display, std::ostream &out) {
  for (const HistoryEntry &entry : h.builds) {
    if (!entry.isChange() && entry.why.empty())
      continue;
    const std::string commit = listed(entry.commits, shownOfHash);
    std::string text = escape(entry.build.substr(0, shownOfHash));
    text += (commit.empty() ? "" : " (" + commit + ")") + ": " +
            (entry.why.empty() ? verdictLine(*entry.change, display) : entry.why);
    printWrapped(text, display, out);
  }
}

} // namespace

bool HistoryEntry::isChange() const {
  return change && (change->verdict == ChangeVerdict::faster ||
                    change->verdict == ChangeVerdict::slower || !change->functions.empty());
}

size_t History::changes() const {
  return static_cast<size_t>(
      std::ranges::count_if(builds, [](const HistoryEntry &e) { return e.isChange(); }));
}

void printHistory(const History &h, const Display &display, std::ostream &out) {
  const std::string number =
      h.changes() == 0 ? "none changes"
                       : std::to_string(h.changes()) + (h.changes() == 1 ? " changes" : " change");
  out << heading(std::to_string(h.builds.size()) +
                     (h.builds.size() == 1 ? " build of " : " builds of ") +
                     escape(fileName(h.builds.front().path)) + ", " + number + " the cost of a run",
                 display)
      << ", in " << escape(h.unit) << " (machine " << escape(h.machine) << "); oldest first, by "
      << (h.isByCommits ? "commits" : "first runs") << "\n\n";
  std::vector<std::string> headings{"first run", "build", "runs"};
  headings.insert(headings.end(), shownFigures.begin(), shownFigures.end());
  headings.emplace_back("change");
  const size_t left = addOrigins(h, headings);
  Grid grid(headings, left);
  for (size_t i = 0; i < h.builds.size(); ++i)
    grid.add(rowOf(h, i, headings));
  grid.print(out, display);
  out << '\n';
  printChanges(h, display, out);
}

namespace {

ordered_json changeJson(const HistoryEntry &entry, const Display &display) {
  if (!entry.change)
    return nullptr;
  ordered_json functions = ordered_json::array();
  for (const FunctionChange &f : entry.change->functions)
    functions.push_back({{"name", f.place().name},
                         {"shown", display.names.of(f.place().name)},
                         {"share", number(f.share.value)}});
  const IntervalEstimate &mean = entry.change->mean().of.change;
  return {{"isChange", entry.isChange()},
          {"verdict", verdictName(entry.change->verdict)},
          {"mean", number(mean.value)},
          {"interval", toJson(mean.trust)},
          {"functions", std::move(functions)}};
}

ordered_json entryJson(const History &h, size_t i, const Display &display) {
  const HistoryEntry &entry = h.builds[i];
  ordered_json j{{"build", entry.build},     {"path", entry.path},   {"tags", entry.tags},
                 {"commits", entry.commits}, {"hosts", entry.hosts}, {"firstStart", entry.start},
                 {"runs", entry.runs}};
  j["cost"] = ordered_json::object();
  for (const FigureChange &f : entry.cost)
    j["cost"][f.name] = {{"value", number(f.of.after)}, {"atLeast", f.atLeast}};
  j["change"] = changeJson(entry, display);
  if (!entry.why.empty())
    j["why"] = entry.why;
  return j;
}

} // namespace

Status printHistoryJson(const std::vector<History> &programs, const Display &display,
                        std::ostream &out) {
  ordered_json j{{"schema", schemaOf("corpus-log")}, {"programs", ordered_json::array()}};
  for (const History &h : programs) {
    ordered_json builds = ordered_json::array();
    for (size_t i = 0; i < h.builds.size(); ++i)
      builds.push_back(entryJson(h, i, display));
    j["programs"].push_back({{"program", fileName(h.builds.front().path)},
                             {"machine", h.machine},
                             {"unit", h.unit},
                             {"order", h.isByCommits ? "commits" : "runs"},
                             {"changes", h.changes()},
                             {"builds", std::move(builds)}});
  }
  return write(std::move(j), {}, out);
}

} // namespace quincunx
