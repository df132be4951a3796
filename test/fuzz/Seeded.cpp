// The fuzzer without libFuzzer: the same inputs at each call, so a test can run it.
//
//   fuzz_TARGET COUNT SEED FOLDER...    the files as they are, then COUNT inputs made from them
//   fuzz_TARGET --one FILE...           just these files, as they are
//
// Before it aborts it leaves the input in fuzz-failure-TARGET. Reference: Target.h.
#include "Target.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

using namespace quincunx::fuzz;

namespace {

constexpr const char *kept = "fuzz-failure-" QUINCUNX_FUZZ_TARGET;

std::string contents(const std::filesystem::path &path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "fuzz: error: cannot read %s\n", path.c_str());
    std::exit(2);
  }
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> filesIn(const char *folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto &entry : std::filesystem::directory_iterator(folder))
    paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<std::string> files;
  std::ranges::transform(paths, std::back_inserter(files), contents);
  return files;
}

/// Before the attempt, as nobody writes files after a crash. It stays open: to open it anew each
/// time takes longer than most inputs.
void keep(const std::string &input) {
  static const int file = open(kept, O_CREAT | O_RDWR | O_TRUNC, 0644);
  if (file < 0 || ftruncate(file, 0) != 0 ||
      pwrite(file, input.data(), input.size(), 0) != static_cast<ssize_t>(input.size())) {
    std::fprintf(stderr, "fuzz: error: cannot write %s\n", kept);
    std::exit(2);
  }
}

/// Seconds of the processor.
double timed(const std::string &input) {
  const std::clock_t begin = std::clock();
  tryInput(input);
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

int one(int count, char **paths) {
  for (int i = 0; i < count; ++i)
    std::printf("%.2f s\n", timed(contents(paths[i])));
  return 0;
}

int many(size_t count, uint64_t seed, const std::vector<std::string> &given) {
  double slowest = 0;
  const auto attempt = [&](const std::string &input) {
    keep(input);
    slowest = std::max(slowest, timed(input));
  };
  for (const std::string &input : given)
    attempt(input);
  for (size_t n = 0; n < count; ++n) {
    Random random(seed + n);
    const std::string &from = random.pick(given);
    const bool byBytes = target.change == nullptr || random.oneIn(2);
    attempt(byBytes ? changedBytes(from, random) : target.change(from, random));
  }
  std::remove(kept);
  std::printf("%zu files and %zu inputs made from them, the slowest %.3f s\n", given.size(), count,
              slowest);
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  if (argc > 2 && std::string(argv[1]) == "--one")
    return one(argc - 2, argv + 2);
  std::vector<std::string> files;
  for (int i = 3; i < argc; ++i)
    std::ranges::move(filesIn(argv[i]), std::back_inserter(files));
  if (files.empty()) {
    std::fprintf(stderr,
                 "usage: fuzz_" QUINCUNX_FUZZ_TARGET " COUNT SEED FOLDER... | --one FILE...\n");
    return 2;
  }
  return many(std::strtoull(argv[1], nullptr, 10), std::strtoull(argv[2], nullptr, 10), files);
}
