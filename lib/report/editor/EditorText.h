// What editors show of functions and lines, as words. Figures are written as in reports.
#pragma once

#include "quincunx/estimate/LineObserver.h"
#include "quincunx/report/EditorCorpus.h"

#include <optional>
#include <string>

namespace quincunx {

/// "prog.cpp:12", behind names that several functions may have.
std::string placeOf(const FunctionFigures &f);
std::string nameOf(const FunctionFigures &f, const EditorCorpus &corpus);
/// "total p50 0.9431, p99 7.886 ms · 51.2 % · 1 call": per run, with all it calls where that is
/// known.
std::string lensText(const FunctionFigures &f, const Observed &o);
/// "4000 times · 12.3 %".
std::string hintText(const LineFigures &f);
/// A line that lies so far in the mean cost of the program has a hint.
inline constexpr double hotShare = 0.005;
std::string lineText(const LineFigures &f);
/// Distribution, self and total, the slowest input, and a sketch: lines of a fixed width.
std::string functionText(const FunctionFigures &f, const EditorCorpus &corpus);

} // namespace quincunx
