// Samples a child, its threads and its children with the kernel's software clock
// (perf_event_open(2)): needs no hardware counters, and no rights where kernel.perf_event_paranoid
// is 2 or less. It names no places (Symbolizer.h).
#pragma once

#include "SampledAddresses.h"

#include "record/Executor.h"

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace quincunx::tool {

/// For one child; what is sampled goes to the addresses.
class PerfSampler : public ChildWatcher {
public:
  /// Seconds in user mode between two samples: some 2,000 a second, not in step with anything.
  static constexpr double interval = 499.979e-6;
  /// `into` must outlive it.
  explicit PerfSampler(SampledAddresses &into);
  ~PerfSampler() override;
  /// Whether the system lets this process sample; what to do where it does not.
  static Status isGranted();

  Status attach(pid_t child) override;
  /// After the child ended: takes what is left.
  void finish();

private:
  struct Buffer;
  void drain();

  SampledAddresses &addresses;
  std::vector<std::unique_ptr<Buffer>> buffers; ///< one per processor
  std::thread drainer;
  std::atomic<bool> ended = false;
};

} // namespace quincunx::tool
