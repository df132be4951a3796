// What fuzzers share. A target is a kind of input with a judge: it is given bytes, and aborts when
// something that we promise of such bytes does not hold. The idea: "it does not crash" is the least
// of promises. What is accepted reads the same when it was written again, what is refused is
// refused in one line, no figure is NaN, and no input takes long. Reference:
// test/README.md; Seeded.cpp and LibFuzzer.cpp bring the bytes.
#pragma once

#include "quincunx/base/Result.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace quincunx::fuzz {

/// Choices that are the same for the same seed.
class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}
  uint64_t number() { return engine(); }
  /// From 0 to n - 1.
  size_t below(size_t n) { return static_cast<size_t>(engine() % n); }
  bool oneIn(size_t n) { return below(n) == 0; }
  template <class T> auto &pick(T &all) { return all[below(std::size(all))]; }

private:
  std::mt19937_64 engine;
};

/// Each program of a fuzzer has one, in the source of its name.
struct Target {
  void (*judge)(const std::string &input);
  /// Another input made from this one, in ways that changed bytes hardly find; null: there is none.
  std::string (*change)(const std::string &input, Random &random) = nullptr;
};
extern const Target target;

/// Judges an input. One that takes the processor longer than 5 seconds breaks a promise, too;
/// under sanitizers 250.
void tryInput(const std::string &input);

/// Says on standard error what is wrong, and aborts.
[[noreturn]] void wrong(const std::string &what, const std::string &detail = "");
/// A line that a terminal can show.
void judgeError(const Error &error);
template <class T> void judgeError(const Result<T> &result) {
  if (!result)
    judgeError(result.error());
}

/// A few bytes changed, taken out, put in or moved. Numbers that are put in are those at which
/// things go wrong.
std::string changedBytes(std::string bytes, Random &random);

/// A path for a file of this process, in a folder that goes away with it.
std::string scratchFile(const std::string &name);
void writeFile(const std::string &path, const std::string &bytes);

} // namespace quincunx::fuzz
