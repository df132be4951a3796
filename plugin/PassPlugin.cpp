// Entry point for -fpass-plugin, opt and lld. Part of both quincunx.so (with the Clang half) and
// quincunx-pass.so (without).
#include "Compat.h"
#include "Register.h"
#include "Settings.h"

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
