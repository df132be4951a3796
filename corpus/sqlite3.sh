#!/bin/sh
# sqlite3: SQL shell and library, C (a very large file, a virtual machine with a function of 8000 lines), no threads.
. "$(dirname "$0")/lib.sh"
fetch() { deb_src sqlite3 3.40.1-2+deb12u2; }
# The amalgamation as upstream's makefile makes it, with the host compiler; once for all variants.
amalgamate() {
  [ -e "$W/amalgamation/.ok" ] && return 0
  rm -rf "$W/amalgamation"; cp -a "$W/src-sqlite3" "$W/amalgamation"
  make -C "$W/amalgamation" -f main.mk TOP=. EXE= OPTS= BCC="$HOST_CC $HOST_CFLAGS" sqlite3.c shell.c >"$W/amalgamation.log" 2>&1 ||
    { tail -20 "$W/amalgamation.log" >&2; exit 1; }
  touch "$W/amalgamation/.ok"
}
build() {
  amalgamate
  cd "$W/amalgamation"
  DEFS="-DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION"
  c_objs sqlite3.c shell.c
  link_c
}
main "$@"
