// Work, span, and what carries it.
// The idea: with a thread for every iteration and task, and no burdens, what is left is what has to
// come after each other; the piece that ended last, the one that let it begin, and so on, are the
// critical path. Locks are held by one at a time there too. Reference: docs/27-parallel.md; Brent,
// The parallel evaluation of general arithmetic expressions, J. ACM 21 (1974); Graham, Bounds on
// multiprocessing timing anomalies, SIAM J. Appl. Math. 17 (1969).
#pragma once

#include "quincunx/parallel/Simulate.h"

#include <vector>

namespace quincunx::parallel {

/// So many pieces were at work at once for so long.
struct Width {
  uint32_t pieces = 0;
  double time = 0;
};

struct Span {
  double work = 0;            ///< T1: of all threads together, in teams of one
  double span = 0;            ///< Tinf
  std::vector<Width> profile; ///< ascending, without width 0
  std::vector<Piece> path;    ///< the critical path from start to end; `previous` means nothing

  double parallelism() const { return span > 0 ? work / span : 1; }
  /// No schedule on so many cores is faster.
  double least(double cores) const;
  /// No greedy schedule is slower: where a core is idle only when nothing is ready, and nobody
  /// holds a lock. Brent's bound.
  double most(double cores) const;
  /// What the profile says of a greedy schedule: where more are at work than there are cores, they
  /// share.
  double byProfile(double cores) const;
};

/// Refuses what simulate() refuses.
Result<Span> spanOf(const Description &description);

/// The pieces, by their numbers, whose ends let each other begin, from the start to the end; the
/// run must have kept its pieces.
std::vector<uint32_t> criticalPath(const Simulated &run);

} // namespace quincunx::parallel
