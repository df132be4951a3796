// How the pass gets into a pipeline: at its place in the default pipelines, and by name for opt.
#pragma once

#include "Instrument.h"

#include "llvm/Passes/PassBuilder.h"

namespace quincunx {

/// Registers `quincunx<ARGUMENT>` by name and the pass with `*options` at its place in the
/// default pipelines. `options` is read when a pipeline is built.
void registerPasses(llvm::PassBuilder &builder, const Options *options);

} // namespace quincunx
