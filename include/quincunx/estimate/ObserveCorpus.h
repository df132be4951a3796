// The default estimate (Observed.h) over a whole corpus, with its runs or with the requests of one
// function in their place; and, with it, the counts of all of them in memory.
// Reference: docs/03-runs-kept-apart.md, docs/10-compiler.md.
#pragma once

#include "quincunx/estimate/CountMatrix.h"
#include "quincunx/estimate/Observed.h"
#include "quincunx/estimate/Requests.h"

namespace quincunx {

/// Reads the whole corpus, as often as `memory` bytes for the figures of functions require. `maps`:
/// of the corpus; whose code it is that their places name (map/Foreign.h).
Result<Observed> observe(const Corpus &corpus, const std::vector<Map> &maps, const Machine &machine,
                         size_t memory = 256u << 20);
/// Runs times functions of which totals take about three seconds: whom pointers call is found out
/// for each.
inline constexpr size_t quickTotals = 500'000;
/// The same with FunctionFigures::total and ::call, unless runs times functions are more than
/// `most`, or counts have no room in memory; a note says so then.
Result<Observed> observeWithTotals(const Corpus &corpus, const std::vector<Map> &maps,
                                   const Machine &machine, size_t most = quickTotals,
                                   size_t memory = 256u << 20);
/// Reads the requests of `f`, likewise.
Result<Observed> observeRequests(const Corpus &corpus, const std::vector<Map> &maps,
                                 const Machine &machine, const RequestFunction &f,
                                 size_t memory = 256u << 20);

/// The counts of all runs, or requests, with the figures of the program but of none of its
/// functions. Rows of the matrix are parallel to Observed::runs.
struct CountedRuns {
  Observed observed;
  CountMatrix matrix;
};
Result<CountedRuns> countRuns(const Corpus &corpus, const std::vector<Map> &maps,
                              const Machine &machine);
Result<CountedRuns> countRequests(const Corpus &corpus, const std::vector<Map> &maps,
                                  const Machine &machine, const RequestFunction &f);

} // namespace quincunx
