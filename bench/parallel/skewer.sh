#!/bin/sh
# skewer: cuts adapters off reads of a sequencer, C++ with pthreads; a file and a queue of results under mutexes.
. "$(dirname "$0")/../../corpus/lib.sh"
fetch() { deb_src skewer 0.2.2-6; }
build() {
  fresh skewer
  cxx_objs src/main.cpp src/parameter.cpp src/matrix.cpp src/fastq.cpp
  link_cxx -pthread
}
main "$@"
