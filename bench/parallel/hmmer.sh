#!/bin/sh
# hmmsearch of HMMER: a profile against a database of sequences, C with pthreads; a reader and workers that swap blocks by conditions.
. "$(dirname "$0")/../../corpus/lib.sh"
fetch() { deb_src hmmer 3.3.2+dfsg-1; }
build() {
  fresh hmmer
  autoconf >configure.log 2>&1 && (cd easel && autoconf) >>configure.log 2>&1
  ./configure CC="$CC" CFLAGS="$CFLAGS" LDFLAGS="$LDFLAGS" >>configure.log 2>&1 || { tail configure.log; exit 1; }
  sed -i 's,-ldivsufsort,,' src/Makefile # only another program of it has to do with suffixes
  { make -j "$JOBS" -C easel && make -j "$JOBS" -C src hmmsearch; } >make.log 2>&1 || { tail make.log; exit 1; }
  cp src/hmmsearch "$PROG"
}
main "$@"
