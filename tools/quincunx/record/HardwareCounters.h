// Counts cycles, instructions, branch and cache misses of a child and its descendants in user mode,
// where the system grants it (perf_event_open(2)). It takes no samples and knows no other events.
#pragma once

#include <optional>

#include <sys/types.h>

namespace quincunx::tool {

struct HardwareCounts {
  std::optional<double> cycles, instructions, branchMisses, cacheMisses;
};

/// What there is to say where they are not.
inline constexpr const char *notGranted =
    "hardware counters are not granted here (kernel.perf_event_paranoid or a virtual machine), so "
    "runs go without cycles and instructions";

/// Counters of one child. Attach while the child waits before its exec; counting starts with the
/// exec.
class HardwareCounters {
public:
  HardwareCounters() = default;
  ~HardwareCounters();
  HardwareCounters(HardwareCounters &&other) noexcept;
  HardwareCounters &operator=(HardwareCounters &&other) noexcept;

  /// Whether the system lets this process count at all.
  static bool isGranted();
  void attach(pid_t child);
  /// After the child ended. Scaled up when the processor had to share its counters; a counter that
  /// never ran is left out.
  HardwareCounts read() const;

private:
  int files[4] = {-1, -1, -1, -1};
};

} // namespace quincunx::tool
