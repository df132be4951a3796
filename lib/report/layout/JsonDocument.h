// What all JSON documents have: numbers, intervals, notes at the end.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/estimate/ConfidenceIntervals.h"
#include "quincunx/estimate/Note.h"
#include "quincunx/report/JsonText.h"

#include <iosfwd>
#include <nlohmann/json.hpp>

namespace quincunx {

using nlohmann::ordered_json;

inline constexpr const char *percentileNames[] = {"p50", "p90", "p99", "p99.9"};

/// null where it is not finite.
ordered_json number(double x);
ordered_json toJson(const Interval &i);
/// Writes a document with its notes.
Status write(ordered_json j, const std::vector<Note> &notes, std::ostream &out);

} // namespace quincunx
