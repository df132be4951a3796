// Requests in place of runs: each call of a marked function that was kept is presented as a run, so
// that every estimate over runs can be made over requests. Reference: docs/10-compiler.md.
#pragma once

#include "quincunx/estimate/CountMatrix.h"
#include "quincunx/estimate/Observed.h"

#include <functional>
#include <optional>

namespace quincunx {

/// A marked function of a corpus, over all its builds, processes and runs.
struct RequestFunction {
  std::string name; ///< linkage name
  uint64_t begun = 0, ended = 0, kept = 0;
};

/// Ordered by name; an error when the corpus cannot be read.
Result<std::vector<RequestFunction>> requestFunctions(const Corpus &corpus,
                                                      const std::vector<Map> &maps);

/// Every request of `f` that was kept, as a finished run with the label "RUN#number" (from 1), with
/// its features and wall time; `weight`: how many it stands for. And, where they are known, the
/// sums over all requests of one process, as one run of which `weight` is their number.
struct RequestVisitor {
  std::function<Status(const Run &request, double weight)> one;
  std::function<Status(const Run &sums, double weight)> all; ///< may be empty
};
Status forEachRequest(const Corpus &corpus, const std::vector<Map> &maps, const RequestFunction &f,
                      const RequestVisitor &visit);

/// What estimates are made of: the runs of a corpus, or requests in their place.
struct RunSource {
  const Corpus &corpus;
  const std::vector<Map> &maps;
  std::optional<RequestFunction> requests;

  size_t count() const; ///< about as many
  /// Always in the same order.
  Status forEach(const std::function<Status(const Run &run, double weight)> &take,
                 Corpus::ReadMask parts = Corpus::ReadMask::counts) const;
};
Result<CountMatrix> readCounts(const RunSource &source);

/// Like observe(), over the requests of `f`.
Result<Observed> observeRequests(const Corpus &corpus, const Machine &machine,
                                 const RequestFunction &f, size_t memory = 256u << 20);

/// The counts of all runs, or requests, in memory, with the figures of the program but of none of
/// its functions. Rows of the matrix are parallel to Observed::runs.
struct CountedRuns {
  Observed observed;
  CountMatrix matrix;
};
Result<CountedRuns> countRuns(const Corpus &corpus, const std::vector<Map> &maps,
                              const Machine &machine);
Result<CountedRuns> countRequests(const Corpus &corpus, const std::vector<Map> &maps,
                                  const Machine &machine, const RequestFunction &f);

} // namespace quincunx
