// The text format of OpenMetrics 1.0 (openmetrics.io), of which all but the last line is also what
// Prometheus read before. Base units, as it asks: times are in seconds. A metric stands once for
// its labels, so functions of one name and place are added up, which their percentiles cannot be.
// What runs do not tell, as a p99.9 of ten, is left out.
#include "quincunx/report/OpenMetrics.h"

#include "WholeCosts.h"
#include "quincunx/base/Text.h"

#include <cmath>
#include <map>
#include <optional>
#include <ostream>
#include <utility>
#include <vector>

namespace quincunx {

namespace {

using MetricLabels = std::vector<std::pair<std::string, std::string>>;

class MetricsWriter {
public:
  MetricsWriter(const Observed &o, const std::string &program, std::ostream &to)
      : observed(o), seconds(secondsIn(o.unit)), out(to),
        common{{"program", program}, {"machine", o.machine}} {}

  void addProgram(const std::string &each) {
    const std::string outcomes =
        family(each + 's', "gauge", "How many were recorded, by how they ended.");
    for (const auto &[outcome, number] : {std::pair{"finished", observed.finished},
                                          {"stopped", observed.censored},
                                          {"crashed", observed.crashed},
                                          {"unrecorded", observed.unrecorded}})
      add(outcomes, {{"outcome", outcome}}, static_cast<double>(number));
    const std::string cost = costFamily(each, "What one costs.");
    addCosts(cost, {}, observed.program.moments.mean, &observed.program);
  }

  void addFunctions(const std::string &each, const FunctionNames &names) {
    std::map<MetricLabels, Row> rows;
    const auto take = [&](const FunctionFigures &f) {
      Row &row = rows[{{"function", names.of(f.name)}, {"file", f.file}}];
      row.alone = row.functions++ == 0 ? &f.cost : nullptr;
      row.cost += f.isPriced ? f.cost.moments.mean : 0;
      row.calls += f.calls.moments.mean;
      row.isPriced = row.isPriced || f.isPriced;
    };
    for (const std::vector<FunctionFigures> *list : {&observed.functions, &observed.library})
      for (const FunctionFigures &f : *list)
        take(f);
    if (observed.unattributed)
      take(*observed.unattributed);
    const std::string self = costFamily(each + "_function", "What a function costs itself in one.");
    for (const auto &[labels, row] : rows)
      if (row.isPriced)
        addCosts(self, labels, row.cost, row.alone);
    const std::string calls = family(each + "_function_calls", "gauge",
                                     "How often a function is called in one, on average.");
    for (const auto &[labels, row] : rows)
      add(calls, labels, row.calls);
    out << "# EOF\n";
  }

private:
  /// Functions of one name and place.
  struct Row {
    double cost = 0, calls = 0; ///< means
    size_t functions = 0;
    const SummaryStatistics *alone = nullptr; ///< none: there are several
    bool isPriced = false;
  };

  std::string family(const std::string &name, const char *type, const char *help,
                     const std::string &unit = {}) {
    const std::string full = "quincunx_" + name + (unit.empty() ? "" : '_' + unit);
    out << "# TYPE " << full << ' ' << type << "\n";
    if (!unit.empty())
      out << "# UNIT " << full << ' ' << unit << "\n";
    out << "# HELP " << full << ' ' << help << "\n";
    return full;
  }

  /// Has the unit in its name.
  std::string costFamily(const std::string &name, const char *help) {
    constexpr size_t most = 40; // of what a machine file calls its unit
    std::string unit = seconds ? "seconds" : observed.unit.substr(0, most);
    for (char &c : unit)
      if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9'))
        c = '_';
    return family(name, "summary", help, unit);
  }

  void addCosts(const std::string &name, const MetricLabels &labels, double mean,
                const SummaryStatistics *figures) {
    if (figures != nullptr)
      for (const Percentile &q : figures->percentiles)
        if (!q.atLeast && std::isfinite(q.value)) {
          MetricLabels all = labels;
          all.emplace_back("quantile", exact(q.p));
          add(name, all, scaled(q.value));
        }
    const auto n = static_cast<double>(observed.used());
    add(name + "_count", labels, n);
    add(name + "_sum", labels, n * scaled(mean));
  }

  void add(const std::string &name, const MetricLabels &labels, double value) const {
    const char *separator = "{";
    out << name;
    for (const MetricLabels *list : {&common, &labels})
      for (const auto &[label, text] : *list) {
        out << separator << label << "=\"" << quoted(text) << '"';
        separator = ",";
      }
    out << "} " << exact(value) << "\n";
  }

  static std::string quoted(const std::string &text) {
    std::string escaped;
    for (const char c : escapeWhole(text))
      escaped += c == '\\' || c == '"' ? std::string{'\\', c} : std::string(1, c);
    return escaped;
  }

  double scaled(double cost) const { return seconds ? cost * *seconds : cost; }

  const Observed &observed;
  std::optional<double> seconds;
  std::ostream &out;
  MetricLabels common;
};

} // namespace

void printOpenMetrics(const Observed &observed, const FunctionNames &names,
                      const std::string &program, std::ostream &out) {
  const std::string each = observed.request.empty() ? "run" : "request";
  MetricsWriter writer(observed, program, out);
  writer.addProgram(each);
  writer.addFunctions(each, names);
}

} // namespace quincunx
