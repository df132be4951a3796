#!/bin/bash
# Every way a process can end, by itself, without `quincunx run`: the program behaves as without us, and its folder holds what
# docs/10-compiler.md promises for that way. The counts are those that exits.c makes. Kills at random moments are in kills.sh.
# ONLY: an expression; ways whose text begins otherwise are left out.
. "$(dirname "$0")/../judges/common.sh"
$clang -O2 $blocks -pthread -o exits "$here/exits.c"
$plain -O2 -pthread -idirafter "$root/include" -o exits.plain "$here/exits.c"
cat >tock.c <<'C'
__attribute__((noinline)) unsigned tock(unsigned x) { return x % 3 == 1 ? x * 2 : x + 1; }
__attribute__((noinline)) void bye(void) { for (volatile int i = 0; i < 3; ++i); }
__attribute__((destructor)) static void unloaded(void) { bye(); }
C
$clang -O2 $blocks -fPIC -shared -o libtock.so tock.c
cat >foreign.c <<'C'
#include <pthread.h>
static void (*what)(int);
static int how;
static void *run(void *a) { what(how); return a; }
void runInThread(void (*w)(int), int n) {
  pthread_t t;
  what = w, how = n;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
}
C
$plain -O2 -fPIC -shared -pthread -o libforeign.so foreign.c

# way TEXT OUTCOME PROCESSES COUNTS WAY [WORD]: COUNTS is a list of function=calls; `says` is what the runtime says, by default nothing
way() {
  text=$1 outcome=$2 processes=$3 wanted=$4
  shift 4
  [[ $text =~ ^(${ONLY:-.*}) ]] || return 0
  rm -rf case && mkdir case && cd case
  set +e
  { # what the shell says of killed children goes nowhere
    (ulimit -c 0; QUINCUNX_OUT='' timeout 60 ../exits.plain "$@") >../plain.out 2>/dev/null </dev/null; plain_status=$?
    (ulimit -c 0; timeout 60 ../exits "$@") >../own.out 2>../own.err </dev/null; own_status=$?
  } 2>/dev/null
  set -e
  if [ "$1" = daemon ]; then # its own record is there, and its live file no more; that of its parent stays
    for _ in $(seq 100); do
      [ "$(ls | grep -c '\.live\.qxraw$')$(ls | grep '\.qxraw$' | grep -vc '\.live\.')" = 11 ] && break
      sleep 0.1
    done
  fi
  cd ..
  why=
  [ $plain_status = $own_status ] || why="status $plain_status without us, $own_status with"
  cmp -s plain.out own.out || why="another output"
  [ -n "${says:-}" ] || ! grep -q quincunx: own.err || why=$(cat own.err)
  [ -z "${says:-}" ] || grep -q "quincunx: $says" own.err || why="does not say: $says"
  rm -f case.qx
  "$quincunx" corpus add case.qx case/*.qxraw >add.out 2>&1 || why=$(cat add.out)
  got=$($judge blocks --quincunx "$quincunx" case.qx | awk -F'\t' '$3 == 0 { n[$2] += $4 } END { for (f in n) print f "=" n[f] }')
  for each in $wanted; do
    case $each in *=0) ! grep -q "^${each%0}[1-9]" <<<"$got" || why="$each: $(grep "^${each%0}" <<<"$got")" ;;
      *) grep -qx "$each" <<<"$got" || why="$each: was $(grep "^${each%=*}=" <<<"$got" || echo nothing)" ;; esac
  done
  is=$("$quincunx" corpus dump case.qx | awk -F'\t' '$1 == "run" { print $4, $14 }')
  [ "$is" = "$outcome $processes" ] || why="$outcome run of $processes processes, was: $is"
  if [ -z "$why" ]; then ok "$text"; else bad "$text: $why"; fi
}

done=finished cut=cut-short
way "return from main"                         $done 1 "tick=1000 early=2 late=1" normal
way "exit"                                     $done 1 "tick=1000 late=1" exit
way "exit in the middle of a loop"             $done 1 "tick=1057 midway=58 late=1" midway
way "atexit handlers"                          $done 1 "tick=1000 late=2" atexit
way "_exit"                                    $cut 1 "tick=1000 early=2 late=0" _exit
way "_Exit"                                    $cut 1 "tick=1000 late=0" _Exit
way "quick_exit and its handlers"              $cut 1 "tick=1000 late=1" quick_exit
way "abort"                                    $cut 1 "tick=1000 late=0" abort
way "a segmentation fault"                     $cut 1 "tick=1000" segv
way "stack overflow"                           $cut 1 "tick=1000" overflow
way "SIGFPE"                                   $cut 1 "tick=1000" fpe
for s in 1 2 3 9 13 14 15 24; do way "signal $s" $cut 1 "tick=1000" signal $s; done
way "SIGTERM, handled, then exit"              $done 1 "tick=1010 other=1 late=1" handled
way "SIGTERM, _exit in the handler"            $cut 1 "tick=1000 other=1" leaves
way "execve"                                   $cut 1 "tick=1000" execve
way "execv"                                    $cut 1 "tick=1000" execv
way "execlp"                                   $cut 1 "tick=1000" execlp
way "execv that fails"                         $done 1 "tick=1010 late=1" execfails
way "quincunx_flush, then SIGKILL"             $cut 1 "tick=1010" flush
way "quincunx_flush several times"             $done 1 "tick=1050" flushes

way "fork, child ends by exit"                 $done 2 "tick=1010 other=1 late=2" fork
way "fork, child ends by _exit"                $done 2 "tick=1010 other=1 late=1" fork_exit
way "fork, both are killed"                    $cut 2 "tick=1020 other=1 early=2" forkkill
way "fork of a fork of a fork, all killed"     $cut 4 "tick=1030 other=3" forks
way "fork and exec"                            $done 2 "tick=1000 other=1 late=1" forkexec
way "vfork and exec"                           $done 1 "tick=1000 late=1" vforkexec
way "vfork and _exit"                          $done 1 "tick=1000 late=1" vfork_exit
way "posix_spawn"                              $done 1 "tick=1000 late=1" spawn
way "system"                                   $done 1 "tick=1000 late=1" system
way "_Fork"                                    $done 2 "tick=1020 other=1 early=2 late=2" _Fork
way "a clone by its number"                    $done 2 "tick=1020 other=1 early=2 late=1" clone
way "clone3 by its number"                     $done 2 "tick=1020 other=1 early=2 late=1" clone3
way "clone with a function"                    $done 2 "tick=1020 other=1 early=2 late=1" clonefn
way "clone that fails"                         $done 1 "tick=1000 early=2 late=1" noclone
way "a copy that nobody tells us of counts for its parent" $done 1 "tick=1020 other=1 late=1" unknown
way "one that exits, SIGKILL"                  $cut 1 "tick=1000 late=1" copies
way "one that starts a thread"                 $cut 1 "tick=1000 late=1" unknownthreads
way "some that exit beside threads"            $done 1 "copies=1 churn=1" copiesthreads
says="threads that did not begin in pthread_create" way "a thread that clone makes, which shares an arena" $cut 1 "early=2 late=1" threadofclone
way "daemon"                                   $cut 2 "tick=1010 other=1" daemon done

way "threads alive at exit"                    $done 1 "tick=1300 waits=3 late=1" alive
way "threads alive at SIGKILL"                 $cut 1 "tick=1300 waits=3" alivekill
way "threads ended before SIGKILL"             $cut 1 "tick=1500 ends=5" ended
way "flush, more threads than the file can hold" $cut 1 "tick=5000 waits=40 other=1" crowded
way "fork with threads, both killed"           $cut 2 "tick=1410 waits=3 ends=1" forkthreads
way "pthread_exit"                             $done 1 "tick=1100 leaves=1 late=1" pthread_exit
way "pthread_exit of the main thread"          $done 1 "tick=1100 late=1" mainleaves
way "a cancelled thread"                       $done 1 "tick=1100 late=1" cancel
way "exec with threads"                        $cut 1 "tick=1300 waits=3" execthreads
way "a C11 thread, SIGKILL"                    $cut 1 "tick=1100 c11=1" c11
way "a thread of libc's own, exit"             $done 1 "tick=1000 other=1" timer
way "a thread of libc's own, SIGKILL"          $cut 1 "tick=1000 other=1" timerkill
says="threads that did not begin in pthread_create" way "one that runs a function of another type" $cut 1 "tick=1000 other=1 late=1" timercast
way "a thread's last destructors, SIGKILL"     $cut 1 "tick=1140 early=2" destructors
way "a fork in them, both are killed"          $cut 2 "tick=1150 early=2" destructorsfork
way "a thread of a library without the flag"   $cut 1 "tick=1100" foreign "$work/libforeign.so"

lib=$work/libtock.so
way "dlclose"                                  $done 1 "tick=1000 tock=50 bye=1 late=1" closed "$lib"
way "dlclose, twice, SIGKILL"                  $cut 1 "tick=1000 tock=100 bye=2" closedkill "$lib"
way "dlclose, fork, both are killed"           $cut 2 "tick=1000 tock=100 bye=2" closedfork "$lib"
way "dlclose 500 times, SIGKILL"               $cut 1 "tick=1000 tock=25000 bye=500" many "$lib"
way "a library's destructor, after the record" $done 1 "tick=1000 bye=1 late=1" opened "$lib"

# a thread that a library starts while it is loaded, before the program's constructors, and that runs the program's functions
cat >pool.c <<'C'
#include <pthread.h>
#include <semaphore.h>
static sem_t wanted, done;
static void (*what)(void);
static void *run(void *a) { for (;;) { sem_wait(&wanted); what(); sem_post(&done); } return a; }
void runInPool(void (*w)(void)) { what = w; sem_post(&wanted); sem_wait(&done); }
__attribute__((constructor)) static void begin(void) { pthread_t t; sem_init(&wanted, 0, 0); sem_init(&done, 0, 0); pthread_create(&t, 0, run, 0); }
C
cat >pooled.c <<'C'
#include <unistd.h>
void runInPool(void (*w)(void));
__attribute__((noinline)) int tick(int x) { return x % 3 == 1 ? x * 2 : x + 1; }
static void hundred(void) { for (volatile int i = 0; i < 100; ++i) tick(i); }
int main(void) { for (int i = 0; i < 5; ++i) runInPool(hundred); _exit(0); }
C
$plain -O2 -fPIC -shared -pthread -o libpool.so pool.c
$clang -O2 $blocks -o pooled pooled.c ./libpool.so -Wl,-rpath,.
mkdir early && QUINCUNX_OUT=early/ ./pooled && "$quincunx" corpus add early.qx early/*.qxraw 2>/dev/null
check "a thread that a library starts while it is loaded" test "$(entries early.qx tick)" = 500

# one process, two programs; and a child that is a program of its own
mkdir two && (cd two && { ../exits again ../exits || :; } && "$quincunx" corpus add ../two.qx ./*.qxraw) >/dev/null 2>&1
check "exec of an instrumented program: both count" test "$(entries two.qx tick)" = 2000
mkdir spawned && (cd spawned && { ../exits spawnself ../exits || :; } && "$quincunx" corpus add ../spawned.qx ./*.qxraw) >/dev/null 2>&1
check "posix_spawn of an instrumented program: both count" test "$(entries spawned.qx tick)" = 2000

# ---- the file itself ----
live() { find "$1" -name '*.live.qxraw'; }
mkdir away && (cd away && ../exits normal)
check "nothing but the record is left after a normal end" test "$(ls away | wc -l)$(live away)" = 1
{ (cd away && exec ../exits alivekill) || :; } 2>/dev/null
check "a live file is left after a kill" test "$(live away | wc -l)" = 1
arenas() { # FILE: how many there are in it (include/quincunx/abi/record.h)
  python3 -c 'import struct, sys
file = open(sys.argv[1], "rb").read()
at, end = struct.unpack_from("<I", file, 12)[0], struct.unpack_from("<Q", file, 16)[0]
n = 0
while at < end:
    kind, _, size = struct.unpack_from("<IIQ", file, at)
    n, at = n + (kind == 7), at + 16 + (size + 7) // 8 * 8
print(n)' "$1"
}
mkdir beside
{ (cd beside && exec ../exits destructorsbeside) || :; } 2>/dev/null
check "a thread that begins in another's last destructors has an arena of its own" test "$(arenas beside/*)" -ge 3
"$quincunx" corpus add beside.qx beside/* 2>/dev/null
check "and both count" test "$(entries beside.qx tick)" = 801040
mkfifo hold
cat >sleeper.c <<'C'
#include <unistd.h>
__attribute__((noinline)) int tick(int x) { return x % 3 == 1 ? x * 2 : x + 1; }
int main(void) { int x = 0; for (int i = 0; i < 100; ++i) x = tick(x); write(1, "x", 1); char c; return read(0, &c, 1) < 0; }
C
$clang -O2 $blocks -o sleeper sleeper.c
mkdir run && (cd run && exec ../sleeper <../hold >../said) &
sleeper=$!
exec 7>hold
for _ in $(seq 100); do [ -s said ] && break; sleep 0.05; done
says_running() { ! "$quincunx" corpus add run.qx run/*.qxraw 2>err && grep -q "which still runs" err && [ "$(grep -c error: err)" = 1 ]; }
check "the live file of a process that runs is refused" says_running
exec 7>&-
wait $sleeper
"$quincunx" corpus add run2.qx run/*.qxraw 2>/dev/null
check "and its record is taken when it has ended" test "$(entries run2.qx tick)" = 100
finish
