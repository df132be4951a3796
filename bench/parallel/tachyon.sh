#!/bin/sh
# tachyon: a ray tracer, C with pthreads; rows from a shared counter under a mutex, barriers, all by a layer of its own.
. "$(dirname "$0")/../../corpus/lib.sh"
fetch() { deb_tar tachyon 0.99~b6+dsx-10 "tachyon_0.99~b6+dsx.orig.tar.xz"; }
build() {
  fresh tachyon
  DEFS="-DTHR -DUsePOSIXThreads -DLinux -Isrc -Idemosrc -Wno-everything"
  rm -f src/parvol.c # of MPI
  c_objs src/*.c demosrc/main.c demosrc/getargs.c demosrc/parse.c demosrc/nffparse.c demosrc/ac3dparse.c demosrc/mgfparse.c
  link_c -pthread -lm
}
main "$@"
