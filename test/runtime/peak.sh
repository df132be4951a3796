#!/bin/bash
# The peak memory of a run is the program's own: that of whoever starts it (ru_maxrss outlives exec) is not in it, and all of
# the program's is. Priced, so tested from both sides. In KiB and MiB of Linux; nothing depends on time.
. "$(dirname "$0")/../judges/common.sh"
cat >prog.c <<'C'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) static char touch(const char *mib) {
  const size_t bytes = strtoul(mib, NULL, 10) << 20;
  char *memory = malloc(bytes + 1);
  memset(memory, 1, bytes + 1);
  return *(volatile char *)&memory[bytes];
}
int main(int argc, char **argv) { /* MIB [how] */
  const char *how = argc > 2 ? argv[2] : "";
  struct rusage most;
  if (!strcmp(how, "forks")) { /* the child has it */
    if (fork() == 0) return touch(argv[1]) != 1;
    return wait(NULL) <= 0;
  }
  if (touch(argv[1]) != 1 || getrusage(RUSAGE_SELF, &most) != 0) return 9;
  printf("%ld\n", most.ru_maxrss);
  fflush(stdout);
  if (!strcmp(how, "leaves")) _exit(0);
  if (!strcmp(how, "execs")) return execl(argv[0], argv[0], "0", NULL);
  if (!strcmp(how, "jailed")) return chroot(argv[3]) != 0; /* where there is no /proc */
  return 0;
}
C
$clang -O2 $blocks -o prog prog.c
# Starts a program, and has 64 MiB meanwhile.
cat >large.py <<'PY'
import subprocess, sys
memory = bytearray(b"x" * (64 << 20))
sys.exit(subprocess.run(sys.argv[1:]).returncode)
PY
peaks() { "$quincunx" corpus ls --json "$1" | python3 -c 'import json, sys
print(*(int(r["peakMemory"]) >> 20 for r in json.load(sys.stdin)["runs"]))'; } # MiB
# within TEXT LEAST MOST MIB...
within() {
  text=$1 least=$2 most=$3
  shift 3
  for mib in "$@"; do
    [ "$mib" -ge "$least" ] && [ "$mib" -lt "$most" ] || { bad "$text: $mib MiB, not $least to $most"; return; }
  done
  if [ $# -gt 0 ]; then ok "$text: $* MiB"; else bad "$text: no run"; fi
}
added() { # added WORDS...: the peak of the run of ./prog WORDS..., started by a large parent and added from its record
  rm -rf raw t.qx && mkdir raw
  QUINCUNX_OUT=$work/raw/ python3 large.py ./prog "$@" >said
  "$quincunx" corpus add t.qx raw/*.qxraw 2>/dev/null
  peaks t.qx
}

small=$(added 0)
within "what the system says of a small program that a large one started" 64 1000 $(($(cat said) / 1024))
within "its record" 0 32 $small
within "the record of one that touches 40 MiB" 40 64 $(added 40)
within "a child that touches 40 MiB" 40 64 $(added 40 forks)
within "after exec of a small one" 0 32 $(added 40 execs)
if [ "$(id -u)" = 0 ]; then
  mkdir jail
  within "without /proc: what the system says" 64 1000 $(QUINCUNX_MAPS=embed added 0 jailed jail)
else skip "without /proc (needs root)"; fi

# A tool that is large itself, as one with very many inputs.
cat >large.c <<'C'
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
__attribute__((constructor)) static void grow(void) {
  static char *memory;
  if (!strcmp(program_invocation_short_name, "quincunx") && (memory = malloc(64 << 20)) != NULL)
    memset(memory, 1, 64 << 20);
}
C
$plain -O0 -fPIC -shared -o large.so large.c
runs() { # runs WORDS...: the peaks of ./prog WORDS...
  rm -f r.qx
  LD_PRELOAD=$work/large.so "$quincunx" run -q -o r.qx --keep-output kept -- ./prog "$@" >/dev/null
  peaks r.qx
}
within "a large quincunx run: a small program" 0 32 $(runs {} ::: 0 1)
within "where the system says" 64 1000 $(($(cat kept/1-*.out) / 1024))
within "one that touches 40 MiB" 40 64 $(runs {} ::: 40)
within "no record tells, but the system: it touches 100 MiB and calls _exit" 100 164 $(runs {} leaves ::: 100)
finish
