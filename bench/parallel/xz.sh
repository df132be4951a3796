#!/bin/sh
# xz: liblzma's multithreaded encoder, C with pthreads; blocks handed to workers by conditions.
. "$(dirname "$0")/../../corpus/lib.sh"
fetch() { deb_src xz-utils 5.4.1-1+deb12u1; }
build() {
  fresh xz-utils
  ./configure --disable-shared --enable-static --disable-nls --disable-doc --disable-lzma-links --disable-scripts --disable-lzmadec --disable-lzmainfo \
    --enable-assembler=no CC="$CC" CFLAGS="$CFLAGS" LDFLAGS="$LDFLAGS" >configure.log 2>&1 || { tail configure.log; exit 1; }
  make -j "$JOBS" >make.log 2>&1 || { tail make.log; exit 1; }
  cp src/xz/xz "$PROG"
}
main "$@"
