// Runs of a description. Reference: docs/27-parallel.md.
#include "quincunx/parallel/Simulate.h"

#include "Simulation.h"

#include <cmath>

namespace quincunx::parallel {

namespace {
constexpr uint32_t mostThreads = uint32_t{1} << 20;

Status check(const Setting &s) {
  if (s.threads == 0 || s.threads > mostThreads)
    return Error{"a team has from 1 to " + std::to_string(mostThreads) + " threads"};
  if (!(s.cores > 0))
    return Error{"there must be cores"};
  if (s.atOnce == 0)
    return Error{"some thread must work at a time"};
  const Burdens &b = s.burdens;
  for (const double x : {b.create, b.team, b.barrier, b.chunk, b.task, b.handOff, s.jitter})
    if (!(x >= 0) || !std::isfinite(x))
      return Error{"burdens and jitter must be finite and not negative"};
  return Done{};
}
} // namespace

Result<Simulated> simulate(const Description &description, const Setting &setting) {
  if (const Status s = check(description); !s)
    return s.error();
  if (const Status s = check(setting); !s)
    return s.error();
  Result<Simulated> done = Simulation(description, setting).run();
  if (done || description.firstTask == noIndex)
    return done;
  // Tasks that wait for others than those that they made may be in each other's way on their seats.
  Description threads = description;
  threads.firstTask = noIndex;
  return Simulation(threads, setting).run();
}

Result<std::vector<double>> makespans(const Description &description, const Setting &setting,
                                      uint64_t replicas) {
  std::vector<double> all;
  Setting each = setting;
  for (uint64_t r = 0; r < replicas; ++r) {
    each.seed = setting.seed + r;
    const Result<Simulated> s = simulate(description, each);
    if (!s)
      return s.error();
    all.push_back(s->makespan);
    if (!s->isDrawn)
      break;
  }
  return all;
}

} // namespace quincunx::parallel
