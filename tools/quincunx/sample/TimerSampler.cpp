// The idea: a file that the library maps in each process and we map here (abi/samples.h), emptied
// by a thread while the child runs. It is a new one for each execution, so that what an earlier one
// left behind does not write into it, and all of it is there from the start: neither a full disk
// nor a limit on the size of files can reach the program.
#include "TimerSampler.h"

#include "quincunx/abi/samples.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace quincunx::tool {

namespace {

namespace fs = std::filesystem;

constexpr const char *preload = "LD_PRELOAD";
constexpr auto pause = std::chrono::milliseconds(10);

uint32_t stateOf(const qx_sample_record &record) {
  return __atomic_load_n(&record.state, __ATOMIC_ACQUIRE);
}

} // namespace

TimerSampler::TimerSampler(SampledAddresses &into, const std::string &folder, std::string found)
    : addresses(into), path(folder + "/samples"), library(std::move(found)) {}

TimerSampler::~TimerSampler() { close(); }

Result<std::string> TimerSampler::findLibrary() {
  std::error_code no;
  const fs::path program = fs::read_symlink("/proc/self/exe", no);
  for (const char *lib : {"lib", QUINCUNX_LIBDIR}) {
    const fs::path at =
        program.parent_path().parent_path() / lib / "quincunx" / "quincunx-sampler.so";
    if (!fs::exists(at, no))
      continue;
    if (at.string().find_first_of(": ") != std::string::npos)
      return Error{"a path with blanks or colons cannot be preloaded: " + escape(at.string())};
    return at.string();
  }
  return Error{"this quincunx came without quincunx-sampler.so"};
}

/// Of the coarse clock, which advances at ticks.
double TimerSampler::tick() {
  timespec resolution{};
  clock_getres(CLOCK_MONOTONIC_COARSE, &resolution);
  return std::clamp(1e-9 * static_cast<double>(resolution.tv_nsec), 1e-3, 0.1);
}

Status TimerSampler::begin(LaunchOptions &launch) {
  std::error_code no;
  fs::remove(path, no);
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0)
    return Error{"cannot make " + escape(path) + ": " + std::strerror(errno)};
  const int failure = ::posix_fallocate(file, 0, sizeof(qx_samples));
  void *at = failure != 0
                 ? MAP_FAILED
                 : ::mmap(nullptr, sizeof(qx_samples), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  const int reason = failure != 0 ? failure : errno;
  ::close(file);
  if (at == MAP_FAILED)
    return Error{"cannot make " + escape(path) + ": " + std::strerror(reason)};
  shared = static_cast<qx_samples *>(at);
  shared->interval = static_cast<uint64_t>(std::llround(1e9 * interval()));
  shared->magic = QX_SAMPLES_MAGIC;
  const char *others = std::getenv(preload);
  launch.environment.emplace_back(
      preload, library + (others != nullptr && *others != '\0' ? std::string(":") + others : ""));
  launch.environment.emplace_back(QX_SAMPLES_VARIABLE, path);
  startReader();
  return Done{};
}

void TimerSampler::startReader() {
  started = 0;
  ended = false;
  reader = std::thread([this] {
    for (std::unique_lock lock(mutex); !end.wait_for(lock, pause, [this] { return ended; });)
      drain();
  });
}

Status TimerSampler::finish() {
  close();
  if (started == 0)
    return Error{"the program did not load what samples it: where perf_event_open is not granted, "
                 "programs that are statically linked, setuid or 32-bit cannot be sampled"};
  return Done{};
}

void TimerSampler::close() {
  if (shared == nullptr)
    return;
  {
    const std::lock_guard lock(mutex);
    ended = true;
  }
  end.notify_one();
  reader.join();
  drain();
  addresses.lose(shared->lost);
  signalTaken += shared->taken;
  untimed = shared->untimed != 0 ? static_cast<int>(shared->untimed) : untimed;
  ::munmap(shared, sizeof(qx_samples));
  shared = nullptr;
  std::error_code no;
  fs::remove(path, no);
}

/// In the order in which records were made. What a sample needs was ready before it: samples are
/// looked for first, and all else after that.
void TimerSampler::drain() {
  std::vector<qx_sample_record *> ready;
  for (const bool samples : {true, false})
    for (qx_sample_record &record : shared->records)
      if (stateOf(record) == QX_SAMPLE_READY && (record.kind == QX_SAMPLE_TAKEN) == samples)
        ready.push_back(&record);
  std::sort(ready.begin(), ready.end(), [](const qx_sample_record *a, const qx_sample_record *b) {
    return a->sequence < b->sequence;
  });
  for (qx_sample_record *record : ready) {
    const size_t size = std::min<size_t>(record->size, sizeof record->bytes);
    if (record->kind == QX_SAMPLE_TAKEN) {
      addresses.sample(record->process, record->begin, {record->bytes, size});
    } else if (record->kind == QX_SAMPLE_MAPPED) {
      const auto *text = reinterpret_cast<const char *>(record->bytes);
      addresses.map(record->process, {record->begin, record->length, record->offset},
                    std::string(text, ::strnlen(text, size)));
    } else {
      addresses.exec(record->process);
      ++started;
    }
    __atomic_store_n(&record->state, QX_SAMPLE_FREE, __ATOMIC_RELEASE);
  }
}

std::vector<std::string> TimerSampler::notes(double share) const {
  std::vector<std::string> all;
  if (signalTaken > 0)
    all.push_back("the program handles signal " + std::to_string(QX_SAMPLES_SIGNAL) +
                  ", which samples others: from then on it was left alone");
  if (untimed != 0)
    all.push_back(std::string("some threads were not sampled (timer_create: ") +
                  std::strerror(untimed) + ")");
  if (share < 0.8)
    all.push_back("samples know only " + std::to_string(std::lround(100 * share)) +
                  " % of the time in user mode: the rest is starting, and what was started with "
                  "another environment or is statically linked");
  return all;
}

} // namespace quincunx::tool
