// Each logical thread is a body, in which a strand is work. An edge between threads is a channel on
// which one posts and the other takes, but for that to the beginning of a thread, which forks it,
// and those by a meeting, at which all arrive before they pass. The first body begins what nobody
// else does and waits until all have ended, as a process does.
#include "quincunx/strands/StrandDescription.h"

#include "LogicalThreads.h"
#include "StrandGraph.h"

#include <algorithm>
#include <map>
#include <set>

namespace quincunx {

namespace {

using parallel::Body;

bool takesLock(qx_strand_kind kind) {
  return kind == QX_STRAND_LOCK || kind == QX_STRAND_WAITED || kind == QX_STRAND_READ_LOCK;
}

/// How a thread has locks: one that it has is not waited for again.
class Held {
public:
  /// Does it wait for this, and does it give this back?
  bool takes(uint64_t object) { return depth[object]++ == 0; }
  bool gives(uint64_t object) {
    const auto at = depth.find(object);
    if (at == depth.end() || --at->second > 0)
      return false;
    depth.erase(at);
    return true;
  }
  bool has(uint64_t object) const { return depth.contains(object); }
  const std::map<uint64_t, size_t> &all() const { return depth; }

private:
  std::map<uint64_t, size_t> depth;
};

/// Locks that who has them gives back.
std::set<uint64_t> ownedLocks(const std::vector<StrandThread> &threads) {
  std::set<uint64_t> owned, others;
  for (const StrandThread &t : threads) {
    Held held;
    for (const StrandEvent &e : t.events)
      if (takesLock(e.kind)) {
        held.takes(e.object);
        owned.insert(e.object);
      } else if (e.kind == QX_STRAND_UNLOCK) {
        if (!held.has(e.object))
          others.insert(e.object);
        held.gives(e.object);
      }
    for (const auto &[object, depth] : held.all())
      others.insert(object);
  }
  for (const uint64_t object : others)
    owned.erase(object);
  return owned;
}

class Describer {
public:
  Describer(const std::vector<StrandThread> &t, bool locksAsTheyWere)
      : threads(t), owned(locksAsTheyWere ? std::set<uint64_t>() : ownedLocks(t)) {}

  StrandDescription describe(const StrandGraph &graph) {
    out.description.bodies.resize(threads.size() + 1);
    out.description.channels.emplace_back(); // on which each thread posts its end
    out.channels.emplace_back();
    connect(graph);
    for (size_t t = 0; t < threads.size(); ++t)
      follow(t, graph.beginOf(t));
    Body &first = out.description.bodies.front();
    for (size_t t = 0; t < threads.size(); ++t)
      if (!isForked[t])
        first.push_back(parallel::fork(bodyOf(t)));
    first.insert(first.end(), threads.size(), parallel::take(0));
    return std::move(out);
  }

private:
  /// What a thread does at a node beside having a lock or giving it back.
  struct AtNode {
    Body before, after;
  };

  void connect(const StrandGraph &graph) {
    isForked.assign(threads.size(), false);
    std::map<uint32_t, uint32_t> meetings; // their number, by node
    for (const StrandGraph::Edge &e : graph.edges()) {
      const size_t from = graph.threadOf(e.from), to = graph.threadOf(e.to);
      if (e.isLock && owned.contains(graph.eventOf(e.to).object))
        continue;
      if (to == threads.size()) {
        const auto [at, isNew] = meetings.try_emplace(e.to, out.barriers.size());
        if (isNew) {
          out.description.barriers.push_back(0);
          out.barriers.push_back(waitAt(graph.eventOf(e.from)));
        }
        ++out.description.barriers[at->second];
        atNode[e.from].after.push_back(parallel::arrive(at->second));
      } else if (from == threads.size()) {
        atNode[e.to].before.push_back(parallel::pass(meetings.at(e.from)));
      } else if (e.to == graph.beginOf(to) && !isForked[to]) {
        isForked[to] = true;
        atNode[e.from].after.push_back(parallel::fork(bodyOf(to)));
      } else {
        const auto channel = static_cast<uint32_t>(out.channels.size());
        out.channels.push_back(e.to == graph.beginOf(to) ? StrandWait{}
                                                         : waitAt(graph.eventOf(e.to)));
        out.description.channels.emplace_back();
        atNode[e.from].after.push_back(parallel::post(channel));
        atNode[e.to].before.push_back(parallel::take(channel));
      }
    }
  }

  static uint32_t bodyOf(size_t thread) { return static_cast<uint32_t>(thread + 1); }
  /// Whether it had to wait for a lock was chance.
  static StrandWait waitAt(const StrandEvent &e) {
    return {takesLock(e.kind) ? QX_STRAND_LOCK : e.kind, e.site};
  }

  uint32_t lockOf(const StrandEvent &e) {
    const auto [at, isNew] = numbers.try_emplace(e.object, out.locks.size());
    if (isNew)
      out.locks.push_back(waitAt(e));
    out.description.locks = static_cast<uint32_t>(out.locks.size());
    return at->second;
  }

  void follow(size_t t, uint32_t node) {
    Body &body = out.description.bodies[bodyOf(t)];
    const auto add = [&](const Body &steps) {
      body.insert(body.end(), steps.begin(), steps.end());
    };
    const auto meet = [&](const StrandEvent *e, Held &held) {
      const auto at = atNode.find(node);
      if (at != atNode.end())
        add(at->second.before);
      if (e != nullptr && owned.contains(e->object)) {
        if (takesLock(e->kind) && held.takes(e->object))
          body.push_back(e->kind == QX_STRAND_READ_LOCK ? parallel::share(lockOf(*e))
                                                        : parallel::lock(lockOf(*e)));
        else if (e->kind == QX_STRAND_UNLOCK && held.gives(e->object))
          body.push_back(parallel::unlock(lockOf(*e)));
      }
      if (at != atNode.end())
        add(at->second.after);
    };
    Held held;
    uint64_t clock = 0;
    meet(nullptr, held);
    for (const StrandEvent &e : threads[t].events) {
      ++node;
      if (e.clock > clock)
        body.push_back(parallel::work(static_cast<double>(e.clock - clock)));
      clock = e.clock;
      meet(&e, held);
    }
    body.push_back(parallel::post(0));
  }

  const std::vector<StrandThread> &threads;
  const std::set<uint64_t> owned; ///< addresses
  StrandDescription out;
  std::map<uint32_t, AtNode> atNode;
  std::map<uint64_t, uint32_t> numbers; ///< of locks
  std::vector<bool> isForked;
};

} // namespace

Result<StrandDescription> describeStrands(const ProcessStrands &strands, bool locksAsTheyWere) {
  if (const Status whole = checkWhole(strands); !whole)
    return whole.error();
  const LogicalThreads logical = logicalThreads(strands);
  const StrandGraph graph(logical.strands);
  StrandDescription out = Describer(logical.strands.threads, locksAsTheyWere).describe(graph);
  out.atOnce = static_cast<uint32_t>(std::max<size_t>(strands.threads.size(), 1));
  return out;
}

} // namespace quincunx
