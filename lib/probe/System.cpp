// Loops that the operating system and the C library do for a program: pages, processes, blocks.
// The idea: what a process is charged for, user and system time. The time of a child is not that of
// this thread, so it is taken from the child's usage, and so are its page faults, which have a
// price of their own. Reference: docs/13-machines.md.
#include "Loops.h"
#include "Unrolled.h"

#include <cstdlib>

#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace quincunx::probe {

uint64_t touchPages(Workspace &, uint64_t rounds) {
  constexpr size_t pages = 256;
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  Mapping fresh;
  for (uint64_t r = 0; r < rounds; ++r) {
    if (!fresh.map(pages * page))
      return 0;
    volatile char *at = reinterpret_cast<char *>(fresh.lines());
    for (size_t i = 0; i < pages; ++i)
      at[i * page] = 1;
    fresh.unmap();
  }
  return rounds * pages;
}

uint64_t startProcess(Workspace &w, uint64_t rounds) {
  char program[] = "/bin/true";
  char *const arguments[] = {program, nullptr};
  const auto nanoseconds = [](const timeval &t) {
    return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_usec) * 1e3;
  };
  Use sum;
  for (uint64_t r = 0; r < rounds; ++r) {
    pid_t child = 0;
    rusage used{};
    int status = 0;
    if (::posix_spawn(&child, program, nullptr, nullptr, arguments, environ) != 0 ||
        ::wait4(child, &status, 0, &used) != child || status != 0)
      return 0;
    sum.time += nanoseconds(used.ru_utime) + nanoseconds(used.ru_stime);
    sum.faults += static_cast<double>(used.ru_minflt);
  }
  w.elsewhere = sum;
  return rounds;
}

uint64_t allocateMany(Workspace &, uint64_t rounds) {
  constexpr size_t blocks = 64, size = 64;
  void *block[blocks];
  for (uint64_t r = 0; r < rounds; ++r) {
    for (void *&b : block) {
      b = std::malloc(size);
      keep(b);
    }
    for (void *b : block)
      std::free(b);
  }
  return rounds * blocks;
}
uint64_t allocateOne(Workspace &, uint64_t rounds) {
  constexpr size_t size = 64;
  for (uint64_t r = 0; r < rounds; ++r) {
    void *block = std::malloc(size);
    keep(block);
    std::free(block);
  }
  return rounds;
}

} // namespace quincunx::probe
