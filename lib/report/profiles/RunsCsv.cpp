// Runs as comma-separated values (RFC 4180, but that lines end as lines do here), at full
// precision: what the file is opened with decides how they look. Counters have the names of the
// research texts: NAME_call_c, and for a condition FILE:LINE:COLUMN_call_c and _true_c.
#include "quincunx/report/RunsCsv.h"

#include "quincunx/base/Text.h"

#include <charconv>
#include <map>
#include <ostream>
#include <set>
#include <utility>
#include <vector>

namespace quincunx {

namespace {

/// In quotes where it holds what separates. What a spreadsheet takes for a formula stays text.
std::string field(const std::string &text) {
  const bool isFormula = !text.empty() && std::string("=+-@").find(text[0]) != std::string::npos;
  std::string plain = (isFormula ? "'" : "") + escapeWhole(text);
  if (plain.find_first_of(",\"\n\r") == std::string::npos)
    return plain;
  std::string quoted = "\"";
  for (const char c : plain)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string field(double x) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, x).ptr};
}

struct CounterColumn {
  std::string name;
  const std::vector<double> *perRun = nullptr;
};

/// Functions that have one name are one column.
std::map<std::string, std::vector<double>> callsByName(const RunCounters &counters,
                                                       const FunctionNames &names) {
  std::map<std::string, std::vector<double>> byName;
  for (const auto &[linkageName, calls] : counters.calls) {
    std::vector<double> &sum = byName[names.of(linkageName)];
    sum.resize(calls.size());
    for (size_t d = 0; d < calls.size(); ++d)
      sum[d] += calls[d];
  }
  return byName;
}

/// Files by their names, or by their paths where several have a name.
void addBranches(const RunCounters &counters, std::vector<CounterColumn> &columns) {
  std::map<std::string, std::set<std::string>> paths;
  for (const auto &[place, branch] : counters.branches)
    paths[fileName(place.path)].insert(place.path);
  for (const auto &[place, branch] : counters.branches) {
    const std::string name = fileName(place.path);
    const std::string at = (paths[name].size() > 1 ? place.path : name) + ':' +
                           std::to_string(place.line) + ':' + std::to_string(place.column);
    columns.push_back({at + "_call_c", &branch.evaluated});
    columns.push_back({at + "_true_c", &branch.isTrue});
  }
}

} // namespace

void printRunsCsv(const Observed &observed, const RunCounters &counters, const FunctionNames &names,
                  std::ostream &out) {
  const std::map<std::string, std::vector<double>> calls = callsByName(counters, names);
  std::vector<CounterColumn> columns;
  for (const auto &[name, perRun] : calls)
    columns.push_back({name + "_call_c", &perRun});
  addBranches(counters, columns);
  std::set<std::string> features;
  for (const RunFigures &run : observed.runs)
    for (const auto &[name, value] : run.features)
      features.insert(name);
  out << "run,label,finished,weight," << field("cost (" + observed.unit + ")") << ","
      << field("outside functions (" + observed.unit + ")") << ",instrumented wall (s)";
  for (const std::string &name : features)
    out << ',' << field(name);
  for (const CounterColumn &column : columns)
    out << ',' << field(column.name);
  out << "\n";
  for (size_t d = 0; d < observed.runs.size(); ++d) {
    const RunFigures &run = observed.runs[d];
    out << field(run.identity) << ',' << field(run.label) << ','
        << (run.outcome == Outcome::finished) << ',' << field(run.weight) << ','
        << field(run.cost.k1) << ',' << field(run.unattributed) << ',' << field(run.wall);
    for (const std::string &name : features) {
      const auto at = run.features.find(name);
      out << ',' << (at == run.features.end() ? "" : field(at->second));
    }
    for (const CounterColumn &column : columns)
      out << ',' << field((*column.perRun)[d]);
    out << "\n";
  }
}

} // namespace quincunx
