// What strands, and runs of which they are not known, are called in tables and documents.
#pragma once

#include "quincunx/estimate/ParallelRuns.h"
#include "quincunx/report/Display.h"
#include "report/layout/JsonDocument.h"

#include <iosfwd>

namespace quincunx {

/// What happened; of a beginning, for kind 0.
const char *kindName(qx_strand_kind kind);
/// "function (file:line)"; "?" where it is not known, nothing for site 0.
std::string placeText(const StrandSites &sites, uint32_t site, const Display &display);
/// "created in function (file:line)".
std::string threadText(const StrandSites &sites, uint32_t created, const Display &display);
/// A row for each part, `top` at most (0: all) and none below 0.05 %.
void printPathParts(const std::vector<PathPart> &parts, const StrandSites &sites, size_t top,
                    const Display &display, std::ostream &out);
ordered_json pathPartsJson(const std::vector<PathPart> &parts, const StrandSites &sites);
ordered_json siteJson(const StrandSites &sites, uint32_t site);
/// Behind a heading: " on 2 processors", or ", a processor for each" (infinite).
std::string onProcessors(double processors);
/// "; left out: 3 that did not finish", or nothing.
std::string leftOut(const LeftOut &runs);
ordered_json leftOutJson(const LeftOut &runs);

} // namespace quincunx
