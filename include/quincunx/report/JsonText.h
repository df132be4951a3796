// JSON documents as text, and text of strangers as JSON.
#pragma once

#include "quincunx/base/Result.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace quincunx {

/// All in ASCII: a terminal that shows it cannot be driven by a name in it, and who reads it gets
/// the name as it is. Bytes that are not UTF-8 become U+FFFD. With an `indent` of -1 it is one
/// line.
std::string jsonText(const nlohmann::ordered_json &j, int indent = 2);

/// What a document of `kind` says of itself in its first field, "quincunx/report/1": it follows
/// share/schemas/report-1.schema.json.
std::string schemaOf(const std::string &kind);

/// One document. Errors: it is none, or more than `deepest` brackets are open at once.
Result<nlohmann::ordered_json> parseJson(std::string_view text, int deepest);

} // namespace quincunx
