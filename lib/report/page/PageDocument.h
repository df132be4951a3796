// What a page holds, as its scripts read it (share/page/data.js).
#pragma once

#include "quincunx/report/Page.h"
#include "report/layout/JsonDocument.h"

namespace quincunx {

ordered_json pageDocument(const Page &page, const std::string &version);

} // namespace quincunx
