// Figures of a line of a source as people read them.
#pragma once

#include "quincunx/estimate/LineObserver.h"

#include <string>

namespace quincunx {

struct LineText {
  explicit LineText(const LineFigures &f);
  /// Executions per run. ">= " where the line was executed more often, or may have been; "?" if
  /// nothing else is known of it; "~" is the middle of an interval.
  std::string mean, p99;
  std::string share; ///< of the program's mean cost
};

/// Does its mean have a "~"?
bool isWide(const LineFigures &f);

} // namespace quincunx
