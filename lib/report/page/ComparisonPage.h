// What a page that compares holds, as its scripts read it (share/page/data.js).
#pragma once

#include "quincunx/report/Compare.h"
#include "report/layout/JsonDocument.h"

namespace quincunx {

ordered_json comparisonPageDocument(const Comparison &c, const ComparedNames &names,
                                    const Display &display, const std::string &version);

} // namespace quincunx
