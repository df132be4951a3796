// What a page holds, as its scripts read it (share/page/data.js).
#pragma once

#include "quincunx/report/Page.h"
#include "report/layout/JsonDocument.h"

namespace quincunx {

ordered_json pageDocument(const Page &page, const std::string &version);
/// What whole runs scatter by, relative; null: by nothing.
ordered_json residualJson(const Moments &e);
/// Percentiles to draw, of so many runs, and the shares of the runs between which each lies with
/// 90 %; 0: no run bounds it.
ordered_json percentilesToDraw(size_t runs);

} // namespace quincunx
