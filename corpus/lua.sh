#!/bin/sh
# lua: Lua interpreter, C (computed goto, setjmp/longjmp for errors and coroutines, recursion, a collector).
. "$(dirname "$0")/lib.sh"
fetch() { deb_src lua5.4 5.4.4-3+deb12u1; }
build() {
  fresh lua5.4
  cd src
  echo '#define DEB_HOST_MULTIARCH "x86_64-linux-gnu"' > lua5.4-deb-multiarch.h # as debian/rules does
  # hashes of strings start from addresses and the time otherwise, and the order of pairs() with them
  DEFS="-DLUA_COMPAT_5_3 -DLUA_USE_POSIX -D'luai_makeseed(L)=1u'"
  c_objs $(ls *.c | grep -v luac.c)
  link_c -lm
}
main "$@"
