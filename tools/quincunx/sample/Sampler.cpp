// Chooses how programs are sampled: by the kernel's clock where that is granted, as it reaches all
// programs and takes more samples; otherwise by timers in a library.
#include "PerfSampler.h"
#include "Symbolizer.h"
#include "TimerSampler.h"

#include "quincunx/base/Text.h"
#include "quincunx/map/Code.h"

#include <cmath>

namespace quincunx::tool {

Result<SamplingMethod> samplingMethod(const std::string &program) {
  if (const Result<std::string> symbolizer = Symbolizer::find(); !symbolizer)
    return symbolizer.error();
  const Status perf = PerfSampler::isGranted();
  if (perf)
    return SamplingMethod{false, "by the kernel's clock (perf_event_open)"};
  const Result<std::string> library = TimerSampler::findLibrary();
  if (!library)
    return Error{"programs cannot be sampled here (" + perf.error().text +
                 "): " + library.error().text};
  if (!program.empty())
    if (const Result<Code> code = Code::read(program); code && code->isStatic())
      return Error{escape(program) + " is linked statically and cannot be sampled here (" +
                   perf.error().text + ")"};
  const long rate = std::lround(1 / TimerSampler::tick());
  return SamplingMethod{true, "by timers, " + std::to_string(rate) + " samples a second (" +
                                  perf.error().text + ")"};
}

std::unique_ptr<Sampler> makeSampler(const SamplingMethod &method, SampledAddresses &addresses,
                                     const std::string &folder) {
  if (method.byTimers)
    return std::make_unique<TimerSampler>(addresses, folder, *TimerSampler::findLibrary());
  return std::make_unique<PerfSampler>(addresses);
}

} // namespace quincunx::tool
