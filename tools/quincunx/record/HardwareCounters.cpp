// Counts in hardware with perf_event_open(2): four counters, each a descriptor of its own, as
// `inherit` (threads and children count too) does not go together with reading a group at once.
// `enable_on_exec` leaves our own fork out. Kernel and hypervisor are excluded, which is also what
// perf_event_paranoid=2 still grants.
#include "HardwareCounters.h"

#include <cstdint>
#include <cstring>
#include <utility>

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace quincunx::tool {

namespace {

constexpr uint64_t events[] = {PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS,
                               PERF_COUNT_HW_BRANCH_MISSES, PERF_COUNT_HW_CACHE_MISSES};

int openCounter(uint64_t event, pid_t process) {
  perf_event_attr attr;
  std::memset(&attr, 0, sizeof attr);
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_HARDWARE;
  attr.config = event;
  attr.disabled = 1;
  attr.inherit = 1;
  attr.enable_on_exec = 1;
  attr.exclude_kernel = 1;
  attr.exclude_hv = 1;
  attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return static_cast<int>(
      syscall(SYS_perf_event_open, &attr, process, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

std::optional<double> readCounter(int file) {
  struct {
    uint64_t value, enabled, running;
  } got;
  if (file < 0 || ::read(file, &got, sizeof got) != static_cast<ssize_t>(sizeof got) ||
      got.running == 0)
    return std::nullopt;
  const double share = static_cast<double>(got.enabled) / static_cast<double>(got.running);
  return got.enabled == got.running ? static_cast<double>(got.value)
                                    : static_cast<double>(got.value) * share;
}

} // namespace

HardwareCounters::~HardwareCounters() {
  for (int file : files)
    if (file >= 0)
      ::close(file);
}

HardwareCounters::HardwareCounters(HardwareCounters &&other) noexcept { *this = std::move(other); }

HardwareCounters &HardwareCounters::operator=(HardwareCounters &&other) noexcept {
  for (int i = 0; i < 4; ++i)
    std::swap(files[i], other.files[i]);
  return *this;
}

bool HardwareCounters::isGranted() {
  const int file = openCounter(events[1], 0);
  if (file >= 0)
    ::close(file);
  return file >= 0;
}

void HardwareCounters::attach(pid_t child) {
  for (int i = 0; i < 4; ++i)
    files[i] = openCounter(events[i], child);
}

HardwareCounts HardwareCounters::read() const {
  return {readCounter(files[0]), readCounter(files[1]), readCounter(files[2]),
          readCounter(files[3])};
}

} // namespace quincunx::tool
