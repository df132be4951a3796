// Prices of the machine this runs on: measured with something to look at meanwhile, and kept with a
// corpus that has none, so that its reports speak time on whatever machine they are made. The
// measuring is lib/probe's.
#pragma once

#include "quincunx/probe/Probe.h"
#include "quincunx/profile/Corpus.h"

#include <string>

namespace quincunx::tool {

/// Measures with progress on standard error; what was not quiet is told there, unless `quiet`.
Result<ProbedMachine> measureMachine(const ProbeEffort &effort, bool quiet);

/// Whether keepMachine() can take it, before anything runs.
Status checkMachine(const std::string &wanted);
/// Gives a corpus without prices those of `wanted`: a .machine file in nanoseconds, "none", or
/// empty for this machine, which is measured once for each host and processor
/// (measuredMachineFile()). Costs are means: what single instructions scatter by averages out in a
/// run.
Status keepMachine(Corpus &corpus, const std::string &wanted, bool quiet);

/// Where the prices of this host and processor are or will be: below $XDG_CACHE_HOME, or
/// ~/.cache; empty without either.
std::string measuredMachineFile();

} // namespace quincunx::tool
