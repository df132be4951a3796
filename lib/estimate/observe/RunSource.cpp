// Runs of a corpus, or requests in their place.
#include "quincunx/estimate/RunSource.h"

namespace quincunx {

size_t RunSource::count() const { return requests ? requests->kept : corpus.runCount(); }

Status RunSource::forEach(const std::function<Status(const Run &run, double weight)> &take,
                          Corpus::ReadMask parts) const {
  if (requests)
    return forEachRequest(corpus, maps, *requests, {take, {}});
  return corpus.forEachRun([&](Run &&run) { return take(run, 1); }, parts);
}

Result<CountMatrix> readCounts(const RunSource &source, Corpus::ReadMask parts) {
  CountMatrixBuilder builder(source.maps, source.count());
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
