#include "SeveralLocks.h"

#include "LockSections.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace quincunx {

double evennessAtLocks(const std::vector<StrandThread> &all, const StrandGraph &graph,
                       const std::set<uint64_t> &owned) {
  struct Comer {
    std::set<uint64_t> locks;
    size_t times = 0;
  };
  const std::vector<uint32_t> created = graph.sitesOfCreation();
  std::map<std::pair<uint32_t, uint32_t>, std::map<size_t, Comer>> places; // site, of creation
  for (size_t t = 0; t < all.size(); ++t)
    for (size_t i = 0; i < all[t].events.size(); ++i)
      if (const StrandEvent &e = all[t].events[i];
          takesLock(e.kind) && owned.contains(e.object) && comesToLock(all[t].events, i)) {
        Comer &comer = places[{e.site, created[t]}][t];
        comer.locks.insert(e.object);
        ++comer.times;
      }
  double least = 1;
  for (const auto &[place, comers] : places) {
    double sum = 0, most = 0;
    bool haveSeveral = false, areUneven = false;
    for (const auto &[t, comer] : comers) {
      const auto work = static_cast<double>(all[t].events.back().clock);
      sum += work;
      most = std::max(most, work);
      haveSeveral = haveSeveral || comer.locks.size() > 1;
      areUneven = areUneven || comer.times != comers.begin()->second.times;
    }
    if (haveSeveral && areUneven && most > 0)
      least = std::min(least, sum / static_cast<double>(comers.size()) / most);
  }
  return least;
}

namespace {
/// OpenMP's library makes threads once, for all teams there are.
bool isOfTeam(const StrandEvent &e) { return e.kind == QX_STRAND_MEMBER; }
} // namespace

double evennessOfIdle(const std::vector<StrandThread> &process, const StrandGraph &graph) {
  constexpr double hardly = 0.01;
  const std::vector<uint32_t> created = graph.sitesOfCreation();
  std::map<uint32_t, std::vector<double>> works; // by site of creation
  for (size_t t = 0; t < process.size(); ++t)
    if (const std::vector<StrandEvent> &events = process[t].events;
        created[t] != 0 && !events.empty() && std::ranges::none_of(events, isOfTeam))
      works[created[t]].push_back(static_cast<double>(events.back().clock));
  double least = 1;
  for (const auto &[site, of] : works) {
    const double most = std::ranges::max(of);
    const auto idle = std::ranges::count_if(of, [&](double work) { return work < hardly * most; });
    if (2 * idle >= std::ssize(of))
      least = std::min(least, std::accumulate(of.begin(), of.end(), 0.0) /
                                  (most * static_cast<double>(of.size())));
  }
  return least;
}

} // namespace quincunx
