#!/bin/bash
# Folders that cannot be written, full disks, limits, crowds, rebuilds: the program behaves as without us, and leaves the right
# record or one line that says why not. A full disk must never reach the program as a signal.
. "$(dirname "$0")/../judges/common.sh"
$clang -O2 $blocks -pthread -o exits "$here/exits.c"
$plain -O2 -pthread -idirafter "$root/include" -o exits.plain "$here/exits.c"
# fills FILE HOW: fills the disk that FILE is on, starts a thread (t), kills itself (k)
cat >fills.c <<'C'
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
__attribute__((noinline)) unsigned tick(unsigned x) { return x % 7 == 3 ? x * 3 + 1 : x ^ (x >> 3); }
static unsigned sum;
static void *spin(void *a) { for (unsigned i = 0; i < 1000; ++i) sum = tick(sum + i); return a; }
int main(int argc, char **argv) {
  static char page[4096] = {1};
  int fd = open(argv[1], O_WRONLY | O_CREAT, 0666), n = 0;
  while (write(fd, page, sizeof page) == sizeof page) ++n;
  spin(0);
  if (strchr(argv[2], 't')) { pthread_t t; pthread_create(&t, 0, spin, 0); pthread_join(t, 0); }
  printf("%s\n", n > 0 ? "filled" : "was full");
  fflush(stdout);
  if (strchr(argv[2], 'k')) raise(SIGKILL);
  return 3;
}
C
$clang -O2 $blocks -pthread -o fills fills.c

# says TEXT STATUS LINE COMMAND...: status and output are the program's own, stderr is LINE (a pattern), or nothing
says() {
  text=$1 status=$2 line=$3
  shift 3
  set +e
  (ulimit -c 0; exec 2>&3; "$@") 3>&1 >out 2>/dev/null </dev/null | cat >err # a pipe: limits do not hold for it
  got=${PIPESTATUS[0]}
  set -e
  if [ $got != "$status" ]; then bad "$text: status $status, was $got"
  elif [ -z "$line" ] && [ -s err ]; then bad "$text: $(head -n 1 err)"
  elif [ -n "$line" ] && { [ "$(wc -l <err)" != 1 ] || ! grep -Eq "$line" err; }; then bad "$text: one line $line, was: $(head -n 3 err)"
  else ok "$text${line:+: $(sed "s,$work,.,g" err)}"; fi
}
ticks() { rm -f t.qx; "$quincunx" corpus add t.qx "$@" >add.out 2>&1 && entries t.qx tick; }

# ---- folders and limits ----
says "a folder that is not there" 0 'cannot write .*/none/.*No such file' env QUINCUNX_OUT="$work/none/" ./exits normal
says "the same, killed" 137 '' env QUINCUNX_OUT="$work/none/" ./exits signal 9
mkdir locked && chmod 555 locked
if [ "$(id -u)" != 0 ]; then says "a folder that may not be written" 0 'cannot write .*Permission denied' env QUINCUNX_OUT="$work/locked/" ./exits normal
elif command -v setpriv >/dev/null; then
  chmod 755 "$work" && says "a folder that may not be written" 0 'cannot write .*Permission denied' env QUINCUNX_OUT="$work/locked/" setpriv --reuid=65534 --regid=65534 --clear-groups ./exits normal
else skip "a folder that may not be written (root without setpriv)"; fi
says "/proc" 0 'cannot write /proc' env QUINCUNX_OUT=/proc/ ./exits normal
mkdir jail inside
if [ "$(id -u)" = 0 ]; then
  says "a program that locks itself in" 0 '' env QUINCUNX_OUT="$work/inside/" ./exits chroot jail
  check "has its live file for a record" test "$(ticks inside/*.live.qxraw)" = 1000
else skip "a program that locks itself in (needs root)"; fi
limited() { ulimit "$1" "$2"; shift 2; exec env QUINCUNX_OUT="$work/small/" "$@"; }
mkdir small
says "files of 4 kB at most" 0 '' limited -f 4 ./exits normal
check "have room for the record" test "$(ticks small/*.qxraw)" = 1000
says "killed, they have none for a live file" 137 '' limited -f 4 ./exits signal 9
rm small/*
says "quincunx_flush without a live file" 137 '' limited -f 4 ./exits flush
check "leaves a record that says that it is open" bash -c "'$quincunx' corpus add open.qx small/*.qxraw && '$quincunx' corpus dump open.qx | grep '^run.*cut-short'"
check "with the counts of the call" test "$(entries open.qx tick)" = 1000
says "files of no bytes" 0 'cannot write .*File too large' limited -f 0 ./exits normal
says "no memory to be had any more" 0 'no memory for a thread' env QUINCUNX_OUT="$work/small/" ./exits nomemory
rm small/*
fewest() { exec <&-; ulimit -n 3; QUINCUNX_OUT="$work/small/" exec ./exits normal; }
says "no descriptor but that of a closed stream" 0 'cannot write ' fewest
check "leaves no file" test -z "$(ls small)"
rm -f small/*
says "no descriptor to be had any more" 0 '' env QUINCUNX_OUT="$work/small/" ./exits nofiles
check "has its live file for a record, with all threads" test "$(ticks small/*.live.qxraw)" = 1300
rm small/*

# ---- full disks ----
mkdir disk kept
# on KIND COMMAND...: with $work/disk a small disk of that kind; what is left there is moved to kept/
on() {
  rm -f kept/*
  [ "$1" = tmpfs ] && mount="mount -t tmpfs -o size=64k none disk" || mount="mount -o loop image disk"
  shift
  unshare --mount bash -c "$mount && "'export QUINCUNX_OUT=$PWD/disk/ && rm -rf disk/* && (exec 2>&3 3>&-; exec "$@"); s=$?; cp disk/*.qxraw kept/; exit $s' on "$@" 3>&2 2>/dev/null
}
full_first() { { while head -c 4096 /dev/zero; do :; done >>disk/x; } 2>/dev/null; exec "$@"; }
export -f full_first
for kind in tmpfs ext4; do
  if [ $kind = ext4 ]; then
    command -v mkfs.ext4 >/dev/null && head -c 4000000 /dev/zero >image && mkfs.ext4 -q image || { skip "full disk, ext4 (no mkfs.ext4)"; continue; }
  fi
  on $kind true || { skip "full disk, $kind (mounts are not permitted)"; continue; }
  says "$kind fills up while the program runs" 3 '' on $kind ./fills disk/x -
  same_run() { [ "$(ticks kept/*.qxraw)" = "$1" ] && "$quincunx" corpus dump t.qx | awk -F'\t' '$1 == "run" { print $4 }' | grep -qx "$2"; }
  check "$kind: the live file is the record" same_run 1000 finished
  check "$kind: and there is no other" test "$(ls kept | grep -c live)" = "$(ls kept | wc -l)"
  says "$kind fills up, killed" 137 '' on $kind ./fills disk/x k
  check "$kind: the live file has all" same_run 1000 cut-short
  says "$kind fills up, then a thread" 3 '' on $kind ./fills disk/x t
  check "$kind: the live file has all of it" same_run 2000 finished
  says "$kind fills up, then a thread, killed" 137 '' on $kind ./fills disk/x tk
  check "$kind: the live file has the rest" same_run 1000 cut-short
  says "$kind is full" 3 'cannot write .*No space left' on $kind bash -c 'full_first ./fills disk/y t'
  says "$kind is full, killed" 137 '' on $kind bash -c 'full_first ./fills disk/y tk'
  if [ $kind = ext4 ]; then rm -f image; fi
done

# ---- overlayfs, where locks do not show who is alive ----
mkdir lower upper workdir over
mkfifo hold
cat >sleeper.c <<'C'
#include <unistd.h>
__attribute__((noinline)) unsigned tick(unsigned x) { return x % 7 == 3 ? x * 3 + 1 : x ^ (x >> 3); }
int main(void) { unsigned x = 0; for (int i = 0; i < 100; ++i) x = tick(x); write(1, "x", 1); char c; return read(0, &c, 1) < 0; }
C
$clang -O2 $blocks -o sleeper sleeper.c
export quincunx
overlaid() {
  unshare --mount bash -c 'mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=workdir over || exit 77
    QUINCUNX_OUT=$PWD/over/ ./sleeper <hold >said & sleeper=$!
    exec 7>hold
    for _ in $(seq 100); do [ -s said ] && break; sleep 0.05; done
    "$quincunx" corpus add o.qx over/*.qxraw 2>&1 | grep "which still runs" || exit 1
    kill -9 $sleeper; wait $sleeper
    "$quincunx" corpus add o.qx over/*.qxraw'
}
if unshare --mount mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=workdir over 2>/dev/null; then
  check "overlayfs: a process that runs is seen, and when it is gone" overlaid
  check "overlayfs: its counts are there" test "$(entries o.qx tick)" = 100
else skip "overlayfs (cannot be mounted here)"; fi

# ---- crowds ----
mkdir crowd
n=2001
[ -z "${QUINCUNX_FULL:-}" ] || n=10002
one() { case $(($1 % 3)) in 0) ./exits normal ;; 1) ./exits _exit ;; 2) ./exits signal 9 ;; esac; :; } # or xargs stops
export -f one
{ seq $n | QUINCUNX_OUT=$work/crowd/ xargs -P 200 -I{} bash -c 'one {}' || :; } >/dev/null 2>&1
check "$n processes, 200 at a time: a file each" test "$(ls crowd | wc -l)" = $n
rm -f t.qx
check "all are read" bash -c "find crowd -name '*.qxraw' -print0 | xargs -0 '$quincunx' corpus add t.qx"
check "all counts are there" test "$(entries t.qx tick)" = $((n * 1000))
outcomes=$("$quincunx" corpus dump t.qx | awk -F'\t' '$1 == "run" { n[$4]++ } END { print n["finished"], n["cut-short"] }')
check "a third wrote a record" test "$outcomes" = "$((n / 3)) $((n / 3 * 2))"

# ---- two builds ----
mkdir builds
version() { # a program whose flow depends on its version
  printf '__attribute__((noinline)) unsigned tick(unsigned x) { return x %% 7 == 3 ? x * 3 + 1 : x ^ (x >> 3); }\n#include <signal.h>\nint main(int argc, char **argv) { unsigned x = 0; for (int i = 0; i < 100; ++i) x = tick(x + i); if (%s) x += tick(x); if (argc > 1) raise(SIGKILL); return x == 7; }\n' "$1" >version.c
  $clang -O2 $blocks -o version version.c
}
run_both() { { QUINCUNX_OUT=$work/builds/ ./version; QUINCUNX_OUT=$work/builds/ ./version k || :; } 2>/dev/null; }
version 0 && run_both && cp version version.old
version "argc < 9" && run_both
rm -f t.qx
rebuilt() { ! "$quincunx" corpus add t.qx builds/*.qxraw >add.out 2>&1 && [ "$(grep -c 'error:' add.out)" = 2 ] && [ "$(grep -c 'was rebuilt since' add.out)" = 2 ]; }
check "records of an older build: a line each" rebuilt
check "those of the newer one are right" test "$(entries t.qx tick)" = 202
cp version.old version && "$quincunx" corpus add t.qx builds/*.qxraw >/dev/null 2>&1 || :
check "and the older ones, where their program is" test "$(entries t.qx tick)" = 402
finish
