// Prints simulated times: moments with the error of the mean, percentiles with their intervals, and
// who waited where.
#include "quincunx/report/Simulate.h"

#include "quincunx/base/Text.h"
#include "report/layout/Grid.h"
#include "report/layout/JsonDocument.h"
#include "report/layout/Sections.h"

#include <ostream>

namespace quincunx {

void printSimulated(const std::string &target, const pamela::Simulated &s, bool colour,
                    std::ostream &out) {
  const bool many = s.times.size() > 1;
  out << heading("Simulated time of " + escape(target), colour) << ", "
      << (many ? std::to_string(s.times.size()) + " replications" : "nothing in it is random")
      << "\n\n";
  Grid grid({"", "time", "90 % interval"}, 0);
  const double z = 1.6449; // 90 % of a normal law
  grid.add({"mean", figure(s.moments.mean),
            s.standardError ? figure(Interval{s.moments.mean - z * *s.standardError,
                                              s.moments.mean + z * *s.standardError})
                            : ""});
  if (many) {
    grid.add({"sd", figure(s.moments.deviation()), ""});
    grid.add({"skewness", figure(s.moments.skewness), ""});
    grid.add({"kurtosis", figure(s.moments.kurtosis), ""});
    for (size_t i = 0; i < s.percentiles.size(); ++i)
      grid.add({percentileNames[i], figure(s.percentiles[i].value),
                figure(Interval{s.percentiles[i].low, s.percentiles[i].high})});
  }
  grid.print(out, colour);
  out << "\n";
  if (!s.resources.empty()) {
    Grid resources({"servers", "busy", "uses", "mean wait", "resource"}, 1);
    for (const pamela::ResourceUse &r : s.resources)
      resources.add({figure(r.servers), percent(r.busy),
                     figure(static_cast<double>(r.uses) / static_cast<double>(s.times.size())),
                     figure(r.queueing), escape(r.name)});
    resources.print(out, colour);
    out << "\n";
  }
  for (const std::string &note : s.notes)
    out << "note: " << note << "\n";
}

Status printSimulatedJson(const std::string &model, const pamela::SimulateOptions &options,
                          const pamela::Simulated &s, std::ostream &out) {
  ordered_json j{{"version", 1},
                 {"model", model},
                 {"target", options.target},
                 {"replications", s.times.size()},
                 {"seed", options.seed},
                 {"mean", number(s.moments.mean)},
                 {"standardError", s.standardError ? number(*s.standardError) : ordered_json()},
                 {"sd", number(s.moments.deviation())},
                 {"skewness", number(s.moments.skewness)},
                 {"kurtosis", number(s.moments.kurtosis)}};
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
