// Semaphores made of a lock, a condition variable and a counter, and buffers with room for so many.
#pragma once

#include "Conditions.h"

#include <optional>

namespace quincunx {

/// Who comes takes a permit, and waits while there is none.
struct Permits {
  uint64_t value = 0;          ///< how many there are at first
  std::vector<uint32_t> posts; ///< nodes behind which there is one more
  std::vector<uint32_t> takes; ///< nodes before which there is one less
  std::set<uint32_t> wakes;    ///< nodes: threads are woken there
};

/// Nothing: it is none, as far as can be told.
std::optional<Permits> permitsOf(const Condition &condition);

} // namespace quincunx
