#!/bin/sh
# minimap2: maps reads to a sequence, C with pthreads; a pipeline of three stages around loops whose threads steal.
. "$(dirname "$0")/../../corpus/lib.sh"
fetch() { deb_src minimap2 2.24+dfsg-3; }
build() {
  fresh minimap2
  patch -R -p1 <debian/patches/reenable-simde.patch >patch.log
  make -j "$JOBS" minimap2 sse2only=1 CC="$CC" CFLAGS="$CFLAGS -w" LDFLAGS="$LDFLAGS" >make.log 2>&1 || { tail make.log; exit 1; }
  cp minimap2 "$PROG"
}
main "$@"
