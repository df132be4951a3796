// Prints the report for programs. The idea: the estimate as it is, one key per field, doubles that
// read back exactly, null for what is open. Text that is not UTF-8 is replaced, never dropped.
// Reference: docs/03-runs-kept-apart.md. It rounds nothing and leaves the choice of figures to the
// reader.
#include "quincunx/report/Json.h"

#include "ParallelFigures.h"
#include "RunDocument.h"
#include "quincunx/report/Names.h"

#include <map>
#include <ostream>
#include <utility>

namespace quincunx {

namespace {

/// Of single calls: what buckets leave open stands in the place of trust, unless that `isKnown`.
ordered_json callJson(const SummaryStatistics &f, bool isKnown) {
  ordered_json j{{"calls", f.runs}};
  for (size_t i = 0; i < f.percentiles.size(); ++i)
    j[percentileNames[i]] = {{"value", number(f.percentiles[i].value)},
                             {isKnown ? "interval" : "bucket", toJson(f.percentiles[i].trust)}};
  addMoments(j, f);
  if (isKnown)
    j["meanInterval"] = toJson(f.meanInterval);
  j["sdWithin"] = toJson(f.deviationInterval);
  return j;
}

void addFigures(ordered_json &j, const FunctionFigures &f) {
  j["share"] = number(f.share);
  j["cost"] = toJson(f.cost);
  j["calls"] = toJson(f.calls);
  j["inlined"] = f.inlined;
  if (f.spread)
    j["sampledSpread"] = number(*f.spread);
  if (f.total) {
    j["total"] = toJson(f.total->cost);
    j["totalShare"] = number(f.total->share);
    j["totalRecorded"] = f.total->isRecorded;
  }
  if (f.call)
    j["call"] = callJson(*f.call, false);
}

ordered_json toJson(const FunctionFigures &f) {
  ordered_json j{{"name", f.name},
                 {"demangled", demangle(f.name)},
                 {"file", f.file},
                 {"line", f.line},
                 {"image", f.image}};
  addFigures(j, f);
  return j;
}

ordered_json groupJson(const FunctionFigures &f) {
  ordered_json j{{"name", f.name}, {"image", f.image}, {"foreign", f.isForeign}};
  addFigures(j, f);
  return j;
}

const char *nameOf(ByteSource source) {
  constexpr const char *names[] = {"none", "argument", "result", "limit"};
  return names[static_cast<size_t>(source)];
}

/// What was called and not counted; share and cost are null where the machine has no price for it.
ordered_json libraryJson(const FunctionFigures &f) {
  ordered_json j{{"name", f.name},      {"demangled", demangle(f.name)}, {"share", nullptr},
                 {"cost", nullptr},     {"calls", toJson(f.calls)},      {"bytes", nullptr},
                 {"written", f.written}};
  if (f.bytes) {
    j["bytes"] = toJson(*f.bytes);
    j["bytesFrom"] = nameOf(f.bytesFrom);
  }
  if (f.isPriced) {
    j["share"] = number(f.share);
    j["cost"] = toJson(f.cost);
  }
  return j;
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

} // namespace

Status printJson(const Observed &o, const std::string &corpus, const ReportOptions &options,
                 std::ostream &out) {
  ReportOptions unfolded = options;
  unfolded.folded = false;
  const auto rows = selectRows(o, unfolded);
  if (!rows)
    return rows.error();
  ordered_json j = documentOf("report", o, corpus);
  const bool perRequest = !o.request.empty();
  for (const char *list : {"functions", "groups", "library"})
    j[list] = ordered_json::array();
  std::map<size_t, size_t> groups; // by number
  for (const FunctionFigures &g : o.groups)
    groups.emplace(g.number, groups.size());
  for (const FunctionFigures *f : rows->shown)
    if (f->isLibrary) {
      j["library"].push_back(libraryJson(*f));
    } else {
      ordered_json row = toJson(*f);
      if (const auto at = groups.find(f->group); at != groups.end())
        row["group"] = at->second;
      j["functions"].push_back(std::move(row));
    }
  for (const FunctionFigures &g : o.groups)
    j["groups"].push_back(groupJson(g));
  if (o.unattributed)
    j["outside"] = {{"share", number(o.unattributed->share)},
                    {"cost", toJson(o.unattributed->cost)}};
  j["kernelShare"] = number(o.kernelShare);
  j["startUp"] = o.startUp > 0 ? ordered_json(o.startUp) : ordered_json();
  j["net"] = options.net.has_value();
  j["images"] = imagesOf(o);
  addProvenance(j, options.provenance);
  if (options.threads != nullptr)
    j["wallByThreads"] = wallTimesJson(*options.threads);
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
  ordered_json j{{"schema", schemaOf("calls")}};
  j["corpus"] = corpus;
  j["per"] = "call";
  j["machine"] = o.machine;
  j["unit"] = o.unit;
  j["runs"] = o.runs;
  j["functions"] = ordered_json::array();
  for (const FunctionFigures *f : *functions) {
    ordered_json row{{"name", f->name},
                     {"demangled", demangle(f->name)},
                     {"file", f->file},
                     {"line", f->line},
                     {"image", f->image}};
    row.update(callJson(f->cost, f->spread.has_value()));
    const auto which = static_cast<size_t>(f - o.functions.data());
    row["slowest"] = o.slowest[which];
    row["cut"] = o.cut[which];
    j["functions"].push_back(std::move(row));
  }
  return write(std::move(j), o.notes, out);
}

} // namespace quincunx
