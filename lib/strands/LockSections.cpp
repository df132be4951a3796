#include "LockSections.h"

namespace quincunx {

bool comesToLock(const StrandEvents &events, size_t i) {
  const qx_strand_kind kind = events[i].kind;
  const qx_strand_kind before = i == 0 ? QX_STRAND_CREATE : events[i - 1].kind;
  return takesLock(kind) && kind != QX_STRAND_READ_LOCK && before != QX_STRAND_WAKE &&
         before != QX_STRAND_TIMEOUT;
}

bool isDone(const StrandEvents &events, size_t i) {
  return events[i].kind == QX_STRAND_UNLOCK &&
         (i + 1 == events.size() || events[i + 1].kind != QX_STRAND_SLEEP);
}

size_t doneWith(const StrandEvents &events, size_t i) {
  for (++i; i < events.size() && !isDone(events, i);)
    ++i;
  return i;
}

} // namespace quincunx
