// What a PAMELA+ model says, for people and for programs: one point of its parameters in full, many
// as a table.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/pamela/Evaluate.h"

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace quincunx {

/// A point of the parameters, in the order of the sweep, and what the model says there.
struct EvaluatedPoint {
  std::vector<std::pair<std::string, double>> parameters;
  pamela::Evaluated result;
};

/// `points` is not empty.
void printEvaluated(const std::string &target, const std::vector<EvaluatedPoint> &points,
                    bool colour, std::ostream &out);
/// A heading and a line per point, fields between tabs, numbers at full precision.
void printEvaluatedTsv(const std::vector<EvaluatedPoint> &points, std::ostream &out);
Status printEvaluatedJson(const std::string &model, const std::string &target,
                          const std::vector<EvaluatedPoint> &points, std::ostream &out);

} // namespace quincunx
