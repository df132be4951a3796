// Mean value analysis against the thesis' table 6.2: local 10, service 0.1.
#include "published/Compare.h"

using namespace quincunx::test;
using namespace quincunx::published;

namespace {

TEST(MeanValue, Table62) {
  const std::pair<int, const char *> table[] = {{1, "10.10"},  {2, "10.10"},   {20, "10.12"},
                                                {50, "10.19"}, {100, "10.82"}, {200, "20.00"},
                                                {500, "50.00"}};
  for (const auto &[P, text] : table)
    EXPECT_EQ(printed(meanValueCycle(P, 10, 0.1), 2), text) << P;
  // Printed one hundredth higher: 10.11 and 10.12.
  EXPECT_EQ(printed(meanValueCycle(5, 10, 0.1), 2), "10.10");
  EXPECT_EQ(printed(meanValueCycle(10, 10, 0.1), 2), "10.11");
}

// With P R(n) as printed in (6.11) the table does not come out.
TEST(MeanValue, PrintedRecursionDoesNotGiveTable62) {
  const std::pair<int, const char *> wrong[] = {{50, "10.20"}, {100, "11.05"}, {200, "20.20"}};
  for (const auto &[P, text] : wrong)
    EXPECT_EQ(printed(meanValueCycleAsPrinted(P, 10, 0.1), 2), text) << P;
}

TEST(MeanValue, OneClientNeverWaits) {
  EXPECT_DOUBLE_EQ(meanValueCycle(1, 3, 2), 5);
  EXPECT_DOUBLE_EQ(meanValueCycle(0, 3, 2), 3);
  // The server is the bottleneck: cycle -> clients * service
  EXPECT_NEAR(meanValueCycle(1000, 1, 1), 1000, 1e-9);
}

} // namespace
