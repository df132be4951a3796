// Cumulants compared by their own sizes: what the tests of rules, loops and elimination share.
#pragma once

#include "quincunx/numeric/Moments.h"

#include <gtest/gtest.h>

#include <cmath>

namespace quincunx::test {

/// Relative to the size that cumulants of this deviation have: a third cumulant of 0 is compared
/// with the cube of the deviation.
inline void expectClose(const Cumulants &got, const Cumulants &want, double tolerance) {
  const double s = std::sqrt(std::abs(want.k2));
  EXPECT_NEAR(got.k1, want.k1, tolerance * (std::abs(want.k1) + s));
  EXPECT_NEAR(got.k2, want.k2, tolerance * std::abs(want.k2));
  EXPECT_NEAR(got.k3, want.k3, tolerance * (std::abs(want.k3) + s * s * s));
  EXPECT_NEAR(got.k4, want.k4, tolerance * (std::abs(want.k4) + s * s * s * s));
}

} // namespace quincunx::test
