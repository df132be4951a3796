// Private to lib/dist: the table behind a law on panels, in the coordinate d of its shape.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/dist/PanelLaw.h"
#include "quincunx/numeric/Quadrature.h"

namespace quincunx {

/// Both tails and quantiles of the coordinate d, from the log-density alone. Outside the panels a
/// tail goes on as the exponential it had become.
class PanelTable {
public:
  static Result<PanelTable> make(const Shape &shape);

  Tails tails(double d) const;
  /// The same at many places in any order; neighbours in one panel cost the least.
  void tails(std::span<const double> d, TailSpans out) const;
  /// d with P(D <= d) = p, or, if `upper`, P(D > d) = p; 0 < p <= about 1/2, for the digits.
  double quantile(double p, bool upper) const;
  /// ln of the mass under exp(logDensity): subtract it to normalise.
  double logMass() const { return logTotal; }
  /// Ascending edges of the panels, split so that none is wider than `step` and the density falls
  /// by no more than e^`fall` within one.
  std::vector<double> edges(double step, double fall) const;

private:
  /// Between panels, and at both ends: logarithms of the tails and what these gain as d grows by 1.
  struct Edge {
    double logBelow, logAbove, slopeBelow, slopeAbove;
  };
  /// The density at d = low + half (1 + x) is e^(-tilt x) sum_k q_k x^k, and its integral
  /// A(d) = e^(-tilt x) sum_k part_k x^k: what lies below d is `below` + A, above it `above` - A.
  struct Panel {
    double low = 0, high = 0, tilt = 0;
    double below = 0, above = 0;
    PanelValues q{};
    std::array<double, panelPoints + 4> part{}; ///< the last three are 0
    double half() const { return (high - low) / 2; }
  };
  struct End {
    double mass = 0, slope = 1; ///< beyond the panels: mass exp(-slope distance)
  };
  struct Trial;
  bool march(const Shape &shape, int direction, double limit, std::vector<Panel> &out, End &end);
  void accumulate();
  size_t find(double d) const;
  double refine(size_t panel, double p, double logP, bool upper) const;

  std::vector<Panel> panels;
  std::vector<Edge> between; ///< one more than panels
  End lowEnd, highEnd;
  double logTotal = 0;
};

} // namespace quincunx
