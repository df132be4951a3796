// Texts from libFuzzer, which looks for those that reach new lines of code. Every second change is
// by words instead of bytes. Reference: test/fuzz/run, https://llvm.org/docs/LibFuzzer.html.
#include "Pamela.h"
#include "Texts.h"

#include <cstring>

using namespace quincunx::pamela::fuzz;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tryText(std::string(data, data + size));
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  Texts texts(seed);
  if (texts.below(2) == 0)
    return LLVMFuzzerMutate(data, size, most);
  const std::string text =
      size == 0 ? texts.model() : texts.changed(std::string(data, data + size), texts.model());
  if (text.empty() || text.size() > most)
    return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}
