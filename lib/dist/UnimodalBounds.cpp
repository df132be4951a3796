// Sharp bounds of percentiles from four moments, for laws with one mode.
// The idea: T has its mode at m when T = m + U Z with U uniform on (0, 1) and Z any law (Khinchin),
// so the moments of T are moments of Z, E Z^r = (r+1) E (T-m)^r, and P(T > t) is the mean of
// max(0, 1 - (t-m)/z) for t > m. A polynomial of degree 4 that lies above this function touches it
// at no more than three places, so the extremal Z has three values: one of the laws that are known
// by their middle value. The bound is the largest percentile over that value and the mode, each of
// which has a finite range. Reference: docs/09-percentiles-and-bounds.md. It knows no support.
#include "Atoms.h"
#include "quincunx/dist/Bounds.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

namespace quincunx {

namespace {

/// The largest value of f on [low, high]: golden sections around each local maximum of a grid.
double largest(const std::function<double(double)> &f, double low, double high, int cells) {
  const auto place = [&](int i) { return low + (high - low) * i / cells; };
  std::vector<double> grid;
  for (int i = 0; i <= cells; ++i)
    grid.push_back(f(place(i)));
  double best = *std::ranges::max_element(grid);
  constexpr double golden = 0.6180339887498949;
  for (int i = 0; i <= cells; ++i) {
    if ((i > 0 && grid[i] <= grid[i - 1]) || (i < cells && grid[i] < grid[i + 1]))
      continue;
    double a = place(std::max(i - 1, 0)), b = place(std::min(i + 1, cells));
    double x = b - golden * (b - a), y = a + golden * (b - a), fx = f(x), fy = f(y);
    while (b - a > 1e-11 * (high - low)) { // it may be a peak, not flat
      if (fx >= fy)
        b = y, y = x, fy = fx, x = b - golden * (b - a), fx = f(x);
      else
        a = x, x = y, fx = fy, y = a + golden * (b - a), fy = f(y);
      best = std::max({best, fx, fy});
    }
  }
  return best;
}

/// How far the uniform parts on one side of the mode reach with more than `tail` beyond:
/// sum of w (1 - a/z) over z > a is convex in a, so a is the largest root over the far parts alone.
double reach(std::array<Atom, 3> z, double tail) { // ordered from the farthest
  double mass = 0, rate = 0, a = 0;
  for (const Atom &one : z) {
    if (!(one.place > 0))
      break;
    mass += one.mass, rate += one.mass / one.place;
    if (mass > tail)
      a = std::max(a, (mass - tail) / rate);
  }
  return a;
}

/// The p-percentile of mode + U Z.
double percentile(double mode, std::array<Atom, 3> z, double p) {
  std::ranges::sort(z, std::greater{}, &Atom::place);
  const double above = reach(z, 1 - p);
  if (above > 0)
    return mode + above;
  std::ranges::reverse(z);
  for (Atom &one : z)
    one.place = -one.place;
  return mode - reach(z, p);
}

/// Laws of mean 0 and variance 1 with one mode.
class Unimodal {
public:
  Unimodal(double skewness, double kurtosis) : s(skewness), A(5 * kurtosis - 9) {
    // The room is log-concave in the mode, so modes are an interval around its peak, where
    // 6 s m^2 - A m - 6 s = 0
    const double root = std::sqrt(A * A + 144 * s * s);
    peak = s == 0 ? 0 : A >= 0 ? -12 * s / (A + root) : (A - root) / (12 * s);
    if (exists()) {
      low = edge(-std::numbers::sqrt3);
      high = edge(std::numbers::sqrt3);
    }
  }
  bool exists() const { return room(peak) >= 0; }

  /// The largest p-percentile.
  double highest(double p) const {
    const double middle = low + (high - low) / 2, half = (high - low) / 2;
    return largest([&](double angle) { return highestAt(middle + half * std::sin(angle), p); },
                   -std::numbers::pi / 2, std::numbers::pi / 2, high > low ? 48 : 1);
  }

private:
  // Z has mean -2 m, variance v = 3 - m^2, third central moment 4 s + 2 m v, and
  // kurtosis - skewness^2 - 1 = (v (A - 4 s m) - 16 s^2)/v^3 with A = 5 kurtosis - 9. At 0 the law
  // of Z has two values; up to rounding that is no reason to refuse.
  double room(double m) const {
    const double v = 3 - m * m, linear = A - 4 * s * m;
    const double scale = v * (9 + std::abs(A) + std::abs(4 * s * m)) + 16 * s * s;
    const double r = v > 0 && linear > -1e-13 * scale ? v * linear - 16 * s * s : -scale;
    return std::abs(r) <= 1e-13 * scale ? 0 : r;
  }
  double edge(double outside) const { // the last mode with room between the peak and there
    double inside = peak;
    for (int i = 0; i < 60; ++i) {
      const double middle = inside + (outside - inside) / 2;
      (room(middle) >= 0 ? inside : outside) = middle;
    }
    return inside;
  }

  /// The largest p-percentile of the laws with this mode.
  double highestAt(double m, double p) const {
    const double v = 3 - m * m, sd = std::sqrt(v), skew = 4 * s / (v * sd) + 2 * m / sd;
    const double D = std::max(room(m), 0.0) / (v * v * v);
    // The middle value lies between the roots of x^2 - skew x - 1
    const double h = std::sqrt(4 + skew * skew), far = (std::abs(skew) + h) / 2;
    const double right = skew >= 0 ? far : 1 / far, left = skew >= 0 ? -1 / far : -far;
    const auto of = [&](std::array<Atom, 3> z) {
      for (Atom &one : z)
        one.place = -2 * m + sd * one.place;
      return percentile(m, z, p);
    };
    if (D <= 1e-14 * (1 + skew * skew))
      return of({Atom{left, 1 / (1 + left * left)}, Atom{right, 1 / (1 + right * right)}, Atom{}});
    // Logarithmic towards both ends, where one of the other values runs away
    const auto middle = [&](double u) {
      const double part = 1 / (1 + std::exp(-std::abs(u)));
      return u < 0 ? right * (1 - part) + left * part : left * (1 - part) + right * part;
    };
    return largest([&](double u) { return of(atomsWith(middle(u), skew, D)); }, -30, 30, 60);
  }

  double s, A, peak = 0, low = 0, high = 0;
};

} // namespace

Result<Range> unimodalQuantileBounds(const Moments &m, double p, Where where) {
  Result<Range> any = quantileBounds(m, p, where);
  if (!any || m.variance == 0)
    return any;
  // The lowest percentile is the highest one of the mirrored law.
  const Unimodal laws(m.skewness, m.kurtosis), mirrored(-m.skewness, m.kurtosis);
  if (!laws.exists())
    return Error{"no law with one mode has these moments"};
  const Range out{std::max(any->low, m.mean - m.deviation() * mirrored.highest(1 - p)),
                  std::min(any->high, m.mean + m.deviation() * laws.highest(p))};
  if (out.low > out.high)
    return Error{"no law on [0, inf) with one mode has these moments"};
  return out;
}

} // namespace quincunx
