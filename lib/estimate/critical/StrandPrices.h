// What strands cost beside each other, learnt from how long runs with several threads took. All
// counts of a run cost the same at first; where some parts of a program cost more (what the kernel
// does when memory is used for the first time, libraries, caches), the time of a run is right and
// what of it threads share is not. Runs of the plain program with several threads tell that.
// Reference: docs/27-parallel.md.
#pragma once

#include "quincunx/strands/StrandDescription.h"

#include <string>

namespace quincunx {

struct StrandKind {
  StrandPlace place;
  bool ofFirst = false; ///< as StrandDescription has it
  auto operator<=>(const StrandKind &) const = default;
};
/// Factors, by what strands are; of those that are not there, 1. The work of a run stays what it
/// is, so that only their proportions count.
using StrandPrices = std::map<StrandKind, double>;

/// What there is of a kind of strands in a run.
struct StrandShares {
  double chain = 0; ///< of what its time consists of, one after another
  double work = 0;  ///< of the work
};

/// A run that was timed with several threads.
struct TimedStrands {
  std::string label, input;
  uint32_t threads = 0; ///< that it was asked to have
  /// How many times as long as it is told its input took with one thread; 1 where that was not
  /// timed. It is what prices of the run are off by, which those of its strands do not change.
  double alone = 1;
  double off = 0; ///< its time by the clock over what is told and `alone`, less 1
  std::map<StrandKind, StrandShares> shares;
};

/// `chain`: of the longest one, by class of work.
std::map<StrandKind, StrandShares> sharesOf(const StrandDescription &description,
                                            const std::vector<double> &chain);

/// That of the prices with which the work of a run stays what it is.
double scaleOf(const StrandDescription &description, const StrandPrices &prices);
/// The work of each strand times its price, times `scale`.
void reprice(StrandDescription &description, const StrandPrices &prices, double scale);

/// Prices with which `runs`, told by `before`, would be off least: ridge regression (Hoerl and
/// Kennard, Technometrics 12(1), 1970) with the noise that tells inputs best that are left out.
/// Beforehand a factor is 1, with a variance of 1/4 over the share of the work that it is of: what
/// is much consists of many things, not all of which are dear.
StrandPrices learnPrices(const std::vector<TimedStrands> &runs, const StrandPrices &before);

} // namespace quincunx
