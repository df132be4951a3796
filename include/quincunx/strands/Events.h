// What the threads of a process wrote down of waiting for each other (abi/strands.h), and its bytes
// in records and corpora. It does not say what follows from them (CriticalPath.h).
#pragma once

#include "quincunx/abi/strands.h"
#include "quincunx/base/Result.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace quincunx {

struct StrandEvent {
  uint64_t clock = 0; ///< of the thread, since it began
  qx_strand_kind kind{};
  uint32_t order = 0; ///< of two events of one object the later one has the higher number
  uint32_t site = 0;  ///< qx_strand_site(), or what a kind says instead
  uint64_t object = 0;
  bool operator==(const StrandEvent &) const = default;
};

/// Is it that a thread has a lock from here on, alone or with other readers?
inline bool takesLock(qx_strand_kind kind) {
  return (kind >= QX_STRAND_LOCK && kind <= QX_STRAND_READ_LOCK && kind != QX_STRAND_UNLOCK) ||
         kind == QX_STRAND_TRIED;
}

/// Is it of a loop that a team shares? Nobody waits for anybody there.
inline bool isOfLoop(qx_strand_kind kind) {
  return kind == QX_STRAND_LOOP || kind == QX_STRAND_ITERATED;
}

/// Is it of a loop that one thread goes through? Nothing follows from it for others.
inline bool isOfSerialLoop(qx_strand_kind kind) {
  return kind == QX_STRAND_SERIAL || kind == QX_STRAND_ROUND;
}

/// Does it only say something of what is beside it?
inline bool isRemark(qx_strand_kind kind) {
  return kind == QX_STRAND_SPIN || kind == QX_STRAND_FOLDED || kind == QX_STRAND_STOPPED;
}

/// Is it of what threads share out among them, without waiting?
inline bool sharesOut(qx_strand_kind kind) {
  return isOfLoop(kind) || kind == QX_STRAND_CLAIM || kind == QX_STRAND_NUMBER;
}

struct StrandThread {
  uint32_t number = 0;
  std::vector<StrandEvent> events; ///< in its order; the clock never falls
  bool operator==(const StrandThread &) const = default;
};

/// The threads of one process.
struct ProcessStrands {
  bool isCut = false;                ///< there were more events than are kept
  std::vector<StrandThread> threads; ///< ordered by number, each once
  bool operator==(const ProcessStrands &) const = default;
};

/// How many of its threads may have been there at once, at least 1: one that its creator joined was
/// there no longer.
uint32_t threadsAtOnce(const ProcessStrands &strands);
/// How many threads teams within teams have if all that members make are there at once, at least 1.
/// On few processors a thread may be in one after the other.
uint32_t teamsAtOnce(const ProcessStrands &strands);

/// Collects the chunks QX_CHUNK_STRANDS of one record. Functions return an empty string or what is
/// wrong with the record.
class StrandChunks {
public:
  std::string add(std::span<const uint8_t> payload);
  /// All that was added; empty without any chunk. A thread of which the end is not known, as that
  /// of who calls _exit, ends with its last event.
  std::vector<ProcessStrands> finish();

private:
  struct Known {
    size_t index;   ///< in found.threads
    uint64_t began; ///< the clock then
  };
  ProcessStrands found;
  std::map<uint32_t, Known> known; ///< by the number of the thread
};

/// As a corpus has them, before compression; objects become numbers.
std::string packStrands(const ProcessStrands &strands);
Result<ProcessStrands> unpackStrands(std::span<const uint8_t> bytes);

} // namespace quincunx
