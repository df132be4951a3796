// std::condition_variable_any has a lock of its own while it gives that up on which it is to wait,
// and gives its own up before the thread has that again.
#include "LockSections.h"

namespace quincunx {

namespace {

bool isOf(const StrandEvents &events, size_t i, qx_strand_kind kind) {
  return i < events.size() && events[i].kind == kind;
}

bool hasWaited(const StrandEvents &events, size_t i) {
  return isOf(events, i, QX_STRAND_WAKE) || isOf(events, i, QX_STRAND_TIMEOUT);
}

bool isLock(const StrandEvents &events, size_t i) {
  return i < events.size() && takesLock(events[i].kind);
}

/// Gives up the lock of a condition_variable_any here, behind that of who waits, and has both again
/// in turn.
bool waitsOnAny(const StrandEvents &events, size_t i) {
  return i > 0 && isOf(events, i - 1, QX_STRAND_UNLOCK) && isOf(events, i, QX_STRAND_UNLOCK) &&
         isOf(events, i + 1, QX_STRAND_SLEEP) && hasWaited(events, i + 2) &&
         isLock(events, i + 3) && events[i + 3].object == events[i].object &&
         isOf(events, i + 4, QX_STRAND_UNLOCK) && events[i + 4].object == events[i].object &&
         isLock(events, i + 5) && events[i + 5].object == events[i - 1].object;
}

} // namespace

bool comesToLock(const StrandEvents &events, size_t i) {
  return takesLock(events[i].kind) && events[i].kind != QX_STRAND_READ_LOCK &&
         !(i > 0 && hasWaited(events, i - 1)) && !(i > 5 && waitsOnAny(events, i - 5));
}

bool isDone(const StrandEvents &events, size_t i) {
  return events[i].kind == QX_STRAND_UNLOCK && !isOf(events, i + 1, QX_STRAND_SLEEP) &&
         !waitsOnAny(events, i + 1);
}

std::optional<uint64_t> ownLockOfCondition(const StrandEvents &events, size_t i) {
  return waitsOnAny(events, i) ? std::optional(events[i].object) : std::nullopt;
}

size_t doneWith(const StrandEvents &events, size_t i) {
  const uint64_t lock = events[i].object;
  for (++i; i < events.size() && (events[i].object != lock || !isDone(events, i));)
    ++i;
  return i;
}

} // namespace quincunx
