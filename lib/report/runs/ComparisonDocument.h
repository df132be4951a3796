// A comparison as a JSON document, without its notes.
#pragma once

#include "quincunx/report/Compare.h"
#include "report/layout/JsonDocument.h"

namespace quincunx {

ordered_json comparisonDocument(const Comparison &c, const ComparedNames &names,
                                const CompareOptions &options);

} // namespace quincunx
