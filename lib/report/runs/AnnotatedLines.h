// The lines of a source with what stands above and beside them, as all its listings have them.
#pragma once

#include "quincunx/report/Annotate.h"

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace quincunx {

struct AnnotatedLine {
  std::string_view text, ending;
  uint32_t number;
  const std::vector<std::string> &above; ///< comments of functions
  const LineFigures *figures;            ///< none: no code
};
using TakeLine = std::function<void(const AnnotatedLine &)>;
/// Takes every line that is not a comment of ours.
void forEachLine(std::string_view text, const Annotation &a, const TakeLine &take);

/// Executions, p50 and p99 of their cost, and share, as they stand beside a line.
std::array<std::string, 4> cellsOf(const LineFigures &f, const Observed &o);
/// What the marks mean that stand there.
std::vector<std::string> marksIn(const FileFigures &lines);

} // namespace quincunx
