// How something grows with the size of the input: a law for its mean, chosen by what it says of
// larger sizes than it was fitted to, and from it the distribution at a size that was never run.
// Reference: docs/14-how-far-to-trust-it.md. It refuses where its own check fails; inside the sizes
// that were run it is not needed (WhatIf.h conditions on them).
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/estimate/Trust.h"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace quincunx {

/// mean(n) = sum of[i] g_i(n), of what grows with n in the usual ways, none of them negative; or
/// b n^power.
struct SizeLaw {
  /// Which of the terms it may have besides the constant one: none, one of them, or all of them.
  enum class Form : uint8_t { constant, linear, logLinear, square, cube, all, power };
  Form form = Form::constant;
  std::array<double, 5> of{}; ///< of 1, n, n log2 n, n^2, n^3
  double b = 0, power = 0;    ///< Form::power
  /// Fitted to the smaller half of the sizes, the root mean square of its relative error for means
  /// of the larger half.
  double error = 0;
  double at(double n) const;
  /// "12 + 3.1 n log2 n", where `n` is the name of the size.
  std::string text(const std::string &n) const;
};

/// `y` of runs of sizes `n` > 0. An error when there are less than 20 runs, or the largest size is
/// not twice the smallest.
Result<SizeLaw> fitSizeLaw(std::span<const double> n, std::span<const double> y);

/// A cost at another size.
struct SizePrediction {
  SizeLaw law;
  std::vector<double> costs; ///< what each run would have cost, its deviation from the law scaled
  Interval mean, p99;        ///< 90 %, over other samples of runs and over laws that do as well
  double meanCheck = 0, p99Check = 0; ///< relative errors of the larger half from the smaller one
};

/// `y` at size `target` > 0. An error, with the figures, when the larger half is not predicted from
/// the smaller one: the mean within 3 % and p99 within 6 %, each plus twice what sampling alone
/// does.
Result<SizePrediction> predictAtSize(std::span<const double> n, std::span<const double> y,
                                     double target);

} // namespace quincunx
