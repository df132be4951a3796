// What the tests of the published methods share: errors in per cent, numbers as a table prints
// them, moments out of a golden row.
#pragma once

#include "Csv.h"
#include "published/Published.h"

#include <cstdio>
#include <gtest/gtest.h>

namespace quincunx::test {

/// 100 (got/want - 1) of E[Y^r], r = 1..4.
inline std::array<double, 4> percent(const RawMoments &got, const RawMoments &want) {
  const auto error = [](double a, double b) { return 100 * (a / b - 1); };
  return {error(got.m1, want.m1), error(got.m2, want.m2), error(got.m3, want.m3),
          error(got.m4, want.m4)};
}

/// All four errors as expected, within `tolerance` (in per cent).
inline void expectPercent(const RawMoments &got, const RawMoments &want,
                          const std::array<double, 4> &expected, double tolerance) {
  const std::array<double, 4> p = percent(got, want);
  for (size_t r = 0; r < 4; ++r)
    EXPECT_NEAR(p[r], expected[r], tolerance) << "moment " << r + 1;
}

/// All four errors below `limit` per cent in size.
inline void expectBelow(const RawMoments &got, const RawMoments &want, double limit) {
  expectPercent(got, want, {0, 0, 0, 0}, limit);
}

/// With as many decimals as the text prints.
inline std::string printed(double x, int decimals) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, x);
  return text;
}

inline RawMoments rawOf(const Row &row, const std::string &prefix = "m") {
  const auto at = [&](const char *r) { return std::stod(row.at(prefix + r)); };
  return {at("1"), at("2"), at("3"), at("4")};
}

} // namespace quincunx::test
