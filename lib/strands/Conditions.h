// What threads do with condition variables and their locks.
#pragma once

#include "StrandGraph.h"

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace quincunx {

/// From where a thread has the lock of a condition variable to where it gives it up. Nodes are
/// those of the graph, orders those of the lock.
struct LockSection {
  size_t thread = 0;
  uint32_t site = 0;               ///< where the lock is had
  uint32_t came = 0, givenUp = 0;  ///< nodes: where it is had, where it is given up first
  uint32_t end = 0;                ///< node: where it is given up at last
  uint32_t first = 0, last = 0;    ///< orders of both; UINT32_MAX: it waits until the end
  std::vector<uint32_t> slept;     ///< orders in which it was given up to wait
  std::vector<uint32_t> wakes;     ///< nodes at which it was woken
  uint32_t awake = 0;              ///< node at which it was woken for the last time; 0: never
  const LockSection *by = nullptr; ///< who signalled that
  bool signals = false;            ///< in it, or behind it and before the next one
};

struct Condition {
  std::vector<std::vector<LockSection>> sections; ///< by thread
  std::set<uint32_t> wakes;                       ///< nodes: threads are woken there
  std::set<uint32_t> sitesOfWaits, sitesOfSignals;

  /// Those at certain sites.
  std::vector<const LockSection *> at(const std::set<uint32_t> &sites) const;
};

/// Those that are waited on with one lock, never for a time only, and signalled by who has had it;
/// and those that nobody waits on, with the lock that who signals has had last. `graph`: of these
/// threads.
std::vector<Condition> conditionsOf(const std::vector<StrandThread> &all, const StrandGraph &graph);

} // namespace quincunx
