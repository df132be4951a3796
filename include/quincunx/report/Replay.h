// A C program that does again what a run did, with threads that sleep in place of working, so that
// it takes as long with fewer processors than threads. Reference: docs/27-parallel.md.
#pragma once

#include "quincunx/estimate/ParallelTimes.h"

#include <iosfwd>

namespace quincunx {

/// C11 with POSIX threads. It prints how long it took, and how long that was predicted to be.
void printReplay(const ReplayedRun &run, std::ostream &out);

} // namespace quincunx
