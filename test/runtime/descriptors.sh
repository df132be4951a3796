#!/bin/bash
# While it adds to the live file the runtime has a descriptor, which other threads of the program can see, close, and have a file
# of their own in its place. It has one rarely, and it writes to, maps and closes no file but its own. A tracer stops the thread
# where another takes its place; the last instant between the check and the call is not tested (docs/10-compiler.md, Limits).
. "$(dirname "$0")/../judges/common.sh"
$clang -O2 $blocks -pthread -o descriptors "$here/descriptors.c" -ldl
$plain -O2 -pthread -idirafter "$root/include" -o tracer "$here/descriptors.c" -ldl
echo '__attribute__((noinline)) unsigned tock(unsigned x) { return x % 3 == 1 ? x * 2 : x + 1; }' >tock.c
$clang -O2 $blocks -fPIC -shared -o libtock.so tock.c

n=$(./descriptors opens 64)
if [ "$n" -ge 1 ] && [ "$n" -le 8 ]; then ok "64 threads open the live file $n times"; else bad "64 threads open the live file $n times"; fi
"$quincunx" corpus add opens.qx ./*.qxraw 2>/dev/null
check "and all count" test "$(entries opens.qx tick)" = 64

swapped() { # swapped TEXT OUTPUT FUNCTION=CALLS HOW [LIBRARY]
  rm -rf case && mkdir case && cd case
  got=$(timeout 60 ../tracer trace ../descriptors swap "${@:4}" 2>&1) && status=0 || status=$?
  cd ..
  if [ $status = 77 ]; then skip "$1: may not trace"; return; fi
  rm -f case.qx
  "$quincunx" corpus add case.qx case/*.qxraw 2>/dev/null || :
  if [ $status != 0 ] || [ "$got" != "$2" ]; then bad "$1: '$got', status $status"
  elif [ "$(entries case.qx "${3%=*}")" != "${3#*=}" ]; then bad "$1: $(entries case.qx "${3%=*}") calls of ${3%=*}"
  else ok "$1: $got"; fi
}
swapped "another's file in our place when quincunx_flush is called" "flush: 0, fine" swaps=1 flush
swapped "when a library is opened" fine tock=50 library "$work/libtock.so"
swapped "when a thread is started" fine tick=1 thread
finish
