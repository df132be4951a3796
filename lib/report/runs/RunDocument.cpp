// Builds the beginning of JSON documents over runs, and the figures of one quantity. It knows no
// functions.
#include "RunDocument.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

ordered_json toJson(const Percentile &q) {
  return {{"p", q.p},
          {"value", number(q.value)},
          {"atLeast", q.atLeast},
          {"open", std::isinf(q.value)},
          {"interval", toJson(q.trust)}};
}

void addMoments(ordered_json &j, const SummaryStatistics &f) {
  j["mean"] = number(f.moments.mean);
  j["sd"] = number(f.deviation);
  j["variance"] = number(f.moments.variance);
  j["skewness"] = number(f.moments.skewness);
  j["kurtosis"] = number(f.moments.kurtosis);
  j["min"] = number(f.min);
  j["max"] = number(f.max);
}

ordered_json toJson(const SummaryStatistics &f) {
  ordered_json j;
  j["runs"] = f.runs;
  for (size_t i = 0; i < f.percentiles.size(); ++i)
    j[percentileNames[i]] = toJson(f.percentiles[i]);
  addMoments(j, f);
  j["meanInterval"] = toJson(f.meanInterval);
  j["sdInterval"] = toJson(f.deviationInterval);
  j["meanCounts"] = toJson(f.meanCounts);
  return j;
}

ordered_json documentOf(const char *kind, const Observed &o, const std::string &corpus) {
  ordered_json j{{"schema", schemaOf(kind)}};
  j["corpus"] = corpus;
  j["machine"] = o.machine;
  j["unit"] = o.unit;
  j["constant"] = o.constant;
  if (!o.request.empty()) {
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
  if (o.fromMachine > 0)
    j["spread"] = {{"inputs", number(std::sqrt(o.fromInputs))},
                   {"machine", number(std::sqrt(o.fromMachine))}};
  return j;
}

ordered_json imagesOf(const Observed &o) {
  ordered_json images = ordered_json::array();
  for (const ImageFigures &i : o.images)
    images.push_back(
        {{"map", hex(i.map)}, {"path", i.path}, {"runs", i.runs}, {"oneOfMany", i.oneOfMany}});
  return images;
}

namespace {

ordered_json exitsOf(const Provenance &provenance) {
  ordered_json exits = ordered_json::array();
  for (const RunsByStatus &r : provenance.exits)
    exits.push_back({{"status", r.status},
                     {"outcome", r.outcome == Outcome::crashed ? "crashed" : "finished"},
                     {"good", r.isGood},
                     {"inputs", r.labels}});
  return exits;
}

ordered_json buildsOf(const Provenance &provenance) {
  const auto &fitted = provenance.fittedTo;
  ordered_json builds = ordered_json::array();
  for (const Corpus::Build &b : provenance.builds)
    builds.push_back({{"build", b.identity},
                      {"path", b.path},
                      {"runs", b.runs},
                      {"used", b.read},
                      {"newest", b.isNewest},
                      {"tags", b.tags},
                      {"commits", b.commits},
                      {"hosts", b.hosts},
                      {"calibrated", std::ranges::find(fitted, b.identity) != fitted.end()}});
  return builds;
}

} // namespace

void addProvenance(ordered_json &j, const Provenance &provenance) {
  j["exitStatuses"] = exitsOf(provenance);
  j["builds"] = buildsOf(provenance);
  const WallTime &wall = provenance.wall;
  if (wall.runs > 0)
    j["wall"] = {{"of", wall.ofPlain ? "timed" : "counted"},
                 {"runs", wall.runs},
                 {"parallel", wall.isParallel()},
                 {"perProcessorTime", number(wall.ratio)}};
}

} // namespace quincunx
