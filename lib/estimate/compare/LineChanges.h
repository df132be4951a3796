// Which lines of a function make a change of its cost.
#pragma once

#include "PricedBuild.h"

namespace quincunx {

/// A function in one build: where it is, if it is there, and what the lines of the program cost.
struct FunctionLines {
  const std::optional<FunctionFigures> &place;
  const PricedBuild::Means &means;
};

/// The few lines that make most of `difference`, the largest first; none where no line does, or
/// the function is one of several in a row.
std::vector<LineChange> lineChanges(const FunctionLines &before, const FunctionLines &after,
                                    double difference);

} // namespace quincunx
