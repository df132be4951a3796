// The guard of every plugin against a host of another LLVM version.
#include "llvm/Config/llvm-config.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace {

/// A plugin for another LLVM would crash in its static initialisers; say so before they run.
__attribute__((constructor(101))) void checkVersion() {
  using Version = void (*)(unsigned *, unsigned *, unsigned *);
  const auto version = reinterpret_cast<Version>(dlsym(RTLD_DEFAULT, "LLVMGetVersion"));
  unsigned major = LLVM_VERSION_MAJOR;
  if (version != nullptr)
    version(&major, nullptr, nullptr);
  if (major == LLVM_VERSION_MAJOR)
    return;
  std::fprintf(
      stderr,
      "quincunx: error: this plugin is for LLVM %d, the compiler is LLVM %u; use the config file "
      "made for it (quincunx.cfg: 22, quincunx-19.cfg: 19)\n",
      LLVM_VERSION_MAJOR, major);
  std::_Exit(1);
}

} // namespace
