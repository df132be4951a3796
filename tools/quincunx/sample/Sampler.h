// What samples executions of a program, one after another; where that goes is SampledAddresses'.
#pragma once

#include "SampledAddresses.h"

#include "record/Executor.h"

#include <memory>
#include <string>
#include <vector>

namespace quincunx::tool {

class Sampler {
public:
  virtual ~Sampler() = default;
  /// Seconds of a thread in user mode that a sample stands for.
  virtual double interval() const = 0;
  /// Sets what the next execution needs to be sampled.
  virtual Status begin(LaunchOptions &launch) = 0;
  /// After that execution: takes what is left. An error when it could not be sampled.
  virtual Status finish() = 0;
  /// For people, after all executions: what was not sampled. `share`: of the time in user mode, by
  /// samples.
  virtual std::vector<std::string> notes(double share) const = 0;
};

/// How programs are sampled on this machine.
struct SamplingMethod {
  bool byTimers = false;
  std::string text; ///< for people: sampled ...
};

/// Of any program, or of this one where a path is given; an error where its places cannot be named
/// either.
Result<SamplingMethod> samplingMethod(const std::string &program = "");
/// `addresses` must outlive it; `folder`: for files of ours.
std::unique_ptr<Sampler> makeSampler(const SamplingMethod &method, SampledAddresses &addresses,
                                     const std::string &folder);

} // namespace quincunx::tool
