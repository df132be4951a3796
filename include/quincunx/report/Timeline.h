// What the threads of a run do at which time, for viewers of traces (Perfetto, chrome://tracing).
// Reference: docs/23-exports.md.
#pragma once

#include "quincunx/estimate/Timeline.h"
#include "quincunx/report/Display.h"

#include <iosfwd>

namespace quincunx {

/// In Chrome's trace event format, in microseconds. Sites have names by `sites`.
void printTimeline(const ReplayedRun &run, const Timeline &timeline, const StrandSites &sites,
                   const Display &display, std::ostream &out);

} // namespace quincunx
