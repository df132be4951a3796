// How something grows with the size of the input: a law for its mean, chosen by what it says of
// larger sizes than it was fitted to, and from it the distribution at a size that was never run.
// Reference: docs/14-how-far-to-trust-it.md. It refuses where its own check fails; inside the sizes
// that were run it is not needed (WhatIf.h conditions on them).
#pragma once

#include "quincunx/base/Result.h"
#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace quincunx {

/// mean(n) = sum of[i] g_i(n), of what grows with n in the usual ways, none of them negative; or
/// b n^power. Beside another feature m of the runs: of[0] + of[1] g(n) + of[2] m + of[3] g(n) m, or
/// b n^power m^otherPower.
struct SizeLaw {
  /// Which of the terms it may have besides the constant one: none, one of them, or all of them.
  enum class Form : uint8_t {
    constant,
    linear,
    logLinear,
    square,
    cube,
    all,
    power,
    besideLinear, ///< from here on beside another feature
    besideLogLinear,
    besideSquare,
    besideCube,
    besidePower
  };
  Form form = Form::constant;
  std::array<double, 5> of{};              ///< of 1, n, n log2 n, n^2, n^3
  double b = 0, power = 0, otherPower = 0; ///< Form::power, besidePower
  /// Fitted to the smaller half of the sizes, the root mean square of its relative error for means
  /// of the larger half.
  double error = 0;
  double at(double n, double other = 1) const;
  /// "12 + 3.1 n log2 n", where `n` is the name of the size and `other` that of the other feature.
  std::string text(const std::string &n, const std::string &other = "") const;
};

/// `y` of runs of sizes `n` > 0. An error when there are less than 20 runs, or the largest size is
/// not twice the smallest.
Result<SizeLaw> fitSizeLaw(std::span<const double> n, std::span<const double> y);

/// Costs at other sizes.
struct SizePrediction {
  SizeLaw law;
  std::vector<double> costs; ///< what each run would have cost, its deviation from the law scaled
  double meanCheck = 0, p99Check = 0; ///< relative errors of the larger half from the smaller one
  /// What of these is more than sampling does, at the distance of what is asked: how far the law
  /// may be off, relative.
  double meanDoubt = 0, p99Doubt = 0;
};

/// Takes a prediction that might as well have been made: which runs it was made from (indices, with
/// repetitions), and what they would have cost.
using TakePrediction =
    std::function<void(const std::vector<uint32_t> &runs, const std::vector<double> &costs)>;

/// `y` where the size of each run is `targets` > 0 in place of `n`; a run whose target is its own
/// size costs what it did. `other`: a second feature that each run keeps; empty: none. An error,
/// with the figures, when the larger half is not predicted from the smaller one: the mean within
/// 3 %, p99 within 6 %, the shares of runs below the quartiles within 3 % of the runs, each plus
/// twice what sampling alone does; or when that is itself more than 10, 35 and 15 %. Errors count
/// as many times as the targets are further away than the larger half is. `others` is called for
/// other samples of the runs, with every form that does about as well: how they spread is how well
/// the prediction is known.
Result<SizePrediction> predictAtSizes(std::span<const double> n, std::span<const double> y,
                                      std::span<const double> targets,
                                      const TakePrediction &others = {},
                                      std::span<const double> other = {});

} // namespace quincunx
