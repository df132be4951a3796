#!/bin/sh
# fastText: classifies texts, C++ with std::thread; threads train one model without locks until all have had enough words.
. "$(dirname "$0")/../../corpus/lib.sh"
fetch() { deb_src fasttext 0.9.2+ds-1; }
build() {
  fresh fasttext
  DEFS="-std=c++17 -pthread -DNDEBUG"
  cxx_objs src/*.cc
  link_cxx -pthread
}
main "$@"
