// Which names stand for time in the kernel.
#include "quincunx/estimate/SystemCalls.h"

#include <gtest/gtest.h>

namespace quincunx {
namespace {

TEST(SystemCalls, AreKnownByName) {
  for (const char *name : {"read", "write", "malloc", "printf", "pthread_create", "_Znwm",
                           "_ZdlPvm", "_ZNSolsEi", "_ZNSt6thread4joinEv", "__printf_chk", "fstat"})
    EXPECT_TRUE(mayEnterKernel(name)) << name;
  for (const char *name : {"memcmp", "memcpy", "strlen", "sin", "_ZSt18_Rb_tree_incrementPSt18",
                           "_ZSt11_Hash_bytesPKvmm", "static_table", "reader", "signum", ""})
    EXPECT_FALSE(mayEnterKernel(name)) << name;
}

} // namespace
} // namespace quincunx
