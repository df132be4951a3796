// Samples a child, its threads and its children with the kernel's software clock
// (perf_event_open(2)): needs no hardware counters, and no rights where kernel.perf_event_paranoid
// is 2 or less. It names no places (Symbolizer.h).
#pragma once

#include "Sampler.h"

#include <atomic>
#include <optional>
#include <thread>

namespace quincunx::tool {

class PerfSampler : public Sampler, private ChildWatcher {
public:
  /// `into` must outlive it.
  explicit PerfSampler(SampledAddresses &into);
  ~PerfSampler() override;
  /// Whether the system lets this process sample; the reason where it does not.
  static Status isGranted();

  /// Some 2,000 samples a second, not in step with anything.
  double interval() const override { return 499.979e-6; }
  Status begin(LaunchOptions &launch) override;
  Status finish() override;
  std::vector<std::string> notes(double) const override { return {}; }

private:
  Status attach(pid_t process) override;
  struct Buffer;
  void drain();

  SampledAddresses &addresses;
  pid_t child = 0;
  std::optional<uint64_t> begun; ///< when the child had done its exec, by the clock of records
  unsigned executions = 0;
  std::vector<std::unique_ptr<Buffer>> buffers; ///< one per processor
  std::thread drainer;
  std::atomic<bool> ended = false;
};

} // namespace quincunx::tool
