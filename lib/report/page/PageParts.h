// The parts of the page that every page has: share/page, and the library that draws.
#pragma once

#include <string_view>

namespace quincunx {

extern const std::string_view pageHtml; ///< with @style@, @library@, @script@ and @data@ in it
extern const std::string_view pageStyle, pageScript, pageLibrary;

} // namespace quincunx
