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

/// What may be another thing.
std::set<uint64_t> madeForOthers(const ProcessStrands &strands) {
  struct Made {
    uint32_t order, thread;
    bool isDone;
  };
  std::map<uint64_t, std::vector<Made>> all; // by object
  for (const StrandThread &t : strands.threads)
    for (const StrandEvent &e : t.events)
      if (e.kind == QX_STRAND_LATCH || e.kind == QX_STRAND_DONE)
        all[e.object].push_back({e.order, t.number, e.kind == QX_STRAND_DONE});
  std::set<uint64_t> others;
  for (auto &[object, of] : all) {
    std::ranges::stable_sort(of, {}, &Made::order);
    bool isOnce = of.size() % 2 == 0;
    for (size_t i = 0; i < of.size() && isOnce; ++i)
      isOnce = of[i].isDone == (i % 2 != 0) && of[i].thread == of[i - i % 2].thread;
    if (!isOnce)
      others.insert(object);
  }
  return others;
}

bool endsLoop(qx_strand_kind kind) {
  return kind == QX_STRAND_LOOP || kind == QX_STRAND_MEET || kind == QX_STRAND_MEMBER ||
         kind == QX_STRAND_LEAVE || kind == QX_STRAND_RUN;
}

} // namespace

std::optional<ProcessStrands> withoutOnceInLoops(const ProcessStrands &strands, bool serial) {
  const bool hasAny = std::ranges::any_of(strands.threads, [](const StrandThread &t) {
    return std::ranges::any_of(t.events, isOfReadiness, &StrandEvent::kind);
  });
  if (!hasAny)
    return std::nullopt;
  const std::set<uint64_t> others = madeForOthers(strands);
  ProcessStrands out = strands;
  for (StrandThread &t : out.threads) {
    std::vector<bool> isDropped(t.events.size());
    const auto drop = [&](size_t &begin, size_t end) {
      for (; begin < end; ++begin)
        isDropped[begin] =
            isOfReadiness(t.events[begin].kind) && !others.contains(t.events[begin].object);
    };
    size_t begin = t.events.size(), beginOfSerial = begin;
    for (size_t i = 0; i < t.events.size(); ++i) {
      const qx_strand_kind kind = t.events[i].kind;
      if (kind == QX_STRAND_ITERATED) // all before it is of iterations
        drop(begin, i);
      else if (endsLoop(kind))
        begin = kind == QX_STRAND_LOOP ? i : t.events.size();
      else if (kind == QX_STRAND_SERIAL)
        beginOfSerial = std::min(beginOfSerial, i);
      else if (kind == QX_STRAND_ROUND && serial)
        drop(beginOfSerial, i);
    }
    size_t i = 0;
    std::erase_if(t.events, [&](const StrandEvent &) { return isDropped[i++]; });
  }
  return out;
}

std::vector<OncePart> onceParts(const std::vector<StrandThread> &threads) {
  struct Met {
    uint32_t order;
    size_t thread, event;
  };
  std::map<uint64_t, std::vector<Met>> all; // by object
  for (size_t t = 0; t < threads.size(); ++t)
    for (size_t i = 0; i < threads[t].events.size(); ++i)
      if (const StrandEvent &e = threads[t].events[i]; isOfReadiness(e.kind))
        all[e.object].push_back({e.order, t, i});
  std::vector<OncePart> found;
  for (auto &[object, of] : all) {
    std::ranges::stable_sort(of, {}, &Met::order);
    for (size_t at = 0, next; at + 1 < of.size(); at = next) { // the address may be had again
      const std::vector<StrandEvent> &events = threads[of[at].thread].events;
      OncePart part{of[at].thread, of[at].event, of[at + 1].event, {}};
      bool isOnce = of[at].thread == of[at + 1].thread &&
                    events[part.begin].kind == QX_STRAND_LATCH &&
                    events[of[at + 1].event].kind == QX_STRAND_DONE;
      for (size_t i = part.begin + 1; isOnce && i < part.end; ++i)
        isOnce = takesLock(events[i].kind) || events[i].kind == QX_STRAND_UNLOCK ||
                 events[i].kind == QX_STRAND_JOIN;
      for (next = at + 1; next < of.size(); ++next) {
        const StrandEvent &e = threads[of[next].thread].events[of[next].event];
        if (e.kind == QX_STRAND_LATCH)
          break;
        if (next == at + 1)
          continue;
        isOnce = isOnce &&
                 e.kind == QX_STRAND_AWAIT && // a latch is waited for where it is not made
                 e.site == events[part.begin].site;
        if (of[next].thread != part.thread)
          part.others.emplace_back(of[next].thread, of[next].event);
      }
      if (isOnce && !part.others.empty())
        found.push_back(std::move(part));
    }
  }
  return found;
}

} // namespace quincunx
