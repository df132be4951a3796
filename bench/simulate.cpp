// Events per second of the simulator, with few and many events pending: the machine repair model
// with exponential times, and the same with more local work so that queues stay short. It judges no
// result.
#include "quincunx/pamela/Simulate.h"
#include "pamela/Models.h"

#include <algorithm>
#include <cstdio>
#include <ctime>

using namespace quincunx;
using namespace quincunx::pamela;
using namespace quincunx::pamela::test;

namespace {

void measure(const char *what, const Model &model) {
  SimulateOptions options;
  options.replications = 1;
  double best = 0;
  uint64_t events = 0;
  for (int round = 0; round < 3; ++round) {
    const std::clock_t from = std::clock(); // of the processor: others may be at work as well
    const Result<Simulated> s = simulate(model, options);
    const double took = static_cast<double>(std::clock() - from) / CLOCKS_PER_SEC;
    if (!s) {
      std::fprintf(stderr, "%s\n", s.error().message().c_str());
      return;
    }
    events = s->events;
    best = std::max(best, static_cast<double>(events) / took);
  }
  std::printf("%-34s %9llu events %12.3g a second\n", what, static_cast<unsigned long long>(events),
              best);
}

} // namespace

int main() {
  constexpr double events = 1e7;
  for (const double clients : {10.0, 1e3, 1e5}) {
    const double rounds = events / 2 / clients;
    const std::string n = std::to_string(static_cast<int>(clients)) + " clients, ";
    // Local work as long as service of all: about half of the clients would be pending.
    measure((n + "exponential").c_str(), machineRepair(clients, rounds, law("exponential", {2}),
                                                       law("exponential", {1 / clients})));
    measure((n + "constant").c_str(), machineRepair(clients, rounds, num(2), num(1 / clients)));
    measure((n + "moments").c_str(),
            machineRepair(clients, rounds, law("moments", {2, 4, 2, 9}),
                          law("moments", {1 / clients, 1 / clients / clients, 2, 9})));
  }
}
