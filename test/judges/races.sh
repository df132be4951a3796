#!/bin/bash
# ThreadSanitizer sees no race in the runtime: it is built with it, and so are the programs of threads.sh and requests.sh (or of
# the scripts that are named), which run as ever. test/runtime/sanitizers.sh has libraries, forks and other sanitizers, with
# the runtime as it is installed. RUNTIME: a folder with other sources of it (faults.sh).
. "$(dirname "$0")/common.sh"
: "${RUNTIME:=$root/runtime}"
mkdir runtime reports
for source in "$RUNTIME"/*/*.c; do
  # A thread is no more for ThreadSanitizer before the last round of its destructors, in which the runtime acts otherwise.
  sed 's/< PTHREAD_DESTRUCTOR_ITERATIONS/< PTHREAD_DESTRUCTOR_ITERATIONS - 1/' "$source" >runtime/it.c
  $plain -std=gnu11 -O1 -g -fsanitize=thread -fvisibility=hidden -I"$root/include" -I"$RUNTIME" -c \
    -o "runtime/$(basename "$source").o" runtime/it.c
done
cp -r "$(dirname "$cfg")"/* runtime/
rm runtime/libquincunx_rt.a
ar rcs runtime/libquincunx_rt.a runtime/*.o
echo '-fsanitize=thread -g' >>runtime/$cfgname
export CFG=$work/runtime/$cfgname TSAN_OPTIONS="log_path=$work/reports/race"
no_reports() { [ -z "$(ls reports)" ] || { cat reports/* | head -n 15; return 1; }; }
[ $# -gt 0 ] || set -- "threads.sh posix std" requests.sh # thrd_join is unknown to ThreadSanitizer
for script; do
  check "$script, the runtime under ThreadSanitizer" bash -c "bash $here/$script"
  check "$script: no report" no_reports
  rm -f "$work/reports"/race.*
done
finish
