// Functions in which no site is (QX_SITE_SYMBOL), by their linkage names.
#pragma once

#include "quincunx/abi/library_names.h"

#include <string>

namespace quincunx {

inline bool isOfLibrary(const std::string &linkageName) {
  return qx_is_of_library(linkageName.c_str()) != 0;
}

} // namespace quincunx
