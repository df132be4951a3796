// Waits on condition variables for what several threads do, or do again and again: barriers made of
// a mutex and a counter, groups that are waited for, rounds that a thread begins.
#pragma once

#include "Conditions.h"

#include <map>
#include <optional>

namespace quincunx {

/// Who waits on a condition variable goes on when the lock was had so often, by whomever, where it
/// is had for what is waited for.
struct CountedWaits {
  std::vector<uint32_t> done; ///< nodes: where the lock is given up there
  std::set<uint32_t> wakes;   ///< nodes: threads are woken there
  /// By node, how often: before that, who slept goes on; behind it, who might have had to sleep.
  std::map<uint32_t, uint32_t> before, behind;
  std::set<uint32_t> turns; ///< nodes: where threads come that take turns (Turns.h)
  /// The node where who was the last of so many goes on, if it is only one; it is in `before`, too.
  std::optional<uint32_t> last = std::nullopt;
  bool isLastEnded = false; ///< it works then, and it is known up to where
};

/// How often something is to be done, by how often a thread comes to wait for it.
struct Needed {
  int64_t visit = 0, times = 0; ///< once known
  int64_t visits = 1, more = 0; ///< so much more often for so many visits
  /// More threads slept by it than it takes to draw a line, or it is once more for each that does
  /// it each time.
  bool isSure = false;

  /// Rounded down.
  int64_t operator()(int64_t at) const {
    const int64_t behind = more * (at - visit);
    return times + (behind >= 0 ? behind : behind - visits + 1) / visits;
  }
  /// Is it the same for all visits?
  bool operator==(const Needed &other) const {
    return more * other.visits == other.more * visits && (*this)(1) == other(1);
  }
};

/// The rule by which those slept that did, if what they waited for is done without a signal as
/// well, or by one thread.
std::optional<Needed> neededOf(const Condition &condition);

/// `sitesOfWaits`: of this one, or of another one at which nobody had to wait. If the rule is not
/// sure those alone are counted that slept. Nothing: somebody went on before so much was done.
std::optional<CountedWaits> countedBy(const Needed &needed, const Condition &condition,
                                      const std::set<uint32_t> &sitesOfWaits);

} // namespace quincunx
