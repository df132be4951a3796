// Loops of memory: loads, stores, atomics, copies, and chases through sets of lines of all sizes.
// The idea of a chase: lines form one random cycle, so no prefetcher knows
// what comes next and every access waits for the one before. Two sets with equally many lines, one
// of them with a page for each, differ in page walks only. Reference: docs/13-machines.md. How the
// sets are made is in Workspace.cpp.
#include "Loops.h"
#include "Unrolled.h"

#include <atomic>
#include <cstring>

namespace quincunx::probe {

namespace {

uint64_t chase(Line *&at, uint64_t rounds) {
  Line *x = at;
  for (uint64_t r = 0; r < rounds; ++r) {
#pragma GCC unroll 32
    for (uint64_t i = 0; i < steps; ++i) {
      x = x->next;
      keep(x);
    }
  }
  at = x;
  return rounds * steps;
}

/// Eight 64-bit words of a line, in order.
uint64_t sumLine(const Line *line) {
  uint64_t sum = 0;
  const char *at = reinterpret_cast<const char *>(line);
#pragma GCC unroll 8
  for (size_t i = 0; i < sizeof(Line); i += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, at + i, sizeof word);
    sum += word;
    keep(sum);
  }
  return sum;
}

/// 64 lines a round, from the line `at` on.
uint64_t sum(const Line *all, size_t bytes, size_t &at, uint64_t rounds) {
  constexpr uint64_t atOnce = firstBytes / sizeof(Line);
  for (uint64_t r = 0; r < rounds; ++r) {
    for (uint64_t i = 0; i < atOnce; ++i)
      sumLine(all + at + i);
    at = (at + atOnce) % (bytes / sizeof(Line));
  }
  return rounds * atOnce;
}

} // namespace

uint64_t chaseFirst(Workspace &w, uint64_t rounds) { return chase(w.atFirst, rounds); }
uint64_t chaseNear(Workspace &w, uint64_t rounds) { return chase(w.atNear, rounds); }
uint64_t chasePacked(Workspace &w, uint64_t rounds) { return chase(w.atPacked, rounds); }
uint64_t chasePages(Workspace &w, uint64_t rounds) { return chase(w.atPages, rounds); }
uint64_t chaseFar(Workspace &w, uint64_t rounds) { return chase(w.atFar, rounds); }
uint64_t chaseFarPages(Workspace &w, uint64_t rounds) { return chase(w.atFarPages, rounds); }
uint64_t chaseFarPacked(Workspace &w, uint64_t rounds) { return chase(w.atFarPacked, rounds); }
uint64_t chaseBeyond(Workspace &w, uint64_t rounds) { return chase(w.atBeyond, rounds); }

uint64_t loadStreams(Workspace &w, uint64_t rounds) {
  Line *const volatile *const at = &w.first.lines()->next;
  return streams(rounds, w.first.lines(), [at](Line *&x) { x = *at; });
}

uint64_t storeChain(Workspace &, uint64_t rounds) {
  uint64_t word = 0;
  volatile uint64_t *at = &word;
  keep(at);
  return chain(rounds, uint64_t{1}, [at](uint64_t &x) {
    *at = x;
    x = *at;
  });
}
uint64_t storeStreams(Workspace &, uint64_t rounds) {
  uint64_t words[8] = {};
  volatile uint64_t *at = words;
  keep(at);
  const uint64_t x = opaque(uint64_t{1});
  for (uint64_t r = 0; r < rounds; ++r) {
#pragma GCC unroll 32
    for (uint64_t i = 0; i < steps; ++i)
      at[i % 8] = x;
  }
  return rounds * steps;
}

uint64_t atomicChain(Workspace &, uint64_t rounds) {
  std::atomic<uint64_t> word = 0;
  std::atomic<uint64_t> *at = &word;
  keep(at);
  return chain(rounds, uint64_t{1}, [at](uint64_t &x) { x = at->fetch_add(x); });
}
uint64_t atomicStreams(Workspace &, uint64_t rounds) {
  std::atomic<uint64_t> words[8] = {};
  std::atomic<uint64_t> *at = words;
  keep(at);
  for (uint64_t r = 0; r < rounds; ++r) {
#pragma GCC unroll 32
    for (uint64_t i = 0; i < steps; ++i) {
      uint64_t old = at[i % 8].fetch_add(1);
      keep(old);
    }
  }
  return rounds * steps;
}

// The length is not known when this is compiled: the library copies.
uint64_t copyChain(Workspace &, uint64_t rounds) {
  alignas(64) char here[64] = {}, there[64] = {};
  char *from = here, *to = there;
  const uint64_t length = opaque(uint64_t{sizeof here});
  for (uint64_t r = 0; r < rounds; ++r) {
    keep(from), keep(to);
    std::memcpy(to, from, length);
    keep(from), keep(to);
    std::memcpy(from, to, length);
  }
  return 2 * rounds;
}
uint64_t copyStreams(Workspace &, uint64_t rounds) {
  alignas(64) char here[8][64] = {}, there[8][64] = {};
  const uint64_t length = opaque(uint64_t{64});
  for (uint64_t r = 0; r < rounds; ++r)
    for (uint64_t i = 0; i < 8; ++i) {
      char *from = here[i], *to = there[i];
      keep(from), keep(to);
      std::memcpy(to, from, length);
      keep(to);
    }
  return 8 * rounds;
}

uint64_t sumFirst(Workspace &w, uint64_t rounds) {
  size_t at = 0;
  return sum(w.first.lines(), firstBytes, at, rounds);
}
// No cost follows from it: other loops went through more than a third level holds, and
// a chase in 8 MB would take long to find all its lines again.
uint64_t sumFar(Workspace &w, uint64_t rounds) {
  return sum(w.far.lines(), farBytes, w.sumFarAt, rounds);
}
uint64_t sumNear(Workspace &w, uint64_t rounds) {
  return sum(w.near.lines(), nearBytes(), w.sumNearAt, rounds);
}

} // namespace quincunx::probe
