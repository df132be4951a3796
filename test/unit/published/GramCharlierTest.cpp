// The thesis' appendix D against its table D.1.
#include "published/Compare.h"

#include <cmath>

using namespace quincunx;
using namespace quincunx::test;
using namespace quincunx::published;

namespace {

RawMoments lastOfTwoOf(const RawMoments &x) { return lastOfTwo(gramCharlier(x), gramCharlier(x)); }

TEST(GramCharlier, TableD1Normal) {
  const RawMoments y = lastOfTwoOf({0, 1, 0, 3});
  EXPECT_EQ(printed(y.m1, 3), "0.564");
  EXPECT_EQ(printed(y.m2, 3), "1.000");
  EXPECT_EQ(printed(y.m3, 3), "1.410");
  EXPECT_EQ(printed(y.m4, 3), "3.000");
  // These are exact: 1/sqrt(pi), 1, 5/(2 sqrt(pi)), 3
  EXPECT_NEAR(y.m1, 1 / std::sqrt(M_PI), 1e-12);
  EXPECT_NEAR(y.m3, 2.5 / std::sqrt(M_PI), 1e-12);
}

// The row is printed as 0.022, 0.083, 0.215, 1.8. The second entry is that of a uniform task of
// width 1 about 0, the fourth that of a standardised one; the first is a tenth of the former's
// 0.2203; the third could not be reproduced.
TEST(GramCharlier, TableD1UniformMixesUnits) {
  const RawMoments unit = lastOfTwoOf({0, 1, 0, 1.8});
  EXPECT_EQ(printed(unit.m4, 1), "1.8");
  EXPECT_NEAR(unit.m1, 0.577, 0.0005); // exact: 0.577
  EXPECT_NEAR(unit.m3, 1.131, 0.0005); // exact: 1.039
  const RawMoments narrow = lastOfTwoOf({0, 1 / 12.0, 0, 1 / 80.0});
  EXPECT_EQ(printed(narrow.m2, 3), "0.083");
  EXPECT_NEAR(narrow.m1, 0.2203, 0.0001);
  EXPECT_NEAR(narrow.m3, -0.136, 0.001);
}

// Printed as 0.837, 4.019, 11.502, 36.703; exact: 1.5, 3.5, 11.25, 46.5.
TEST(GramCharlier, TableD1ExponentialExpandsRawMoments) {
  const RawMoments y = lastOfTwoOf({1, 2, 6, 24});
  EXPECT_EQ(printed(y.m2, 3), "4.019");
  EXPECT_EQ(printed(y.m3, 3), "11.502");
  EXPECT_NEAR(y.m1, 1.366, 0.0005);  // not 0.837
  EXPECT_NEAR(y.m4, 37.073, 0.0005); // not 36.703
}

// The coefficients must make the moments of one task come back: (D.6) as printed does not.
TEST(GramCharlier, CoefficientsGiveBackTheMoments) {
  const RawMoments m{0.2, 1.1, 0.3, 3.5};
  expectBelow(lastOf(gramCharlier(m), 1), m, 1e-9);
  const CentralMoments c{0, 1, 0.5, 3.2};
  const RawMoments asPrinted = lastOf(gramCharlierAsPrinted(c), 1);
  EXPECT_NEAR(asPrinted.m3, c.mu3 - 1, 1e-9);
  EXPECT_NEAR(asPrinted.m4, c.mu4 - 2, 1e-9);
}

TEST(GramCharlier, LastOfTwoIsLastOfN) { // (D.13) and (D.21)
  for (const RawMoments &m :
       {RawMoments{0, 1, 0, 1.8}, RawMoments{0, 1, 2, 9}, RawMoments{0.1, 1, 0.5, 3.1}})
    expectBelow(lastOf(gramCharlier(m), 2), lastOfTwoOf(m), 1e-8);
}

} // namespace
