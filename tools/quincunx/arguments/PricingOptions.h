// What costs are counted in: the machine that a verb prices with, chosen by its options or, where a
// corpus is calibrated, by that.
#pragma once

#include "quincunx/cost/Machine.h"
#include "quincunx/profile/Corpus.h"

#include <CLI/CLI.hpp>

namespace quincunx::tool {

/// The machine that prices costs when nobody says which.
inline constexpr const char *defaultMachine = "x86-64";

struct PricingOptions {
  std::string machine; ///< --machine; empty: not given
  std::string units;   ///< --units: "time", "counts", or empty
};

void addPricingOptions(CLI::App &verb, PricingOptions &options);
/// Without a corpus: --machine, or the default. A wrong name is told before a corpus is read.
Result<Machine> machineOf(const PricingOptions &options);
/// Prices of runs of the corpus, or (`ofRuns` false) of parts of runs. Time comes in the unit that
/// suits the runs.
Result<Machine> machineFor(const Corpus &corpus, const PricingOptions &options, bool ofRuns = true);

} // namespace quincunx::tool
