#include "Conditions.h"

#include "LockSections.h"

#include <algorithm>
#include <map>
#include <optional>

namespace quincunx {

namespace {

bool isSignal(qx_strand_kind kind) {
  return kind == QX_STRAND_SIGNAL || kind == QX_STRAND_BROADCAST;
}
bool isOfCondition(qx_strand_kind kind) {
  return kind >= QX_STRAND_SLEEP && kind <= QX_STRAND_BROADCAST;
}

/// Of one condition variable.
class ConditionReader {
public:
  ConditionReader(const std::vector<StrandThread> &a, const StrandGraph &g, uint64_t c, uint64_t l)
      : all(a), graph(g), condition(c), lock(l) {}

  /// `signalOf`: by node, who was woken by whom.
  std::optional<Condition> read(const std::map<uint32_t, uint32_t> &signalOf) {
    for (size_t t = 0; t < all.size(); ++t)
      if (!addSections(t))
        return std::nullopt;
    for (std::vector<LockSection> &own : out.sections)
      for (LockSection &s : own) {
        if (s.signals)
          out.sitesOfSignals.insert(s.site);
        if (!s.slept.empty())
          out.sitesOfWaits.insert(s.site);
        if (s.awake == 0)
          continue;
        const auto signal = signalOf.find(s.awake);
        const auto by =
            signal != signalOf.end() ? signalledBy.find(signal->second) : signalledBy.end();
        if (by == signalledBy.end())
          return std::nullopt;
        s.by = &out.sections[by->second.first][by->second.second];
      }
    return std::move(out);
  }

private:
  uint32_t nodeOf(size_t thread, size_t event) const {
    return graph.beginOf(thread) + static_cast<uint32_t>(event) + 1;
  }

  /// False: it signals without having had the lock, or waits for a time only.
  bool addSections(size_t t) {
    const StrandEvents &events = all[t].events;
    std::vector<LockSection> &own = out.sections.emplace_back();
    for (size_t i = 0; i < events.size(); ++i) {
      const StrandEvent &e = events[i];
      if (e.object == lock && takesLock(e.kind) && comesToLock(events, i)) {
        addSection(t, i, own);
      } else if (e.object != condition || !isOfCondition(e.kind)) {
        continue;
      } else if (e.kind == QX_STRAND_TIMEOUT || own.empty()) {
        return false;
      } else if (e.kind == QX_STRAND_SLEEP) {
        own.back().slept.push_back(events[i - 1].order);
      } else if (e.kind == QX_STRAND_WAKE) {
        own.back().awake = nodeOf(t, i);
        own.back().wakes.push_back(nodeOf(t, i));
        out.wakes.insert(nodeOf(t, i));
      } else if (isSignal(e.kind)) {
        own.back().signals = true;
        signalledBy[nodeOf(t, i)] = {t, own.size() - 1};
      }
    }
    return true;
  }

  void addSection(size_t t, size_t i, std::vector<LockSection> &own) const {
    const StrandEvents &events = all[t].events;
    const size_t end = doneWith(events, i);
    size_t first = i + 1;
    while (first < end && (events[first].object != lock || events[first].kind != QX_STRAND_UNLOCK))
      ++first;
    if (first < events.size())
      own.push_back({.thread = t,
                     .site = events[i].site,
                     .came = nodeOf(t, i),
                     .givenUp = nodeOf(t, first),
                     .end = nodeOf(t, end),
                     .first = events[first].order,
                     .last = end < events.size() ? events[end].order : UINT32_MAX});
  }

  const std::vector<StrandThread> &all;
  const StrandGraph &graph;
  const uint64_t condition, lock;
  std::map<uint32_t, std::pair<size_t, size_t>> signalledBy; ///< by node: thread, section
  Condition out;
};

/// By condition variable: locks with which it is waited on, or else those that who signals it has
/// had last; `unknown`: there is none.
class LocksOfConditions {
public:
  static constexpr uint64_t unknown = UINT64_MAX;

  explicit LocksOfConditions(const std::vector<StrandThread> &all) {
    for (const StrandThread &t : all)
      read(t.events);
    for (const auto &[condition, locks] : ofSignals)
      ofWaits.try_emplace(condition, locks);
  }

  /// The lock of a condition variable, if it has one, and one of the program's.
  std::map<uint64_t, uint64_t> only() const {
    std::map<uint64_t, uint64_t> locks;
    for (const auto &[condition, of] : ofWaits)
      if (of.size() == 1 && *of.begin() != unknown && !ofAny.contains(*of.begin()))
        locks[condition] = *of.begin();
    return locks;
  }

private:
  void read(const StrandEvents &events) {
    uint64_t last = unknown;
    for (size_t i = 0; i < events.size(); ++i) {
      const StrandEvent &e = events[i];
      if (i > 0)
        if (const auto own = ownLockOfCondition(events, i))
          ofAny.insert(*own);
      if (takesLock(e.kind))
        last = e.object;
      else if (e.kind == QX_STRAND_SLEEP)
        ofWaits[e.object].insert(
            i > 0 && events[i - 1].kind == QX_STRAND_UNLOCK ? events[i - 1].object : unknown);
      else if (isSignal(e.kind))
        ofSignals[e.object].insert(last);
    }
  }

  std::map<uint64_t, std::set<uint64_t>> ofWaits, ofSignals;
  std::set<uint64_t> ofAny; ///< locks that std::condition_variable_any has for itself
};

} // namespace

std::vector<const LockSection *> Condition::at(const std::set<uint32_t> &sites) const {
  std::vector<const LockSection *> found;
  for (const std::vector<LockSection> &own : sections)
    for (const LockSection &s : own)
      if (sites.contains(s.site))
        found.push_back(&s);
  return found;
}

std::vector<Condition> conditionsOf(const std::vector<StrandThread> &all,
                                    const StrandGraph &graph) {
  std::map<uint32_t, uint32_t> signalOf;
  for (const StrandGraph::Edge &e : graph.edges())
    if (const size_t t = graph.threadOf(e.to);
        t < all.size() && e.to != graph.beginOf(t) && graph.eventOf(e.to).kind == QX_STRAND_WAKE)
      signalOf[e.to] = e.from;
  std::vector<Condition> found;
  for (const auto &[condition, lock] : LocksOfConditions(all).only())
    if (auto c = ConditionReader(all, graph, condition, lock).read(signalOf))
      found.push_back(std::move(*c));
  return found;
}

} // namespace quincunx
