// Whom calls through pointers call, as told from counts: sites and the functions that were entered
// without being called by name, run by run. It knows numbers only, and no program.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace quincunx {

class PointerTargets {
public:
  using PerRun = std::vector<double>;
  /// `calls`: per site; `entries`: per function, without those that are explained; `callers`: per
  /// function, the sites that may call it.
  using Sites = std::vector<size_t>;
  PointerTargets(std::vector<PerRun> calls, std::vector<PerRun> entries,
                 std::vector<Sites> callers);

  /// The same where the calls of a site are two: `first` of them in each run, which stand in its
  /// place, and the others, behind all sites.
  PointerTargets split(size_t site, const PerRun &first) const;

  /// One more target, behind the functions: calls that entered none of them.
  uint32_t elsewhere() const { return static_cast<uint32_t>(entries.size()) - 1; }
  /// Of the calls of a site in each run, those that enter one target.
  struct Share {
    uint32_t target = 0;
    PerRun value;
  };
  /// Those that are not 0 in all runs; they add up to 1.
  std::span<const Share> of(size_t site) const { return shares[site]; }

  /// Least and most that the share may be in a run: of 90 % where it is estimated.
  struct Bounds {
    double low = 0, high = 0;
  };
  Bounds bounds(size_t site, uint32_t target, size_t run) const;
  /// May a call of the site have entered the target in a run, whatever is estimated?
  bool isPossible(size_t site, uint32_t target, size_t run) const;
  using Part = std::pair<uint32_t, double>; ///< a target, its share
  /// The shares within their bounds that cost least, or most, when a call of a target costs
  /// `costs[target]`; of any `portion` of the calls of the site.
  std::vector<Part> extreme(size_t site, size_t run, std::span<const double> costs, bool most,
                            double portion = 1) const;
  /// All shares are known, in all runs.
  bool isKnown(size_t site) const { return known[site]; }

private:
  /// What regression says of one target: the shares of it in the calls of the sites are the same in
  /// all runs.
  struct Fit {
    bool holds = false;        ///< the counts do not contradict it
    bool exact = false;        ///< and leave nothing
    std::vector<double> share; ///< per site
    std::vector<double> error; ///< per site: half of the 90 % interval
    std::vector<double> limit; ///< per site: most that it may be where it cannot be told
    std::vector<bool> told;    ///< per site: from the others
  };
  /// Targets that the same sites may call.
  struct Group {
    Sites sites;
    std::vector<bool> has; ///< per site
    PerRun calls;          ///< of all of them
  };
  struct Design;
  struct RunShares;
  const Group &groupFor(uint32_t target) const { return groups[groupOf[target]]; }
  void findGroups(std::vector<Sites> callers);
  Design designOf(const Group &group, std::vector<size_t> runs) const;
  std::vector<size_t> runsWith(const PerRun *entered) const;
  static double at(const double *column, size_t run);
  Fit fitOf(uint32_t target, const Design &design) const;
  void findLimits(uint32_t target, const std::vector<size_t> &runs, Fit &fit) const;
  void settleShares();
  void spread(size_t site);
  /// A share that regression does not know.
  struct Moved {
    size_t site = 0;
    uint32_t target = 0;
    double share = 0;
  };
  std::vector<Moved> settleRun(size_t run);
  double shareOf(size_t site, uint32_t target, size_t run) const;
  void prepareBounds();
  bool findKnown(size_t site) const;

  std::vector<PerRun> calls, entries;
  std::vector<Group> groups;
  std::vector<uint32_t> groupOf; ///< per target
  PerRun total;                  ///< calls of all sites
  PerRun outside;                ///< entries that no site can have made, of all targets
  bool closed = true;            ///< as many entries as calls, in all runs
  std::vector<Fit> fits;         ///< per target
  std::vector<std::vector<Share>> shares;
  std::vector<std::vector<uint32_t>> numbers; ///< per site and target: of the share; noShareOf: 0
  std::vector<PerRun> expected; ///< per target: entries that its fit expects; empty: it holds not
  std::vector<bool> known;
};

} // namespace quincunx
