// Who does it makes the object and is done with it, in one thread and with nothing of it between;
// latches and futures are made by one thread and done by others.
#include "DoneOnce.h"

#include <algorithm>
#include <map>
#include <set>

namespace quincunx {

namespace {

bool isOfReadiness(qx_strand_kind kind) {
  return kind == QX_STRAND_LATCH || kind == QX_STRAND_DONE || kind == QX_STRAND_AWAIT;
}

std::set<uint64_t> doneOnce(const ProcessStrands &strands) {
  struct Made {
    uint32_t order, thread;
    bool isDone;
  };
  std::map<uint64_t, std::vector<Made>> all; // by object
  for (const StrandThread &t : strands.threads)
    for (const StrandEvent &e : t.events)
      if (e.kind == QX_STRAND_LATCH || e.kind == QX_STRAND_DONE)
        all[e.object].push_back({e.order, t.number, e.kind == QX_STRAND_DONE});
  std::set<uint64_t> once;
  for (auto &[object, of] : all) {
    std::ranges::stable_sort(of, {}, &Made::order);
    bool isOnce = of.size() % 2 == 0;
    for (size_t i = 0; i < of.size() && isOnce; ++i)
      isOnce = of[i].isDone == (i % 2 != 0) && of[i].thread == of[i - i % 2].thread;
    if (isOnce)
      once.insert(object);
  }
  return once;
}

bool endsLoop(qx_strand_kind kind) {
  return kind == QX_STRAND_LOOP || kind == QX_STRAND_MEET || kind == QX_STRAND_MEMBER ||
         kind == QX_STRAND_LEAVE || kind == QX_STRAND_RUN;
}

} // namespace

std::optional<ProcessStrands> withoutOnceInLoops(const ProcessStrands &strands) {
  const std::set<uint64_t> once = doneOnce(strands);
  if (once.empty())
    return std::nullopt;
  ProcessStrands out = strands;
  for (StrandThread &t : out.threads) {
    std::vector<bool> isDropped(t.events.size());
    size_t begin = t.events.size(); // of a loop
    for (size_t i = 0; i < t.events.size(); ++i) {
      const qx_strand_kind kind = t.events[i].kind;
      if (kind == QX_STRAND_ITERATED) // all before it is of iterations
        for (; begin < i; ++begin)
          isDropped[begin] =
              isOfReadiness(t.events[begin].kind) && once.contains(t.events[begin].object);
      else if (endsLoop(kind))
        begin = kind == QX_STRAND_LOOP ? i : t.events.size();
    }
    size_t i = 0;
    std::erase_if(t.events, [&](const StrandEvent &) { return isDropped[i++]; });
  }
  return out;
}

} // namespace quincunx
