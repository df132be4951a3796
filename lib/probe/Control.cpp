// Loops of control flow: branches, jumps, calls, and branches that cannot be predicted.
// The idea: conditions come from registers that the compiler knows nothing of, and what is
// conditional holds assembly, so a branch stays a branch. The same code branches on random bits and
// on none; only the mask differs. Reference: docs/13-machines.md.
#include "Loops.h"
#include "Unrolled.h"

namespace quincunx::probe {

namespace {

[[gnu::noinline]] void nothing() { asm volatile(""); }

[[gnu::noinline]] uint64_t ofThree(uint64_t a, uint64_t b, uint64_t c) {
  asm volatile("" : "+r"(a) : "r"(b), "r"(c));
  return a;
}

/// Branches on the bits of `mask` in random numbers.
uint64_t branchOn(uint64_t mask, uint64_t &random, uint64_t rounds) {
  keep(mask);
  uint64_t x = random, count = 0;
  for (uint64_t r = 0; r < rounds; ++r) {
#pragma GCC unroll 32
    for (uint64_t i = 0; i < steps; ++i) {
      x ^= x << 13, x ^= x >> 7, x ^= x << 17; // xorshift64
      if ((x & mask) != 0) {
        ++count;
        keep(count);
      }
    }
  }
  random = x;
  return rounds * steps;
}

} // namespace

uint64_t branchTaken(Workspace &, uint64_t rounds) {
  uint64_t never = 0;
  return chain(rounds, uint64_t{1}, [&never](uint64_t &x) {
    if (x == 0) [[likely]] { // it is not, and the compiler lays the code out for the opposite
      ++never;
      keep(never);
    }
  });
}
uint64_t branchNotTaken(Workspace &, uint64_t rounds) {
  uint64_t never = 0;
  return chain(rounds, uint64_t{1}, [&never](uint64_t &x) {
    if (x == 0) [[unlikely]] {
      ++never;
      keep(never);
    }
  });
}

uint64_t branchRandom(Workspace &w, uint64_t rounds) {
  return branchOn(uint64_t{1} << 32, w.random, rounds);
}
uint64_t branchSame(Workspace &w, uint64_t rounds) { return branchOn(0, w.random, rounds); }

// Two jumps for each case: to it, and from its end.
uint64_t jumpByTable(Workspace &, uint64_t rounds) {
  uint64_t at = opaque(uint64_t{0});
  for (uint64_t r = 0; r < rounds * steps; ++r) {
    switch (at) {
#define QUINCUNX_CASE(number, next)                                                                \
  case number:                                                                                     \
    at = next;                                                                                     \
    keep(at);                                                                                      \
    break;
      QUINCUNX_CASE(0, 3)
      QUINCUNX_CASE(1, 4)
      QUINCUNX_CASE(2, 5)
      QUINCUNX_CASE(3, 6)
      QUINCUNX_CASE(4, 7)
      QUINCUNX_CASE(5, 0)
      QUINCUNX_CASE(6, 1)
      QUINCUNX_CASE(7, 2)
#undef QUINCUNX_CASE
    default:
      __builtin_unreachable();
    }
  }
  return 2 * rounds * steps;
}

uint64_t callEmpty(Workspace &, uint64_t rounds) {
  for (uint64_t r = 0; r < rounds; ++r) {
#pragma GCC unroll 32
    for (uint64_t i = 0; i < steps; ++i)
      nothing();
  }
  return rounds * steps;
}
uint64_t callChain(Workspace &, uint64_t rounds) {
  const uint64_t b = opaque(uint64_t{2}), c = opaque(uint64_t{3});
  return chain(rounds, uint64_t{1}, [b, c](uint64_t &x) { x = ofThree(x, b, c); });
}
uint64_t callStreams(Workspace &, uint64_t rounds) {
  const uint64_t a = opaque(uint64_t{1}), b = opaque(uint64_t{2}), c = opaque(uint64_t{3});
  return chain(rounds, uint64_t{1}, [a, b, c](uint64_t &x) { x = ofThree(a, b, c); });
}

} // namespace quincunx::probe
