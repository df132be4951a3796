// The fuzzer without libFuzzer: the same texts at each call, so a test can run it.
//
//   fuzz_pamela COUNT SEED [FILE...]    COUNT texts: by the grammar, and the files with words
//   changed fuzz_pamela --one FILE...           just these files, as they are
//
// Before it aborts it leaves the text in fuzz-failure.pam. A text that takes the processor
// longer than a minute is a failure. Reference: Pamela.cpp.
#include "Pamela.h"
#include "Texts.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>
#include <vector>

using namespace quincunx::pamela::fuzz;

namespace {

/// Nearly all take less than a tenth of one, but the largest of ten lognormal numbers with
/// deviations far above their means takes 3.
constexpr double mostSeconds = 60;
constexpr const char *kept = "fuzz-failure.pam";

std::string contents(const char *path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "fuzz: error: cannot read %s\n", path);
    std::exit(2);
  }
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Seconds of the processor.
double timed(const std::string &text) {
  const std::clock_t begin = std::clock();
  tryText(text);
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// Before the attempt, as nobody writes files after a crash. It stays open: to open it anew each
/// time takes longer than most texts.
void keep(const std::string &text) {
  static const int file = open(kept, O_CREAT | O_RDWR | O_TRUNC, 0644);
  if (file < 0 || ftruncate(file, 0) != 0 ||
      pwrite(file, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
    std::fprintf(stderr, "fuzz: error: cannot write %s\n", kept);
    std::exit(2);
  }
}

int one(const std::vector<std::string> &texts) {
  for (const std::string &text : texts)
    std::printf("%.2f s\n", timed(text));
  return 0;
}

int many(size_t count, uint64_t seed, const std::vector<std::string> &given) {
  double slowest = 0;
  for (size_t n = 0; n < count; ++n) {
    Texts texts(seed + n);
    std::string text = texts.model();
    if (!given.empty() && texts.below(3) == 0)
      text = texts.changed(given[texts.below(given.size())], text);
    else if (texts.below(3) == 0)
      text = texts.changed(text, texts.model());
    keep(text);
    const double seconds = timed(text);
    slowest = std::max(slowest, seconds);
    if (seconds > mostSeconds) {
      std::fprintf(stderr, "fuzz: text %zu took %.1f s\n", n, seconds);
      return 1;
    }
  }
  std::remove(kept);
  std::printf("%zu texts, the slowest %.3f s\n", count, slowest);
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  const bool single = argc > 2 && std::string(argv[1]) == "--one";
  if (argc < 3) {
    std::fprintf(stderr, "usage: fuzz_pamela COUNT SEED [FILE...] | --one FILE...\n");
    return 2;
  }
  std::vector<std::string> texts;
  for (int i = single ? 2 : 3; i < argc; ++i)
    texts.push_back(contents(argv[i]));
  return single ? one(texts)
                : many(std::strtoull(argv[1], nullptr, 10), std::strtoull(argv[2], nullptr, 10),
                       texts);
}
