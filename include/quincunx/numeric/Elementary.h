// exp, log and their neighbours at four places at once.
// The idea: split off the power of two by integer arithmetic on the bits, and sum a series over
// what is left; both sides of a choice are computed and one is taken. Errors stay below one unit in
// the last place, below 8 of them where a choice changes over. Reference: Muller, Elementary
// Functions, ch. 11. One place at a time is for <cmath> and
// numeric/Special.h.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numbers>
#include <span>
#include <utility>

namespace quincunx {

/// Four doubles with the operators of one; a choice `condition ? a : b` is made for each. Every
/// function that takes or returns them is always inlined, lambdas too: how they are passed depends
/// on the processor that caller and callee are compiled for, and in `widely` the two can differ.
/// scripts/lanes finds those that are not.
inline constexpr size_t laneCount = 4;
using Lanes = double __attribute__((vector_size(laneCount * sizeof(double))));

#if defined(__x86_64__)
#define QUINCUNX_WIDE __attribute__((target("avx2,fma"), flatten))
inline bool haveWide() {
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
}
#else
#define QUINCUNX_WIDE
inline bool haveWide() { return false; }
#endif
#define QUINCUNX_INLINED __attribute__((always_inline)) // for lambdas
#define QUINCUNX_LANES QUINCUNX_INLINED inline

template <class Function> QUINCUNX_WIDE void runWide(const Function &function) { function(); }

/// Runs `function` as compiled for AVX2 and FMA where the processor has them: faster, and last bits
/// may differ.
template <class Function> void widely(const Function &function) {
  static const bool wide = haveWide();
  if (wide)
    runWide(function);
  else
    function();
}

QUINCUNX_LANES Lanes lanes(double x) { return x - Lanes{}; }
QUINCUNX_LANES Lanes load(const double *x) {
  Lanes v;
  std::memcpy(&v, x, sizeof v);
  return v;
}
QUINCUNX_LANES void store(Lanes v, double *x) { std::memcpy(x, &v, sizeof v); }
/// The first `count` doubles from x on, at most four; the last of them again in what is left.
QUINCUNX_LANES Lanes loadFirst(const double *x, size_t count) {
  if (count >= laneCount)
    return load(x);
  Lanes v = lanes(*x);
  for (size_t i = 1; i < laneCount && count > 1; ++i)
    v[i] = x[std::min(i, count - 1)];
  return v;
}
QUINCUNX_LANES void storeFirst(Lanes v, double *x, size_t count) {
  if (count >= laneCount)
    return store(v, x);
  for (size_t i = 0; i < count; ++i)
    x[i] = v[i];
}
QUINCUNX_LANES Lanes absolute(Lanes x) { return x < 0 ? -x : x; }

/// out = function of d, four at a time.
template <class Function>
void inLanes(std::span<const double> d, std::span<double> out, const Function &function) {
  widely([&] {
    for (size_t i = 0; i < d.size(); i += laneCount)
      storeFirst(function(loadFirst(&d[i], d.size() - i)), &out[i], d.size() - i);
  });
}

/// inLanes() for a function with two results.
template <class Function>
void inLanes(std::span<const double> d, std::span<double> first, std::span<double> second,
             const Function &function) {
  widely([&] {
    for (size_t i = 0; i < d.size(); i += laneCount) {
      const auto [a, b] = function(loadFirst(&d[i], d.size() - i));
      storeFirst(a, &first[i], d.size() - i), storeFirst(b, &second[i], d.size() - i);
    }
  });
}

/// out = second(d, first(d)), `first` at many places before `second`: in a long chain of arithmetic
/// a processor sees too little of the next place to work on it meanwhile, in a short one it does.
template <class First, class Second>
void inStages(std::span<const double> d, std::span<double> out, const First &first,
              const Second &second) {
  constexpr size_t most = 8;
  widely([&] {
    std::array<decltype(first(Lanes{})), most> kept;
    for (size_t from = 0; from < d.size(); from += most * laneCount) {
      const size_t end = std::min(d.size(), from + most * laneCount);
      for (size_t i = from, k = 0; i < end; i += laneCount)
        kept[k++] = first(loadFirst(&d[i], end - i));
      for (size_t i = from, k = 0; i < end; i += laneCount)
        storeFirst(second(loadFirst(&d[i], end - i), kept[k++]), &out[i], end - i);
    }
  });
}

namespace elementary {

using Bits = uint64_t __attribute__((vector_size(laneCount * sizeof(uint64_t))));

template <size_t n> using Series = std::array<double, n>;

/// sum c_k x^k in straight code, even and odd k apart: half as many steps that wait for each other.
template <const auto &c> QUINCUNX_LANES Lanes polynomial(Lanes x) {
  static_assert(c.size() % 2 == 0);
  const Lanes x2 = x * x;
  return [&]<size_t... k>(std::index_sequence<k...>) QUINCUNX_INLINED {
    Lanes even = lanes(c[c.size() - 2]), odd = lanes(c[c.size() - 1]);
    ((even = even * x2 + c[c.size() - 4 - 2 * k], odd = odd * x2 + c[c.size() - 3 - 2 * k]), ...);
    return even + x * odd;
  }(std::make_index_sequence<c.size() / 2 - 1>());
}

/// 1/(k + first)!
template <size_t n> constexpr Series<n> inverseFactorials(size_t first) {
  Series<n> c{};
  double f = 1;
  for (size_t k = 1; k <= first; ++k)
    f /= static_cast<double>(k);
  for (size_t k = 0; k < n; f /= static_cast<double>(++k + first))
    c[k] = f;
  return c;
}
/// 2/(2k + 3)
template <size_t n> constexpr Series<n> inverseOdd() {
  Series<n> c{};
  for (size_t k = 0; k < n; ++k)
    c[k] = 2 / static_cast<double>(2 * k + 3);
  return c;
}
/// (-1)^k/(2k + 3)
template <size_t n> constexpr Series<n> alternatingOdd() {
  Series<n> c = inverseOdd<n>();
  for (size_t k = 0; k < n; ++k)
    c[k] *= k % 2 == 0 ? 0.5 : -0.5;
  return c;
}
inline constexpr auto exponential = inverseFactorials<12>(2);
inline constexpr auto beyondLine = inverseFactorials<16>(2);
inline constexpr auto logarithm = inverseOdd<10>();
inline constexpr auto arc = alternatingOdd<20>();
inline constexpr auto wideLogarithm = inverseOdd<12>();

/// ln 2; the first part ends in 21 zeros, so that a small integer times it is exact.
// NOLINTNEXTLINE(modernize-use-std-numbers): not ln 2 itself
inline constexpr double ln2High = 0x1.62e42fee00000p-1, ln2Low = 0x1.a39ef35793c76p-33;

} // namespace elementary

struct Exponential {
  Lanes all, less1; ///< e^x and e^x - 1
};

/// e^x and e^x - 1, both with full relative accuracy; below x = -708 it is 0, and above 709
/// infinite. With x = n ln 2 + r: e^x - 1 = 2^n (e^r - 1) + (2^n - 1)
QUINCUNX_LANES Exponential quickExponential(Lanes x) {
  using namespace elementary;
  constexpr double shift = 0x1.8p52; // adding it rounds, and leaves the integer in the low bits
  const Lanes shifted = x * std::numbers::log2e + shift, n = shifted - shift;
  const Lanes r = (x - n * ln2High) - n * ln2Low;
  const Lanes y = r + r * r * polynomial<exponential>(r);
  const auto power = __builtin_bit_cast(Lanes, std::bit_cast<uint64_t>(1.0) +
                                                   (__builtin_bit_cast(Bits, shifted) << 52));
  const Lanes most = lanes(std::numeric_limits<double>::infinity());
  const auto above = x > 709, below = x < -708;
  return {below   ? Lanes{}
          : above ? most
                  : power * (1 + y),
          below   ? lanes(-1)
          : above ? most
                  : power * y + (power - 1)};
}
QUINCUNX_LANES Lanes quickExp(Lanes x) { return quickExponential(x).all; }
QUINCUNX_LANES Lanes quickExpm1(Lanes x) { return quickExponential(x).less1; }

/// ln x for x >= 1e-307, given x - 1 better than x where x is near 1; below 1e-307, something less
/// than -706. With x = 2^k m, 1/2 <= m^2 <= 2, f = m - 1 and s = f/(2 + f):
/// ln m = 2 (s + s^3/3 + ...) = f - s (f - 2 (s^2/3 + s^4/5 + ...))
QUINCUNX_LANES Lanes quickLog(Lanes x, Lanes less1) {
  using namespace elementary;
  constexpr auto one = std::bit_cast<uint64_t>(1.0),
                 root = std::bit_cast<uint64_t>(1 / std::numbers::sqrt2);
  constexpr double shift = 0x1p52; // with a small integer in its low bits it is that much more
  const Bits bits = __builtin_bit_cast(Bits, x), power = (bits + (one - root)) >> 52;
  const auto m = __builtin_bit_cast(Lanes, bits + one - (power << 52));
  const Lanes k =
      __builtin_bit_cast(Lanes, power | std::bit_cast<uint64_t>(shift)) - (shift + 1023);
  const Lanes f = k == 0 ? less1 : m - 1, s = f / (2 + f), s2 = s * s;
  const Lanes y = k * ln2High + (f - (s * (f - s2 * polynomial<logarithm>(s2)) - k * ln2Low));
  return x <= std::numeric_limits<double>::max() ? y : x;
}
QUINCUNX_LANES Lanes quickLog(Lanes x) { return quickLog(x, x - 1); }
/// ln(1 + x) for x > -1, with full relative accuracy.
QUINCUNX_LANES Lanes quickLog1p(Lanes x) { return quickLog(1 + x, x); }

/// e^x - 1 - x with full relative accuracy: x^2/2! + x^3/3! + ... where terms would cancel.
QUINCUNX_LANES Lanes quickExpm1MinusX(Lanes x) {
  const Lanes near = elementary::polynomial<elementary::beyondLine>(x) * x * x;
  return absolute(x) < 0.6 ? near : quickExpm1(x) - x;
}

/// x - ln(1 + x) for x > -1, with full relative accuracy. With w = x/(2 + x):
/// ln(1 + x) = 2 (w + w^3/3 + w^5/5 + ...) and x - 2w = x w
QUINCUNX_LANES Lanes quickXMinusLog1p(Lanes x) {
  const Lanes w = x / (2 + x), w2 = w * w;
  const Lanes near = w * (x - w2 * elementary::polynomial<elementary::wideLogarithm>(w2));
  return absolute(x - 0.1) < 0.5 ? near : x - quickLog(1 + x);
}

/// x - atan x = x^3/3 - x^5/5 + ... for |x| <= 0.42.
QUINCUNX_LANES Lanes quickXMinusAtan(Lanes x) {
  const Lanes x2 = x * x;
  return x * x2 * elementary::polynomial<elementary::arc>(x2);
}

/// The angle of (x, y) in (-pi, pi), not both 0. With t = min/max: atan t = pi/4 +
/// atan((t-1)/(t+1))
QUINCUNX_LANES Lanes quickAtan2(Lanes y, Lanes x) {
  using std::numbers::pi;
  const Lanes X = absolute(x), Y = absolute(y), least = X < Y ? X : Y, most = X < Y ? Y : X;
  const Lanes wide = least - 0.4 * most; // beyond tan(pi/8), about: turned by pi/4
  const Lanes t = (wide > 0 ? least - most : least) / (wide > 0 ? least + most : most);
  const Lanes first = t - quickXMinusAtan(t) + (wide > 0 ? lanes(pi / 4) : lanes(0));
  const Lanes right = X < Y ? pi / 2 - first : first, turned = x < 0 ? pi - right : right;
  return y < 0 ? -turned : turned;
}

} // namespace quincunx
