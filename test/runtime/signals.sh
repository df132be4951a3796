#!/bin/bash
# Signal handlers lose no count of what they interrupt: a timer's handler calls the function that the program is in all the time,
# without optimisation and with. It does not test histograms nor simulated caches, which handlers do disturb (docs/10-compiler.md).
. "$(dirname "$0")/../judges/common.sh"

cat >p.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
static volatile unsigned in_handler;
__attribute__((noinline)) unsigned tick(unsigned x) { return x % 7 == 3 ? x * 3 + 1 : x ^ (x >> 3); }
static void handle(int s) {
  for (int i = 0; i < 10; ++i)
    s = (int)tick((unsigned)s);
  in_handler += 10;
}
int main(void) {
  struct itimerval soon = {{0, 50}, {0, 50}}, never = {{0, 0}, {0, 0}};
  unsigned x = 0, n = 0;
  signal(SIGALRM, handle);
  setitimer(ITIMER_REAL, &soon, NULL);
  for (; in_handler < 50000; ++n)
    x = tick(x + n);
  setitimer(ITIMER_REAL, &never, NULL);
  FILE *calls = fopen("calls", "w"); /* the timer is off: the sum stands */
  fprintf(calls, "%u\n", n + in_handler);
  return fclose(calls) != 0 || x == 12345;
}
END
exact() { # exact OPTION...: as many calls are counted as were made
  $clang "$@" -o p p.c && rm -f s.qx* && "$quincunx" run -q -o s.qx -- ./p {} ::: 1 || return 1
  n=$(entries s.qx tick) made=$(cat calls)
  [ "$n" = "$made" ] || { echo "tick was called $made times, counted $n"; return 1; }
}
for options in -O0 -O2 "-O0 -fplugin-arg-quincunx-record=counts" "-O0 -fPIC"; do
  # shellcheck disable=SC2086
  check "a handler that counts what it interrupts, $options" exact $options
done
finish
