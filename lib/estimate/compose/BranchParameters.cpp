// Rates of branches and trips of loops, from counts and, where they were recorded, from run lengths
// and trip histograms.
// The idea: a histogram gives the shape, counts give the mean, exactly; what was not recorded falls
// back to the rule with the fewest assumptions, which is said. Reference: docs/05-branches.md,
// docs/06-loops-and-exits.md. It chooses no model: the caller does.
#include "BranchParameters.h"

#include "quincunx/cost/Branch.h"
#include "quincunx/model/Recorded.h"
#include "quincunx/profile/Recorders.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

double sum(const FunctionCounts &counts, const std::vector<uint32_t> &edges) {
  double all = 0;
  for (const uint32_t e : edges)
    all += counts.edges[e].value;
  return all;
}

/// Trips with the spread of the histogram and the mean of the counts.
Cumulants recordedTrips(const Histogram &histogram, double mean) {
  std::vector<Cumulants> values;
  std::vector<double> weights;
  for (const Lengths &l : histogram) {
    const double low = static_cast<double>(l.low);
    const double middle =
        l.high == UINT64_MAX ? low * 1.125 : low + static_cast<double>(l.high - l.low) / 2;
    values.push_back({middle, 0, 0, 0});
    weights.push_back(static_cast<double>(l.count));
  }
  Cumulants k = mixture(values, weights);
  const double scale = k.k1 > 0 ? mean / k.k1 : 0;
  return {mean, k.k2 * scale * scale, k.k3 * scale * scale * scale,
          k.k4 * scale * scale * scale * scale};
}

std::optional<Cumulants> tripsOf(const Loop &loop, const FunctionCounts &counts,
                                 std::span<const uint64_t> words, bool constant) {
  const double entered = sum(counts, loop.entryEdges);
  if (entered <= 0)
    return std::nullopt;
  const double mean = sum(counts, loop.backEdges) / entered;
  if (constant)
    return Cumulants{mean, 0, 0, 0};
  if (loop.recorder != noIndex)
    if (const Histogram h = loopTrips(loop, words); !h.empty())
      return recordedTrips(h, mean);
  if (!loop.trips.empty())
    return Cumulants{mean, 0, 0, 0};
  return std::nullopt;
}

Result<Rate> empirical(const BranchFractions::OfBranch &f) {
  const auto runs = static_cast<double>(f.shares.size());
  BranchRecord record;
  const double each = std::max(1.0, std::round(f.n / runs));
  record.n = static_cast<uint64_t>(each) * f.shares.size();
  for (const double share : f.shares)
    record.counts.add(share * each);
  record.taken =
      std::min(record.n, static_cast<uint64_t>(std::llround(record.counts.moments().mean * runs)));
  return empiricalRate(record);
}

/// The beta form of the thesis where it exists, with the mean and variance of renewal.
Result<Rate> thesisRate(const BranchRecord &record) {
  Result<Rate> beta = thesisBetaRate(record);
  return beta ? beta : renewalRate(record);
}

} // namespace

void addBranchShares(uint32_t function, const Function &f, const FunctionCounts &counts,
                     std::vector<BranchShare> &into) {
  for (uint32_t b = 0; b < f.branches.size(); ++b) {
    if (f.branches[b].isSwitch)
      continue;
    const double taken = counts.edges[f.branches[b].arms[0]].value;
    if (const double n = taken + counts.edges[f.branches[b].arms[1]].value; n > 0)
      into.push_back({function, b, taken / n, n});
  }
}

void BranchFractions::add(std::span<const BranchShare> shares) {
  for (const BranchShare &s : shares) {
    if (all.size() <= s.function)
      all.resize(s.function + size_t{1});
    std::vector<OfBranch> &own = all[s.function];
    if (own.size() <= s.branch)
      own.resize(s.branch + size_t{1});
    own[s.branch].shares.push_back(s.taken);
    own[s.branch].n += s.n;
  }
}

const std::vector<BranchFractions::OfBranch> *BranchFractions::of(uint32_t function) const {
  return function < all.size() && !all[function].empty() ? &all[function] : nullptr;
}

Result<BranchParameters>
branchParametersOf(const Function &f, const FunctionCounts &counts, std::span<const uint64_t> words,
                   const ModelOptions &options,
                   const std::vector<BranchFractions::OfBranch> *fractions) {
  BranchParameters known;
  for (const Loop &loop : f.loops)
    known.loops.push_back(tripsOf(loop, counts, words, options.publishedMethod));
  for (uint32_t b = 0; b < f.branches.size(); ++b) {
    const Branch &branch = f.branches[b];
    if (branch.isSwitch || branch.arms[0] == branch.arms[1])
      continue;
    const double taken = counts.edges[branch.arms[0]].value;
    const double n = taken + counts.edges[branch.arms[1]].value;
    if (n <= 0)
      continue;
    ModelledBranch m{b, n, std::clamp(taken / n, 0.0, 1.0), {}, {}, {}};
    Result<Rate> rate = Error{""};
    if (branch.leaves != noIndex)
      rate = Error{"the trips of its loop say when"};
    else if (branch.ofIndex && !options.publishedMethod)
      rate = Rate{{m.p, 0, 0, 0}, {}, 0};
    else if (options.branch == "renewal" || options.publishedMethod) {
      const Result<BranchRecord> record = branchRecord(f, b, words, counts);
      if (!record)
        rate = record.error();
      else
        rate = options.publishedMethod ? thesisRate(*record) : renewalRate(*record);
    } else if (options.branch == "empirical" && fractions != nullptr)
      rate = empirical((*fractions)[b]);
    if (rate) {
      // The mean is that of the counts, exactly.
      rate->perExecution.k1 = m.p;
      m.rate = rate->perExecution;
    } else
      m.why = rate.error().text;
    known.branches.push_back(std::move(m));
  }
  return known;
}

} // namespace quincunx
