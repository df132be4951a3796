// How good a calibration is, for people and for programs.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/estimate/Calibrate.h"
#include "quincunx/estimate/InputTimes.h"
#include "quincunx/report/Display.h"

#include <iosfwd>
#include <string>

namespace quincunx {

/// Where nothing was timed they say whose prices are taken. `top`: how many of the inputs that are
/// missed most to show.
void printCalibration(const Calibration &c, const CountMatrix &matrix, const InputTimes &timed,
                      size_t top, const Display &display, std::ostream &out);
/// Prints it with every input. `corpus` is the path as the reader gave it.
Status printCalibrationJson(const Calibration &c, const CountMatrix &matrix,
                            const InputTimes &timed, const std::string &corpus, std::ostream &out);

} // namespace quincunx
