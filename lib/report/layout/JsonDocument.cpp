// Numbers, and the end of JSON documents. Doubles read back exactly.
#include "JsonDocument.h"

#include "quincunx/report/JsonText.h"

#include <cmath>
#include <ostream>

namespace quincunx {

ordered_json number(double x) { return std::isfinite(x) ? ordered_json(x) : ordered_json(nullptr); }
ordered_json toJson(const Interval &i) { return {number(i.low), number(i.high)}; }

Status write(ordered_json j, const std::vector<Note> &notes, std::ostream &out) {
  j["notes"] = ordered_json::array();
  for (const Note &n : notes)
    j["notes"].push_back({{"kind", n.kind}, {"text", n.text}});
  out << jsonText(j) << "\n";
  return Done{};
}

} // namespace quincunx
