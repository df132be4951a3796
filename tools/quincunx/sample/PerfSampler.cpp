// The idea: threads and children are sampled too (`inherit`), which goes with buffers per processor
// only; so there is an event per processor, each with a ring of pages that a thread of ours empties
// while the child runs. A sample brings a piece of its stack along, in which SampledAddresses finds
// who called a library. Kernel and hypervisor are excluded, which is also what
// perf_event_paranoid=2 still grants.
// The clock of an event begins when its process does, so that a program of a millisecond would be
// sampled at the same places each time, and its start never. So it begins before the exec, with a
// head start that differs from execution to execution; samples of that are left out by their time.
#include "PerfSampler.h"

#include <cerrno>
#include <cmath>
#include <cstring>

#include <linux/perf_event.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace quincunx::tool {

namespace {

constexpr uint32_t stackBytes = 4096;
/// Pages of a ring: with the one that describes it what an unprivileged process may lock
/// (kernel.perf_event_mlock_kb).
constexpr size_t ringPages = 128;
/// Seconds: more than it takes the child to come to its exec.
constexpr double leastHeadStart = 0.5e-3;
/// What head starts advance by, in intervals: the golden section spreads any number of them evenly.
constexpr double advance = 0.6180339887498949;

perf_event_attr attributes(double interval) {
  perf_event_attr attr;
  std::memset(&attr, 0, sizeof attr);
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = PERF_COUNT_SW_CPU_CLOCK;
  attr.sample_period = static_cast<uint64_t>(1e9 * interval);
  attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_STACK_USER;
  attr.sample_id_all = 1; // each record ends with its time
  attr.sample_stack_user = stackBytes;
  attr.inherit = 1;
  attr.exclude_kernel = 1;
  attr.exclude_hv = 1;
  attr.mmap = 1;
  attr.mmap2 = 1;
  attr.comm = 1;
  attr.comm_exec = 1;
  attr.task = 1;
  attr.watermark = 1;
  attr.wakeup_watermark = ringPages * 4096 / 4;
  return attr;
}

int openEvent(pid_t process, int processor, double interval) {
  perf_event_attr attr = attributes(interval);
  return static_cast<int>(
      syscall(SYS_perf_event_open, &attr, process, processor, -1, PERF_FLAG_FD_CLOEXEC));
}

template <class T> T take(const uint8_t *&at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  at += sizeof value;
  return value;
}

} // namespace

/// An event and its ring.
struct PerfSampler::Buffer {
  int file = -1;
  uint8_t *pages = nullptr; ///< the first describes the others
  size_t pageSize = static_cast<size_t>(::sysconf(_SC_PAGESIZE));

  Buffer() = default;
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  ~Buffer() {
    if (pages != nullptr)
      ::munmap(pages, size());
    if (file >= 0)
      ::close(file);
  }
  size_t size() const { return (1 + ringPages) * pageSize; }
  /// False when that is not granted.
  bool open(pid_t process, int processor, double interval) {
    file = openEvent(process, processor, interval);
    if (file < 0)
      return false;
    void *at = ::mmap(nullptr, size(), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (at == MAP_FAILED)
      return false;
    pages = static_cast<uint8_t *>(at);
    return true;
  }
  /// Appends the records that are there to `out`, and makes room.
  void read(std::vector<uint8_t> &out) {
    auto *head = reinterpret_cast<perf_event_mmap_page *>(pages);
    const uint64_t from = head->data_tail, to = __atomic_load_n(&head->data_head, __ATOMIC_ACQUIRE);
    const uint64_t ring = ringPages * pageSize;
    for (uint64_t at = from; at < to;) {
      const uint64_t piece = std::min(to - at, ring - at % ring);
      const uint8_t *begin = pages + pageSize + at % ring;
      out.insert(out.end(), begin, begin + piece);
      at += piece;
    }
    __atomic_store_n(&head->data_tail, to, __ATOMIC_RELEASE);
  }
};

PerfSampler::PerfSampler(SampledAddresses &into) : addresses(into) {}

PerfSampler::~PerfSampler() { static_cast<void>(finish()); }

Status PerfSampler::isGranted() {
  Buffer buffer;
  if (buffer.open(0, 0, 1))
    return Done{};
  return Error{std::string("perf_event_open: ") + std::strerror(errno)};
}

Status PerfSampler::begin(LaunchOptions &launch) {
  launch.watcher = this;
  launch.headStart = leastHeadStart + interval() * std::fmod(advance * executions++, 1);
  return Done{};
}

Status PerfSampler::attach(pid_t process) {
  ended = false;
  child = process;
  begun.reset();
  const long processors = ::sysconf(_SC_NPROCESSORS_CONF);
  for (int p = 0; p < processors; ++p) {
    auto buffer = std::make_unique<Buffer>();
    if (buffer->open(child, p, interval()))
      buffers.push_back(std::move(buffer));
    else if (errno != ENODEV) // of a processor that is switched off
      return Error{std::string("perf_event_open: ") + std::strerror(errno)};
  }
  drainer = std::thread([this] {
    std::vector<pollfd> files;
    for (const auto &buffer : buffers)
      files.push_back({buffer->file, POLLIN, 0});
    while (!ended) {
      ::poll(files.data(), files.size(), 10);
      drain();
    }
  });
  return Done{};
}

Status PerfSampler::finish() {
  if (!drainer.joinable())
    return Done{};
  ended = true;
  drainer.join();
  drain();
  buffers.clear();
  return Done{};
}

/// Mappings first: the records of one processor may be about a process that was sampled on another.
void PerfSampler::drain() {
  std::vector<uint8_t> bytes;
  for (const auto &buffer : buffers)
    buffer->read(bytes);
  for (const bool samples : {false, true})
    for (size_t at = 0; at + sizeof(perf_event_header) <= bytes.size();) {
      const uint8_t *next = bytes.data() + at;
      const auto header = take<perf_event_header>(next);
      if ((header.type == PERF_RECORD_SAMPLE) == samples)
        switch (header.type) {
        case PERF_RECORD_SAMPLE: {
          const auto ip = take<uint64_t>(next);
          const auto process = take<uint32_t>(next);
          take<uint32_t>(next); // thread
          const auto time = take<uint64_t>(next);
          const auto size = take<uint64_t>(next);
          const uint8_t *stack = next;
          next += size;
          const uint64_t used = size > 0 ? take<uint64_t>(next) : 0;
          if (static_cast<pid_t>(process) != child || (begun && time >= *begun))
            addresses.sample(static_cast<pid_t>(process), ip, {stack, std::min(size, used)});
          break;
        }
        case PERF_RECORD_MMAP2: {
          const auto process = take<uint32_t>(next);
          take<uint32_t>(next);
          const auto address = take<uint64_t>(next), length = take<uint64_t>(next),
                     offset = take<uint64_t>(next);
          next += 24 + 8; // device and inode, protection and flags
          addresses.map(static_cast<pid_t>(process), {address, length, offset},
                        reinterpret_cast<const char *>(next));
          break;
        }
        case PERF_RECORD_FORK: {
          const auto process = take<uint32_t>(next), parent = take<uint32_t>(next);
          addresses.fork(static_cast<pid_t>(parent), static_cast<pid_t>(process));
          break;
        }
        case PERF_RECORD_COMM:
          if (header.misc & PERF_RECORD_MISC_COMM_EXEC) {
            const auto process = static_cast<pid_t>(take<uint32_t>(next));
            addresses.exec(process);
            next = bytes.data() + at + header.size - sizeof(uint64_t);
            if (process == child && !begun)
              begun = take<uint64_t>(next);
          }
          break;
        case PERF_RECORD_LOST:
          take<uint64_t>(next);
          addresses.lose(take<uint64_t>(next));
          break;
        }
      at += header.size;
    }
}

} // namespace quincunx::tool
