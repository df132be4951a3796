// Random numbers for the examples: a seed means the same data on every machine. Splitmix64 (Steele,
// Lea & Flood, 2014). Left out of profiles, as making data is no part of what the examples show.
// Not for anything that must be secret.
#pragma once
#include <stdint.h>
#include <stdlib.h>

#ifndef NOT_PROFILED // where programs are timed, it is
#define NOT_PROFILED __attribute__((no_profile_instrument_function, unused))
#endif

static uint64_t drawState;

NOT_PROFILED static uint64_t drawBits(void) {
  uint64_t z = drawState += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// Seeds that lie close together give unrelated numbers.
NOT_PROFILED static void drawFrom(const char *seed) {
  drawState = strtoull(seed, NULL, 10);
  drawState = drawBits();
}

// Uniform on [0, 1).
NOT_PROFILED static double draw(void) { return (double)(drawBits() >> 11) * 0x1p-53; }

// One of 0 .. n-1.
NOT_PROFILED static int drawBelow(int n) { return (int)(draw() * n); }
