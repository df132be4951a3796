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
/// Returns prices for a "run" of the corpus, or `per` "call" or "request". Time comes in the unit
/// that suits runs, or in us.
/// Converts prices to another unit: `factor` times the number.
Machine inUnit(Machine machine, const std::string &unit, double factor);
Result<Machine> machineFor(const Corpus &corpus, const PricingOptions &options,
                           const std::string &per = "run");

} // namespace quincunx::tool
