#!/bin/sh
# x264: a video encoder, C with pthreads; frames in threads that wait for rows of the frames before them.
. "$(dirname "$0")/../../corpus/lib.sh"
fetch() { deb_src x264 0.164.3095+gitbaee400-3; }
build() {
  fresh x264
  CC="$CC" ./configure --disable-asm --disable-opencl --disable-avs --disable-swscale --disable-lavf --disable-ffms --disable-gpac --disable-lsmash \
    --extra-cflags="$CFLAGS" --extra-ldflags="$LDFLAGS" >configure.log 2>&1 || { tail configure.log; exit 1; }
  make -j "$JOBS" x264 >make.log 2>&1 || { tail make.log; exit 1; }
  cp x264 "$PROG"
}
main "$@"
