// What happens next.
// The idea: a heap with four children a node, which is flatter than one with two, of entries of 16
// bytes; the place of the event that was taken is given to the next one that is added, since most
// events set off one other. Reference: docs/12-pamela.md; Knuth, The Art of Computer Programming 3,
// 5.2.3.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace quincunx {

/// The end of what a process does now. At most one of each process is true: one whose `created` is
/// no longer that of the record belongs to a process that was cancelled.
struct TimedEvent {
  static constexpr unsigned recordBits = 24;

  double time;
  uint64_t key; ///< `created` above, the record below: at the same time, the elder one is first
  uint64_t created() const { return key >> recordBits; }
  uint32_t record() const { return static_cast<uint32_t>(key & ((1U << recordBits) - 1)); }
  bool operator<(const TimedEvent &o) const {
    return time < o.time || (!(o.time < time) && key < o.key);
  }
};

class EventQueue {
public:
  void add(double time, uint64_t created, uint32_t record) {
    const TimedEvent event{time, created << TimedEvent::recordBits | record};
    if (hole) {
      hole = false;
      down(0, event);
      return;
    }
    size_t i = heap.size();
    heap.push_back(event);
    for (; i > 0 && event < heap[(i - 1) / 4]; i = (i - 1) / 4)
      heap[i] = heap[(i - 1) / 4];
    heap[i] = event;
  }
  /// False when there is none.
  bool take(TimedEvent &event) {
    fill();
    if (heap.empty())
      return false;
    event = heap[0];
    hole = true;
    return true;
  }
  /// Calls `soon` with the record of each event that may be the next one.
  template <class Soon> void foresee(const Soon &soon) const {
    for (size_t i = 0; i < std::min<size_t>(5, heap.size()); ++i)
      soon(heap[i].record());
  }
  size_t size() const { return heap.size() - (hole ? 1 : 0); }
  void clear() {
    heap.clear();
    hole = false;
  }
  template <class Keep> void keepOnly(const Keep &keep) {
    fill();
    std::erase_if(heap, [&](const TimedEvent &e) { return !keep(e); });
    for (size_t i = (heap.size() + 2) / 4; i-- > 0;)
      down(i, heap[i]);
  }

private:
  /// Nobody took the first place: the last one goes there.
  void fill() {
    if (!hole)
      return;
    hole = false;
    const TimedEvent last = heap.back();
    heap.pop_back();
    if (!heap.empty())
      down(0, last);
  }
  /// Puts `event` at i or below it.
  void down(size_t i, const TimedEvent event) {
    TimedEvent *const h = heap.data();
    const size_t n = heap.size();
    for (size_t child = 4 * i + 1; child < n; child = 4 * i + 1) {
      size_t least = child;
      if (child + 4 <= n) { // a choice without jumps: which one it is cannot be foretold
        const size_t a = h[child + 1] < h[child] ? child + 1 : child;
        const size_t b = h[child + 3] < h[child + 2] ? child + 3 : child + 2;
        least = h[b] < h[a] ? b : a;
      } else {
        for (size_t c = child + 1; c < n; ++c)
          least = h[c] < h[least] ? c : least;
      }
      if (!(h[least] < event))
        break;
      h[i] = h[least];
      i = least;
    }
    h[i] = event;
  }

  std::vector<TimedEvent> heap;
  bool hole = false; ///< the first place is free
};

} // namespace quincunx
