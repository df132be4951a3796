// A lock that is not there is one that nobody else ever has, so that all else is as with locks. Who
// waits on a condition variable gives up the lock that it has, whatever that has become, and has
// the same again.
#include "LockChanges.h"

#include <map>

namespace quincunx {

namespace {

class LockChanger {
public:
  LockChanger(const StrandChanges &c, const std::set<uint64_t> &o) : changes(c), owned(o) {}

  void change(std::vector<StrandEvent> &events) {
    std::map<uint64_t, std::vector<uint64_t>> held; // objects instead, by object
    std::map<uint64_t, uint64_t> given;             // the same, to wait for something
    for (size_t i = 0; i < events.size(); ++i) {
      StrandEvent &e = events[i];
      const uint64_t object = e.object;
      if (!owned.contains(object))
        continue;
      if (takesLock(e.kind)) {
        const auto again = given.find(object);
        e.object = again != given.end()    ? again->second
                   : !held[object].empty() ? held[object].back() // it has it already
                                           : insteadOf(e);
        held[object].push_back(e.object);
        given.erase(object);
      } else if (e.kind == QX_STRAND_UNLOCK && !held[object].empty()) {
        e.object = held[object].back();
        held[object].pop_back();
        if (i + 1 < events.size() && events[i + 1].kind == QX_STRAND_SLEEP)
          given[object] = e.object;
      }
    }
  }

private:
  /// Neither records nor teams have such objects.
  static constexpr uint64_t firstOfOurs = uint64_t{2} << QX_STRAND_OBJECT;

  uint64_t insteadOf(const StrandEvent &e) {
    if (changes.unlocked.contains(e.site))
      return newFor(e.object);
    const auto apart = changes.apart.find(e.site);
    if (apart == changes.apart.end())
      return e.object;
    const auto [lock, isNew] = others.try_emplace({e.object, apart->second});
    if (isNew)
      lock->second = newFor(e.object);
    return lock->second;
  }
  /// One of the same kind.
  uint64_t newFor(uint64_t object) {
    next += 2;
    return next | (object & QX_STRAND_QUEUED);
  }

  const StrandChanges &changes;
  const std::set<uint64_t> &owned;
  std::map<std::pair<uint64_t, uint32_t>, uint64_t> others; ///< by lock and number of the split
  uint64_t next = firstOfOurs;
};

} // namespace

bool changeLocks(const StrandChanges &changes, const std::set<uint64_t> &owned,
                 std::vector<StrandThread> &threads) {
  if (changes.unlocked.empty() && changes.apart.empty())
    return false;
  LockChanger changer(changes, owned);
  for (StrandThread &t : threads)
    changer.change(t.events);
  return true;
}

} // namespace quincunx
