// Pearson's law from four moments, in the closed forms of its three main types, summed in 10,000
// equal steps over its support or over 15 deviations: once for the constant of the density, once
// with the running sum as cdf for the moments of the last or first.
// Reference: Reijns & van Gemund (12), (16) to (24), 5.1, 5.2. The density is read strictly inside
// the interval, and the cdf at a sample is the sum of the samples before it and half of its own:
// with the samples before alone, as 5.1 can be read, the fourth moment of 64 uniform tasks is off
// by 0.36 %, and the text's figure is 0.04 %. It covers no law outside the text's table 1; what
// lies between the types there comes out inaccurate or not finite, which is refused.
#include "Integral.h"

#include <algorithm>
#include <cmath>

namespace quincunx::published {

namespace {

// The laws on the borders of the types (uniform, normal, exponential) divide zero by zero; "a very
// small disturbance of 1e-11 has to be added" to their kurtosis.
Moments disturbed(Moments m) {
  const double B1 = m.skewness * m.skewness;
  const bool border = std::fabs(2 * m.kurtosis - 3 * B1 - 6) < 1e-12 * (6 + 3 * B1) ||
                      std::fabs(10 * m.kurtosis - 12 * B1 - 18) < 1e-12 * (18 + 12 * B1);
  m.kurtosis += border ? 1e-11 : 0;
  return m;
}

// One main type: f(x) = exp(log f), centred, between low and high.
struct Curve {
  int type = 1;
  double low = 0, high = 0;
  double a1 = 0, a2 = 0, A = 0, B = 0; // types 1 and 3
  double c = 0, v = 0, r = 0, m = 0;   // type 2
  bool negative = false;               // of type 3

  double operator()(double x) const {
    if (!(x > low && x < high))
      return 0;
    if (type == 1) // (18)
      return std::pow(2 * (a1 + x) / (a1 + a2), A) * std::pow(2 * (a2 - x) / (a1 + a2), B);
    if (type == 2) { // (19)
      const double y = x / c - v / r;
      return std::pow(1 + y * y, -m) * std::exp(-v * std::atan(y));
    }
    if (!negative) // (21)
      return std::pow((a1 + x) / (a1 - a2), A) * std::pow(2 * (a2 + x) / (a2 + high), B);
    return std::pow(2 * (a1 + x) / (low + a1), A) * std::pow((a2 + x) / (a2 - a1), B); // (22)
  }
};

// (17) and (20): roots of d0 + d1 x + d2 x^2 and the exponents there
void rootsOf(const PearsonEquation &e, Curve &f, double sign) {
  const double root = std::sqrt(e.d1 * e.d1 - 4 * e.d0 * e.d2);
  f.a1 = (e.d1 + sign * root) / (2 * e.d2);
  f.a2 = (-sign * e.d1 + root) / (2 * e.d2);
}

Curve curveOf(const Moments &x) {
  const PearsonEquation e = pearsonEquation(x);
  const double sd = x.deviation(), B1 = x.skewness * x.skewness, cut = 15 * sd;
  Curve f;
  if (e.eta < 0 || (B1 == 0 && x.kurtosis < 3)) {
    rootsOf(e, f, 1);
    f.A = (f.a1 - e.a) / (e.d2 * (f.a1 + f.a2));
    f.B = (f.a2 + e.a) / (e.d2 * (f.a1 + f.a2));
    f.low = -f.a1, f.high = f.a2;
  } else if (e.eta < 1) {
    f.type = 2;
    f.m = -1 / (2 * e.d2);
    f.r = 2 * f.m - 2;
    f.c = std::sqrt(x.variance * (16 * (f.r - 1) - B1 * (f.r - 2) * (f.r - 2))) / 4;
    f.v = -std::copysign(f.r * (f.r - 2) * std::sqrt(B1 * x.variance) / (4 * f.c), x.skewness);
    f.low = -cut, f.high = cut;
  } else {
    f.type = 3;
    f.negative = x.skewness < 0;
    rootsOf(e, f, -1);
    f.A = (e.a - f.a1) / (e.d2 * (f.a2 - f.a1));
    f.B = (f.a2 - e.a) / (e.d2 * (f.a2 - f.a1));
    f.low = f.negative ? -cut : -f.a2;
    f.high = f.negative ? -f.a1 : cut;
  }
  return f;
}

// The density of a task at the samples low + j h, divided by its sum: c_1 to c_4 of the text.
std::vector<double> samples(const Curve &f, double shift, double low, double h) {
  std::vector<double> y(steps - 1);
  double sum = 0;
  for (int j = 1; j < steps; ++j)
    sum += y[static_cast<size_t>(j - 1)] = f(low + j * h - shift);
  for (double &v : y)
    v /= sum;
  return y;
}

Result<RawMoments> checked(const RawMoments &m) {
  if (std::isfinite(m.m1) && std::isfinite(m.m2) && std::isfinite(m.m3) && std::isfinite(m.m4))
    return m;
  return Error{"the moments are outside the reach of the Euler steps"};
}

bool usable(const Moments &m) {
  return admissible(m) && m.variance > 0 && m.kurtosis > 1 + m.skewness * m.skewness;
}

} // namespace

PearsonEquation pearsonEquation(const Moments &x) {
  const double u2 = x.variance, u3 = x.skewness * u2 * std::sqrt(u2), u4 = x.kurtosis * u2 * u2;
  // (12), with d0 = (-4 u2^2 u4 + 3 u2 u3^2)/q
  const double q = -18 * u2 * u2 * u2 + 10 * u2 * u4 - 12 * u3 * u3;
  PearsonEquation e;
  e.a = (3 * u2 * u2 * u3 + u3 * u4) / q;
  e.d0 = (-4 * u2 * u2 * u4 + 3 * u2 * u3 * u3) / q;
  e.d1 = -e.a;
  e.d2 = (3 * u3 * u3 + 6 * u2 * u2 * u2 - 2 * u2 * u4) / q;
  // (16)
  const double B1 = x.skewness * x.skewness, B2 = x.kurtosis;
  e.eta = B1 * (B2 + 3) * (B2 + 3) / (4 * (2 * B2 - 3 * B1 - 6) * (4 * B2 - 3 * B1));
  return e;
}

// E[Y^k] = n sum (x + mean)^k f F^{n-1}, and with 1 - F for the first; (6), (8)
Result<RawMoments> eulerPearson(Wait wait, const Moments &x, double n) {
  if (!usable(x))
    return Error{"no density has these moments"};
  const Curve f = curveOf(disturbed(x));
  const double h = (f.high - f.low) / steps;
  const std::vector<double> y = samples(f, 0, f.low, h);
  RawMoments m;
  double before = 0;
  for (int j = 1; j < steps; ++j) {
    const double p = y[static_cast<size_t>(j - 1)], F = before + p / 2;
    const double other = std::pow(wait == Wait::Last ? F : 1 - F, n - 1);
    addPowers(m, n * p * other, f.low + j * h + x.mean);
    before += p;
  }
  return checked(m);
}

// f_1 F_2 + f_2 F_1 over the union of both intervals; (23), (24)
Result<RawMoments> eulerPearson(Wait wait, const Moments &x1, const Moments &x2) {
  if (!usable(x1) || !usable(x2))
    return Error{"no density has these moments"};
  const Curve f1 = curveOf(disturbed(x1)), f2 = curveOf(disturbed(x2));
  const double phi = x2.mean - x1.mean;
  const double low = std::min(f1.low, f2.low + phi), high = std::max(f1.high, f2.high + phi);
  const double h = (high - low) / steps;
  const std::vector<double> y1 = samples(f1, 0, low, h), y2 = samples(f2, phi, low, h);
  RawMoments m;
  double before1 = 0, before2 = 0;
  for (int j = 1; j < steps; ++j) {
    const double p1 = y1[static_cast<size_t>(j - 1)], p2 = y2[static_cast<size_t>(j - 1)];
    const double F1 = before1 + p1 / 2, F2 = before2 + p2 / 2;
    const double w = wait == Wait::Last ? p1 * F2 + p2 * F1 : p1 * (1 - F2) + p2 * (1 - F1);
    addPowers(m, w, low + j * h + x1.mean);
    before1 += p1;
    before2 += p2;
  }
  return checked(m);
}

} // namespace quincunx::published
