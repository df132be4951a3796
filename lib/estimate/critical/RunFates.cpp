// A run is simulated as often as what is kept of it makes a difference: once where nothing could
// come otherwise.
#include "RunFates.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>

namespace quincunx {

namespace {

parallel::Setting settingOf(const StrandDescription &description, double processors, Keep keep) {
  parallel::Setting setting;
  setting.cores = processors;
  setting.atOnce = description.atOnce;
  setting.keepPieces = keep == Keep::pieces;
  return setting;
}

} // namespace

Result<Drawn> simulateDrawn(const parallel::Description &d, const parallel::Setting &setting) {
  constexpr uint64_t fewestDraws = 3, mostDraws = 19, enough = 20000;
  Result<parallel::Simulated> s = parallel::simulate(d, setting);
  if (!s)
    return s.error();
  const double only = s->makespan;
  if (!s->isDrawn)
    return Drawn{std::move(*s), only, only};
  const uint64_t draws = std::clamp(enough / (s->tasks + 1), fewestDraws, mostDraws) | 1;
  parallel::Setting each = setting;
  each.keepPieces = false;
  const Result<std::vector<double>> times = parallel::makespans(d, each, draws);
  if (!times)
    return times.error();
  std::vector<uint64_t> order(draws);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](uint64_t r) { return std::pair((*times)[r], r); });
  each = setting;
  each.seed += order[draws / 2];
  if (each.seed != setting.seed)
    s = parallel::simulate(d, each);
  return s ? Result<Drawn>(Drawn{std::move(*s), (*times)[order.front()], (*times)[order.back()]})
           : s.error();
}

Result<parallel::Simulated> simulate(const StrandDescription &description, double processors) {
  return parallel::simulate(description.description,
                            settingOf(description, processors, Keep::times));
}

Result<Fate> fateOf(const StrandHistory &run, double processors, Kept kept, Chunks chunks,
                    Keep keep, const RunPrices &prices) {
  Fate fate{{}, run.describe(kept, chunks)};
  fate.scale = prices.scale > 0 ? prices.scale : scaleOf(fate.description, prices.prices);
  reprice(fate.description, prices.prices, fate.scale);
  Result<Drawn> drawn =
      simulateDrawn(fate.description.description, settingOf(fate.description, processors, keep));
  if (!drawn)
    return drawn.error();
  static_cast<Drawn &>(fate) = std::move(*drawn);
  return fate;
}

Result<Fate> freestOf(const StrandHistory &run, double processors, Keep keep,
                      const RunPrices &prices) {
  for (const Kept kept : {Kept::nothing, Kept::jobs})
    if (Result<Fate> fate = fateOf(run, processors, run.least(kept), Chunks::dealt, keep, prices))
      return fate;
  return fateOf(run, processors, Kept::order, Chunks::dealt, keep, prices);
}

Result<Fates> fatesOf(const Run &run, double processors, const StrandChanges &changes, Keep keep,
                      const RunPrices &prices) {
  const Result<StrandHistory> history = StrandHistory::of(run.strands.front(), changes);
  if (!history)
    return history.error();
  std::array<std::optional<Result<Fate>>, 3> all; // by what is kept
  const auto of = [&](Kept kept) -> Result<Fate> & {
    const Kept least = history->least(kept);
    std::optional<Result<Fate>> &fate = all[static_cast<size_t>(least)];
    if (!fate)
      fate = fateOf(*history, processors, least, Chunks::dealt, keep, prices);
    return *fate;
  };
  Result<Fate> &free = of(Kept::nothing), &withJobs = of(Kept::jobs), &inOrder = of(Kept::order);
  if (!inOrder)
    return inOrder.error();
  const double order = inOrder->simulated.makespan;
  const double jobs = withJobs ? withJobs->simulated.makespan : order;
  const Kept needed = free ? Kept::nothing : withJobs ? Kept::jobs : Kept::order;
  return Fates{std::move(*(free ? free : withJobs ? withJobs : inOrder)), jobs, order, needed};
}

std::vector<WaitedFor> waitsOf(const Fate &fate, double perCount) {
  const StrandDescription &d = fate.description;
  std::map<std::pair<qx_strand_kind, uint32_t>, double> times;
  const auto add = [&](const std::vector<StrandWait> &whats, const auto &waits) {
    for (size_t i = 0; i < whats.size(); ++i)
      if (whats[i].kind != 0 && waits[i].time > 0)
        times[{whats[i].kind, whats[i].site}] += waits[i].time * perCount;
  };
  add(d.channels, fate.simulated.channels);
  add(d.barriers, fate.simulated.barriers);
  std::vector<StrandWait> queues;
  for (const uint32_t site : d.queues)
    queues.push_back({QX_STRAND_WAKE, site});
  add(queues, fate.simulated.pools);
  add(d.locks, fate.simulated.locks);
  std::vector<WaitedFor> out;
  for (const auto &[what, time] : times)
    out.push_back({{what.first, what.second}, time});
  std::ranges::stable_sort(out, std::greater<>(), &WaitedFor::time);
  return out;
}

std::vector<double> chainByClass(const Fate &fate) {
  const parallel::Simulated &s = fate.simulated;
  std::vector<double> chain(fate.description.works.size(), 0);
  for (uint32_t p = s.last; p != noIndex; p = s.pieces[p].previous)
    chain[s.pieces[p].workClass] += s.pieces[p].end - s.pieces[p].begin;
  return chain;
}

std::map<StrandPlace, double> chainOf(const Fate &fate, double perCount) {
  const std::vector<double> classes = chainByClass(fate);
  std::map<StrandPlace, double> chain;
  for (size_t c = 0; c < classes.size(); ++c)
    if (classes[c] > 0)
      chain[fate.description.works[c]] += classes[c] * perCount;
  return chain;
}

} // namespace quincunx
