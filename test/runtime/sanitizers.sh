#!/bin/bash
# ThreadSanitizer, and AddressSanitizer with UBSan, find nothing in a program that counts in threads that come and go, in a
# library that is opened and closed, and in a forked child; and its counts are right. They see the runtime's calls and the
# counters of the program, not the inside of the runtime, which is not built with them (test/judges/races.sh builds it so).
. "$(dirname "$0")/../judges/common.sh"
echo '__attribute__((noinline)) unsigned tock(unsigned x) { return x % 3 == 1 ? x * 2 : x + 1; }' >tock.c
export TSAN_OPTIONS='die_after_fork=0 symbolize=0' ASAN_OPTIONS=detect_leaks=0
for sanitizer in thread address,undefined; do
  if ! $plain -fsanitize=$sanitizer -o probe -x c - <<<'int main(void) { return 0; }' 2>/dev/null || ! ./probe; then
    skip "-fsanitize=$sanitizer (does not work here)"
    continue
  fi
  $clang -O1 $blocks -fsanitize=$sanitizer -fPIC -shared -o libtock.so tock.c
  $clang -O1 $blocks -fsanitize=$sanitizer -pthread -o kills "$here/kills.c"
  rm -rf records s.qx && mkdir records && head -c 4096 /dev/zero >shared
  finds_nothing() { QUINCUNX_OUT=$work/records/ timeout 120 ./kills shared 300 "$work/libtock.so" && ! grep -E 'WARNING|ERROR|runtime error' "$work/.output"; }
  check "-fsanitize=$sanitizer finds nothing" finds_nothing
  "$quincunx" corpus add s.qx records/*.qxraw 2>/dev/null
  calls=$(python3 -c 'import struct; w = struct.unpack("16Q", open("shared", "rb").read(128)); print(sum(w[0:4]) + sum(w[8:12]))')
  check "-fsanitize=$sanitizer: $calls calls are counted" test "$(entries s.qx tick)" = "$calls"
done
finish
