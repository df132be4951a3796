// Coefficients of symbolic results, as fractions as long as they are whole over whole and fit 64
// bits, else the nearest doubles. Numbers that were written with a point stay doubles, so that they
// are printed as they were written.
#pragma once

#include <cmath>
#include <cstdint>

namespace quincunx::pamela {

class Coefficient {
public:
  Coefficient(double x = 0) : number(x) {
    if (std::fabs(x) <= 9007199254740992.0 && x == std::floor(x))
      num = static_cast<int64_t>(x), den = 1;
  }
  static Coefficient ratio(__int128 n, __int128 d) {
    if (d < 0)
      n = -n, d = -d;
    __int128 a = n < 0 ? -n : n, b = d;
    while (b != 0) {
      const __int128 rest = a % b;
      a = b, b = rest;
    }
    n /= a, d /= a;
    Coefficient e;
    e.number = static_cast<double>(n) / static_cast<double>(d);
    const bool fits = n >= INT64_MIN && n <= INT64_MAX && d <= INT64_MAX;
    e.num = fits ? static_cast<int64_t>(n) : 0, e.den = fits ? static_cast<int64_t>(d) : 0;
    return e;
  }

  double value() const { return number; }
  bool isFraction() const { return den != 0; }
  int64_t numerator() const { return num; }   ///< of a fraction
  int64_t denominator() const { return den; } ///< 0 when it is none
  bool isWhole() const { return den == 1 || (den == 0 && number == std::floor(number)); }

  friend Coefficient operator*(const Coefficient &a, const Coefficient &b) {
    int64_t n = 0;
    if (a.den == 1 && b.den == 1 && !__builtin_mul_overflow(a.num, b.num, &n))
      return wholeOf(n);
    if (a.den && b.den)
      return ratio(static_cast<__int128>(a.num) * b.num, static_cast<__int128>(a.den) * b.den);
    return a.number * b.number;
  }
  friend Coefficient operator+(const Coefficient &a, const Coefficient &b) {
    int64_t n = 0;
    if (a.den == 1 && b.den == 1 && !__builtin_add_overflow(a.num, b.num, &n))
      return wholeOf(n);
    if (a.den && b.den)
      return ratio(static_cast<__int128>(a.num) * b.den + static_cast<__int128>(b.num) * a.den,
                   static_cast<__int128>(a.den) * b.den);
    return a.number + b.number;
  }
  friend Coefficient operator-(const Coefficient &a) { return a * Coefficient(-1); }
  Coefficient inverse() const { return den && num ? ratio(den, num) : Coefficient(1 / number); }
  bool operator==(const Coefficient &o) const { return number == o.number && den == o.den; }

private:
  static Coefficient wholeOf(int64_t n) {
    Coefficient e;
    e.number = static_cast<double>(n), e.num = n, e.den = 1;
    return e;
  }
  double number = 0;
  int64_t num = 0, den = 0; ///< den 0: not a fraction, or too large for one
};

} // namespace quincunx::pamela
