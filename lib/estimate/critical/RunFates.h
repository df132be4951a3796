// What a run with threads comes to on so many processors. Reference: docs/27-parallel.md. In
// counts.
#pragma once

#include "StrandPrices.h"

#include "quincunx/estimate/ParallelTimes.h"

namespace quincunx {

/// As threads race for tasks: the median draw, and the times of the least and the most.
struct Drawn {
  parallel::Simulated simulated;
  double soonest = 0, latest = 0;
};
/// With so few draws that they take no longer than one run with 20,000 tasks, or three; with 19
/// least and most hold 90 % of what another one comes to.
Result<Drawn> simulateDrawn(const parallel::Description &d, const parallel::Setting &setting);

struct Fate : Drawn {
  StrandDescription description;
  double scale = 1; ///< of the prices of its strands
};

/// Of pieces one needs many (chainOf(), workOfRows()).
enum class Keep : bool { times, pieces };

Result<parallel::Simulated> simulate(const StrandDescription &description, double processors);
/// What strands of a run cost; `scale` 0: what leaves its work what it is.
struct RunPrices {
  StrandPrices prices = {};
  double scale = 0;
};
Result<Fate> fateOf(const StrandHistory &run, double processors, Kept kept,
                    Chunks chunks = Chunks::dealt, Keep keep = Keep::times,
                    const RunPrices &prices = {});
/// With what is kept least of what does not make threads wait for each other forever.
Result<Fate> freestOf(const StrandHistory &run, double processors, Keep keep,
                      const RunPrices &prices);

/// What a run comes to, whatever stays as it was.
struct Fates {
  Fate fate;
  double withJobs = 0, inOrder = 0; ///< counts
  Kept needed = Kept::nothing;      ///< else threads would wait for each other forever
};
Result<Fates> fatesOf(const Run &run, double processors, const StrandChanges &changes,
                      Keep keep = Keep::times, const RunPrices &prices = {});

/// What threads wait for, over all that wait for the same, the longest first.
std::vector<WaitedFor> waitsOf(const Fate &fate, double perCount);
/// What its time consists of in counts, by class of work, of a fate that keeps its pieces.
std::vector<double> chainByClass(const Fate &fate);
/// The same by what strands are.
std::map<StrandPlace, double> chainOf(const Fate &fate, double perCount);

} // namespace quincunx
