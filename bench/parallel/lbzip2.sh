#!/bin/sh
# lbzip2: a bzip2 with pthreads; tasks of several kinds that workers look for under one mutex, by priority, and a last `_exit`.
. "$(dirname "$0")/../../corpus/lib.sh"
fetch() { deb_tar lbzip2 2.5-2.3 lbzip2_2.5.orig.tar.bz2; }
build() {
  fresh lbzip2
  sed -i 's/^#if defined _IO_ftrylockfile .*/#if 1/' lib/fseterr.c # glibc since 2.28
  ./configure CC="$CC" CFLAGS="$CFLAGS -D_IO_ERR_SEEN=0x20" LDFLAGS="$LDFLAGS" >configure.log 2>&1 || { tail configure.log; exit 1; }
  make -j "$JOBS" >make.log 2>&1 || { tail make.log; exit 1; }
  cp src/lbzip2 "$PROG"
}
main "$@"
