// Chrome's trace event format ("Trace Event Format", the Trace Event Profiling Tool): complete
// events, which have a begin and a duration in microseconds, and names of threads as metadata.
#include "quincunx/report/Timeline.h"

#include "StrandText.h"
#include "quincunx/report/JsonText.h"

#include <ostream>
#include <string>

namespace quincunx {

namespace {

using nlohmann::ordered_json;
using parallel::Edge;

const char *nameOf(Edge why) {
  switch (why) {
  case Edge::fork:
    return "its beginning";
  case Edge::join:
    return "the end of others";
  case Edge::lock:
    return "a lock";
  case Edge::barrier:
    return "a barrier";
  case Edge::post:
    return "a signal";
  case Edge::task:
    return "tasks";
  case Edge::line:
    return "a thread of the process";
  case Edge::order: // of one thread: it waited for nothing
    break;
  }
  return "";
}

std::string rowName(uint32_t created, size_t row, const StrandSites &sites,
                    const Display &display) {
  const std::string number = std::to_string(row + 1);
  if (created == Timeline::several)
    return number + ": several in turn";
  return number + ": " + threadText(sites, created, display);
}

} // namespace

void printTimeline(const ReplayedRun &run, const Timeline &timeline, const StrandSites &sites,
                   const Display &display, std::ostream &out) {
  constexpr double microseconds = 1e6;
  out << "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n"
      << jsonText(ordered_json{{"name", "process_name"},
                               {"ph", "M"},
                               {"pid", 1},
                               {"args", {{"name", "run " + run.label + ", simulated"}}}},
                  -1);
  for (size_t row = 0; row < timeline.rows.size(); ++row)
    out << ",\n"
        << jsonText(
               ordered_json{{"name", "thread_name"},
                            {"ph", "M"},
                            {"pid", 1},
                            {"tid", row + 1},
                            {"args", {{"name", rowName(timeline.rows[row], row, sites, display)}}}},
               -1);
  for (const TimelineSlice &s : timeline.slices) {
    const std::string place = placeText(sites, s.place.site, display);
    ordered_json event{{"name", s.isWait        ? std::string("waits for ") + nameOf(s.why)
                                : place.empty() ? std::string("to its end")
                                                : place},
                       {"cat", s.isWait ? "wait" : "work"},
                       {"ph", "X"},
                       {"ts", s.begin * microseconds},
                       {"dur", (s.end - s.begin) * microseconds},
                       {"pid", 1},
                       {"tid", s.row + 1}};
    event["args"][s.isWait ? "behind" : "upTo"] = kindName(s.place.kind);
    if (s.isWait && !place.empty())
      event["args"]["in"] = place;
    out << ",\n" << jsonText(event, -1);
  }
  out << "\n]}\n";
}

} // namespace quincunx
