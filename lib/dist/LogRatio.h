// The density of the logarithm of a ratio of gamma variables, behind Pearson's types I, III, V and
// VI and the places of order statistics.
#pragma once

#include "quincunx/dist/PanelLaw.h"
#include "quincunx/numeric/Elementary.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace quincunx {

/// ln(G/H) for gamma variables of shapes a and b, in the distance from its mode ln(a/b):
///   g(d) = a d - (a+b) ln(1 + p (e^d - 1)),  p = a/(a+b), P = b/(a+b).
/// An infinite shape is a constant: then g(d) = -b (e^-d - 1 + d) or -a (e^d - 1 - d).
class LogRatio : public Shape {
public:
  LogRatio(double shapeA, double shapeB)
      : a(shapeA), b(shapeB), r(a + b), p(share(a, b)), P(share(b, a)) {}

  void logDensity(std::span<const double> d, std::span<double> out) const override {
    if (std::isinf(b))
      inLanes(d, out, [this](Lanes x) QUINCUNX_INLINED { return -a * quickExpm1MinusX(x); });
    else if (std::isinf(a))
      inLanes(d, out, [this](Lanes x) QUINCUNX_INLINED { return -b * quickExpm1MinusX(-x); });
    else if (r <= 100)
      inStages(d, out, fall,
               [this](Lanes x, const Exponential &e) QUINCUNX_INLINED { return far(x, e); });
    else
      inStages(d, out, fall, [this](Lanes x, const Exponential &e) QUINCUNX_INLINED {
        return near(x, far(x, e));
      });
  }
  bool isSymmetric() const override { return a == b; }
  // g'' = -a b/(a+b)
  double spread() const override { return 1 / std::sqrt(p < P ? a * P : b * p); }

  /// ln(a/b), the mode: d = 0 there.
  double modeAbove() const { return std::log(a) - std::log(b); }

protected:
  static double share(double of, double other) {
    return std::isinf(of) ? 1 : std::isinf(other) ? 0 : of / (of + other);
  }
  /// e^-|d|
  static constexpr auto fall = [](Lanes d)
                                   QUINCUNX_INLINED { return quickExponential(-absolute(d)); };
  /// For small r, or far from the mode, where the difference is of the size of the terms.
  QUINCUNX_LANES Lanes far(Lanes d, const Exponential &e) const {
    const Lanes rest = d < 0 ? lanes(P) : lanes(p), part = d < 0 ? lanes(p) : lanes(P),
                slope = d < 0 ? lanes(a) : lanes(b);
    return -slope * absolute(d) - r * quickLog(rest + part * e.all, part * e.less1);
  }
  /// Around the mode both terms of g are nearly r and their difference is quadratic in d: with
  /// u = p (e^d - 1), g = r (u - ln(1 + u)) - a (e^d - 1 - d), and the same from the other side.
  QUINCUNX_LANES Lanes near(Lanes d, Lanes otherwise) const {
    const Lanes x = p < P ? d : -d, beyond = quickExpm1MinusX(x), u = std::min(p, P) * (beyond + x);
    return u < 1 ? r * quickXMinusLog1p(u) - std::min(a, b) * beyond : otherwise;
  }

  double a, b, r, p, P;
};

/// Type I: x = width (y - p), y = 1/(1 + e^-z); y - p = p P (e^d - 1)/(1 + p (e^d - 1)).
class BetaShape final : public LogRatio {
public:
  BetaShape(double shapeA, double shapeB)
      : LogRatio(shapeA, shapeB), width(std::sqrt((r + 1) / (p * P))) {}
  void places(std::span<const double> d, std::span<double> x,
              std::span<double> stretch) const override {
    inLanes(d, x, stretch, [this](Lanes at) QUINCUNX_INLINED { return placeAt(at); });
  }
  double coordinate(double x) const override {
    const double at[] = {x};
    double d[1];
    coordinates(at, d);
    return d[0];
  }
  void coordinates(std::span<const double> x, std::span<double> out) const override {
    inLanes(x, out, [this](Lanes at) QUINCUNX_INLINED { return coordinateAt(at); });
  }
  Range support() const override { return {-width * p, width * P}; }
  Range window() const override {
    const double z = modeAbove();
    return {std::min(-42 - z, -3.0), std::max(42 - z, 3.0)};
  }

private:
  // With e = e^-|d| - 1: x = width p P e/(P + p e^-|d|) below the mode; above it -x, p and P
  // change places. dx/dd = width p P e^-|d|/(P + p e^-|d|)^2
  QUINCUNX_LANES std::pair<Lanes, Lanes> placeAt(Lanes d) const {
    const auto [E, e] = quickExponential(-absolute(d));
    const Lanes inverse = 1 / (d < 0 ? P + p * E : p + P * E), part = width * p * P * inverse,
                x = part * e;
    return {d < 0 ? x : -x, part * E * inverse};
  }
  // e^d - 1 = v/(p (P - v)), e^d = P (p + v)/(p (P - v)), v = x/width
  QUINCUNX_LANES Lanes coordinateAt(Lanes x) const {
    const Lanes v = x / width, rest = p * (P - v), e = v / rest;
    const Lanes ratio = absolute(e) < 0.5 ? 1 + e : P * (p + v) / rest;
    return quickLog(ratio, absolute(e) < 0.5 ? e : ratio - 1);
  }

  double width;
};

} // namespace quincunx
