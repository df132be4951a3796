// The memory that loops work on: mapped, and linked into random cycles.
// The idea: Sattolo's shuffle gives one cycle through all lines, with a seed of its own, so every
// run measures the same order. Huge pages are refused: a page is what the processor's manual means
// by one. It measures nothing.
#include "Loops.h"

#include <cerrno>
#include <cstring>
#include <numeric>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

namespace quincunx::probe {

namespace {

/// 64 random bits (splitmix64).
uint64_t draw(uint64_t &state) {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// One cycle through the lines at `places`, in random order.
Line *link(Line *lines, std::vector<uint32_t> places) {
  uint64_t state = places.size();
  for (size_t i = places.size() - 1; i > 0; --i)
    std::swap(places[i], places[draw(state) % i]);
  for (size_t i = 0; i < places.size(); ++i)
    lines[places[i]].next = &lines[places[(i + 1) % places.size()]];
  return &lines[places[0]];
}

std::vector<uint32_t> inOrder(size_t bytes) {
  std::vector<uint32_t> places(bytes / sizeof(Line));
  std::iota(places.begin(), places.end(), 0U);
  return places;
}

/// A line somewhere in each of `count` pages, so that they spread over the sets of a cache.
std::vector<uint32_t> onePerPage(size_t count, size_t linesPerPage) {
  std::vector<uint32_t> places(count);
  uint64_t state = count;
  for (size_t i = 0; i < count; ++i)
    places[i] = static_cast<uint32_t>(i * linesPerPage + draw(state) % linesPerPage);
  return places;
}

} // namespace

size_t nearBytes() {
  constexpr size_t usual = size_t{256} << 10;
  const long second = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return second > 0 ? std::min(usual, static_cast<size_t>(second) / 2) : usual;
}

Mapping::~Mapping() { unmap(); }

Status Mapping::map(size_t bytes) {
  unmap();
  void *got = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (got == MAP_FAILED)
    return Error{"cannot map " + std::to_string(bytes >> 10) +
                 " KB to measure memory: " + std::strerror(errno)};
  base = got, size = bytes;
  ::madvise(base, size, MADV_NOHUGEPAGE); // refused where there are none
  return Done{};
}

void Mapping::unmap() {
  if (base != nullptr)
    ::munmap(base, size);
  base = nullptr;
}

Status prepare(Workspace &w) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t farPages = farBytes / page;
  const std::pair<Mapping *, size_t> sizes[] = {{&w.first, firstBytes},
                                                {&w.near, nearBytes()},
                                                {&w.packed, walkedPages * sizeof(Line)},
                                                {&w.pages, walkedPages * page},
                                                {&w.far, farBytes},
                                                {&w.farPacked, farPages * sizeof(Line)},
                                                {&w.farPages, farPages * page},
                                                {&w.beyond, beyondBytes}};
  for (const auto &[mapping, bytes] : sizes)
    if (Status s = mapping->map(bytes); !s)
      return s;
  w.atFirst = link(w.first.lines(), inOrder(firstBytes));
  w.atNear = link(w.near.lines(), inOrder(nearBytes()));
  w.atPacked = link(w.packed.lines(), inOrder(walkedPages * sizeof(Line)));
  w.atPages = link(w.pages.lines(), onePerPage(walkedPages, page / sizeof(Line)));
  w.atFar = link(w.far.lines(), inOrder(farBytes));
  w.atFarPacked = link(w.farPacked.lines(), inOrder(farPages * sizeof(Line)));
  w.atFarPages = link(w.farPages.lines(), onePerPage(farPages, page / sizeof(Line)));
  w.atBeyond = link(w.beyond.lines(), inOrder(beyondBytes));
  return Done{};
}

} // namespace quincunx::probe
