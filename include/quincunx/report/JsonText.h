// JSON documents as text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace quincunx {

/// All in ASCII: a terminal that shows it cannot be driven by a name in it, and who reads it gets
/// the name as it is. Bytes that are not UTF-8 become U+FFFD. With an `indent` of -1 it is one
/// line.
std::string jsonText(const nlohmann::ordered_json &j, int indent = 2);

} // namespace quincunx
