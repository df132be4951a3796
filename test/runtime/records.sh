#!/bin/bash
# Where records go and what the program sees of it: names, patterns, runs, odd surroundings. Counting itself is judged
# elsewhere (test/passes, test/judges).
. "$(dirname "$0")/../judges/common.sh"
cat >prog.c <<'C'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void late(void) { for (volatile int i = 0; i < 3; i++); }
int main(int c, char **v) {
  const char *how = c > 1 ? v[1] : "";
  if (!strcmp(how, "chdir")) return chdir("/") != 0;
  if (!strcmp(how, "clearenv")) return clearenv();
  if (!strcmp(how, "close")) { close(0); close(1); close(2); return 7; }
  if (!strcmp(how, "mine")) { close(2); return open("mine", O_WRONLY | O_CREAT, 0666) - 2; }
  if (!strcmp(how, "fd")) { int fd = open("/dev/null", O_RDONLY); printf("%d\n", fd); return 0; }
  if (!strcmp(how, "env")) { for (extern char **environ; *environ; ++environ) puts(*environ); return 0; }
  if (!strcmp(how, "atexit")) { atexit(late); exit(5); }
  return 0;
}
C
$clang -O2 $blocks prog.c -o prog
$plain -O2 prog.c -o prog.plain
records() { find "${1:-.}" -maxdepth 1 -name '*.qxraw' | wc -l; }
clean() { rm -f ./*.qxraw; }

./prog
check "the usual name in the folder of the start" test "$(ls ./*.qxraw | grep -cE '^\./quincunx-prog-[0-9]+-[0-9a-f]{8}\.qxraw$')" = 1
clean
QUINCUNX_OUT= ./prog
check "an empty QUINCUNX_OUT records nothing" test "$(records)" = 0
mkdir out
QUINCUNX_OUT=out/%n.%p.%h.%%.qxraw ./prog
check "patterns are filled in" test "$(ls out | grep -cE '^prog\.[0-9]+\.[0-9a-f]{8}\.%\.qxraw$')" = 1
QUINCUNX_OUT=$PWD/out/ ./prog
check "a folder gets the usual name" test "$(records out)" = 2
./prog chdir
check "the folder of the start, wherever the program goes" test "$(records)" = 1
clean
QUINCUNX_RUN=one ./prog clearenv
check "settings are those of the start" grep -q one ./*.qxraw
clean
check "status and closed streams are the program's own" bash -c './prog close; [ $? = 7 ]'
check "a record is written with streams closed" test "$(records)" = 1
clean
check "atexit handlers run before the record" bash -c './prog atexit; [ $? = 5 ]'
"$quincunx" corpus add late.qx ./*.qxraw 2>/dev/null
check "and their counts are in it" test "$(entries late.qx late)" = 1
clean
check "no file descriptor is taken from the program" bash -c '[ "$(./prog fd)" = "$(./prog.plain fd)" ]'
check "the environment is the program's own" bash -c 'cmp <(./prog env | grep -v ^_=) <(./prog.plain env | grep -v ^_=)'
clean
./prog nothing 2>err
check "nothing is said when all is well" test ! -s err
clean
QUINCUNX_OUT=/nonexistent/x.qxraw ./prog 2>err
check "one line when the record cannot be written" bash -c '[ "$(wc -l <err)" = 1 ] && grep -q "quincunx: cannot write /nonexistent/x.qxraw: No such file or directory" err'
check "and the status stays" bash -c 'QUINCUNX_OUT=/nonexistent/x ./prog atexit 2>/dev/null; [ $? = 5 ]'
QUINCUNX_OUT=/nonexistent/x ./prog mine
check "a file of the program's where stderr was stays its own" test -f mine -a ! -s mine
piped() { # PROGRAM...: its stderr is a pipe that nobody reads; the status, negative for a signal
  python3 -c 'import os, subprocess, sys
r, w = os.pipe()
os.close(r)
print(subprocess.run(sys.argv[1:], stderr=w).returncode)' "$@"
}
check "a pipe that nobody reads ends no program" test "$(QUINCUNX_OUT=/nonexistent/x piped ./prog)" = 0
QUINCUNX_MAPS=embed ./prog
rm prog
check "embedded maps serve when the program is gone" "$quincunx" corpus add embedded.qx ./*.qxraw
finish
