// What the simulation of a PAMELA+ model gave, for people and for programs.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/pamela/Simulate.h"
#include "quincunx/report/Display.h"

#include <iosfwd>
#include <string>

namespace quincunx {

void printSimulated(const std::string &target, const pamela::Simulated &s, const Display &display,
                    std::ostream &out);
Status printSimulatedJson(const std::string &model, const pamela::SimulateOptions &options,
                          const pamela::Simulated &s, std::ostream &out);
/// Its slices in the trace event format of Chrome: processes as threads, a unit of time as a
/// microsecond.
void printSimulatedTrace(const pamela::Simulated &s, std::ostream &out);

} // namespace quincunx
