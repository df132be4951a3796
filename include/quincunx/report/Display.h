// What a report for people is read on, and what functions are called in it.
#pragma once

#include "quincunx/report/FunctionNames.h"

#include <cstddef>
#include <string>

namespace quincunx {

struct Display {
  /// Columns of a table where nothing is known of the reader.
  static constexpr size_t usualWidth = 100;

  bool colour = false;       ///< the reader is a terminal and wants colours
  bool utf8 = false;         ///< the reader can show more than ASCII
  size_t width = usualWidth; ///< columns of a table at most; 0: as many as it takes
  FunctionNames names{};

  /// The name of a function, escaped.
  std::string function(const std::string &linkageName) const;
  /// What stands for what is left out.
  const char *gap() const { return utf8 ? "…" : "..."; }
};

} // namespace quincunx
