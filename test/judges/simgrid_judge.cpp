// Random threads with locks, barriers, channels, forks and jobs, executed by SimGrid as actors, and
// by parallel::simulate: both say when the last one ends. All rules of what is compared are first
// come, first served; steps that wait have work before them, so that no two come at once.
//   simgrid_judge GRAPHS      prints how many were compared, and the largest relative difference;
//                             status 1 where one is above 1e-6
#include "quincunx/parallel/Simulate.h"

#include <simgrid/s4u.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

using namespace quincunx::parallel;
namespace s4u = simgrid::s4u;

namespace {

constexpr double allowed = 1e-6;

/// A program that ends: locks are had in order and kept by nobody who waits for something else, and
/// thread k hands on to thread k + 1.
class Program {
public:
  explicit Program(uint64_t seed) : random(seed) {
    const uint32_t threads = 1 + random() % 6, stages = 1 + random() % 3;
    d.bodies.resize(1 + threads);
    d.locks = 1 + random() % 3;
    for (uint32_t c = 0; c + 1 < threads; ++c)
      d.channels.push_back({random() % 2, random() % 2 == 0 ? UINT64_MAX : 1 + random() % 3});
    d.barriers.push_back(threads);
    for (uint32_t t = 0; t < threads; ++t)
      d.bodies[0].push_back(fork(1 + t));
    works(0);
    for (uint32_t t = 0; t < threads; ++t)
      d.bodies[0].push_back(join(t));
    works(0);
    for (uint32_t s = 0; s < stages; ++s)
      stage(threads, s + 1 == stages);
    const uint32_t jobs = random() % 2 == 0 ? 0 : random() % 20;
    if (jobs > 0)
      dealJobs(threads, jobs);
  }

  Description d;

private:
  void works(uint32_t body) {
    d.bodies[body].push_back(work(0.01 + static_cast<double>(random() % 1000000) / 1e5));
  }

  void stage(uint32_t threads, bool isLast) {
    std::vector<uint32_t> hands(threads); // how often thread k hands on to k + 1
    for (uint32_t &h : hands)
      h = random() % 4;
    for (uint32_t t = 0; t < threads; ++t) {
      std::vector<Step> waits;
      if (t > 0)
        waits.insert(waits.end(), hands[t - 1], take(t - 1));
      if (t + 1 < threads)
        waits.insert(waits.end(), hands[t], post(t));
      waits.insert(waits.end(), random() % 4, lock(static_cast<uint32_t>(random() % d.locks)));
      std::ranges::shuffle(waits, random);
      for (const Step &wait : waits) {
        works(1 + t);
        d.bodies[1 + t].push_back(wait);
        if (wait.kind == StepKind::lock)
          inside(1 + t, wait.object);
      }
      if (random() % 3 == 0)
        child(1 + t);
      works(1 + t);
      if (!isLast)
        d.bodies[1 + t].push_back(barrier(0));
    }
  }

  /// What is done with a lock, maybe with the next one, too.
  void inside(uint32_t body, uint32_t had) {
    works(body);
    if (had + 1 < d.locks && random() % 2 == 0) {
      d.bodies[body].push_back(lock(had + 1));
      works(body);
      d.bodies[body].push_back(unlock(had + 1));
      works(body);
    }
    d.bodies[body].push_back(unlock(had));
  }

  /// A thread that a thread forks and joins.
  void child(uint32_t body) {
    const auto number = static_cast<uint32_t>(d.bodies.size());
    d.bodies.emplace_back();
    uint32_t before = 0;
    for (const Step &s : d.bodies[body])
      before += s.kind == StepKind::fork;
    works(body);
    d.bodies[body].push_back(fork(number));
    works(number);
    d.bodies[number].push_back(lock(0));
    inside(number, 0);
    works(body);
    d.bodies[body].push_back(join(before));
  }

  /// Each thread goes on with the next job, and ends where none is left.
  void dealJobs(uint32_t threads, uint32_t jobs) {
    d.pools.emplace_back();
    for (uint32_t t = 0; t < threads; ++t)
      d.bodies[1 + t].push_back(deal(0));
    for (uint32_t j = 0; j < jobs + threads; ++j) {
      const auto number = static_cast<uint32_t>(d.bodies.size());
      d.bodies.emplace_back();
      d.pools[0].push_back(number);
      works(number);
      if (j < jobs)
        d.bodies[number].push_back(deal(0));
    }
  }

  std::mt19937_64 random;
};

/// The same by SimGrid.
class Actors {
public:
  Actors(const Description &description, s4u::Host *on) : d(description), host(on) {
    for (uint32_t l = 0; l < d.locks; ++l)
      locks.push_back(s4u::Mutex::create());
    for (const uint32_t threads : d.barriers)
      barriers.push_back(s4u::Barrier::create(threads));
    for (const Channel &c : d.channels) {
      there.push_back(s4u::Semaphore::create(static_cast<unsigned>(c.initial)));
      room.push_back(c.bound == UINT64_MAX ? nullptr
                                           : s4u::Semaphore::create(static_cast<unsigned>(
                                                 c.bound - std::min(c.bound, c.initial))));
    }
    dealt.resize(d.pools.size());
  }

  double run(s4u::Engine &engine) {
    const double before = s4u::Engine::get_clock();
    s4u::Actor::create("0", host, [this] { follow(0); });
    engine.run();
    return s4u::Engine::get_clock() - before;
  }

private:
  void follow(uint32_t body) {
    std::vector<s4u::ActorPtr> forked;
    for (size_t i = 0; i < d.bodies[body].size(); ++i) {
      const Step &s = d.bodies[body][i];
      switch (s.kind) {
      case StepKind::work:
        s4u::this_actor::execute(s.amount);
        break;
      case StepKind::lock:
        locks[s.object]->lock();
        break;
      case StepKind::unlock:
        locks[s.object]->unlock();
        break;
      case StepKind::barrier:
        barriers[s.object]->wait();
        break;
      case StepKind::post:
        if (room[s.object] != nullptr)
          room[s.object]->acquire();
        there[s.object]->release();
        break;
      case StepKind::take:
        there[s.object]->acquire();
        if (room[s.object] != nullptr)
          room[s.object]->release();
        break;
      case StepKind::fork:
        forked.push_back(s4u::Actor::create("f", host, [this, next = s.body] { follow(next); }));
        break;
      case StepKind::join:
        forked[s.object]->join();
        break;
      case StepKind::deal:
        body = d.pools[s.object][dealt[s.object]++];
        i = SIZE_MAX;
        break;
      default:
        std::abort();
      }
    }
  }

  const Description &d;
  s4u::Host *host;
  std::vector<s4u::MutexPtr> locks;
  std::vector<s4u::BarrierPtr> barriers;
  std::vector<s4u::SemaphorePtr> there, room;
  std::vector<size_t> dealt;
};

} // namespace

int main(int argc, char **argv) {
  s4u::Engine engine(&argc, argv);
  s4u::Engine::set_config("surf/precision:1e-12");
  s4u::Engine::set_config("maxmin/precision:1e-12");
  if (argc != 2)
    return std::fprintf(stderr, "usage: simgrid_judge GRAPHS\n"), 2;
  s4u::NetZone *zone = s4u::create_full_zone("world");
  std::vector<s4u::Host *> hosts;
  for (const int cores : {1, 2, 3, 64})
    hosts.push_back(
        zone->create_host("cores-" + std::to_string(cores), 1.0)->set_core_count(cores)->seal());
  zone->seal();
  double largest = 0;
  size_t compared = 0, wrong = 0;
  for (uint64_t seed = 1; seed <= std::strtoull(argv[1], nullptr, 10); ++seed) {
    const Program program(seed);
    for (s4u::Host *host : hosts) {
      Setting setting;
      setting.cores = host->get_core_count();
      const auto ours = simulate(program.d, setting);
      if (!ours) {
        std::printf("WRONG graph %lu: %s\n", seed, ours.error().message().c_str());
        return 1;
      }
      const double theirs = Actors(program.d, host).run(engine);
      const double difference = std::abs(ours->makespan / theirs - 1);
      largest = std::max(largest, difference);
      ++compared;
      if (!(difference <= allowed) && ++wrong < 20)
        std::printf("WRONG graph %lu, %d cores: %.12g, by SimGrid %.12g\n", seed,
                    host->get_core_count(), ours->makespan, theirs);
    }
  }
  std::printf("%zu runs compared, %zu wrong, largest difference %.2g\n", compared, wrong, largest);
  return wrong > 0;
}
