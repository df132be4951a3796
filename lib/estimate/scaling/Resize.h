// What runs of other sizes would cost: by the runs near these sizes, and where there are too few by
// a law of growth (SizeLaw.h).
#pragma once

#include "NearRuns.h"
#include "PairedBootstrap.h"
#include "quincunx/estimate/CountMatrix.h"
#include "quincunx/estimate/Note.h"
#include "quincunx/estimate/SizeLaw.h"

#include <optional>

namespace quincunx {

/// Other sizes than the runs have.
struct SizeChange {
  std::string feature;
  double value = 1; ///< the size of all runs, or a factor of the size of each
  bool isFactor = false;
};

/// Runs that have the feature, and a positive one, in ascending order of size.
std::vector<Sized> sizesOf(const std::vector<CountMatrix::Row> &rows, const std::string &feature);
/// Which sizes there are, in words.
std::string sizesIn(const std::vector<CountMatrix::Row> &rows, const std::string &feature);

/// The sizes that a law of growth carried, or that nothing carried.
struct SizesBeyond {
  double share = 0;         ///< of the runs
  double low = 0, high = 0; ///< what was asked of these
  bool grow = true;         ///< they are larger than those that ran, or smaller
  std::vector<uint32_t> runs;
};

struct Resized {
  CostSample world;
  /// Per figure asked: of the world, and of its difference to that before.
  std::vector<IntervalEstimate> after, difference;
  SizesBeyond beyond;
  std::optional<SizePrediction> law; ///< of the sizes beyond
  std::string second;                ///< another feature that it knows; empty: none
  std::string open;                  ///< why no law carries them; empty: one does
  uint64_t without = 0;              ///< runs without a size, or one of 0
};

/// `before` and `parts`: one part per run, as they were and as they are but for the size. Nothing
/// asked: the world alone, for a sweep. Errors: sizes that too few runs are near and no law
/// carries, with the runs that would do; up to 5 % of the runs may be such where the size of each
/// grows, and then are open.
Result<Resized> resize(const std::vector<CountMatrix::Row> &rows, const CostSample &before,
                       const std::vector<MixtureComponent> &parts, const SizeChange &change,
                       const std::vector<Statistic> &asked, size_t groups);

/// Widens intervals to hold whatever the sizes beyond cost: from nothing to any number.
void openBeyond(Resized &r, const std::vector<Statistic> &asked);
/// What has to be said about sizes that no runs were near.
std::vector<Note> notesOn(const Resized &r, const std::string &feature);

} // namespace quincunx
