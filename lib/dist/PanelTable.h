// The table behind a law on panels, in the coordinate d of its shape.
#pragma once

#include "Panels.h"
#include "quincunx/base/Result.h"
#include "quincunx/dist/PanelLaw.h"

#include <array>
#include <span>
#include <vector>

namespace quincunx {

/// Both tails and quantiles of the coordinate d, from the log-density alone. Outside the panels a
/// tail goes on as the exponential it had become.
class PanelTable {
public:
  static Result<PanelTable> make(const Shape &shape);

  Tails tails(double d) const;
  /// tails() at many places in any order; neighbours in one panel cost the least.
  void tails(std::span<const double> d, TailSpans out) const;
  /// d with P(D <= d) = p, or, if `upper`, P(D > d) = p; 0 < p <= about 1/2, for the digits.
  double quantile(double p, bool upper) const;
  /// ln of the mass under exp(logDensity): subtract it to normalise.
  double logMass() const { return logTotal; }
  /// Ascending edges of the panels, split so that none is wider than `step` and the density falls
  /// by no more than e^`fall` within one.
  std::vector<double> edges(double step, double fall) const;

private:
  /// Between panels, and at both ends: logarithms of the tails, what these gain as d grows by 1,
  /// and what ln of the density gains.
  struct Edge {
    double logBelow, logAbove, slopeBelow, slopeAbove, slopeOfDensity;
  };
  /// The density at d = low + half (1 + x) is e sum_k q_k x^k, e = factor e^(-tilt x), and its
  /// integral A(d) = e sum_k part_k x^k: what lies below d is `below` + A, above it `above` - A.
  /// Row k is part_k, q_k, (k + 1) q_k+1, 0: the derivative of the polynomial comes along.
  struct Panel {
    double low, high, tilt, factor, below, above;
    std::array<PanelQuad, panelPoints + 1> rows;
    double half() const { return (high - low) / 2; }
    double exponentialAt(double x) const {
      return tilt == 0 ? factor : factor * std::exp(-tilt * x);
    }
  };
  struct Ends {
    double A0, A1, f0, f1, g0, g1; ///< integral, density and slope of ln density at both ends
  };
  /// The first four of them, not yet normalised, and by how much the terms of a sum exceed it.
  static PanelQuad integrate(std::span<const SampledPanel> sampled, std::array<Panel, 4> &panels,
                             std::array<Ends, 4> &ends);
  /// What integrate() computed for each panel: rows of four numbers, one of each panel.
  enum IntegralRow : size_t { factorAt, A0, A1, F0, F1, G0, G1, growthAt, resultCount };
  static void takeOver(std::span<const SampledPanel> sampled,
                       const std::array<PanelQuad, resultCount> &out, std::array<Panel, 4> &panels,
                       std::array<Ends, 4> &ends);
  static void tailsInside(const Panel &p, std::span<const double> d, TailSpans out);
  void accumulate(std::span<const Ends> ends);
  size_t find(double d) const;
  double refine(size_t panel, double p, double logP, bool upper) const;
  double start(size_t panel, double logP, bool upper) const;

  std::vector<Panel> panels;
  std::vector<Edge> between; ///< one more than panels
  PanelEnd lowEnd, highEnd;
  double logTotal = 0;
};

} // namespace quincunx
