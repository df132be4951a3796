// Bytes of calls: an argument or a result says how many are moved, or a limit of what is looked at; what is constant needs
// no counter. Calls that a pass made of others are known by both names. The program itself counts, and must print the same
// as a plain one.
// RUN: %plainclang -O2 %s -o %t.plain && %t.plain 2 > %t.expected
// RUN: for o in -O0 -O1 "-O2 -fPIC" -O3 -Os; do %clang $o %blocks %s -o %t -pthread && rm -rf %t.raw %t.qx && mkdir %t.raw && \
// RUN:   QUINCUNX_OUT=%t.raw/ %t 2 > %t.out && cmp %t.out %t.expected && %quincunx corpus add %t.qx %t.raw/*.qxraw && judged %t || exit 1; \
// RUN:   %judge identity --quincunx %quincunx %t.qx || exit 1; %quincunx report --json %t.qx > %t.json && python3 %S/bytes.py %t.json || exit 1; done
// Behind -O1 strcat of a known text is strlen and a copy, and printf of a line is puts.
// RUN: %clang -O2 %s -o %t && record %t && %quincunx corpus dump %t.qx | grep -P "^call\t.*\tstrlen\t.*\tstrcat\t"
// RUN: %quincunx corpus dump %t.qx | grep -P "^call\t.*\tputs\t.*\tprintf\t"
// RUN: %quincunx report --function printf %t.qx | grep 'puts (library)'
// RUN: printf 'add 1\ncallee strlen 100\n' > %t.machine && %quincunx whatif --machine %t.machine %t.qx 'calls(strcat) = 0' | grep '1 call of strcat in what ran: 1 per run'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char from[1 << 16], to[1 << 16];
struct big {
  char bytes[1000];
} one, two;
static volatile size_t n = 100;
__attribute__((noinline)) static ssize_t passOn(int fd, const void *p, size_t size) {
  return write(fd, p, size); // in the place of a return
}
__attribute__((noinline)) static void *copies(void *none) {
  for (size_t i = 0; i < 1000; ++i)
    memcpy(to + i, from, n * i % 300); // 0, 100, 200
  return none;
}
__attribute__((noinline)) static void append(char *text) { strcat(text, "more"); }
__attribute__((noinline)) static void greet(void) { printf("a line\n"); }
int main(int argc, char **argv) {
  const size_t size = (size_t)argc * 5000;
  memset(from, argc, size);
  memmove(from + 1, from, size / 2);
  for (int i = 0; i < 7; ++i) {
    one = two; // a copy of constant size that is a call
    __asm__ volatile("" ::: "memory");
  }
  pthread_t other;
  pthread_create(&other, 0, copies, 0);
  copies(0);
  pthread_join(other, 0);
  int ends[2];
  if (pipe(ends) != 0)
    return 1;
  // Results: what failed moved nothing.
  ssize_t moved = passOn(ends[1], from, n) + passOn(ends[1], from, n / 2) + passOn(-1, from, n);
  moved += read(ends[0], to, n * 100);
  FILE *null = fopen("/dev/null", "r+");
  moved += (ssize_t)fwrite(from, 8, n, null) + (ssize_t)fread(to, 8, n, null);
  fclose(null);
  // Limits: the last one is none.
  const int same = memcmp(from + n, from + n, n * 3) + strncmp("b", argv[0], n) + strncmp("b", argv[0], n - 101);
  append(to);
  greet();
  printf("%zd %d %d %d\n", moved, same != 12345, to[0], from[size - 1]);
  return 0;
}
