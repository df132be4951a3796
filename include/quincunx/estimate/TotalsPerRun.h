// The estimate over a whole corpus (ObserveCorpus.h), with what functions cost with all they call
// in each run, for those who show its distribution. It keeps none of it.
#pragma once

#include "quincunx/estimate/ObserveCorpus.h"

#include <functional>
#include <span>

namespace quincunx {

/// Sees what a function, or a group, cost with all it calls in each of Observed::runs.
using TotalVisitor = std::function<void(const FunctionFigures &, std::span<const double> perRun)>;

/// The same as without `visit`, of at most quickTotals; the memory that figures take is bounded as
/// there.
Result<Observed> observeWithTotals(const Corpus &corpus, const std::vector<Map> &maps,
                                   const Machine &machine, const TotalVisitor &visit);

} // namespace quincunx
