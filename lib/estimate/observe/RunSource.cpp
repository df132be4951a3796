// Runs of a corpus, or requests in their place.
#include "quincunx/estimate/RunSource.h"

namespace quincunx {

Result<size_t> RunSource::count() const {
  if (requests)
    return static_cast<size_t>(requests->kept);
  return corpus.runCount();
}

Status RunSource::forEach(const std::function<Status(const Run &run, double weight)> &take,
                          Corpus::ReadMask parts) const {
  if (requests)
    return forEachRequest(corpus, maps, *requests, {take});
  return corpus.forEachRun([&](Run &&run) { return take(run, 1); }, parts);
}

Result<CountMatrix> readCounts(const RunSource &source, Corpus::ReadMask parts) {
  const Result<size_t> runs = source.count();
  if (!runs)
    return runs.error();
  CountMatrixBuilder builder(source.maps, *runs, mostCounts(source.corpus));
  if (const Status s = source.forEach(
          [&](const Run &run, double weight) { return builder.add(run, weight); }, parts);
      !s)
    return s.error();
  Result<CountMatrix> matrix = builder.finish();
  if (!matrix && source.requests)
    return Error{"no request ended"};
  return matrix;
}

} // namespace quincunx
