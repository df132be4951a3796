// What estimates are made of: the runs of a corpus, or the requests of one function in their place.
// Reference: docs/10-compiler.md. It adds nothing up.
#pragma once

#include "quincunx/estimate/CountMatrix.h"
#include "quincunx/estimate/Requests.h"

#include <functional>
#include <optional>
#include <vector>

namespace quincunx {

struct RunSource {
  const Corpus &corpus;
  const std::vector<Map> &maps;
  std::optional<RequestFunction> requests;

  Result<size_t> count() const; ///< about as many
  /// Visits them, always in the same order.
  Status forEach(const std::function<Status(const Run &run, double weight)> &take,
                 Corpus::ReadMask parts = Corpus::ReadMask::counts) const;
};
/// Reads the counts of all of them; `parts`: recorders for what calls cost, too.
Result<CountMatrix> readCounts(const RunSource &source,
                               Corpus::ReadMask parts = Corpus::ReadMask::counts);

} // namespace quincunx
