// The idea: the errors of functions are independent, and each is a share of something that is
// known: of what the cost of the function changes by; of its code of which the blocks were not
// there before, whose square grows with the share of it (a new block in a loop may cost the loop
// its registers); and of all functions of which the code is other at all, which stand elsewhere in
// memory. Calibrations know what a function costs on the inputs they saw better than that.
#include "PriceErrors.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace quincunx {

namespace {

/// Relative standard deviations: of a change of what functions do; of new code; of code in a
/// function that is other somewhere.
constexpr double ofChange = 0.25, ofNewCode = 0.5, ofPlace = 0.02;

/// Per block, 1 where the other build has no more of its code.
std::vector<double> unmatched(const std::vector<uint64_t> &blocks,
                              const std::vector<uint64_t> &others) {
  std::map<uint64_t, size_t> left;
  for (const uint64_t hash : others)
    ++left[hash];
  std::vector<double> out;
  for (const uint64_t hash : blocks) {
    size_t &n = left[hash];
    out.push_back(n == 0 ? 1 : 0);
    n -= n > 0;
  }
  return out;
}

/// What each run spends in blocks that the other build does not have.
std::vector<double> costOf(const PricedBuild &build, size_t f, std::vector<double> blocks) {
  const size_t calls = build.costs().function(f).calls.size();
  return build.costs().partPerRun(f, {std::move(blocks), std::vector<double>(calls)});
}

/// Of one compiled function of the build after; `was`: the same one before.
double varianceOfCode(const BuildPair &builds, std::optional<size_t> was, size_t is) {
  const BlockCosts &before = builds.before.costs(), &after = builds.after.costs();
  CostSeries all{{}, after.perRun(is, 0)};
  if (!was) {
    const double cost = ofNewCode * pairedCosts(all, builds.pairs).meanAfter();
    return cost * cost;
  }
  all.before = before.perRun(*was, 0);
  const std::vector<uint64_t> old = blockHashes(before.function(*was)),
                              now = blockHashes(after.function(is));
  std::vector<double> gone = unmatched(old, now), added = unmatched(now, old);
  if (std::ranges::count(gone, 1) + std::ranges::count(added, 1) == 0)
    return 0;
  const PairedCosts whole = pairedCosts(all, builds.pairs);
  const PairedCosts parts = pairedCosts(
      {costOf(builds.before, *was, std::move(gone)), costOf(builds.after, is, std::move(added))},
      builds.pairs);
  const double cost = std::max(whole.meanBefore(), whole.meanAfter());
  const double part = std::max(parts.meanBefore(), parts.meanAfter());
  return ofNewCode * ofNewCode * part * cost + ofPlace * ofPlace * cost * cost;
}

/// Functions of a row that were compiled after, each with the one that it was: by name, and what is
/// left in order.
std::vector<std::pair<std::optional<size_t>, size_t>> compiledPairs(const BuildPair &builds,
                                                                    const FunctionMatch &match) {
  std::vector<std::pair<std::optional<size_t>, size_t>> out;
  if (match.after == FunctionMatch::none)
    return out;
  for (const size_t is : builds.after.rows().compiled(match.after))
    out.emplace_back(std::nullopt, is);
  if (match.before == FunctionMatch::none)
    return out;
  std::vector<size_t> left = builds.before.rows().compiled(match.before);
  for (const bool isByName : {true, false})
    for (auto &[was, is] : out) {
      const auto at = std::ranges::find_if(left, [&](size_t f) {
        return !isByName ||
               builds.before.costs().function(f).name == builds.after.costs().function(is).name;
      });
      if (was || at == left.end())
        continue;
      was = *at;
      left.erase(at);
    }
  return out;
}

} // namespace

double priceDeviation(const BuildPair &builds, std::span<const MatchedCosts> all) {
  double variance = 0;
  for (const MatchedCosts &one : all) {
    const double change = ofChange * pairedCosts(one.costs, builds.pairs).difference();
    variance += change * change;
  }
  for (const MatchedCosts &one : all)
    for (const auto &[was, is] : compiledPairs(builds, one.match))
      variance += varianceOfCode(builds, was, is);
  return std::sqrt(variance);
}

} // namespace quincunx
