// Runs a program once, from event to event.
// The idea: time goes from event to event, each the end of a delay or of a service; what an event
// sets off is done before the next one is looked at. A cancelled process leaves its event in the
// queue, where its number gives it away. It knows no statistics of replications.
// Reference: docs/12-pamela.md.
#include "SimulationRun.h"

#include "pamela/evaluate/Arithmetic.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <cmath>

namespace quincunx::pamela {

namespace {
/// Below this many, what is no longer true may stay.
constexpr size_t untidy = 1024;
/// Events between questions whether to go on, a power of two.
constexpr uint64_t patience = 1 << 16;
} // namespace

SimulationRun::SimulationRun(const Program &p, const Model &m, const SimulateOptions &o)
    : program(p), options(o), random(o.seed), evaluator(p, m, laws, random), servers(p.servers),
      pool(p.slots) {
  evaluator.limit = o.maxEvents;
}

Result<std::optional<double>> SimulationRun::replicate(uint64_t done) {
  pool.clear();
  queue.clear();
  servers.start();
  ready.clear();
  nextReady = stale = 0;
  now = 0;
  ended = false;
  keeps = done == 0 && options.mostSlices > 0;
  go(pool.create());
  goReady();
  for (TimedEvent event{}; !ended && !evaluator.failure && queue.take(event);) {
    queue.foresee([&](uint32_t id) { pool.fetch(id); });
    if (isTrue(event))
      happen(event);
    else
      --stale;
    if (eventCount % patience == 0 && options.goesOn && !options.goesOn(done))
      return std::optional<double>();
  }
  if (evaluator.failure)
    return *evaluator.failure;
  return std::optional(now);
}

void SimulationRun::happen(const TimedEvent &event) {
  now = event.time;
  ++eventCount;
  const uint32_t id = event.record();
  const Process &p = pool[id];
  evaluator.step(1, program.instructions[p.at - 1].at);
  keep(p);
  if (p.state == ProcessState::served)
    if (const uint32_t next = servers.release(pool, p.server, p.service); next != none)
      serve(next);
  go(id);
  goReady();
}

void SimulationRun::goReady() {
  while (nextReady < ready.size()) {
    const auto [id, created] = ready[nextReady++];
    if (pool[id].created == created && pool[id].state == ProcessState::ready)
      go(id);
    if (nextReady > untidy && 2 * nextReady > ready.size()) {
      ready.erase(ready.begin(), ready.begin() + static_cast<std::ptrdiff_t>(nextReady));
      nextReady = 0;
    }
  }
  ready.clear();
  nextReady = 0;
}

void SimulationRun::keep(const Process &p) {
  if (!keeps) [[likely]]
    return;
  using Slice = SimulatedSlice::Kind;
  const bool waits = p.state == ProcessState::delayed;
  kept.push_back({waits                             ? Slice::delay
                  : p.state == ProcessState::queued ? Slice::queue
                                                    : Slice::service,
                  p.created, p.since, now, waits ? 0 : servers.all()[p.server].index,
                  program.instructions[p.at - 1].at});
  keeps = kept.size() < options.mostSlices;
}

void SimulationRun::wait(uint32_t id, ProcessState state, double t) {
  Process &p = pool[id];
  p.state = state;
  p.since = now;
  queue.add(now + t, p.created, id);
}

void SimulationRun::serve(uint32_t id) {
  Process &p = pool[id];
  servers.count(p.server, now - p.since);
  if (p.state == ProcessState::queued)
    keep(p);
  wait(id, ProcessState::served, p.service);
}

double SimulationRun::time(uint32_t value, uint32_t id, Place at) {
  const double t = evaluator.value(value, pool.frame(id));
  if (t >= 0 && t < HUGE_VAL) [[likely]]
    return t;
  if (t < 0 && t > -HUGE_VAL)
    ++belowZero;
  else
    evaluator.fail(at, "a time must be finite, not " + exact(t));
  return 0;
}

void SimulationRun::use(uint32_t id, const Instruction &i) {
  const Resource &r = program.resources[i.a];
  uint32_t server = r.server;
  if (server == none) {
    double *const frame = pool.frame(id);
    const double index = evaluator.value(r.index, frame);
    const Result<uint32_t> found =
        servers.find(index, evaluator.value(r.servers, frame), std::string());
    if (!found)
      return evaluator.fail(r.at, found.error().text);
    server = *found;
  }
  Process &p = pool[id];
  p.service = time(i.b, id, i.at);
  p.since = now;
  if (servers.ask(pool, id, server))
    serve(id);
}

bool SimulationRun::bounds(const Instruction &i, double *frame, double &from, double &to) {
  from = evaluator.value(i.b, frame);
  to = evaluator.value(i.c, frame);
  return evaluator.wholeBounds(from, to, i.at);
}

void SimulationRun::part(uint32_t parent, uint32_t at) {
  const uint32_t id = pool.create();
  Process &p = pool[id], &mother = pool[parent];
  p.state = ProcessState::ready;
  p.at = at;
  p.parent = parent;
  p.after = mother.firstPart;
  if (p.after != none)
    pool[p.after].before = id;
  mother.firstPart = id;
  std::copy_n(pool.frame(parent), program.slots, pool.frame(id));
  ready.emplace_back(id, p.created);
}

bool SimulationRun::fork(uint32_t id, const Instruction &i) {
  if (i.code == Code::fork)
    return fork(id, i, i.b, 0);
  double from = 0, to = -1;
  if (!bounds(i, pool.frame(id), from, to) && (i.e == none || evaluator.failure))
    return false;
  return fork(id, i, std::max(0.0, to - from + 1), from);
}

bool SimulationRun::fork(uint32_t id, const Instruction &i, double count, double from) {
  double k = count;
  if (i.e != none) {
    k = evaluator.value(i.e, pool.frame(id));
    if (k != std::floor(k)) {
      evaluator.fail(i.at, orderError(k));
      return false;
    }
    if (!(k >= 1 && k <= count)) {
      evaluator.fail(i.at, "any (" + exact(k) + ") of " + exact(count) +
                               " parts: their number must be from 1 to " + exact(count));
      return false;
    }
  }
  if (count > static_cast<double>(options.maxLive) - pool.live()) {
    evaluator.fail(i.at, "more processes at once than the limit of " +
                             std::to_string(options.maxLive) + "; raise it if that is meant");
    return false;
  }
  const auto parts = static_cast<uint32_t>(count);
  evaluator.step(parts, i.at);
  const auto body = static_cast<uint32_t>(&i - program.instructions.data()) + 1;
  for (uint32_t n = 0; n < parts; ++n) {
    if (i.code == Code::par)
      pool.frame(id)[i.a] = from + n;
    part(id, i.code == Code::par ? body : program.targets[i.a + n]);
  }
  Process &p = pool[id];
  p.state = ProcessState::joining;
  p.awaited = static_cast<uint32_t>(k);
  p.at = i.d;
  return true;
}

uint32_t SimulationRun::end(uint32_t id) {
  const Process p = pool[id];
  pool.free(id);
  if (p.parent == none) {
    ended = true;
    return none;
  }
  Process &parent = pool[p.parent];
  (p.before == none ? parent.firstPart : pool[p.before].after) = p.after;
  if (p.after != none)
    pool[p.after].before = p.before;
  if (--parent.awaited != 0)
    return none;
  if (parent.firstPart != none)
    cancelParts(p.parent);
  return p.parent;
}

// Queues first: a server that becomes free must not go to one who is cancelled as well.
void SimulationRun::cancelParts(uint32_t parent) {
  cancelled.clear();
  const auto addParts = [&](uint32_t of) {
    for (uint32_t id = pool[of].firstPart; id != none; id = pool[id].after)
      cancelled.push_back(id);
  };
  addParts(parent);
  for (size_t i = 0; i < cancelled.size(); ++i)
    addParts(cancelled[i]);
  pool[parent].firstPart = none;
  for (const uint32_t id : cancelled) {
    const Process &p = pool[id];
    if (p.state == ProcessState::queued)
      servers.leave(pool, id);
    if (p.state == ProcessState::delayed || p.state == ProcessState::queued ||
        p.state == ProcessState::served)
      keep(p);
  }
  for (const uint32_t id : cancelled) {
    const Process p = pool[id];
    pool.free(id);
    if (p.state == ProcessState::delayed || p.state == ProcessState::served)
      ++stale;
    if (p.state == ProcessState::served)
      if (const uint32_t next = servers.release(pool, p.server, now - p.since); next != none)
        serve(next);
  }
  if (stale > untidy && 2 * stale > queue.size()) {
    queue.keepOnly([&](const TimedEvent &e) { return isTrue(e); });
    stale = 0;
  }
}

bool SimulationRun::enter(const Instruction &i, double *frame) {
  double from = 0, to = 0;
  const bool any = bounds(i, frame, from, to);
  frame[i.a] = from;
  frame[i.a + 1] = to;
  return any;
}

bool SimulationRun::turn(const Instruction &i, double *frame) {
  evaluator.step(1, i.at);
  if (!(frame[i.a] < frame[i.a + 1]))
    return false;
  frame[i.a] += 1;
  return true;
}

void SimulationRun::go(uint32_t id) {
  uint32_t at = pool[id].at;
  pool[id].state = ProcessState::ready;
  while (!evaluator.failure) {
    const Instruction &i = program.instructions[at];
    double *const frame = pool.frame(id);
    switch (i.code) {
    case Code::delay: {
      const double t = time(i.a, id, i.at);
      ++at;
      if (t == 0)
        break;
      pool[id].at = at;
      return wait(id, ProcessState::delayed, t);
    }
    case Code::use:
      pool[id].at = at + 1;
      return use(id, i);
    case Code::seq:
      at = enter(i, frame) ? at + 1 : i.d;
      break;
    case Code::next:
      at = turn(i, frame) ? i.d : at + 1;
      break;
    case Code::fork:
    case Code::par:
      if (fork(id, i))
        return;
      at = i.d;
      break;
    case Code::jump:
      at = i.d;
      break;
    case Code::unless:
      at = evaluator.value(i.a, frame) != 0 ? at + 1 : i.d;
      break;
    case Code::choose:
      at = program.targets[i.b + static_cast<size_t>(evaluator.value(i.a, frame))];
      break;
    case Code::end:
      id = end(id);
      if (id == none)
        return;
      at = pool[id].at;
      pool[id].state = ProcessState::ready;
      break;
    }
  }
}

} // namespace quincunx::pamela
