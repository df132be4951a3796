// See LineText.h.
#include "LineText.h"

#include "report/layout/Grid.h"

namespace quincunx {

namespace {
/// Wider than this share of its middle an interval is marked.
constexpr double markedWidth = 1e-3;
} // namespace

bool isWide(const LineFigures &f) {
  return f.meanCounts.high - f.meanCounts.low > markedWidth * f.mean;
}

LineText::LineText(const LineFigures &f) : mean("?"), p99("?"), share(percent(f.share)) {
  if (f.notAllKnown && f.meanCounts.high == 0)
    return;
  const std::string mark = f.notAllKnown ? ">= " : isWide(f) ? "~" : "";
  mean = mark + shortFigure(f.notAllKnown ? f.meanCounts.low : f.mean);
  Percentile most = f.p99;
  most.atLeast |= f.notAllKnown;
  p99 = shortFigure(most);
}

} // namespace quincunx
