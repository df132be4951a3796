// Chrome's trace event format ("Trace Event Format", the Trace Event Profiling Tool): complete
// events, which have a begin and a duration in microseconds. It numbers processes as they were
// created.
#include "quincunx/report/JsonText.h"
#include "quincunx/report/Simulate.h"

#include <map>
#include <ostream>
#include <string>

namespace quincunx {

void printSimulatedTrace(const pamela::Simulated &s, std::ostream &out) {
  using nlohmann::ordered_json;
  using Kind = pamela::SimulatedSlice::Kind;
  std::map<double, std::string> resources;
  for (const pamela::ResourceUse &r : s.resources)
    resources[r.index] = r.name;
  constexpr const char *kinds[] = {"delay", "queue", "use"};
  out << "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [";
  const char *separator = "\n";
  for (const pamela::SimulatedSlice &slice : s.slices) {
    const std::string kind = kinds[static_cast<size_t>(slice.kind)];
    const ordered_json event{
        {"name", slice.kind == Kind::delay ? kind : kind + " " + resources[slice.resource]},
        {"cat", kind},
        {"ph", "X"},
        {"ts", slice.begin},
        {"dur", slice.end - slice.begin},
        {"pid", 1},
        {"tid", slice.process},
        {"args", {{"line", slice.at.line}}}};
    out << separator << jsonText(event, -1);
    separator = ",\n";
  }
  out << "\n]}\n";
}

} // namespace quincunx
