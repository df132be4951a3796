// A law known by its log-density in a coordinate of its own, tabulated on panels: every Pearson
// law, maximum entropy and the places of order statistics are one of these. Reference:
// docs/09-percentiles-and-bounds.md.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/dist/Distribution.h"

#include <array>
#include <memory>
#include <span>

namespace quincunx {

/// What makes a law: a coordinate d, increasing with the standardised place x, in which the density
/// is smooth and falls off exponentially or faster. d = 0 lies where it is large.
class Shape {
public:
  virtual ~Shape() = default;
  /// ln of the density of d, up to a constant, at each of `d`.
  virtual void logDensity(std::span<const double> d, std::span<double> out) const = 0;
  /// x(d) and dx/dd at each of `d`.
  virtual void places(std::span<const double> d, std::span<double> x,
                      std::span<double> stretch) const = 0;
  double place(double d) const;
  /// d(x).
  virtual double coordinate(double x) const = 0;
  /// The inverse at many places; whatever where they lie outside the support.
  virtual void coordinates(std::span<const double> x, std::span<double> out) const;
  /// The range of x; an end may be infinite.
  virtual Range support() const = 0;
  /// Beyond these d, x has reached its end in double precision.
  virtual Range window() const = 0;
  /// True when nothing lies beyond the window; else tails go on as exponentials of d.
  virtual bool endsThere() const { return false; }
  /// The density of -d is that of d.
  virtual bool isSymmetric() const { return false; }
  /// About one deviation of d near 0: the width of the first panel.
  virtual double spread() const = 0;
};

/// Where the line starts and how it is measured: t = origin + scale x. scale < 0 mirrors the shape.
struct Frame {
  double origin = 0, scale = 1;
};

/// The law of origin + scale X. `known` is what moments() answers. Refuses a shape that cannot be
/// resolved.
Result<DistributionPtr> makePanelLaw(std::unique_ptr<const Shape> shape, const Frame &frame,
                                     const Moments &known);

} // namespace quincunx
