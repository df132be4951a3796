#!/bin/sh
# 7-Zip: an archiver with its own layer over pthreads, C and C++; blocks of bzip2 in threads.
. "$(dirname "$0")/../../corpus/lib.sh"
fetch() { deb_src 7zip 22.01+really26.02+dfsg-0+deb12u1; }
build() {
  fresh 7zip
  cd CPP/7zip/Bundles/Alone
  make -j "$JOBS" -f ../../cmpl_gcc.mak DISABLE_RAR=1 CC="$CC $CFLAGS -w" CXX="$CXX $CXXFLAGS -w" LDFLAGS_STATIC= LOCAL_FLAGS= \
    LDFLAGS_STATIC_2= CFLAGS_WARN_WALL=-w CFLAGS_WARN=-w >make.log 2>&1 || { tail make.log; exit 1; }
  cp b/g/7za "$PROG"
}
main "$@"
