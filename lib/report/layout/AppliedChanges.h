// What was changed, and what carries it.
#pragma once

#include "quincunx/estimate/Change.h"
#include "quincunx/report/Display.h"
#include "report/layout/JsonDocument.h"

#include <iosfwd>
#include <vector>

namespace quincunx {

void printChanges(const std::vector<AppliedChange> &changes, const Display &display,
                  std::ostream &out);
ordered_json toJson(const std::vector<AppliedChange> &changes);

} // namespace quincunx
