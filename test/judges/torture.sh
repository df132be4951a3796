#!/bin/sh
# Fetches GCC's own execution tests, for torture.py, as the sources of corpus/ are fetched and cached, and prints the folder
# that holds gcc.c-torture and g++.dg. They are GPL: compiled and run as tests here, never copied into the project.
LIBDIR=$(cd "$(dirname "$0")/../../corpus" && pwd)
. "$LIBDIR/lib.sh"
tests=$W/gcc-12.2.0/gcc/testsuite
if [ ! -e "$tests/.unpacked" ]; then
  deb_src gcc-12 12.2.0-14+deb12u1
  tar -xJf "$W/src-gcc-12/gcc-12.2.0-dfsg.tar.xz" -C "$W" --wildcards '*/gcc/testsuite/gcc.c-torture/execute/*' \
    '*/gcc/testsuite/g++.dg/torture/*' '*/gcc/testsuite/g++.dg/eh/*' '*/gcc/testsuite/g++.dg/coroutines/*'
  rm -rf "$W/src-gcc-12"
  touch "$tests/.unpacked"
fi
echo "$tests"
