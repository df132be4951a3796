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
  /// The same at many places in any order; ascending ones cost the least.
  void tails(std::span<const double> d, std::span<Tails> out) const;
  /// d with P(D <= d) = p, or, if `upper`, P(D > d) = p; 0 < p <= about 1/2, for the digits.
  double quantile(double p, bool upper) const;
  /// ln of the mass under exp(logDensity): subtract it to normalise.
  double logMass() const { return logTotal; }
  /// Ascending edges of up to `most` panels joined, none further apart than `step`.
  std::vector<double> edges(double step, size_t most) const;

private:
  struct Panel {
    double low = 0, high = 0;
    double below = 0, mass = 0, above = 0; ///< mass below the panel, in it and above it
    double atLow = 0, atHigh = 0;          ///< density at the ends
    PanelValues density{};                 ///< Legendre coefficients
    PanelIntegral part{};                  ///< of the mass from `low` on
    double half() const { return (high - low) / 2; }
  };
  struct End {
    double mass = 0, slope = 1; ///< beyond the panels: mass exp(-slope distance)
  };
  bool march(const Shape &shape, int direction, double limit, std::vector<Panel> &out, End &end);
  void accumulate();
  size_t find(double d) const;
  double refine(const Panel &panel, double p, bool upper) const;

  std::vector<Panel> panels;
  End lowEnd, highEnd;
  double logTotal = 0;
};

} // namespace quincunx
