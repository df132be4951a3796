// The loops of the micro-benchmarks, as Probes.def lists them, and the memory they work on.
// The idea: a loop does the same thing a known number of times and says how often; who calls it has
// the clock. Barriers (empty assembly that might have changed a value) keep the compiler from
// folding, and from seeing that nothing is used. It does not know what a cost is (Probe.cpp).
#pragma once

#include "quincunx/base/Result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace quincunx::probe {

/// A line of memory that names the next one: an access must end before the next can begin.
struct alignas(64) Line {
  Line *next = nullptr;
};

/// Anonymous memory in pages of the smallest size, so that a page is a page on every machine.
class Mapping {
public:
  Mapping() = default;
  ~Mapping();
  Mapping(const Mapping &) = delete;
  Mapping &operator=(const Mapping &) = delete;
  Status map(size_t bytes);
  void unmap();
  Line *lines() const { return static_cast<Line *>(base); }

private:
  void *base = nullptr;
  size_t size = 0;
};

/// What executions take.
struct Use {
  double time = 0;   ///< ns
  double faults = 0; ///< page faults that needed no input, of other processes
};

/// What the loops work on. They go on where the last batch ended, so that memory which was to be
/// far stays far.
struct Workspace {
  Mapping first, near, packed, pages, far, farPacked, farPages, beyond;
  Line *atFirst = nullptr, *atNear = nullptr, *atPacked = nullptr, *atPages = nullptr,
       *atFar = nullptr, *atFarPacked = nullptr, *atFarPages = nullptr,
       *atBeyond = nullptr;           ///< where the chases are
  size_t sumFarAt = 0, sumNearAt = 0; ///< the lines of `far` and `near` that sums come to next
  uint64_t random = 0x9e3779b97f4a7c15;
  std::optional<Use> elsewhere; ///< by a loop whose time passes in other processes
};

/// In the first level; beyond the second and inside a third; beyond that, or most of it.
inline constexpr size_t firstBytes = 4096, farBytes = size_t{8} << 20,
                        beyondBytes = size_t{64} << 20;
/// Well beyond the first level, and half of a small second one at most.
size_t nearBytes();
/// More than second-level TLBs hold; a line of each is 384 KB.
inline constexpr size_t walkedPages = 6144;

/// Maps the memory and links its lines; says which memory could not be had.
Status prepare(Workspace &w);

// Each does `rounds` rounds and returns how many executions that were; 0: not possible here.
#define QUINCUNX_LOOP(name) uint64_t name(Workspace &w, uint64_t rounds);
#define QUINCUNX_CLASS(...)
#define QUINCUNX_EVENT(...)
#define QUINCUNX_CALLEE(...)
#include "Probes.def"
#undef QUINCUNX_LOOP
#undef QUINCUNX_CLASS
#undef QUINCUNX_EVENT
#undef QUINCUNX_CALLEE

} // namespace quincunx::probe
