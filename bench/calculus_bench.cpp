// How long the rules on series and the elimination of flow take: the target quincunx_bench
// (cmake -DQUINCUNX_BENCH=ON). Throughput of independent operations on arrays that fit the cache;
// flow graphs as compilers make them (diamonds, loops, breaks). It judges no result.
#include "quincunx/cost/Eliminate.h"
#include "quincunx/cost/Rules.h"
#include "quincunx/numeric/PowerSeries.h"

#include <benchmark/benchmark.h>
#include <random>

using namespace quincunx;

namespace {

std::vector<PowerSeries> someSeries() {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> u(0.1, 0.9);
  std::vector<PowerSeries> s(256);
  for (PowerSeries &x : s)
    x = {{u(random), u(random), u(random), u(random), u(random)}};
  return s;
}

std::vector<Cumulants> someCumulants() {
  std::vector<Cumulants> k;
  for (const PowerSeries &s : someSeries())
    k.push_back({s[1], s[2], s[3], s[4]});
  return k;
}

/// One operation on all pairs of neighbours; items are operations.
template <class T, class Operation>
void pairs(benchmark::State &state, const std::vector<T> &in, Operation operation) {
  std::vector<T> out(in.size());
  for (auto _ : state) {
    for (size_t i = 0; i + 1 < in.size(); ++i)
      out[i] = operation(in[i], in[i + 1]);
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(in.size() - 1));
}

void add(benchmark::State &s) {
  pairs(s, someSeries(), [](const PowerSeries &a, const PowerSeries &b) { return a + b; });
}
void product(benchmark::State &s) {
  pairs(s, someSeries(), [](const PowerSeries &a, const PowerSeries &b) { return a * b; });
}
void starOf(benchmark::State &s) {
  pairs(s, someSeries(), [](const PowerSeries &a, const PowerSeries &b) { return star(a, b[0]); });
}
void composeOf(benchmark::State &s) {
  std::vector<PowerSeries> in = someSeries();
  for (PowerSeries &x : in)
    x.c[0] = 0;
  pairs(s, in, [](const PowerSeries &a, const PowerSeries &b) { return compose(a, b); });
}
void momentsOfCumulants(benchmark::State &s) {
  pairs(s, someSeries(), [](const PowerSeries &a, const PowerSeries &) {
    return momentSeries({a[1], a[2], a[3], a[4]});
  });
}
void inSeriesRule(benchmark::State &s) {
  pairs(s, someCumulants(), [](const Cumulants &a, const Cumulants &b) { return inSeries(a, b); });
}
void repeatedRule(benchmark::State &s) {
  pairs(s, someCumulants(), [](const Cumulants &a, const Cumulants &b) { return repeated(a, b); });
}
void oneOfTwoRule(benchmark::State &s) {
  const double weights[] = {0.3, 0.7};
  pairs(s, someCumulants(), [&](const Cumulants &a, const Cumulants &b) {
    const Cumulants parts[] = {a, b};
    return oneOf(parts, weights);
  });
}

/// Appends flow of about `size` nodes from `from`; returns the node behind it.
uint32_t grow(FlowGraph &g, std::mt19937_64 &random, uint32_t from, uint32_t size) {
  const auto cost = [&] { return Cumulants{1.0 + static_cast<double>(random() % 9), 1, 0.5, 0.2}; };
  while (size > 1) {
    const uint32_t part = 1 + static_cast<uint32_t>(random() % size), inside = part - 1;
    const uint32_t first = g.nodes++;
    g.edges.push_back({from, first, 1, cost()});
    uint32_t last = first;
    if (inside >= 4 && random() % 2) { // if-else, sides of different sizes
      const uint32_t left = grow(g, random, first, inside / 3),
                     right = grow(g, random, first, inside / 2);
      last = g.nodes++;
      g.edges.push_back({left, last, 1, cost()});
      g.edges.push_back({right, last, 3, cost()});
    } else if (inside >= 4) { // while, some with a break
      const uint32_t end = grow(g, random, first, inside - 1);
      last = g.nodes++;
      g.edges.push_back({end, first, 9, cost()});
      g.edges.push_back({first, last, 1, cost()});
      if (random() % 4 == 0)
        g.edges.push_back({end, last, 0.5, cost()});
    }
    from = last;
    size -= part;
  }
  return from;
}

void elimination(benchmark::State &state) {
  std::mt19937_64 random(2);
  FlowGraph g{1, 0, {}};
  uint32_t from = 0;
  while (g.nodes + 1 < static_cast<uint32_t>(state.range(0)))
    from = grow(g, random, from, 100);
  g.edges.push_back({from, g.nodes++, 1, {}});
  for (auto _ : state) {
    const Result<FlowCost> cost = eliminate(g);
    if (!cost)
      return state.SkipWithError(cost.error().text.c_str());
    benchmark::DoNotOptimize(cost->k.k4);
  }
  state.SetItemsProcessed(state.iterations() * g.nodes);
}

} // namespace

BENCHMARK(add);
BENCHMARK(product);
BENCHMARK(starOf);
BENCHMARK(composeOf);
BENCHMARK(momentsOfCumulants);
BENCHMARK(inSeriesRule);
BENCHMARK(repeatedRule);
BENCHMARK(oneOfTwoRule);
BENCHMARK(elimination)->RangeMultiplier(10)->Range(1000, 1000000)->Unit(benchmark::kMicrosecond);
