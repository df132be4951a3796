// Every way out of a request. The program prints what it knows: for each marked function how many requests began and ended,
// and how often `tick` was called in each.
// RUN: for o in "-O0" "-O1" "-O2" "-O3" "-Os" "-O2 -fPIC"; do %clangxx $o %blocks %s -o %t && record %t && judged %t && %quincunx corpus dump %t.qx | python3 %S/../judges/requests.py --table > %t.table && diff %t.out %t.table || exit 1; done
// It is the same program without the flag, and when nothing is recorded.
// RUN: %plainclangxx -O2 -I%S/../../include %s -o %t.plain && %t.plain > %t.plain.out && cmp %t.out %t.plain.out
// RUN: QUINCUNX_OUT= %t > %t.off.out && cmp %t.out %t.off.out
// RUN: %quincunx report --per request --function 'throws' %t.qx | FileCheck %s
// CHECK: Cost per request of throws {{.*}} 6 of 6 requests
// RUN: not %quincunx report --per request %t.qx 2>&1 | FileCheck --check-prefix=SEVERAL %s
// SEVERAL: error: requests of several functions; choose one with --function: {{.*}}nested
// RUN: not %quincunx report --per request --function exits %t.qx 2>&1 | FileCheck --check-prefix=OPEN %s
// OPEN: error: requests of exits: no request ended
// RUN: %quincunx report --per request --function 'jumps' %t.qx | FileCheck --check-prefix=LEFT %s
// LEFT: note: 2 requests did not end
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <quincunx/quincunx.h>
#include <stdexcept>
#include <thread>

extern "C" __attribute__((noinline)) unsigned tick(unsigned x) { return x % 7 == 3 ? x * 3 + 1 : x ^ (x >> 3); }
static unsigned ticks(unsigned n) {
  unsigned x = 1;
  for (unsigned i = 0; i < n; ++i)
    x = tick(x + i);
  return x;
}

[[quincunx::request]] static unsigned returns(unsigned n) {
  if (n == 2)
    return ticks(n);
  return ticks(n) + 1;
}
__attribute__((noinline)) static unsigned below(unsigned n) {
  if (n != 9)
    throw std::runtime_error("below");
  return n;
}
// Exceptions: its own, one that passes through, one that is caught inside.
[[quincunx::request]] static unsigned throws(unsigned n) {
  ticks(n);
  if (n % 3 == 0)
    throw std::runtime_error("own");
  if (n % 3 == 1)
    return below(n);
  try {
    return below(n) + ticks(50);
  } catch (const std::exception &) {
  }
  return ticks(1);
}
static std::jmp_buf past;
[[quincunx::request]] static unsigned jumps(unsigned n) {
  ticks(n);
  if (n > 5)
    std::longjmp(past, 1);
  return 1;
}
[[quincunx::request]] static unsigned nested(unsigned n) { return ticks(n) + returns(2); }
[[quincunx::request]] static unsigned recursive(unsigned n) { return n == 0 ? tick(1) : tick(n) + recursive(n - 1) * 3; }
static unsigned (*volatile indirect)(unsigned) = ticks;
[[quincunx::request]] static unsigned tails(unsigned n) { return indirect(n); }
QUINCUNX_REQUEST static unsigned musttails(unsigned n) {
  tick(n);
  [[clang::musttail]] return indirect(n);
}
template <class T> struct Generic {
  [[quincunx::request]] static T call(T n) { return static_cast<T>(ticks(static_cast<unsigned>(n))); }
};
__attribute__((always_inline)) QUINCUNX_REQUEST inline unsigned inlined(unsigned n) { return ticks(n); }
[[quincunx::request]] static void exits(unsigned n) {
  ticks(n);
  std::exit(0);
}

int main() {
  unsigned sum = 0;
  for (unsigned n : {3u, 2u, 0u})
    sum += returns(n);
  for (unsigned n = 0; n < 6; ++n)
    try {
      sum += throws(n);
    } catch (const std::exception &) {
      ticks(1);
    }
  for (volatile unsigned n = 4; n < 8; n = n + 1)
    if (setjmp(past) == 0)
      sum += jumps(n);
  sum += jumps(1);
  sum += nested(4) + recursive(5) + tails(3) + musttails(7) + Generic<int>::call(6) + inlined(2);
  std::thread([&] { sum += returns(9) + ticks(100); }).join();
  std::printf("_Z7inlinedj 1 1 2\n_ZL5exitsj 1 0 -\n_ZL5jumpsj 5 3 4,5,1\n_ZL5tailsj 1 1 3\n_ZL6nestedj 1 1 6\n_ZL6throwsj 6 6 0,1,3,3,4,6\n"
              "_ZL7returnsj 4 4 3,2,0,9\n_ZL9musttailsj 1 1 1\n_ZL9recursivej 1 1 6\n_ZN7GenericIiE4callEi 1 1 6\n");
  std::fflush(stdout);
  exits(sum == 0 ? 1 : 2);
}
