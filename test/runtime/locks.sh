#!/bin/bash
# What the runtime's sources say of its lock is true: their comments `holds lock`, `takes lock` and `under lock` (os/os.h) become
# attributes of clang, whose thread safety analysis reads them. It runs nothing, and calls through pointers are not seen.
. "$(dirname "$0")/../judges/common.sh"
cat >capability.h <<'C'
struct __attribute__((capability("mutex"))) qx_capability { int unused; };
extern struct qx_capability qx_the_lock;
void qx_lock(void) __attribute__((acquire_capability(qx_the_lock), no_thread_safety_analysis));
void qx_unlock(void) __attribute__((release_capability(qx_the_lock), no_thread_safety_analysis));
C
# stated FOLDER [SED-SCRIPT]: the sources with attributes, in FOLDER
stated() {
  cp -r "$root/runtime" "$1"
  sed -i -E -e '/\/\* (holds|takes) lock \*\/ .*void qx_(un)?lock\(void\)/s,/\*.*\*/ ,,' \
    -e 's,/\* holds lock \*/,__attribute__((requires_capability(qx_the_lock))),' \
    -e 's,/\* takes lock \*/,__attribute__((locks_excluded(qx_the_lock))),' \
    -e 's,/\* under lock \*/,__attribute__((guarded_by(qx_the_lock))),' "$1"/*/*.[ch]
  [ $# = 1 ] || sed -i "$2" "$1"/*/*.c
}
proved() { # proved FOLDER
  p=0
  for source in "$1"/*/*.c; do
    $plain -std=gnu11 -fsyntax-only -Wthread-safety -Werror=thread-safety -include capability.h -I"$root/include" -I"$1" "$source" || p=1
  done
  return $p
}
stated all
check "$(grep -rcE '(holds|takes|under) lock \*/ ' "$root/runtime" | awk -F: '{ n += $2 } END { print n }') statements about the lock are true" proved all
# A statement that is not, each time another one: it must be seen.
plant() { # plant NAME TEXT SED-SCRIPT
  stated "$1" "$3"
  ! diff -rq all "$1" >/dev/null || { bad "$2: cannot plant"; return; }
  if proved "$1" >"$1.log" 2>&1; then bad "$2: not seen"; else ok "$2: seen"; fi
}
plant unlocked "a lock that is not taken" '/^void qx_attach(/,/^}/s/  qx_lock();//; /void qx_attach(/,/^}/s/^    qx_lock();//'
plant twice "a lock that is taken twice" '/ conclude(void) {/,/^}/s/^  const int why/  qx_lock();\n&/'
plant kept "a lock that is not given back" '/ flush(void) {/,/^}/s/^  qx_unlock();//'
plant unstated "a function that says nothing" 's/^__attribute__((requires_capability(qx_the_lock))) static struct qx_arena \*take_arena/static struct qx_arena *take_arena/'
plant bare "data that is read without it" 's/^__attribute__((requires_capability(qx_the_lock))) static uint64_t total/static uint64_t total/'
finish
