// Names as people wrote them. It decides nothing about what is shown.
#pragma once

#include <string>

namespace quincunx {

/// A C++ linkage name as it is written in the source, any other name as it is.
std::string demangle(const std::string &linkageName);

} // namespace quincunx
