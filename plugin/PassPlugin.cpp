// Entry point for -fpass-plugin, opt and lld; also the guard against a host of another LLVM
// version. Part of both quincunx.so (with the Clang half) and quincunx-pass.so (without).
#include "Compat.h"
#include "Register.h"
#include "Settings.h"

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

namespace quincunx {
Options &settings() {
  static Options options;
  return options;
}
} // namespace quincunx

extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "quincunx", "1", [](llvm::PassBuilder &builder) {
            quincunx::registerPasses(builder, &quincunx::settings());
          }};
}
