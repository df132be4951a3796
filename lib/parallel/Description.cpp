// Steps, and whether a description can be followed.
// The idea: bodies may hold each other in any order, so that one that holds itself is found by
// going through them depth first, with a list instead of recursion. Reference: docs/27-parallel.md.
#include "quincunx/parallel/Description.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

namespace quincunx::parallel {

Step work(double amount, uint32_t workClass) {
  return {.kind = StepKind::work, .object = workClass, .amount = amount};
}
Step lock(uint32_t number, bool isTried) {
  return {.kind = StepKind::lock, .nowait = isTried, .object = number};
}
Step share(uint32_t number) { return {.kind = StepKind::share, .object = number}; }
Step lockAll(uint32_t first, uint32_t locks) {
  return {.kind = StepKind::lockAll, .object = first, .count = locks};
}
Step unlock(uint32_t number, bool getsAhead) {
  return {.kind = StepKind::unlock, .nowait = getsAhead, .object = number};
}
Step barrier(uint32_t number) { return {.kind = StepKind::barrier, .object = number}; }
Step arrive(uint32_t barrier) { return {.kind = StepKind::arrive, .object = barrier}; }
Step pass(uint32_t barrier, uint32_t arrived) {
  return {.kind = StepKind::pass, .object = barrier, .count = arrived};
}
Step once(uint32_t barrier, uint32_t body) {
  return {.kind = StepKind::once, .object = barrier, .body = body};
}
Step last(uint32_t barrier, uint32_t body) {
  return {.kind = StepKind::last, .object = barrier, .body = body};
}
Step teamBarrier() { return {.kind = StepKind::barrier}; }
Step post(uint32_t channel) { return {.kind = StepKind::post, .object = channel}; }
Step take(uint32_t channel, bool isOfTasks) {
  return {.kind = StepKind::take, .object = channel, .count = isOfTasks ? 1u : 0u};
}
Step fork(uint32_t body, bool isMember) {
  return {.kind = StepKind::fork, .body = body, .count = isMember};
}
Step join(uint32_t which) { return {.kind = StepKind::join, .object = which}; }
Step team(uint32_t body, uint32_t threads) {
  return {.kind = StepKind::team, .body = body, .count = threads};
}
Step loop(uint32_t number, bool nowait) {
  return {.kind = StepKind::loop, .nowait = nowait, .object = number};
}
Step portion(uint32_t loop, uint32_t member) {
  return {.kind = StepKind::portion, .object = loop, .count = member};
}
Step single(uint32_t body, bool nowait) {
  return {.kind = StepKind::single, .nowait = nowait, .body = body};
}
Step task(uint32_t body, uint32_t firstUse, uint32_t uses) {
  return {.kind = StepKind::task, .object = firstUse, .body = body, .count = uses};
}
Step taskwait() { return {.kind = StepKind::taskwait}; }
Step taskgroup(uint32_t body) { return {.kind = StepKind::taskgroup, .body = body}; }
Step put(uint32_t pool, uint32_t which) {
  return {.kind = StepKind::put, .object = pool, .count = which};
}
Step deal(uint32_t pool) { return {.kind = StepKind::deal, .object = pool}; }
Step firstOf(uint32_t firstBody, uint32_t bodies) {
  return {.kind = StepKind::firstOf, .body = firstBody, .count = bodies};
}

namespace {
/// That a body begins with; noIndex: it begins with something else.
uint32_t lockOf(const Body &body) {
  return !body.empty() && body.front().kind == StepKind::lock ? body.front().object : noIndex;
}
bool isWork(double amount) { return amount >= 0 && std::isfinite(amount); }

/// Of the numbers [first, first + count) some are not there.
bool misses(uint32_t first, uint64_t count, size_t there) { return first + count > there; }

struct Checker {
  const Description &d;

  bool areLocks(const Step &s) const {
    if (s.count == 0 || misses(s.object, s.count, d.together.size()))
      return false;
    const std::set<uint32_t> all(d.together.begin() + s.object,
                                 d.together.begin() + s.object + s.count);
    return all.size() == s.count && *all.rbegin() < d.locks;
  }

  /// What is wrong with a step, or nothing.
  std::string fault(const Step &s) const {
    switch (s.kind) {
    case StepKind::work:
      return isWork(s.amount) ? "" : "work must be finite and not negative";
    case StepKind::lock:
    case StepKind::share:
    case StepKind::unlock:
      return s.object < d.locks ? "" : "there is no such lock";
    case StepKind::lockAll:
      return areLocks(s) ? "" : "locks that are had together must be there, each once";
    case StepKind::arrive:
    case StepKind::pass:
      return s.object < d.barriers.size() ? "" : "there is no such barrier";
    case StepKind::once:
    case StepKind::last:
      return s.object < d.barriers.size() && s.body < d.bodies.size()
                 ? ""
                 : "there is no such barrier or body";
    case StepKind::barrier:
      return s.object == noIndex || s.object < d.barriers.size() ? "" : "there is no such barrier";
    case StepKind::post:
    case StepKind::take:
      return s.object < d.channels.size() ? "" : "there is no such channel";
    case StepKind::put:
      return s.object < d.pools.size() && s.count < d.pools[s.object].size()
                 ? ""
                 : "there is no such pool, or it has fewer bodies";
    case StepKind::deal:
      return s.object < d.pools.size() ? "" : "there is no such pool";
    case StepKind::loop:
      return s.object < d.loops.size() ? "" : "there is no such loop";
    case StepKind::portion:
      return s.object < d.loops.size() && s.count < d.loops[s.object].threads
                 ? ""
                 : "there is no such loop, or it is for fewer threads";
    case StepKind::join:
    case StepKind::taskwait:
      return "";
    case StepKind::task:
      if (misses(s.object, s.count, d.uses.size()))
        return "there are no such uses";
      [[fallthrough]];
    case StepKind::fork:
    case StepKind::team:
    case StepKind::single:
    case StepKind::taskgroup:
      return s.body < d.bodies.size() ? "" : "there is no such body";
    case StepKind::firstOf:
      return race(s);
    }
    return "there is no such step";
  }
  std::string race(const Step &s) const {
    if (s.count == 0 || misses(s.body, s.count, d.bodies.size()))
      return "there are no such bodies";
    for (uint32_t b = s.body; b < s.body + s.count; ++b)
      for (const Step &inner : d.bodies[b])
        if (inner.kind != StepKind::work)
          return "bodies of a race may only work";
    return "";
  }
  std::string fault(const Loop &l) const {
    if (l.firstBody != noIndex && misses(l.firstBody, l.bodies, d.bodies.size()))
      return "there are no such bodies";
    for (const double cost : l.costs)
      if (!isWork(cost))
        return "work must be finite and not negative";
    return "";
  }

  /// The bodies that a body holds.
  std::vector<uint32_t> heldBy(uint32_t body) const {
    std::vector<uint32_t> held;
    const auto add = [&](uint32_t first, uint32_t count) {
      for (uint32_t b = first; b < first + count; ++b)
        held.push_back(b);
    };
    for (const Step &s : d.bodies[body]) {
      if ((s.kind == StepKind::loop || s.kind == StepKind::portion) &&
          d.loops[s.object].firstBody != noIndex)
        add(d.loops[s.object].firstBody, d.loops[s.object].bodies);
      else if (s.kind == StepKind::firstOf)
        add(s.body, s.count);
      else if (s.body != noIndex)
        add(s.body, 1);
    }
    return held;
  }
  /// Does any body hold itself?
  bool goesRound() const {
    enum : uint8_t { unseen, open, closed };
    std::vector<uint8_t> state(d.bodies.size(), unseen);
    struct Visit {
      uint32_t body;
      std::vector<uint32_t> held;
    };
    std::vector<Visit> path;
    for (uint32_t root = 0; root < d.bodies.size(); ++root) {
      if (state[root] == unseen) {
        state[root] = open;
        path.push_back({root, heldBy(root)});
      }
      while (!path.empty()) {
        Visit &v = path.back();
        if (v.held.empty()) {
          state[v.body] = closed;
          path.pop_back();
          continue;
        }
        const uint32_t next = v.held.back();
        v.held.pop_back();
        if (state[next] == open)
          return true;
        if (state[next] == closed)
          continue;
        state[next] = open;
        path.push_back({next, heldBy(next)});
      }
    }
    return false;
  }
};
} // namespace

Status check(const Description &description) {
  const Checker checker{description};
  if (description.bodies.empty())
    return Error{"a description needs a body for its first thread"};
  for (size_t l = 0; l < description.loops.size(); ++l)
    if (const std::string why = checker.fault(description.loops[l]); !why.empty())
      return Error{"loop " + std::to_string(l) + ": " + why};
  for (size_t b = 0; b < description.barriers.size(); ++b)
    if (description.barriers[b] == 0)
      return Error{"barrier " + std::to_string(b) + ": is for no threads"};
  for (size_t c = 0; c < description.channels.size(); ++c)
    if (description.channels[c].bound == 0)
      return Error{"channel " + std::to_string(c) + ": has no room"};
  for (size_t p = 0; p < description.pools.size(); ++p)
    for (const uint32_t body : description.pools[p])
      if (body >= description.bodies.size())
        return Error{"pool " + std::to_string(p) + ": there is no such body"};
  for (size_t b = 0; b < description.bodies.size(); ++b)
    for (size_t s = 0; s < description.bodies[b].size(); ++s)
      if (const std::string why = checker.fault(description.bodies[b][s]); !why.empty())
        return Error{"step " + std::to_string(s) + " of body " + std::to_string(b) + ": " + why};
  if (checker.goesRound())
    return Error{"a body holds itself"};
  const LockReturns returns(description);
  for (uint32_t b = 0; b < description.bodies.size(); ++b)
    for (size_t s = 0; s < description.bodies[b].size(); ++s)
      if (const Step &step = description.bodies[b][s];
          step.kind == StepKind::unlock && step.nowait && !returns.comesAgain(b, s, HUGE_VAL))
        return Error{"step " + std::to_string(s) + " of body " + std::to_string(b) +
                     ": who gets ahead there does not come for the lock again"};
  return Done{};
}

LockReturns::LockReturns(const Description &description) : d(description) {
  for (const std::vector<uint32_t> &pool : d.pools) {
    uint32_t lock = pool.empty() ? noIndex : lockOf(d.bodies[pool.front()]);
    for (const uint32_t body : pool)
      lock = lockOf(d.bodies[body]) == lock ? lock : noIndex;
    firstLocks.push_back(lock);
  }
  for (const Body &body : d.bodies)
    for (const Step &s : body)
      if (s.kind == StepKind::put)
        firstLocks[s.object] = noIndex; // one waits there
}

bool LockReturns::comesAgain(uint32_t body, size_t step, double most) const {
  const Body &steps = d.bodies[body];
  const uint32_t lock = steps[step].object;
  double between = 0;
  for (size_t i = step + 1; i < steps.size() && between <= most; ++i)
    switch (const Step &s = steps[i]; s.kind) {
    case StepKind::work:
      between += s.amount;
      break;
    case StepKind::unlock:
    case StepKind::arrive:
    case StepKind::put:
      break;
    case StepKind::post: // with room for all it waits for nobody
      if (d.channels[s.object].bound != UINT64_MAX)
        return false;
      break;
    case StepKind::lock:
      return s.object == lock;
    case StepKind::deal:
      return firstLocks[s.object] == lock;
    default:
      return false;
    }
  return false;
}

} // namespace quincunx::parallel
