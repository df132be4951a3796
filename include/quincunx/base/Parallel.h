// One loop over all cores, for work on independent items. It is not a scheduler: no
// cancelling, no priorities, and a loop within another one has one thread.
#pragma once

#include <cstddef>
#include <functional>

namespace quincunx {

/// Calls work(i) once for every i < n, in any order, on as many threads as the machine runs at
/// once, and returns when all are done. `work` must not throw.
void forEachParallel(size_t n, const std::function<void(size_t)> &work);

} // namespace quincunx
