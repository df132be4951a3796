// Derivatives of the figures that reports have, for people and for programs. Reference:
// docs/12-pamela.md, "Derivatives".
#pragma once

#include "quincunx/pamela/Sensitivity.h"
#include "quincunx/report/Display.h"

#include <iosfwd>

namespace quincunx {

/// Of mean, deviation and percentiles.
Result<pamela::Sensitivity> sensitivityOf(const pamela::Model &model,
                                          const pamela::EvaluateOptions &options,
                                          const std::string &parameter);

void printSensitivities(const std::string &target, const std::vector<pamela::Sensitivity> &all,
                        const Display &display, std::ostream &out);
Status printSensitivitiesJson(const std::string &file, const std::string &target,
                              const std::vector<pamela::Sensitivity> &all, std::ostream &out);

} // namespace quincunx
