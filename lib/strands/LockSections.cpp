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

} // namespace

bool comesToLock(const StrandEvents &events, size_t i) {
  const qx_strand_kind kind = events[i].kind;
  if (!takesLock(kind) || kind == QX_STRAND_READ_LOCK || hasWaited(events, i - 1))
    return false;
  const bool gaveOther = isOf(events, i - 1, QX_STRAND_UNLOCK) && hasWaited(events, i - 3) &&
                         events[i - 1].object == events[i - 2].object;
  return !gaveOther || events[i - 1].object == events[i].object;
}

bool isDone(const StrandEvents &events, size_t i) {
  const bool isToWait =
      isOf(events, i + 1, QX_STRAND_SLEEP) ||
      (isOf(events, i + 1, QX_STRAND_UNLOCK) && isOf(events, i + 2, QX_STRAND_SLEEP));
  return events[i].kind == QX_STRAND_UNLOCK && !isToWait;
}

std::optional<uint64_t> ownLockOfCondition(const StrandEvents &events, size_t i) {
  const bool isOwn = isOf(events, i, QX_STRAND_UNLOCK) && isOf(events, i - 1, QX_STRAND_UNLOCK) &&
                     isOf(events, i + 1, QX_STRAND_SLEEP);
  return isOwn ? std::optional(events[i].object) : std::nullopt;
}

size_t doneWith(const StrandEvents &events, size_t i) {
  const uint64_t lock = events[i].object;
  for (++i; i < events.size() && (events[i].object != lock || !isDone(events, i));)
    ++i;
  return i;
}

} // namespace quincunx
