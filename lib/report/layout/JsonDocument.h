// Private to lib/report: what all JSON documents have, from version and corpus to the notes.
#pragma once

#include "quincunx/estimate/Note.h"
#include "quincunx/estimate/Observed.h"

#include <iosfwd>
#include <nlohmann/json.hpp>

namespace quincunx {

using nlohmann::ordered_json;

inline constexpr const char *percentileNames[] = {"p50", "p90", "p99", "p99.9"};

/// null where it is not finite.
ordered_json number(double x);
ordered_json toJson(const Interval &i);
ordered_json toJson(const SummaryStatistics &f);
void addMoments(ordered_json &j, const SummaryStatistics &f);
/// The beginning of every document over runs: version, corpus, machine, how many runs, and the
/// program's figures.
ordered_json documentOf(const Observed &o, const std::string &corpus);
ordered_json imagesOf(const Observed &o);
Status write(ordered_json j, const std::vector<Note> &notes, std::ostream &out);

} // namespace quincunx
