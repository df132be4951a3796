// The suite of RFC 1321, and lengths around the end of a block.
#include "quincunx/base/Md5.h"

#include <gtest/gtest.h>

using namespace quincunx;

TEST(Md5, SuiteOfTheRfc) {
  const std::pair<const char *, const char *> table[] = {
      {"", "d41d8cd98f00b204e9800998ecf8427e"},
      {"a", "0cc175b9c0f1b6a831c399e269772661"},
      {"abc", "900150983cd24fb0d6963f7d28e17f72"},
      {"message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
      {"abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"},
      {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
       "d174ab98d277d9f5a5611c2c9f419d9f"},
      {"12345678901234567890123456789012345678901234567890123456789012345678901234567890",
       "57edf4a22be3c955ac49da2e2107b67a"},
  };
  for (const auto &[text, digest] : table)
    EXPECT_EQ(hex(md5(text)), digest) << text;
}

TEST(Md5, LengthsAroundTheEndOfABlock) {
  // md5sum of 55, 56, 63, 64, 65 and 119 letters x.
  const std::pair<size_t, const char *> table[] = {
      {55, "04364420e25c512fd958a70738aa8f72"}, {56, "668a72d5ba17f08e62dabcafad6db14b"},
      {63, "7dc2ca208106a2f703567bdff99d8981"}, {64, "c1bb4f81d892b2d57947682aeb252456"},
      {65, "1bc932052302d074bdec39795fe00cf6"}, {119, "ab347a5f68c8a443cfcddc633f12c24f"},
  };
  for (const auto &[n, digest] : table)
    EXPECT_EQ(hex(md5(std::string(n, 'x'))), digest) << n;
}
