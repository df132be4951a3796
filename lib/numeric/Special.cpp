// Special functions: the only file that includes Boost.Math.
// The idea: keep one door to the library, with a policy under which it never throws, and compute
// each tail by its own expansion. Reference: Boost.Math, DiDonato & Morris (1986) for the
// incomplete gamma and beta functions. It fits nothing and knows no laws as objects.
#include "quincunx/numeric/Special.h"

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>

#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace quincunx {

namespace {
namespace bp = boost::math::policies;
using Quiet =
    bp::policy<bp::domain_error<bp::ignore_error>, bp::pole_error<bp::ignore_error>,
               bp::overflow_error<bp::ignore_error>, bp::underflow_error<bp::ignore_error>,
               bp::evaluation_error<bp::ignore_error>, bp::rounding_error<bp::ignore_error>,
               bp::promote_double<false>>;
} // namespace

double normalCdf(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }
double normalSurvival(double z) { return 0.5 * std::erfc(z / std::numbers::sqrt2); }
double normalDensity(double z) {
  return std::exp(-0.5 * z * z) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
}
double normalQuantile(double p) {
  assert(p > 0 && p < 1 && "a quantile needs a probability inside (0, 1)");
  return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * p, Quiet());
}

double gammaCdf(double a, double x) {
  assert(a > 0 && x >= 0 && "the gamma law has a positive shape and support");
  return std::isinf(x) ? 1 : boost::math::gamma_p(a, x, Quiet());
}
double gammaSurvival(double a, double x) {
  assert(a > 0 && x >= 0 && "the gamma law has a positive shape and support");
  return std::isinf(x) ? 0 : boost::math::gamma_q(a, x, Quiet());
}
double gammaDensity(double a, double x) {
  assert(a > 0 && x >= 0 && "the gamma law has a positive shape and support");
  if (x == 0)
    return a < 1 ? std::numeric_limits<double>::infinity() : a == 1 ? 1 : 0;
  return std::isinf(x) ? 0 : boost::math::gamma_p_derivative(a, x, Quiet());
}

// x^2/2! + x^3/3! + ...: the terms of degree 0 and 1 would cancel
double expm1MinusX(double x) {
  if (std::abs(x) > 0.5)
    return std::expm1(x) - x;
  static constexpr auto inverseFactorial = [] {
    std::array<double, 16> f{1};
    for (size_t k = 1; k < f.size(); ++k)
      f[k] = f[k - 1] / static_cast<double>(k);
    return f;
  }();
  double sum = 0;
  for (size_t k = inverseFactorial.size(); k-- > 2;)
    sum = sum * x + inverseFactorial[k];
  return sum * x * x;
}

double betaCdf(double a, double b, double x) {
  assert(a > 0 && b > 0 && "shapes of a beta law");
  return x <= 0 ? 0 : x >= 1 ? 1 : boost::math::ibeta(a, b, x, Quiet());
}

double studentQuantile(double freedom, double p) {
  assert(freedom >= 1 && p > 0 && p < 1 && "Student's t has at least one degree of freedom");
  return boost::math::quantile(boost::math::students_t_distribution<double, Quiet>(freedom), p);
}

// P(B <= k) = I_{1-p}(n-k, k+1)
double binomialCdf(int64_t k, uint64_t n, double p) {
  assert(p >= 0 && p <= 1 && "a probability");
  if (k < 0)
    return 0;
  if (std::cmp_greater_equal(k, n) || p == 0)
    return 1;
  if (p == 1)
    return 0;
  const double up = static_cast<double>(k) + 1;
  return boost::math::ibetac(up, static_cast<double>(n) - static_cast<double>(k), p, Quiet());
}

} // namespace quincunx
