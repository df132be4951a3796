// Text in XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace quincunx {

/// What is printable, in an attribute or between tags.
std::string markup(std::string_view text);

} // namespace quincunx
