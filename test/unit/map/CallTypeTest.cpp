// Which functions a call through a pointer may be of.
#include "quincunx/map/CallType.h"

#include <gtest/gtest.h>

namespace quincunx {
namespace {

TEST(CallType, TheSameIsExact) {
  EXPECT_EQ(fitOfTypes("ipp", "ipp"), TypeFit::exact);
  EXPECT_EQ(fitOfTypes("v{(i64, i64)}p", "v{(i64, i64)}p"), TypeFit::exact);
}

TEST(CallType, WhatIsNotKnownMayBeAnything) {
  EXPECT_EQ(fitOfTypes("", "ipp"), TypeFit::exact);
  EXPECT_EQ(fitOfTypes("ipp", ""), TypeFit::exact);
  EXPECT_EQ(fitOfTypes("i.", "ipp"), TypeFit::exact) << "no prototype";
}

TEST(CallType, CastsLeaveAlone) {
  EXPECT_EQ(fitOfTypes("vpp", "vp"), TypeFit::prefix) << "a parameter";
  EXPECT_EQ(fitOfTypes("vp", "ip"), TypeFit::prefix) << "the result";
  EXPECT_EQ(fitOfTypes("vpp", "{(i64, i64)}p"), TypeFit::prefix) << "both";
  EXPECT_EQ(fitOfTypes("ippl", "ip."), TypeFit::prefix) << "of one that takes what comes";
}

TEST(CallType, OthersAreNotCalled) {
  EXPECT_EQ(fitOfTypes("ipp", "lpp"), TypeFit::none) << "another result";
  EXPECT_EQ(fitOfTypes("vp", "vpp"), TypeFit::none) << "too few arguments";
  EXPECT_EQ(fitOfTypes("vip", "vpp"), TypeFit::none) << "another parameter";
  EXPECT_EQ(fitOfTypes("v", "vp"), TypeFit::none);
}

} // namespace
} // namespace quincunx
