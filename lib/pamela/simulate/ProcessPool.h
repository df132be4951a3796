// Processes in a run, one record of a cache line each.
// The idea: records are used again and links are indices, so that a run allocates nothing once it
// has as many processes as it will have. Reference: docs/12-pamela.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace quincunx::pamela {

/// No value, target, server or process.
inline constexpr uint32_t none = UINT32_MAX;

enum class ProcessState : uint8_t {
  free,    ///< no process
  ready,   ///< to be continued at once
  delayed, ///< until its event
  queued,  ///< for a server
  served,  ///< until its event
  joining, ///< until enough parts have ended
};

struct Process {
  uint64_t created = 0; ///< how many were created before, in this run
  double since = 0;     ///< when it began to wait or to be served
  double service = 0;   ///< how long it will be served
  uint32_t at = 0;      ///< its next instruction
  uint32_t parent = none;
  uint32_t server = none;
  uint32_t next = none, previous = none; ///< in a queue; `next` also of free records
  uint32_t awaited = 0;                  ///< parts that must still end
  uint32_t firstPart = none, after = none, before = none; ///< parts, and their neighbours
  ProcessState state = ProcessState::free;
};
static_assert(sizeof(Process) <= 64);

class ProcessPool {
public:
  explicit ProcessPool(uint32_t slotsOfFrame) : slots(slotsOfFrame) {}

  Process &operator[](uint32_t id) { return records[id]; }
  /// Indices of loops around the process; moves when a process is created.
  double *frame(uint32_t id) { return frames.data() + size_t{slots} * id; }
  /// Has the memory of the process brought here while something else is done.
  void fetch(uint32_t id) const {
    __builtin_prefetch(records.data() + id);
    __builtin_prefetch(frames.data() + size_t{slots} * id);
  }
  uint32_t live() const { return count; }

  uint32_t create() {
    uint32_t id = unused;
    if (id == none) {
      id = static_cast<uint32_t>(records.size());
      records.emplace_back();
      frames.resize(frames.size() + slots);
    } else {
      unused = records[id].next;
    }
    records[id] = Process{};
    records[id].created = created++;
    ++count;
    return id;
  }
  void free(uint32_t id) {
    records[id].state = ProcessState::free;
    records[id].created = UINT64_MAX;
    records[id].next = unused;
    unused = id;
    --count;
  }
  /// No processes; those to come are counted from 0.
  void clear() {
    records.clear();
    frames.clear();
    unused = none;
    count = 0;
    created = 0;
  }

private:
  std::vector<Process> records;
  std::vector<double> frames;
  uint32_t slots, unused = none, count = 0;
  uint64_t created = 0;
};

} // namespace quincunx::pamela
