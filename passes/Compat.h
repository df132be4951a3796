// Differences between the LLVM versions that are supported (22 first, 19 kept working), in one
// place. One block per difference; no other file tests the version.
#pragma once

#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCInstPrinter.h"
#if LLVM_VERSION_MAJOR >= 21
#include "llvm/Support/ModRef.h"
#endif
#include "llvm/Passes/PassBuilder.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#if __has_include("llvm/Plugins/PassPlugin.h")
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

namespace quincunx::compat {

/// Calls `add(passes, level)` where the IR has the shape of the source but SROA has run.
template <class Add> void atEarlySimplification(llvm::PassBuilder &builder, Add add) {
#if LLVM_VERSION_MAJOR >= 20
  builder.registerPipelineEarlySimplificationEPCallback(
      [add](llvm::ModulePassManager &passes, llvm::OptimizationLevel level,
            llvm::ThinOrFullLTOPhase) { add(passes, level); });
#else
  builder.registerPipelineEarlySimplificationEPCallback(
      [add](llvm::ModulePassManager &passes, llvm::OptimizationLevel level) {
        add(passes, level);
      });
#endif
}

/// The callee does not keep the pointer that is its argument `index`.
inline void setNoCapture(llvm::Function &f, unsigned index) {
#if LLVM_VERSION_MAJOR >= 21
  f.addParamAttr(index,
                 llvm::Attribute::getWithCaptureInfo(f.getContext(), llvm::CaptureInfo::none()));
#else
  f.addParamAttr(index, llvm::Attribute::NoCapture);
#endif
}

inline llvm::SCEVExpander expander(llvm::ScalarEvolution &evolution,
                                   [[maybe_unused]] const llvm::DataLayout &layout) {
#if LLVM_VERSION_MAJOR >= 20
  return llvm::SCEVExpander(evolution, "quincunx");
#else
  return llvm::SCEVExpander(evolution, layout, "quincunx");
#endif
}

/// A triple as the tables of targets want it.
#if LLVM_VERSION_MAJOR >= 22
inline const llvm::Triple &tripleForMC(const llvm::Triple &triple) { return triple; }
#else
inline std::string tripleForMC(const llvm::Triple &triple) { return triple.str(); }
#endif

inline const char *mnemonic(llvm::MCInstPrinter &printer, const llvm::MCInst &i) {
#if LLVM_VERSION_MAJOR >= 20
  return printer.getMnemonic(i).first;
#else
  return printer.getMnemonic(&i).first;
#endif
}

} // namespace quincunx::compat
