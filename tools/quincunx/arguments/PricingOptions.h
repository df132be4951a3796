// The machine that a verb prices with, chosen by its options or by the calibration of the corpus.
#pragma once

#include "quincunx/cost/Machine.h"
#include "quincunx/profile/Corpus.h"

#include <CLI/CLI.hpp>

namespace quincunx::tool {

struct PricingOptions {
  std::string machine; ///< --machine; empty: not given
  std::string units;   ///< --unit: "time", "counts", or empty
};

void addPricingOptions(CLI::App &verb, PricingOptions &options);
/// Returns the machine that --machine names, or the default one; it needs no corpus, so that a
/// wrong name is told before one is read.
Result<Machine> machineOf(const PricingOptions &options);
/// Returns prices for runs of the corpus, or (`ofRuns` false) for parts of runs. Time comes in the
/// unit that suits the runs.
Result<Machine> machineFor(const Corpus &corpus, const PricingOptions &options, bool ofRuns = true);

} // namespace quincunx::tool
