// What strands, and runs of which they are not known, are called in tables and documents.
#pragma once

#include "quincunx/estimate/ParallelRuns.h"
#include "quincunx/report/Display.h"
#include "report/layout/JsonDocument.h"

namespace quincunx {

/// What happened; of a beginning, for kind 0.
const char *kindName(qx_strand_kind kind);
/// "function (file:line)"; "?" where it is not known, nothing for site 0.
std::string placeText(const StrandSites &sites, uint32_t site, const Display &display);
ordered_json siteJson(const StrandSites &sites, uint32_t site);
/// "; left out: 3 that did not finish", or nothing.
std::string leftOut(const LeftOut &runs);
ordered_json leftOutJson(const LeftOut &runs);

} // namespace quincunx
