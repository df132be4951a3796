// What lib/parallel says of what libomp was seen to do; schedules.py brings both together.
//   schedule_judge asks <FILE     answers of libomp (omp_asks): prints those that differ, and how
//   many were compared schedule_judge times WHAT THREADS OVERHEAD HANDOFF REPLICAS FILE
//                                 the makespans for WHAT as in omp_sleeps, when a sleep takes
//                                 OVERHEAD longer and a thread that is let go on HANDOFF; one for
//                                 each of REPLICAS seeds
#include "quincunx/parallel/LoopSchedule.h"
#include "quincunx/parallel/Simulate.h"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <numeric>
#include <sstream>

using namespace quincunx;
using namespace quincunx::parallel;

namespace {
std::string read(const Chunk &c) {
  return c ? std::to_string(c.begin) + " " + std::to_string(c.end) : "-";
}

int asks() {
  std::unique_ptr<LoopSchedule> schedule;
  std::string line, about;
  unsigned long compared = 0, wrong = 0;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string first, rest;
    words >> first;
    if (std::isdigit(first[0])) {
      std::getline(words >> std::ws, rest);
      const std::string ours = read(schedule->next(static_cast<uint32_t>(std::stoul(first))));
      ++compared;
      if (ours != rest && ++wrong < 20)
        std::cout << "WRONG " << about << ": thread " << first << " got " << rest
                  << ", and by our rule " << ours << '\n';
      continue;
    }
    uint64_t n = 0, chunk = 0;
    uint32_t threads = 0;
    words >> n >> chunk >> threads;
    about = line;
    schedule = nullptr;
    for (size_t s = 0; s < schedules().size(); ++s)
      if (schedules()[s].name == first)
        schedule = deal(static_cast<Schedule>(s), n, chunk, threads);
    if (schedule == nullptr) {
      std::cout << "WRONG there is no schedule " << first << '\n';
      return 1;
    }
  }
  std::cout << compared << " answers compared, " << wrong << " differ\n";
  return wrong == 0 && compared != 0 ? 0 : 1;
}

/// A thread that posts, and a team of the others of which whoever is free takes the next.
Description queueOf(const std::vector<double> &costs, uint32_t threads, double toPost) {
  Description d;
  d.channels = {{0, 4}};
  d.bodies = {{fork(2), team(1, threads - 1), join(0)}, {loop(0, true)}, {}};
  for (const double c : costs) {
    d.bodies[2].insert(d.bodies[2].end(), {work(toPost), post(0)});
    d.bodies.push_back({take(0), work(c)});
  }
  d.loops = {{Schedule::queue, 1, {}, 0, 3, static_cast<uint32_t>(costs.size())}};
  return d;
}

Description described(const std::string &what, std::vector<double> costs, uint32_t threads,
                      double overhead) {
  const double mean =
      std::accumulate(costs.begin(), costs.end(), 0.0) / static_cast<double>(costs.size());
  for (double &c : costs)
    c += overhead;
  if (what == "queue")
    return queueOf(costs, threads, mean / 16 + overhead);
  Description d;
  d.bodies = {{team(1)}, {loop(0, true)}};
  if (what == "mutex") {
    d.locks = 1;
    d.loops = {{Schedule::queue, 1, {}, 0, 2, static_cast<uint32_t>(costs.size())}};
    for (const double c : costs)
      d.bodies.push_back({work(c), lock(0), work(mean / 20 + overhead), unlock(0)});
  } else if (what == "tasks" || what == "depend") {
    d.bodies = {{team(1)}, {single(2, true)}, {}};
    for (uint32_t i = 0; i < 7; ++i)
      d.uses.push_back({i, true});
    for (uint32_t i = 0; i < costs.size(); ++i) {
      d.bodies[2].push_back(task(3 + i, i % 7, what == "depend" ? 1 : 0));
      d.bodies.push_back({work(costs[i])});
    }
  } else {
    const Schedule schedule = what == "static"      ? Schedule::fixed
                              : what == "static4"   ? Schedule::fixedChunks
                              : what == "monotonic" ? Schedule::queue
                              : what == "guided"    ? Schedule::guided
                                                    : Schedule::stealing;
    d.loops = {{schedule, what == "static4" ? 4U : 1U, std::move(costs), 0, noIndex, 0}};
  }
  return d;
}
} // namespace

int main(int argc, char **argv) {
  if (argc == 2 && std::string(argv[1]) == "asks")
    return asks();
  if (argc != 8 || std::string(argv[1]) != "times")
    return 2;
  std::ifstream file(argv[7]);
  std::vector<double> costs;
  for (double c = 0; file >> c;)
    costs.push_back(c);
  Setting setting;
  setting.threads = static_cast<uint32_t>(std::atoi(argv[3]));
  setting.burdens.task = std::atof(argv[5]);
  setting.jitter = 20 * std::atof(argv[4]); // threads of a team are woken one after the other
  const Result<std::vector<double>> times =
      makespans(described(argv[2], costs, setting.threads, std::atof(argv[4])), setting,
                static_cast<uint64_t>(std::atoi(argv[6])));
  if (!times) {
    std::cerr << "schedule_judge: " << times.error().text << '\n';
    return 1;
  }
  for (const double t : *times)
    std::cout << t << '\n';
  return 0;
}
