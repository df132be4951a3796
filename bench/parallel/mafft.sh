#!/bin/sh
# disttbfast of MAFFT: aligns sequences, C with pthreads; pairs and steps of a tree taken under a mutex.
. "$(dirname "$0")/../../corpus/lib.sh"
fetch() { deb_src mafft 7.505-1; }
build() {
  fresh mafft
  make -j "$JOBS" -C core disttbfast CC="$CC" CFLAGS="$CFLAGS -w" >make.log 2>&1 || { tail make.log; exit 1; }
  cp core/disttbfast "$PROG"
}
main "$@"
