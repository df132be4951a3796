// From where a thread has a lock to where it gives it up, and not to wait for something.
#pragma once

#include "quincunx/strands/Events.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace quincunx {

using StrandEvents = std::vector<StrandEvent>;

/// Where a lock is had or given up: threads in their order, and events of each in its order.
struct LockEvent {
  size_t thread, event;
};
using LockEvents = std::vector<LockEvent>;

/// Comes to a lock by itself: not as what it waited for has come, and it has the lock again.
bool comesToLock(const StrandEvents &events, size_t i);
/// Gives a lock up, and not to wait for something.
bool isDone(const StrandEvents &events, size_t i);
/// Where it gives up the lock that it came to at `i`; behind all: nowhere.
size_t doneWith(const StrandEvents &events, size_t i);

/// The lock that std::condition_variable_any has for itself, if it is what is given up there to
/// wait, behind that of who waits.
std::optional<uint64_t> ownLockOfCondition(const StrandEvents &events, size_t i);

} // namespace quincunx
