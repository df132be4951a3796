// One of two builds that are compared: what its runs counted, and what that costs.
#pragma once

#include "RepetitionNoise.h"
#include "estimate/explain/Attribution.h"
#include "estimate/price/Prices.h"

namespace quincunx {

class PricedBuild {
public:
  /// `maps` must outlive it.
  PricedBuild(CountMatrix matrix, const std::vector<Map> &maps, const Machine &machine);
  PricedBuild(const PricedBuild &) = delete;
  PricedBuild &operator=(const PricedBuild &) = delete;

  const CountMatrix &matrix() const { return counts; }
  const BlockCosts &costs() const { return priced; }
  const FunctionRows &rows() const { return functions; }
  /// As BlockCosts::scale(), unless setScales() says otherwise; one per run.
  const std::vector<double> &scales() const { return scale; }
  void setScales(std::vector<double> perRun) { scale = std::move(perRun); }
  /// What a row of functions costs in each run, and cumulants of the cost of each run.
  std::vector<double> perRun(size_t row) const;
  std::vector<Cumulants> runs() const;
  /// Of the functions and lines, in the mean over inputs; `runsOf`: the runs of each input.
  struct Means {
    PerPart parts;
    std::vector<SourceLine> lines; ///< parallel to the lines of parts
  };
  Means means(std::span<const std::vector<size_t>> runsOf) const;

private:
  CountMatrix counts;
  BlockCosts priced;
  FunctionRows functions;
  Prices prices;
  std::vector<double> scale;
};

} // namespace quincunx
