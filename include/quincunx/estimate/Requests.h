// Requests in place of runs: each call of a marked function that was kept is presented as a run, so
// that every estimate over runs can be made over requests. Reference: docs/10-compiler.md.
#pragma once

#include "quincunx/cost/Machine.h"
#include "quincunx/profile/Corpus.h"

#include <functional>
#include <string>
#include <vector>

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
/// sums over all requests of one process, as one run of which `weight` is their number. Before
/// them, the run that they are part of.
struct RequestVisitor {
  std::function<Status(const Run &request, double weight)> one;
  std::function<Status(const Run &sums, double weight)> all = {}; ///< may be empty
  std::function<Status(const Run &whole)> run = {};               ///< may be empty
};
Status forEachRequest(const Corpus &corpus, const std::vector<Map> &maps, const RequestFunction &f,
                      const RequestVisitor &visit);

/// By what prices have to be multiplied for the requests that were kept to cost together what they
/// do as parts of their runs, where these cost what a fit says of them; 1: nothing is fitted.
Result<double> scaleOfRequests(const Corpus &corpus, const std::vector<Map> &maps, Machine machine,
                               const RequestFunction &f);

} // namespace quincunx
