#!/bin/sh
# gm convert of GraphicsMagick: images, C with OpenMP; rows of an image in short loops one behind the other.
. "$(dirname "$0")/../../corpus/lib.sh"
fetch() { deb_src graphicsmagick 1.4+really1.3.40-4+deb12u1; }
build() {
  fresh graphicsmagick
  ./configure --disable-shared --enable-static --without-x --without-perl --without-magick-plus-plus --without-modules --without-bzlib --without-dps --without-fpx \
    --without-jbig --without-webp --without-jpeg --without-jp2 --without-lcms2 --without-lzma --without-png --without-tiff --without-ttf --without-wmf --without-xml \
    --without-zlib --without-zstd --without-heif --without-jxl --disable-installed CC="$CC" CFLAGS="$CFLAGS" LDFLAGS="$LDFLAGS" >configure.log 2>&1 ||
    { tail configure.log; exit 1; }
  make -j "$JOBS" utilities/gm >make.log 2>&1 || { tail make.log; exit 1; }
  cp utilities/gm "$PROG"
}
main "$@"
