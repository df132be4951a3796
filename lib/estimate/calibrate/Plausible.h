// Whether a fit may be believed. The idea: what is told by times is told again by fits that left
// inputs out, and by samples; a fit that one of these contradicts by far would give figures that
// look like any others. It mends nothing.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/estimate/Calibrate.h"

#include <vector>

namespace quincunx {

/// By how much samples and fit may differ about a function, relative, and from which share of the
/// samples on that is said.
inline constexpr double farFromSamples = 0.2, worthANote = 0.02;

/// An error, with the reason, where inputs that were left out are predicted no better than by one
/// time for all, where what a run costs outside of its work (`starts`, ns: one for each fit that
/// left inputs out) is another one in each fit, or where samples contradict most of what was
/// fitted.
Status checkPlausible(const Calibration &fitted, const std::vector<double> &starts);

} // namespace quincunx
