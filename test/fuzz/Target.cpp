// See Target.h.
#include "Target.h"

#include "quincunx/base/Text.h"

#include "profile/Records.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sys/time.h>

namespace quincunx::fuzz {

namespace {

#ifdef QUINCUNX_SANITIZE
constexpr int mostSeconds = 250; // loops over numbers take up to fifty times as long
#else
constexpr int mostSeconds = 5;
#endif

void setLimit(int seconds) {
  const itimerval limit{{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &limit, nullptr);
}

void tooLong(int) {
  constexpr char text[] = "fuzz: it takes the processor too long\n";
  static_cast<void>(!::write(2, text, sizeof text - 1));
  std::abort();
}

} // namespace

void tryInput(const std::string &input) {
  static const auto before = std::signal(SIGPROF, tooLong);
  static_cast<void>(before);
  setLimit(mostSeconds);
  target.judge(input);
  setLimit(0);
}

void wrong(const std::string &what, const std::string &detail) {
  std::fprintf(stderr, "fuzz: %s\n%s\n", what.c_str(), detail.c_str());
  std::abort();
}

void judgeError(const Error &error) {
  const std::string message = error.message();
  for (const char c : message)
    if (static_cast<unsigned char>(c) < ' ' || c == 127)
      wrong("an error that is not one plain line", escape(message));
  if (error.text.empty() || validUtf8(message) != message)
    wrong("an error that is no text", escape(message));
}

std::string changedBytes(std::string bytes, Random &random) {
  static constexpr uint64_t numbers[] = {
      0,     1,          2,          7,          8,          127,       128,        255,       256,
      65535, 0x7fffffff, 0x80000000, 0xffffffff, 1ULL << 53, INT64_MAX, 1ULL << 63, UINT64_MAX};
  for (size_t n = 1 + random.below(3); n > 0; --n) {
    const size_t size = bytes.size(), at = random.below(size + 1);
    const size_t length = std::min(size - at, 1 + random.below(random.oneIn(4) ? 64 : 8));
    const size_t width = size_t{1} << random.below(4);
    const uint64_t number = random.pick(numbers) + random.below(3) - 1;
    std::string word(reinterpret_cast<const char *>(&number), width);
    switch (random.below(6)) {
    case 0:
      bytes.erase(at, length);
      break;
    case 1:
      bytes.insert(at, bytes.substr(random.below(size + 1), length));
      break;
    case 2:
      bytes.insert(at, word);
      break;
    case 3:
      bytes.replace(at, std::min(width, size - at), word);
      break;
    default:
      if (at < size)
        bytes[at] ^= static_cast<char>(random.oneIn(2) ? 1U << random.below(8) : random.below(256));
    }
  }
  return bytes;
}

std::string scratchFile(const std::string &name) {
  static const test::Folder folder;
  return folder / name;
}

void writeFile(const std::string &path, const std::string &bytes) {
  std::ofstream out(path, std::ios::binary);
  if (!out.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush())
    wrong("cannot write " + path);
}

} // namespace quincunx::fuzz
