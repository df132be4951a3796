// The beginning of JSON documents over runs: schema, corpus, machine, how many runs, and figures.
#pragma once

#include "quincunx/estimate/Observed.h"
#include "quincunx/estimate/Provenance.h"
#include "report/layout/JsonDocument.h"

#include <string>

namespace quincunx {

ordered_json toJson(const Percentile &q);
ordered_json toJson(const SummaryStatistics &f);
void addMoments(ordered_json &j, const SummaryStatistics &f);
/// Its kind (JsonText.h), corpus, machine, how many runs, and the program's figures.
ordered_json documentOf(const char *kind, const Observed &o, const std::string &corpus);
ordered_json imagesOf(const Observed &o);
/// How runs ended, their builds, and what the clock on the wall says.
void addProvenance(ordered_json &j, const Provenance &provenance);

} // namespace quincunx
