// The two forms of most loops: a chain, where each step needs the last one's result, and eight
// independent streams.
// The idea: 32 steps a round, so that counting rounds costs nothing that shows; after each step a
// barrier, so that the compiler neither folds steps nor puts them into vectors. It holds no clock.
#pragma once

#include <cstdint>

namespace quincunx::probe {

// Where the compiler keeps doubles and short vectors, as assembly says it.
#if defined(__x86_64__) || defined(__i386__)
#define QUINCUNX_FLOATING "x"
#elif defined(__aarch64__)
#define QUINCUNX_FLOATING "w"
#else
#define QUINCUNX_FLOATING "m"
#endif

using Pair = double __attribute__((vector_size(16)));

/// From here on the compiler knows nothing of x.
inline void keep(uint32_t &x) { asm volatile("" : "+r"(x)); }
inline void keep(uint64_t &x) { asm volatile("" : "+r"(x)); }
inline void keep(int64_t &x) { asm volatile("" : "+r"(x)); }
template <class T> void keep(T *&x) { asm volatile("" : "+r"(x) : : "memory"); }
inline void keep(double &x) { asm volatile("" : "+" QUINCUNX_FLOATING(x)); }
inline void keep(Pair &x) { asm volatile("" : "+" QUINCUNX_FLOATING(x)); }

/// A value that the compiler does not know.
template <class T> T opaque(T x) {
  keep(x);
  return x;
}

inline constexpr uint64_t steps = 32; ///< of a round

template <class T, class Step> uint64_t chain(uint64_t rounds, T x, Step step) {
  keep(x);
  for (uint64_t r = 0; r < rounds; ++r) {
#pragma GCC unroll 32
    for (uint64_t i = 0; i < steps; ++i) {
      step(x);
      keep(x);
    }
  }
  return rounds * steps;
}

template <class T, class Step> uint64_t streams(uint64_t rounds, T x, Step step) {
  T a = opaque(x), b = opaque(x), c = opaque(x), d = opaque(x);
  T e = opaque(x), f = opaque(x), g = opaque(x), h = opaque(x);
  for (uint64_t r = 0; r < rounds; ++r) {
#pragma GCC unroll 4
    for (uint64_t i = 0; i < steps / 8; ++i) {
      step(a), keep(a), step(b), keep(b), step(c), keep(c), step(d), keep(d);
      step(e), keep(e), step(f), keep(f), step(g), keep(g), step(h), keep(h);
    }
  }
  return rounds * steps;
}

} // namespace quincunx::probe
