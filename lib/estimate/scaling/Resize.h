// What runs of other sizes would cost. Inside the sizes that were profiled by the runs that have
// nearly that size; outside by a law of growth (SizeLaw.h).
#pragma once

#include "PairedBootstrap.h"
#include "quincunx/estimate/CountMatrix.h"
#include "quincunx/estimate/SizeLaw.h"

#include <optional>

namespace quincunx {

/// A run that has the feature, and a positive one.
struct Sized {
  double size = 0;
  uint32_t run = 0;
};

/// Other sizes than the runs have.
struct SizeChange {
  double value = 1; ///< the size of all runs, or a factor of the size of each
  bool isFactor = false;
};

/// In ascending order of size.
std::vector<Sized> sizesOf(const std::vector<CountMatrix::Row> &rows, const std::string &feature);
/// Which sizes there are, in words.
std::string sizesIn(const std::vector<CountMatrix::Row> &rows, const std::string &feature);

/// Parts that stand for the new sizes, and the run that each comes from.
struct Resized {
  std::vector<MixtureComponent> parts;
  std::vector<uint32_t> run;
};

/// `all` is not empty. `parts`: one per run, as they are. Nothing when too few runs are near the
/// new sizes.
std::optional<Resized> resizeInside(const std::vector<Sized> &all,
                                    const std::vector<MixtureComponent> &parts,
                                    const SizeChange &change);

/// What the law says.
struct Extrapolated {
  CostSample world;
  SizePrediction prediction;
  /// Per figure asked: of the figure, and of its difference to that before. Empty when nothing was
  /// asked.
  std::vector<Interval> after, difference;
};

/// The same by a law of growth; `before`: one part per run. Errors: runs that were stopped, no law
/// (SizeLaw.h).
Result<Extrapolated> resizeOutside(const std::vector<Sized> &all, const CostSample &before,
                                   const std::vector<MixtureComponent> &parts,
                                   const SizeChange &change, const std::vector<Statistic> &asked,
                                   size_t groups);

} // namespace quincunx
