#!/bin/sh
# zstd: jobs of a pool of pthreads that overlap, C.
. "$(dirname "$0")/../../corpus/lib.sh"
fetch() { deb_src libzstd 1.5.4+dfsg2-5; }
build() {
  fresh libzstd
  make -j "$JOBS" -C programs zstd HAVE_ZLIB=0 HAVE_LZMA=0 HAVE_LZ4=0 ZSTD_LEGACY_SUPPORT=0 CC="$CC" CFLAGS="$CFLAGS -DZSTD_DISABLE_ASM" LDFLAGS="$LDFLAGS" BUILD_DIR=obj \
    >make.log 2>&1 || { tail make.log; exit 1; }
  cp programs/zstd "$PROG"
}
main "$@"
