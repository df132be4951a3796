// Inputs from libFuzzer, which looks for those that reach new lines of code. Where the target has
// changes of its own, every second one is. Reference: test/fuzz/run,
// https://llvm.org/docs/LibFuzzer.html.
#include "Target.h"

#include <cstring>

using namespace quincunx::fuzz;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tryInput(std::string(data, data + size));
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  Random random(seed);
  if (target.change == nullptr || random.oneIn(2))
    return LLVMFuzzerMutate(data, size, most);
  const std::string changed = target.change(std::string(data, data + size), random);
  if (changed.empty() || changed.size() > most)
    return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, changed.data(), changed.size());
  return changed.size();
}
