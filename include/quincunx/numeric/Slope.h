// The derivative of a function that can only be computed, with an error, and whether there is one.
// The idea: differences in steps that are halved, extrapolated to no step at all (Richardson); the
// error is what the best extrapolation still changes by. From above and from below apart, as a
// function may have a kink or a step where it is asked about. Reference: Ridders, Accurate
// computation of F'(x) and F'(x) F''(x), 1982. A kink closer by than a millionth of x is not seen.
#pragma once

#include <functional>
#include <optional>

namespace quincunx {

struct Slope {
  enum class Kind {
    smooth,
    kink,  ///< from below and from above there are different ones
    above, ///< the function is known from here on only
    below, ///< and up to here
    step,  ///< the function jumps
    none,  ///< not even both ends of a step are known
  };
  Kind kind = Kind::none;
  double value = 0;            ///< of all but kinks and steps
  double error = 0;            ///< of the value, or of those on both sides
  double below = 0, above = 0; ///< of a kink
};

/// f: nothing where it has no value.
Slope slopeAt(const std::function<std::optional<double>(double)> &f, double x);

} // namespace quincunx
