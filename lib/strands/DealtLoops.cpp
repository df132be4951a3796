// A chunk costs what it takes to come to it: 10 to 60 counts in the program, more in the library,
// where no clock counts. What ran has the former in its iterations; with other chunks it is another
// amount, which nobody knows.
#include "DealtLoops.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

using Dealing = StrandChanges::Dealing;
using parallel::Schedule;

/// Chunks for each iteration.
double chunksPerIteration(const Dealing &d, double iterations, uint32_t threads) {
  constexpr double ofGuided = 16; // for each thread, as chunks shrink
  const double shares = threads / iterations;
  if (threads == 1)
    return 1 / iterations;
  switch (d.schedule) {
  case Schedule::fixed:
    return shares;
  case Schedule::guided:
    return ofGuided * shares;
  default:
    return 1 / std::max(static_cast<double>(d.chunk), 1.0);
  }
}

class LoopDealer {
public:
  LoopDealer(const LogicalThreads &l, const StrandChanges &c, const std::set<uint64_t> &o,
             uint32_t h)
      : logical(l), changes(c), owned(o), had(h) {}

  DealtLoops deal() {
    out.keepsChunks = logical.loops.empty();
    std::set<size_t> leaders;
    for (const TeamLoop &l : logical.loops) {
      count += mayBe(l) ? 1 : 0;
      for (const TeamLoop::Part &p : l.parts)
        if (l.teamSize > 1 && p.member == 0 && !isSerial(l))
          leaders.insert(p.thread);
    }
    haveOneLeader = leaders.size() <= 1;
    for (const TeamLoop &l : logical.loops)
      if (mayBe(l))
        deal(l);
      else if (l.teamSize > 1)
        out.keepsChunks |= !dealingOf(l).isKnown;
      else if (had != 0)
        giveToOne(l);
    return std::move(out);
  }

private:
  const Dealing *changeOf(const TeamLoop &l) const {
    const auto at = changes.schedules.find(l.site);
    return at != changes.schedules.end() ? &at->second : nullptr;
  }
  /// Has it threads of its own?
  bool isSerial(const TeamLoop &l) const {
    const Dealing *change = changeOf(l);
    return change != nullptr && change->isSerial;
  }
  bool mayBe(const TeamLoop &l) const {
    return l.teamSize > 1 && (had != 0 || changeOf(l) != nullptr || dealingOf(l).isByChance());
  }

  void deal(const TeamLoop &l) {
    const Dealing *change = changeOf(l);
    const LoopDealing was = dealingOf(l);
    Result<SharedLoop> shared = sharedLoop(l, logical.strands.threads, owned, groupsOf(l));
    if (!shared)
      return leave(change, shared.error().text);
    if (shared->perCost > 1 && groupsOf(l) < uint64_t{fewest} * l.teamSize)
      return leave(change, "there are too many loops of too many iterations for so many threads");
    if (!haveOneLeader && !isSerial(l))
      return leave(change, "several threads make teams, which share the library's workers");
    if (change == nullptr && !was.isKnown)
      return leave(change, "its schedule is chosen when it runs, or its iterations have an order");
    const Dealing before{was.schedule, was.chunk}, after = change != nullptr ? *change : before;
    if (was.isKnown)
      out.ofChunks = std::max(out.ofChunks, ofChunks(before, after, *shared, l.teamSize));
    out.loops.push_back({std::move(*shared), after, change != nullptr || had != 0});
  }

  /// How many groups of neighbours are told apart, at most: as many for each thread, so that equal
  /// shares are equal.
  uint64_t groupsOf(const TeamLoop &l) const {
    constexpr uint64_t most = 1 << 14, mostOfRun = 1 << 18, mostInMemory = 1 << 22, usual = 64;
    const uint64_t groups = std::max(std::min(most, mostOfRun / count),
                                     std::min(usual * l.teamSize, mostInMemory / count));
    return std::max<uint64_t>(groups / l.teamSize, 1) * l.teamSize;
  }

  /// One thread has all of it as it is, in one chunk.
  void giveToOne(const TeamLoop &l) {
    const LoopDealing was = dealingOf(l);
    const Dealing dealing{was.schedule, was.chunk};
    const Result<SharedLoop> all = sharedLoop(l, logical.strands.threads, owned, 1);
    if (all && was.isKnown)
      out.ofChunks = std::max(out.ofChunks, ofChunks(dealing, dealing, *all, 1));
  }

  void leave(const Dealing *change, const std::string &why) {
    if (change != nullptr || had != 0)
      out.whyNot = why;
    out.keepsChunks = true;
  }

  double ofChunks(const Dealing &before, const Dealing &after, const SharedLoop &loop,
                  uint32_t threads) const {
    constexpr double ofChunk = 15; // counts
    const double iterations =
        loop.perCost *
        static_cast<double>(std::max<size_t>(loop.loop.costs.size(), loop.iterations));
    const double more = chunksPerIteration(after, iterations, threads) -
                        chunksPerIteration(before, iterations, had != 0 ? had : threads);
    return loop.perIteration > 0 ? std::abs(more) * ofChunk / loop.perIteration : 0;
  }

  static constexpr uint32_t fewest = 32; ///< groups of neighbours, for each thread
  const LogicalThreads &logical;
  const StrandChanges &changes;
  const std::set<uint64_t> &owned;
  const uint32_t had;
  size_t count = 0;
  bool haveOneLeader = true;
  DealtLoops out;
};

} // namespace

DealtLoops dealtLoops(const LogicalThreads &logical, const StrandChanges &changes,
                      const std::set<uint64_t> &owned, uint32_t had) {
  return LoopDealer(logical, changes, owned, had).deal();
}

} // namespace quincunx
