#!/bin/bash
# Builds that people have: each builds a small program another way, runs it, and demands the exact number of calls and derived
# counts equal to the counters of all blocks. One line each. It does not test speed, and not other compilers than
# clang, but for objects that gcc compiled.
. "$(dirname "$0")/common.sh"

mkdir src
cat >src/tick.h <<'END'
#ifndef TICK_H
#define TICK_H
#define ROUNDS 1000
int tick(int x);
static inline int shared(int x) { return x > 100 ? x - 100 : x + 7; }
#endif
END
cat >src/tick.c <<'END'
#include "tick.h"
__attribute__((noinline)) int tick(int x) {
  if (x % 3 == 1)
    return shared(x) * 2;
  return x + 1;
}
END
cat >src/main.c <<'END'
#include "tick.h"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int x = argc > 1 ? atoi(argv[1]) : 0;
  for (int i = 0; i < ROUNDS; ++i)
    x = shared(tick(x)) & 1023;
  printf("%d\n", x);
}
END
$plain -O2 -o plain src/main.c src/tick.c
wanted=$(./plain 5)

# counted PROGRAM CALLS: the output, the calls and the blocks are right
counted() {
  rm -f c.qx*
  [ "$(QUINCUNX_OUT='' "$1" 5)" = "$wanted" ] || { echo "another output: $(QUINCUNX_OUT='' "$1" 5)"; return 1; }
  "$quincunx" run -o c.qx -- "$1" {} ::: 5 || return 1
  n=$(entries c.qx tick)
  [ "$n" = "$2" ] || { echo "tick was called $2 times, counted $n"; return 1; }
  judged c.qx
}
one_line() { # one_line FILE PATTERN: it is one line that matches
  [ "$(wc -l <"$1")" = 1 ] && grep -Eq "$2" "$1" && ! grep -q 'Stack dump' "$1"
}

for level in -O0 -O1 -O2 -O3 -Os '-O2 -g' '-O2 -fPIC' '-O2 -fno-pie -no-pie' '-O2 -fvisibility=hidden -ffunction-sections -Wl,--gc-sections' \
    '-O2 -fuse-ld=lld' '-O2 -flto -fuse-ld=lld' '-O2 -flto=thin -fuse-ld=lld' '-O1 -fsanitize=address,undefined' '-O2 -march=native' '-Wall -Wextra -Werror -O2'; do
  # shellcheck disable=SC2086
  direct() { $clang $level $all -o direct src/main.c src/tick.c && counted ./direct 1000; }
  case $level in *lld*) command -v ld.lld-$LLVM >/dev/null || { skip "$level (no lld-$LLVM)"; continue; } ;; esac
  check "one command, $level" direct
done

with_ccache() {
  export CCACHE_DIR=$work/ccache CCACHE_NOHASHDIR=1
  for round in 1 2; do
    for f in main tick; do ccache $clang -O2 $all -c -o cc-$f.o src/$f.c; done
    $clang -o cc cc-main.o cc-tick.o
    counted ./cc 1000 || return 1
  done
  ccache -s
  # another option is another object
  ccache $clang -O2 -c -o cc-tick.o src/tick.c
  $clang -o cc cc-main.o cc-tick.o && "$quincunx" run -o cc.qx -- ./cc {} ::: 5 &&
    $quincunx corpus dump cc.qx | awk -F'\t' '$1 == "block" { n += $8 != "-"; m += $8 == "-" } END { exit !(n > 0 && m > 0) }'
}
if command -v ccache >/dev/null; then check "ccache, twice" with_ccache; unset CCACHE_DIR CCACHE_NOHASHDIR; else skip "ccache (not installed)"; fi

make_j() {
  mkdir -p make && cp src/* make && cd make
  { echo 'OBJ ='; for i in 1 2 3 4 5 6; do echo "int extra$i(int x) { return x > $i ? x - 1 : x; }" >extra$i.c; echo "OBJ += extra$i.o"; done
    printf 'prog: main.o tick.o $(OBJ)\n\t$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^\nmain.o tick.o: tick.h\n'; } >Makefile
  make -j4 CC="$clang" CFLAGS="-O2 $all" && cd .. && counted make/prog 1000
}
check "make -j4" make_j; cd "$work"

ninja_depfiles() {
  mkdir -p ninja && cp src/* ninja && cd ninja
  cat >build.ninja <<END
rule cc
  command = $clang -O2 $all -MD -MF \$out.d -c -o \$out \$in
  depfile = \$out.d
  deps = gcc
rule link
  command = $clang -o \$out \$in
build main.o: cc main.c
build tick.o: cc tick.c
build prog: link main.o tick.o
END
  ninja && (cd .. && counted ninja/prog 1000) || return 1
  ninja | grep -q 'no work to do' || { echo "ninja would build again"; return 1; }
  sed -i 's/ROUNDS 1000/ROUNDS 500/' tick.h
  ninja -v | grep -c ' -c ' | grep -qx 2 || { echo "a changed header did not rebuild both"; return 1; }
  cd .. && rm -f n.qx && "$quincunx" run -o n.qx -- ninja/prog {} ::: 5 && [ "$(entries n.qx tick)" = 500 ]
}
check "Ninja with depfiles, a header changed" ninja_depfiles; cd "$work"

static_library() {
  $clang -O2 $all -c -o sl-tick.o src/tick.c && rm -f libtick.a && ar rcs libtick.a sl-tick.o &&
    $clang -O2 $all -o sl src/main.c -L. -Wl,-Bstatic -ltick -Wl,-Bdynamic && counted ./sl 1000
}
check "a static library" static_library
static_library_plain_main() {
  $plain -O2 -c -o sl-main.o src/main.c && $clang -o sl2 sl-main.o libtick.a && counted ./sl2 1000
}
check "a static library with the flag, main without" static_library_plain_main

shared_library() {
  mkdir -p so && $clang -O2 $all -fPIC -shared -o so/libtock.so src/tick.c &&
    $clang -O2 $all -o so/prog src/main.c -Lso -ltock -Wl,-rpath,"$work/so" && counted so/prog 1000
}
check "a shared library" shared_library
shared_library_plain_main() {
  $plain -O2 -o so/plainmain src/main.c -Lso -ltock -Wl,-rpath,"$work/so" && counted so/plainmain 1000
}
check "a shared library with the flag, main without" shared_library_plain_main

cat >opens.c <<'END'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int (*tick)(int);
static void *work(void *x) {
  for (int i = 0; i < 100; ++i)
    tick(i);
  return x;
}
int main(int argc, char **argv) {
  int x = argc > 2 ? atoi(argv[2]) : 0;
  for (int round = 0; round < 2; ++round) { /* opened, closed, opened again */
    void *lib = dlopen(argv[1], RTLD_NOW);
    if (!lib)
      return puts(dlerror()), 1;
    tick = (int (*)(int))dlsym(lib, "tick");
    for (int i = 0; i < 500; ++i)
      x = tick(x) & 1023;
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    dlclose(lib);
  }
  printf("%d\n", x);
}
END
opened() { # opened PROGRAM
  rm -f o.qx*
  "$quincunx" run -o o.qx -- "$1" ./so/libtock.so {} ::: 5 || return 1
  n=$(entries o.qx tick)
  [ "$n" = 1200 ] || { echo "tick was called 1200 times, counted $n"; return 1; }
  judged o.qx
}
dlopened() { $clang -O2 $all -pthread -o opens opens.c -ldl && opened ./opens; }
check "dlopen and dlclose" dlopened
dlopened_plain() { $plain -O2 -pthread -o opens2 opens.c -ldl && opened ./opens2; }
check "dlopen from a program without the flag" dlopened_plain

gcc_objects() {
  gcc -O2 -c -o gcc-main.o src/main.c && $clang -O2 $all -o gccmix gcc-main.o src/tick.c && counted ./gccmix 1000
}
if command -v gcc >/dev/null; then check "objects compiled by gcc in the link" gcc_objects; else skip "gcc (not installed)"; fi

two_in_cpp() { # inline functions and templates in two files are counted once each
  cat >inline.h <<'END'
#pragma once
inline __attribute__((noinline)) int tick(int x) { return x % 3 == 1 ? x * 2 : x + 1; }
template <class T> __attribute__((noinline)) T twice(T x) { return x > 5 ? x - 5 : x + x; }
END
  printf '#include "inline.h"\nint other(int x) { for (int i = 0; i < 300; ++i) x = twice(tick(x)) %% 1000; return x; }\n' >in2.cpp
  printf '#include "inline.h"\n#include <cstdio>\nint other(int);\nint main() { int x = other(1); for (int i = 0; i < 200; ++i) x = twice(tick(x)) %% 1000; std::printf("%%d\\n", x); }\n' >in1.cpp
  $clangxx -O2 $all -o inl in1.cpp in2.cpp && rm -f i.qx* && "$quincunx" run -o i.qx -- ./inl {} ::: 5 || return 1
  n=$(entries i.qx _Z4ticki) m=$(entries i.qx _Z5twiceIiET_S0_)
  [ "$n $m" = "500 500" ] || { echo "500 calls each, counted $n and $m"; return 1; }
  judged i.qx
}
check "inline functions and templates in two files" two_in_cpp

cmake_flag() {
  mkdir -p cm && cp src/* cm && printf 'cmake_minimum_required(VERSION 3.20)\nproject(p C)\nadd_library(t tick.c)\nadd_executable(prog main.c)\ntarget_link_libraries(prog t)\n' >cm/CMakeLists.txt
  cmake -S cm -B cm/b -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER="$plain" -DCMAKE_C_FLAGS="--config=$cfg $all" "$@" &&
    cmake --build cm/b && counted cm/b/prog 1000
}
check "a CMake project with one flag changed" cmake_flag
cmake_shared() { rm -rf cm/b; cmake_flag -DBUILD_SHARED_LIBS=ON; }
check "the same with shared libraries" cmake_shared
no_litter() { ! find cm -name '*.qxraw' | grep .; }
installed() {
  cmake --install "$BUILD" --prefix "$work/inst" >install.log 2>&1 || { tail -5 install.log; return 1; }
  find inst -type f | sort
  ic=$(find "$work/inst" -name "$cfgname")
  [ -n "$ic" ] || { echo "no $cfgname is installed"; return 1; }
  $plain --config="$ic" -O2 $all -o fromprefix src/main.c src/tick.c && counted ./fromprefix 1000
}
check "cmake --install, and the flag from there" installed
find_package_way() {
  mkdir -p fp && cp src/* fp && printf 'cmake_minimum_required(VERSION 3.20)\nproject(p C)\nfind_package(quincunx REQUIRED)\nadd_executable(prog main.c tick.c)\ntarget_link_libraries(prog PRIVATE quincunx::profile)\n' >fp/CMakeLists.txt
  cmake -S fp -B fp/b -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER="$plain" -DCMAKE_C_FLAGS="$all" -DCMAKE_PREFIX_PATH="$work/inst" &&
    cmake --build fp/b && counted fp/b/prog 1000
}
check "find_package(quincunx) and quincunx::profile" find_package_way

statically() { $clang -O2 $all -static -o st src/main.c src/tick.c && counted ./st 1000; }
check "-static" statically
statically_pie() { $clang -O2 $all -static-pie -fPIE -o stp src/main.c src/tick.c && counted ./stp 1000; }
check "-static-pie" statically_pie

partially() { # the runtime comes with the last link alone
  $clang -O2 $all -r "$@" -o partial.o src/tick.c && ! nm partial.o | grep -q ' [Tt] qx_' &&
    $clang -O2 $all "$@" -o partial partial.o src/main.c && counted ./partial 1000
}
check "-r" partially
if command -v ld.lld-$LLVM >/dev/null; then check "-r, lld" partially -fuse-ld=lld; else skip "-r, lld (no lld-$LLVM)"; fi

header() { $clangxx -O2 $all "$@" -x c++-header -o in.h.pch src/tick.h && [ -s in.h.pch ]; }
check "a precompiled header, -c" header -c
if [ "$LLVM" -ge 22 ]; then check "a precompiled header without -c" header; else skip "a precompiled header without -c (clang $LLVM)"; fi

as_pid_1() { # as in a container: process 1, no perf, nobody to reap
  mkdir -p pid1 && (cd pid1 && rm -f ./*.qxraw && unshare --pid --fork --mount-proc "$work/direct2" 5) >pid1.out || return 1
  [ "$(cat pid1.out)" = "$wanted" ] && ls pid1/quincunx-direct2-1-*.qxraw && rm -f p1.qx* &&
    "$quincunx" corpus add p1.qx pid1/quincunx-direct2-1-*.qxraw && [ "$(entries p1.qx tick)" = 1000 ]
}
$clang -O2 $all -o direct2 src/main.c src/tick.c
if unshare --pid --fork --mount-proc true 2>/dev/null; then check "as process 1 of a container" as_pid_1
else skip "as process 1 of a container (unshare is not permitted here)"; fi
run_as_pid_1() { rm -f p2.qx*; unshare --pid --fork --mount-proc "$quincunx" run -o p2.qx -- ./direct2 {} ::: 5 && [ "$(entries p2.qx tick)" = 1000 ]; }
if unshare --pid --fork --mount-proc true 2>/dev/null; then check "quincunx run as process 1" run_as_pid_1; fi
stripped() { cp direct2 stripped && strip stripped && counted ./stripped 1000; }
check "a stripped program" stripped
embedded() {
  mkdir -p emb && (cd emb && rm -f ./*.qxraw && cp ../direct2 gone && QUINCUNX_MAPS=embed ./gone 5 && rm gone) && rm -f em.qx* &&
    "$quincunx" corpus add em.qx emb/*.qxraw && [ "$(entries em.qx tick)" = 1000 ]
}
check "QUINCUNX_MAPS=embed, the program is gone" embedded

# the same source is the same object, wherever the compiler's own data lie
cat >again.cpp <<'END'
#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>
int main(int argc, char **argv) {
  std::unordered_map<std::string, int> counts;
  std::vector<std::string> words(argv, argv + argc);
  for (const std::string &word : words)
    ++counts[word];
  std::sort(words.begin(), words.end(), [](const auto &a, const auto &b) { return a > b; });
  std::map<std::string, int> sorted(counts.begin(), counts.end());
  return sorted.size() == words.size();
}
END
again() {
  for i in 1 2 3; do
    for level in 0 2; do # shellcheck disable=SC2086
      ${clang/clang-/clang++-} -O$level -g -c -o again$level-$i.o again.cpp && cmp again$level-1.o again$level-$i.o || return 1
    done
  done
}
check "the same source compiles to the same object" again

# mistakes: one clear line each
echo 'int twice(int x) { return x > 3 ? x * 2 : x; }' >no-includes.c
refused() { # refused PATTERN COMMAND...
  pattern=$1
  shift
  if "$@" >refused.out 2>refused.err; then echo "it was accepted"; return 1; fi
  cat refused.err
  grep -E 'error|undefined' refused.err | grep -Eq "$pattern" && ! grep -q 'Stack dump' refused.err
}
# shellcheck disable=SC2086
check "unknown plugin argument is refused" refused 'quincunx' $clang -O2 -fplugin-arg-quincunx-nosuch=1 -c -o x.o src/tick.c
# shellcheck disable=SC2086
check "unknown record= is refused" refused 'record' $clang -O2 -fplugin-arg-quincunx-record=nosuch -c -o x.o src/tick.c
# shellcheck disable=SC2086
check "use together with -fprofile-generate is refused" refused 'profile' $clang -O2 -fprofile-generate -c -o x.o src/tick.c
for target in --target=aarch64-linux-gnu --target=x86_64-windows-gnu --target=x86_64-apple-macos --target=wasm32 -m32 -mx32 -mcmodel=kernel; do
  elsewhere() { refused 'quincunx records programs of x86-64 Linux' $clang -O2 "$target" -fno-pic -ffreestanding -c -o x.o no-includes.c && [ "$(grep -c 'error:' refused.err)" = 1 ]; }
  check "$target is one line" elsewhere
done
other=19
[ "$LLVM" = 22 ] || other=22
wrong_clang() { refused "clang|LLVM" "clang-$other" --config="$cfg" -O2 -c -o x.o src/tick.c && one_line refused.err 'quincunx'; }
if command -v "clang-$other" >/dev/null; then check "clang $other with the plugin for $LLVM is one line" wrong_clang; else skip "clang $other (not installed)"; fi
linked_without() { $clang -O2 -c -o lw1.o src/main.c && $clang -O2 -c -o lw2.o src/tick.c && refused quincunx_runtime_missing gcc -o lw lw1.o lw2.o; }
check "linking without the runtime says what is missing" linked_without
finish
