// Numbers, and the end of JSON documents. Doubles read back exactly; text that is not UTF-8 is
// replaced, never dropped.
#include "JsonDocument.h"

#include <cmath>
#include <ostream>

namespace quincunx {

ordered_json number(double x) { return std::isfinite(x) ? ordered_json(x) : ordered_json(nullptr); }
ordered_json toJson(const Interval &i) { return {number(i.low), number(i.high)}; }

Status write(ordered_json j, const std::vector<Note> &notes, std::ostream &out) {
  j["notes"] = ordered_json::array();
  for (const Note &n : notes)
    j["notes"].push_back({{"kind", n.kind}, {"text", n.text}});
  out << j.dump(2, ' ', false, ordered_json::error_handler_t::replace) << "\n";
  return Done{};
}

} // namespace quincunx
