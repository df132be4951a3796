// Loops of arithmetic: integers, doubles, conversions, short vectors.
// The idea: values that neither grow nor vanish, because dividers are quicker on short quotients
// and slow on denormal numbers: c / x comes back to x, and factors are about one. Reference:
// docs/13-machines.md.
#include "Loops.h"
#include "Unrolled.h"

#include <numbers>

namespace quincunx::probe {

uint64_t addChain(Workspace &, uint64_t rounds) {
  const uint64_t y = opaque(uint64_t{3});
  return chain(rounds, uint64_t{1}, [y](uint64_t &x) { x += y; });
}
uint64_t addStreams(Workspace &, uint64_t rounds) {
  const uint64_t y = opaque(uint64_t{3});
  return streams(rounds, uint64_t{1}, [y](uint64_t &x) { x += y; });
}

uint64_t multiplyChain(Workspace &, uint64_t rounds) {
  const uint64_t y = opaque(uint64_t{0x5851f42d4c957f2d});
  return chain(rounds, uint64_t{1}, [y](uint64_t &x) { x *= y; });
}
uint64_t multiplyStreams(Workspace &, uint64_t rounds) {
  const uint64_t y = opaque(uint64_t{0x5851f42d4c957f2d});
  return streams(rounds, uint64_t{1}, [y](uint64_t &x) { x *= y; });
}

// Quotients of about half the digits.
uint64_t divideChain(Workspace &, uint64_t rounds) {
  const uint64_t y = opaque(uint64_t{0x6eed0e9da4d94a4f});
  return chain(rounds, uint64_t{0x8badf00d}, [y](uint64_t &x) { x = y / x; });
}
uint64_t divideStreams(Workspace &, uint64_t rounds) {
  const uint64_t y = opaque(uint64_t{0x6eed0e9da4d94a4f});
  return streams(rounds, uint64_t{0x8badf00d}, [y](uint64_t &x) { x = y / x; });
}
uint64_t shortDivideChain(Workspace &, uint64_t rounds) {
  const uint32_t y = opaque(uint32_t{0x6eed0e9d});
  return chain(rounds, uint32_t{0x8bad}, [y](uint32_t &x) { x = y / x; });
}
uint64_t shortDivideStreams(Workspace &, uint64_t rounds) {
  const uint32_t y = opaque(uint32_t{0x6eed0e9d});
  return streams(rounds, uint32_t{0x8bad}, [y](uint32_t &x) { x = y / x; });
}

uint64_t faddChain(Workspace &, uint64_t rounds) {
  const double y = opaque(1.25);
  return chain(rounds, 1.0, [y](double &x) { x += y; });
}
uint64_t faddStreams(Workspace &, uint64_t rounds) {
  const double y = opaque(1.25);
  return streams(rounds, 1.0, [y](double &x) { x += y; });
}

uint64_t fmultiplyChain(Workspace &, uint64_t rounds) {
  const double y = opaque(1 - 1e-9);
  return chain(rounds, 1.7, [y](double &x) { x *= y; });
}
uint64_t fmultiplyStreams(Workspace &, uint64_t rounds) {
  const double y = opaque(1 - 1e-9);
  return streams(rounds, 1.7, [y](double &x) { x *= y; });
}

uint64_t fdivideChain(Workspace &, uint64_t rounds) {
  const double y = opaque(std::numbers::e);
  return chain(rounds, std::numbers::sqrt3, [y](double &x) { x = y / x; });
}
uint64_t fdivideStreams(Workspace &, uint64_t rounds) {
  const double y = opaque(std::numbers::e);
  return streams(rounds, std::numbers::sqrt3, [y](double &x) { x = y / x; });
}

// There and back are two conversions.
uint64_t convertChain(Workspace &, uint64_t rounds) {
  return 2 * chain(rounds, int64_t{12345},
                   [](int64_t &x) { x = static_cast<int64_t>(static_cast<double>(x)); });
}
uint64_t convertStreams(Workspace &, uint64_t rounds) {
  const int64_t y = opaque(int64_t{12345});
  return streams(rounds, 1.0, [y](double &x) {
    int64_t from = y;
    keep(from);
    x = static_cast<double>(from);
  });
}

uint64_t vectorChain(Workspace &, uint64_t rounds) {
  const Pair y = opaque(Pair{1.25, 2.5});
  return chain(rounds, Pair{1, 2}, [y](Pair &x) { x += y; });
}
uint64_t vectorStreams(Workspace &, uint64_t rounds) {
  const Pair y = opaque(Pair{1.25, 2.5});
  return streams(rounds, Pair{1, 2}, [y](Pair &x) { x += y; });
}

} // namespace quincunx::probe
