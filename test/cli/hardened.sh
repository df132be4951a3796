#!/bin/bash
# What makes mistakes with memory end the tool is in it as it is installed (cmake/Harden.cmake), and nothing of it in the
# runtime, which is linked into users' programs. It does not try to break in.
. "$(dirname "$0")/common"

cmake -DCMAKE_INSTALL_PREFIX="$PWD/installed" -P "$BUILD/tools/quincunx/cmake_install.cmake" >install.log
for what in hW lW dW; do readelf -$what installed/bin/quincunx; done >elf
readelf -W --dyn-syms installed/bin/quincunx >symbols
has "the tool can be loaded anywhere" 'Type: +DYN .*Position-Independent' elf
has "its relocations are read-only" GNU_RELRO elf
has "all of them are made before it starts" '\(FLAGS\).*BIND_NOW|\(FLAGS_1\).*NOW' elf
lacks "its stack holds no code" 'GNU_STACK.* RWE' elf
has "its frames are guarded" '__stack_chk_fail' symbols
has "its copies are checked" '__(mem|str|v?snprintf|fprintf|read|printf)[a-z]*_chk' symbols
has "its indices are checked" '__glibcxx_assert_fail' symbols
nm "$(dirname "$cfg")/libquincunx_rt.a" >runtime 2>nm.log
lacks "the runtime needs nothing of that" '_chk|__glibcxx' runtime
finish
