// What laws, joins and bounds cost. One benchmark per Pearson type, from four moments on.
#include "quincunx/cost/Join.h"
#include "quincunx/dist/Bounds.h"
#include "quincunx/dist/Families.h"
#include "quincunx/dist/Mixture.h"
#include "quincunx/dist/Pearson.h"

#include <benchmark/benchmark.h>
#include <cmath>
#include <limits>
#include <random>

using namespace quincunx;

namespace {

constexpr Range line{-std::numeric_limits<double>::infinity(),
                     std::numeric_limits<double>::infinity()};

struct Case {
  const char *name;
  Moments m;
};
const Case cases[] = {{"0", {0, 1, 0, 3}},
                      {"I", {0, 1, 0.6, 2.9}},
                      {"I-U", {0, 1, 0.3, 1.7}},
                      {"II", {0, 1, 0, 2.33}},
                      {"III", {0, 1, 1.265, 1.5 * 1.265 * 1.265 + 3}},
                      {"IV", {0, 1, -0.62, 4.9}},
                      {"V", {0, 1, 1.763834207376393727, 9.8}},
                      {"VI", {0, 1, 1.7237, 8.764}},
                      {"VII", {0, 1, 0, 4.2}}};

void parameters(benchmark::State &state, Moments m) {
  for (auto _ : state) {
    m.skewness += 1e-9;
    benchmark::DoNotOptimize(pearsonParameters(m));
  }
}

void fit(benchmark::State &state, const Moments &m) {
  for (auto _ : state)
    benchmark::DoNotOptimize(fitPearson(m, line));
}

void quantile(benchmark::State &state, const Moments &m) {
  const DistributionPtr law = *fitPearson(m, line);
  double p = 0;
  for (auto _ : state) {
    p += 0.61803398874989485;
    p -= std::floor(p);
    benchmark::DoNotOptimize(law->quantile(p));
  }
}

/// Four moments in, the four cumulants of the last of N out.
void lastOfN(benchmark::State &state, const Moments &m, double n) {
  for (auto _ : state) {
    const Task task[] = {{*fitPearson(m, line), n}};
    benchmark::DoNotOptimize(joinLast(0, task));
  }
}

void binary(benchmark::State &state, const Moments &a, const Moments &b) {
  for (auto _ : state) {
    const Task tasks[] = {{*fitPearson(a, line)}, {*fitPearson(b, line)}};
    benchmark::DoNotOptimize(joinLast(0, tasks));
  }
}

void mixtureQuantiles(benchmark::State &state) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> mean(5, 0.4);
  std::vector<MixtureComponent> parts;
  for (int i = 0; i < 2000; ++i) {
    const double m = mean(random);
    parts.push_back({{m, m, 0.4 * m, m}, 1});
  }
  const DistributionPtr law = *makeMixture(parts);
  for (auto _ : state)
    for (const double p : {0.5, 0.9, 0.99, 0.999})
      benchmark::DoNotOptimize(law->quantile(p));
}

void bounds(benchmark::State &state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(quantileBounds({3, 1, 0.5, 4}, 0.99, Where::notNegative));
}

const int registered = [] {
  for (const Case &c : cases) {
    const std::string type = c.name;
    benchmark::RegisterBenchmark(("parameters/" + type).c_str(), parameters, c.m);
    benchmark::RegisterBenchmark(("fit/" + type).c_str(), fit, c.m);
    benchmark::RegisterBenchmark(("quantile/" + type).c_str(), quantile, c.m);
    for (const double n : {2.0, 128.0, 1e9})
      benchmark::RegisterBenchmark(
          ("last/" + type + "/" + std::to_string(static_cast<long>(n))).c_str(), lastOfN, c.m, n);
  }
  benchmark::RegisterBenchmark("binary/I-III", binary, cases[1].m, cases[4].m);
  benchmark::RegisterBenchmark("binary/IV-VI", binary, cases[5].m, cases[7].m);
  benchmark::RegisterBenchmark("mixture/2000", mixtureQuantiles);
  benchmark::RegisterBenchmark("bounds/p99", bounds);
  return 0;
}();

} // namespace
