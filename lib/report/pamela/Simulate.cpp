// Prints simulated times: moments with the error of the mean, percentiles with their intervals, and
// who waited where.
#include "quincunx/report/Simulate.h"

#include "quincunx/base/Text.h"
#include "report/layout/Grid.h"
#include "report/layout/JsonDocument.h"
#include "report/layout/Sections.h"

#include <ostream>

namespace quincunx {

void printSimulated(const std::string &target, const pamela::Simulated &s, const Display &display,
                    std::ostream &out) {
  const size_t n = s.times.size();
  out << heading("Simulated time of " + escape(target), display) << ", "
      << (!s.isRandom ? "nothing in it is random"
          : n == 1    ? "1 replication"
                      : std::to_string(n) + " replications")
      << "\n\n";
  Grid grid({"", "time", "90 % interval"}, 0);
  grid.add({"mean", figure(s.moments.mean),
            s.standardError
                ? figure(Interval{s.moments.mean - pamela::meanConfidence * *s.standardError,
                                  s.moments.mean + pamela::meanConfidence * *s.standardError})
                : ""});
  if (s.isRandom) {
    if (n >= 2)
      grid.add({"sd", figure(s.moments.deviation()), ""});
    if (n >= 3)
      grid.add({"skewness", figure(s.moments.skewness), ""});
    if (n >= 4)
      grid.add({"kurtosis", figure(s.moments.kurtosis), ""});
    for (size_t i = 0; i < s.percentiles.size(); ++i)
      grid.add({percentileNames[i], figure(s.percentiles[i].value),
                figure(Interval{s.percentiles[i].low, s.percentiles[i].high})});
  }
  grid.print(out, display);
  out << "\n";
  if (!s.resources.empty()) {
    Grid resources({"servers", "busy", "uses", "mean wait", "resource"}, 1);
    for (const pamela::ResourceUse &r : s.resources)
      resources.add({figure(r.servers), percent(r.busy),
                     figure(static_cast<double>(r.uses) / static_cast<double>(s.times.size())),
                     figure(r.queueing), escape(r.name)});
    resources.print(out, display);
    out << "\n";
  }
  for (const std::string &note : s.notes)
    out << "note: " << printable(note) << "\n";
}

Status printSimulatedJson(const std::string &model, const pamela::SimulateOptions &options,
                          const pamela::Simulated &s, std::ostream &out) {
  const auto known = [&](size_t least, double x) {
    return s.isRandom && s.times.size() < least ? ordered_json() : number(x);
  };
  ordered_json j{{"schema", schemaOf("simulate")},
                 {"model", model},
                 {"target", options.target},
                 {"replications", s.times.size()},
                 {"seed", options.seed},
                 {"mean", number(s.moments.mean)},
                 {"standardError", s.standardError ? number(*s.standardError) : ordered_json()},
                 {"sd", known(2, s.moments.deviation())},
                 {"skewness", known(3, s.moments.skewness)},
                 {"kurtosis", known(4, s.moments.kurtosis)}};
  for (size_t i = 0; i < s.percentiles.size(); ++i)
    j[percentileNames[i]] = {
        {"value", number(s.percentiles[i].value)},
        {"interval", toJson(Interval{s.percentiles[i].low, s.percentiles[i].high})}};
  j["resources"] = ordered_json::array();
  for (const pamela::ResourceUse &r : s.resources)
    j["resources"].push_back({{"name", r.name},
                              {"index", number(r.index)},
                              {"servers", number(r.servers)},
                              {"uses", r.uses},
                              {"busy", number(r.busy)},
                              {"wait", number(r.queueing)}});
  j["events"] = s.events;
  std::vector<Note> notes;
  for (const std::string &text : s.notes)
    notes.push_back({"model", text});
  return write(std::move(j), notes, out);
}

} // namespace quincunx
