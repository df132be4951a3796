// Samples a child, its threads and its children by a library that is preloaded into them
// (sampler/), which needs no rights: where the kernel samples for nobody. It cannot reach programs
// that do not load libraries when they start. It names no places (Symbolizer.h).
#pragma once

#include "Sampler.h"

#include <condition_variable>
#include <mutex>
#include <thread>

struct qx_samples;

namespace quincunx::tool {

class TimerSampler : public Sampler {
public:
  /// `into` must outlive it; `folder`: for its file; `library`: of findLibrary().
  TimerSampler(SampledAddresses &into, const std::string &folder, std::string library);
  ~TimerSampler() override;
  /// The library that is preloaded.
  static Result<std::string> findLibrary();
  /// Seconds: what the kernel looks at such timers in.
  static double tick();

  double interval() const override { return tick(); }
  Status begin(LaunchOptions &launch) override;
  Status finish() override;
  std::vector<std::string> notes(double share) const override;

private:
  void startReader();
  void drain();
  void close();

  SampledAddresses &addresses;
  std::string path, library;
  qx_samples *shared = nullptr; ///< with the processes of one execution
  size_t started = 0;           ///< processes of it
  size_t signalTaken = 0;       ///< processes of all executions that use the sampler's signal
  int untimed = 0;              ///< errno of a thread that got no timer; 0: all did
  std::thread reader;
  std::mutex mutex;
  std::condition_variable end;
  bool ended = false;
};

} // namespace quincunx::tool
