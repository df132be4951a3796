// Models to try lib/pamela with: made by the grammar, and made from others by changing their words.
// The idea: nearly right texts get further than noise. Numbers are those at which things go wrong
// (0, 2^53 + 1, 1e308, inf), and comments stand wherever they may. Reference: docs/12-pamela.md,
// "Grammar". It knows nothing of what a text should do.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace quincunx::fuzz {

class Texts {
public:
  explicit Texts(uint64_t seed) : random(seed) {}

  /// A model by the grammar; most have definitions for all their names.
  std::string model();
  /// `text` with a few words changed, some of them taken from `other`.
  std::string changed(std::string_view text, std::string_view other);
  /// From 0 to n - 1.
  size_t below(size_t n) { return static_cast<size_t>(random() % n); }

private:
  using Words = std::vector<std::string>;

  bool oneIn(size_t n) { return below(n) == 0; }
  void put(std::string_view words);
  void number(int depth);
  void process(int depth);
  void resource(int depth);
  void range(int depth);
  void choices(int depth, bool processes);
  void change(Words &words, const Words &other);
  std::string written(const Words &words);

  std::mt19937_64 random;
  Words out;
  std::vector<std::string> indices;
  size_t known = 0; ///< definitions that may be named
};

} // namespace quincunx::fuzz
