// The report for programs.
// The idea: the estimate as it is, one key per field, doubles that read back exactly, null for what
// is open. Text that is not UTF-8 is replaced, never dropped. Reference:
// docs/03-runs-kept-apart.md. It rounds nothing and leaves the choice of figures to the reader.
#include "quincunx/report/Json.h"

#include "quincunx/report/Names.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

namespace quincunx {

namespace {

using nlohmann::ordered_json;

ordered_json number(double x) { return std::isfinite(x) ? ordered_json(x) : ordered_json(nullptr); }
ordered_json toJson(const Interval &i) { return {number(i.low), number(i.high)}; }

ordered_json toJson(const Percentile &q) {
  return {{"p", q.p},
          {"value", number(q.value)},
          {"atLeast", q.atLeast},
          {"open", std::isinf(q.value)},
          {"interval", toJson(q.trust)}};
}

void addMoments(ordered_json &j, const Figures &f) {
  j["mean"] = number(f.moments.mean);
  j["sd"] = number(f.deviation);
  j["variance"] = number(f.moments.variance);
  j["skewness"] = number(f.moments.skewness);
  j["kurtosis"] = number(f.moments.kurtosis);
  j["min"] = number(f.min);
  j["max"] = number(f.max);
}

constexpr const char *percentileNames[] = {"p50", "p90", "p99", "p99.9"};

ordered_json toJson(const Figures &f) {
  ordered_json j;
  j["runs"] = f.runs;
  for (size_t i = 0; i < f.percentiles.size(); ++i)
    j[percentileNames[i]] = toJson(f.percentiles[i]);
  addMoments(j, f);
  j["meanInterval"] = toJson(f.meanTrust);
  j["sdInterval"] = toJson(f.deviationTrust);
  j["meanCounts"] = toJson(f.meanCounts);
  return j;
}

ordered_json toJson(const FunctionFigures &f) {
  return {{"name", f.name},         {"demangled", demangle(f.name)},
          {"file", f.file},         {"line", f.line},
          {"image", f.image},       {"share", number(f.share)},
          {"cost", toJson(f.cost)}, {"calls", toJson(f.calls)}};
}

ordered_json toJson(const RunFigures &r, bool constant) {
  ordered_json j{{"identity", r.identity},
                 {"label", r.label},
                 {"censored", isCensored(r.outcome)},
                 {"cost", number(r.cost.k1)}};
  if (!constant)
    j["cumulants"] = {number(r.cost.k1), number(r.cost.k2), number(r.cost.k3), number(r.cost.k4)};
  if (r.counts.low != r.counts.high)
    j["interval"] = toJson(r.counts);
  return j;
}

ordered_json requestJson(const RunFigures &r, bool constant) {
  ordered_json j = toJson(r, constant);
  j.erase("censored");
  j["weight"] = r.weight;
  j["wall"] = r.wall;
  j["features"] = ordered_json::object();
  for (const auto &[name, value] : r.features)
    j["features"][name] = value;
  return j;
}

Status write(ordered_json j, const std::vector<Note> &notes, std::ostream &out) {
  j["notes"] = ordered_json::array();
  for (const Note &n : notes)
    j["notes"].push_back({{"kind", n.kind}, {"text", n.text}});
  out << j.dump(2, ' ', false, ordered_json::error_handler_t::replace) << "\n";
  return Done{};
}

} // namespace

Status printJson(const Observed &o, const std::string &corpus, const ReportOptions &options,
                 std::ostream &out) {
  const auto functions = selectFunctions(o.functions, options);
  if (!functions)
    return functions.error();
  ordered_json j;
  j["version"] = 1;
  j["corpus"] = corpus;
  j["machine"] = o.machine;
  j["unit"] = o.unit;
  j["constant"] = o.constant;
  const bool perRequest = !o.request.empty();
  if (perRequest) {
    j["per"] = "request";
    j["request"] = o.request;
    j["requests"] = {{"kept", o.used()}, {"ended", o.ended}, {"begun", o.begun}};
  }
  j["runs"] = {{"used", o.used()},
               {"finished", o.finished},
               {"censored", o.censored},
               {"crashed", o.crashed},
               {"unrecorded", o.unrecorded}};
  j["lowerBounds"] = o.censored != 0;
  j["program"] = toJson(o.program);
  j["functions"] = ordered_json::array();
  for (const FunctionFigures *f : *functions)
    j["functions"].push_back(toJson(*f));
  j["images"] = ordered_json::array();
  for (const ImageFigures &i : o.images)
    j["images"].push_back(
        {{"map", hex(i.map)}, {"path", i.path}, {"runs", i.runs}, {"oneOfMany", i.oneOfMany}});
  ordered_json &each = j[perRequest ? "perRequest" : "perRun"] = ordered_json::array();
  for (const RunFigures &r : o.runs)
    each.push_back(perRequest ? requestJson(r, o.constant) : toJson(r, o.constant));
  return write(std::move(j), o.notes, out);
}

Status printCallsJson(const ObservedCalls &o, const std::string &corpus,
                      const ReportOptions &options, std::ostream &out) {
  const auto functions = selectFunctions(o.functions, options);
  if (!functions)
    return functions.error();
  ordered_json j;
  j["version"] = 1;
  j["corpus"] = corpus;
  j["per"] = "call";
  j["machine"] = o.machine;
  j["unit"] = o.unit;
  j["runs"] = o.runs;
  j["functions"] = ordered_json::array();
  for (const FunctionFigures *f : *functions) {
    ordered_json row{{"name", f->name},   {"demangled", demangle(f->name)},
                     {"file", f->file},   {"line", f->line},
                     {"image", f->image}, {"calls", f->cost.runs}};
    for (size_t i = 0; i < f->cost.percentiles.size(); ++i)
      row[percentileNames[i]] = {{"value", number(f->cost.percentiles[i].value)},
                                 {"bucket", toJson(f->cost.percentiles[i].trust)}};
    addMoments(row, f->cost);
    row["slowest"] = o.slowest[static_cast<size_t>(f - o.functions.data())];
    j["functions"].push_back(std::move(row));
  }
  return write(std::move(j), o.notes, out);
}

} // namespace quincunx
