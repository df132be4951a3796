// Branch records from histograms of run lengths.
// The idea: of the count of outcomes, exact lengths take their part; the rest is shared by the
// ranges. A range of c lengths from a to b takes c a and its share of what is then left, in
// proportion to c (b - a), rounded so that the sum is right. Its total t is c - t mod c lengths of
// t div c and t mod c that are one longer. A range without an upper end takes what is left when the
// others are at their middles. Reference: docs/05-branches.md. It does not look at other runs.
#include "quincunx/model/Recorded.h"

#include <algorithm>

namespace quincunx {

namespace {

using Wide = unsigned __int128;

constexpr uint64_t open = UINT64_MAX; ///< of a range without an upper end

/// A range, and where its lengths go.
struct Part {
  Lengths range;
  std::map<uint64_t, uint64_t> *to;
};

/// `count` lengths that add up to `total`, as equal as they can be.
void place(const Part &p, Wide total) {
  const uint64_t c = p.range.count, longer = static_cast<uint64_t>(total % c);
  const auto length = static_cast<uint64_t>(total / c);
  if (c > longer)
    (*p.to)[length] += c - longer;
  if (longer > 0)
    (*p.to)[length + 1] += longer;
}

/// Gives each part, beyond its least, a share of `rest` in proportion to its size.
template <class Size> void share(const std::vector<Part> &parts, Wide rest, Size size) {
  Wide sizes = 0;
  for (const Part &p : parts)
    sizes += size(p.range);
  for (const Part &p : parts) {
    const Wide own = size(p.range), part = sizes == 0 ? 0 : rest * own / sizes;
    place(p, Wide{p.range.count} * p.range.low + part);
    rest -= part;
    sizes -= own;
  }
}

/// The sum of all lengths of one outcome is `total`, if ranges allow. False: there are more
/// outcomes than a program can have.
bool placeAll(const Histogram &ended, const Histogram &cut, double total, RunLengths &out) {
  constexpr Wide most = Wide{1} << 63;
  std::vector<Part> closed, endless;
  Wide least = 0, slack = 0;
  for (const auto &[histogram, to] : {std::pair(&ended, &out.completed), std::pair(&cut, &out.cut)})
    for (const Lengths &l : *histogram) {
      least += Wide{l.count} * l.low;
      if (l.high == l.low)
        (*to)[l.low] += l.count;
      else if (l.high == open)
        endless.push_back({l, to});
      else
        closed.push_back({l, to}), slack += Wide{l.count} * (l.high - l.low);
    }
  if (least >= most || slack >= most || !(total < 0x1p63))
    return false;
  const Wide wanted = total > 0 ? static_cast<Wide>(total) : 0;
  const Wide extra = wanted > least ? wanted - least : 0;
  const Wide ofClosed = std::min(extra, endless.empty() ? slack : slack / 2);
  share(closed, ofClosed, [](const Lengths &l) { return Wide{l.count} * (l.high - l.low); });
  share(endless, extra - ofClosed, [](const Lengths &l) { return Wide{l.count}; });
  return true;
}

} // namespace

Result<BranchRecord> branchRecord(const Function &f, uint32_t branch,
                                  std::span<const uint64_t> counters,
                                  const FunctionCounts &counts) {
  const Branch &b = f.branches[branch];
  if (!hasRuns(b))
    return Error{"the branch's runs were not recorded"};
  const double taken = counts.edges[b.arms[0]].value, falses = counts.edges[b.arms[1]].value;
  const BranchRuns runs = branchRuns(f, b, counters);
  BranchRecord record;
  if (!placeAll(runs.endedTrue, runs.cutTrue, taken, record.ofTrue) ||
      !placeAll(runs.endedFalse, runs.cutFalse, falses, record.ofFalse))
    return Error{"the branch has more outcomes than a program can have"};
  record.taken = static_cast<uint64_t>(std::max(0.0, taken));
  record.n = record.taken + static_cast<uint64_t>(std::max(0.0, falses));
  record.firstTrue = runs.firstTrue;
  record.instances = runs.firstTrue + runs.firstFalse;
  return record;
}

} // namespace quincunx
