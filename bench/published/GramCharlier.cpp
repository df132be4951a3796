// A density as a normal density times a polynomial, and the last of two or of N such tasks. The
// series is in the units of the task: it is good only for a task with mean near 0 and variance near
// 1, so standardise first; the thesis' table D.1 does not for all its rows.
// Reference: Gautama's thesis, appendix D. With four coefficients the "density" may be negative and
// the "cdf" may leave [0, 1]; nothing here prevents that, nor does the text.
#include "Integral.h"
#include "quincunx/numeric/Special.h"

#include <cmath>

namespace quincunx::published {

namespace {

// H_0 = 1, H_1 = x, H_{i+1} = x H_i - i H_{i-1}; (D.3)
std::array<double, 5> hermite(double x) {
  std::array<double, 5> h{1, x};
  for (size_t i = 1; i < 4; ++i)
    h[i + 1] = x * h[i] - static_cast<double>(i) * h[i - 1];
  return h;
}

// The integrands are entire and fall like exp(-x^2/2) or faster: the trapezoidal rule is exact to
// rounding.
constexpr double step = 1.0 / 64, reach = 14;

template <class G> void overLine(const G &g) {
  for (int i = -static_cast<int>(reach / step); i <= static_cast<int>(reach / step); ++i)
    g(i * step);
}

// l'_ir = int x^r H_i Phi phi dx, l''_ijr = int x^r H_i H_{j-1} phi^2 dx; (D.14), (D.15). "In
// practice they can be computed offline", here once.
struct Integrals {
  std::array<RawMoments, 5> one{};
  std::array<std::array<RawMoments, 5>, 5> two{}; // j = 0 is not used
  Integrals() {
    overLine([this](double x) {
      const std::array<double, 5> h = hermite(x);
      const double phi = normalDensity(x), w = step * phi;
      for (size_t i = 0; i < 5; ++i) {
        addPowers(one[i], w * h[i] * normalCdf(x), x);
        for (size_t j = 1; j < 5; ++j)
          addPowers(two[i][j], w * phi * h[i] * h[j - 1], x);
      }
    });
  }
};

void add(RawMoments &m, double weight, const RawMoments &o) {
  m.m1 += weight * o.m1;
  m.m2 += weight * o.m2;
  m.m3 += weight * o.m3;
  m.m4 += weight * o.m4;
}

} // namespace

GramCharlier gramCharlier(const RawMoments &m) {
  return {1, m.m1, (m.m2 - 1) / 2, (m.m3 - 3 * m.m1) / 6, (m.m4 - 6 * m.m2 + 3) / 24};
}

GramCharlier gramCharlierAsPrinted(const CentralMoments &m) {
  return {1, 0, (m.mu2 - 1) / 2, (m.mu3 - 1) / 6, (m.mu4 - 6 * m.mu2 + 1) / 24};
}

// E[Y^r] = sum_i (c'_i + c''_i) l'_ir - sum_i sum_{j>=1} (c''_i c'_j + c'_i c''_j) l''_ijr
RawMoments lastOfTwo(const GramCharlier &x1, const GramCharlier &x2) {
  static const Integrals l;
  RawMoments m;
  for (size_t i = 0; i < 5; ++i) {
    add(m, x1[i] + x2[i], l.one[i]);
    for (size_t j = 1; j < 5; ++j)
      add(m, -(x2[i] * x1[j] + x1[i] * x2[j]), l.two[i][j]);
  }
  return m;
}

// E[Y^r] = N int x^r f F^{N-1} dx with F = Phi - phi sum_{j>=1} c_j H_{j-1}
RawMoments lastOf(const GramCharlier &c, double N) {
  RawMoments m;
  overLine([&](double x) {
    const std::array<double, 5> h = hermite(x);
    const double phi = normalDensity(x);
    double f = phi * c[0], F = normalCdf(x);
    for (size_t j = 1; j < 5; ++j) {
      f += phi * c[j] * h[j];
      F -= phi * c[j] * h[j - 1];
    }
    addPowers(m, step * N * f * std::pow(F, N - 1), x);
  });
  return m;
}

} // namespace quincunx::published
