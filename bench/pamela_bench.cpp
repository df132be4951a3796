// How long models take: from text to symbolic results, and symbolic results at points; target
// quincunx_bench (cmake -DQUINCUNX_BENCH=ON). The models are generated, always the same; events of
// the simulator are simulate.cpp's. It judges no result.
#include "quincunx/pamela/Analyze.h"
#include "quincunx/pamela/Formula.h"
#include "quincunx/pamela/Parse.h"
#include "quincunx/report/Eval.h"

#include <benchmark/benchmark.h>
#include <random>
#include <sstream>

using namespace quincunx;
using namespace quincunx::pamela;

namespace {

std::string text(const char *name, size_t i) { return name + std::to_string(i); }

/// As a generator would write a program of about `lines` lines: functions in five layers that call
/// those of the next one, loops to parameters, arguments and outer indices, processors by index.
std::string program(size_t lines) {
  std::mt19937_64 random(1);
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  constexpr size_t layers = 5, parameters = 40, linesOfFunction = 14;
  const size_t functions = lines / linesOfFunction / layers;
  std::ostringstream out;
  out << "numeric parameter P = 4\nresource cpu(p) = fcfs(p, 1)\nresource disk = fcfs(-1, 2)\n";
  for (size_t i = 0; i < parameters; ++i)
    out << "numeric parameter n" << i << " = " << 2 + below(50) << "\n";
  const auto bound = [&] { return below(2) ? "n" : text("n", below(parameters)); };
  for (size_t layer = 0; layer < layers; ++layer)
    for (size_t f = 0; f < functions; ++f) {
      const std::string name = std::to_string(layer) + "_" + std::to_string(f);
      const auto call = [&](const std::string &count) {
        return layer + 1 == layers ? "delay(" + std::to_string(1 + below(9)) + ")"
                                   : "f" + std::to_string(layer + 1) + "_" +
                                         std::to_string(below(functions)) + "(p, " + count + ")";
      };
      out << "numeric c" << name << "(a) = " << 1 + below(9) << " + a * " << 1 + below(9)
          << " + max(a, " << text("n", below(parameters)) << ") / 2\n"
          << "process f" << name << "(p, n) =\n"
          << "  delay(" << 1 + below(20) << ");\n"
          << "  seq (i = 1, " << bound() << ") {\n"
          << "    delay(c" << name << "(" << (below(2) ? "i" : "n") << "));\n"
          << "    seq (j = " << (below(2) ? "i" : "1") << ", " << bound() << ") {\n"
          << "      use(cpu(p), " << 1 + below(5) << ");\n"
          << "      delay(exponential(" << 1 + below(5) << "))\n"
          << "    }\n"
          << "  };\n"
          << "  if (0." << 1 + below(9) << ") " << call("n") << " else use(disk, 3);\n"
          << "  seq (k = 1, " << bound() << ") " << call(text("n", below(parameters))) << "\n\n";
    }
  out << "process main = par (p = 0, P - 1) {\n";
  for (size_t f = 0; f < functions; ++f)
    out << "  f0_" << f << "(p, n" << f % parameters << ")" << (f + 1 < functions ? ";" : "")
        << "\n";
  out << "}\n";
  return out.str();
}

/// Each definition adds a term with a parameter of its own to what the one before it has.
std::string longSum(size_t lines) {
  std::ostringstream out;
  out << "numeric t0 = 1\n";
  for (size_t i = 1; i <= lines / 3; ++i)
    out << "numeric parameter n" << i << "\nnumeric c" << i << " = " << i << " * n" << i
        << "\nnumeric t" << i << " = t" << i - 1 << " + c" << i << "\n";
  out << "process main = delay(t" << lines / 3 << ")\n";
  return out.str();
}

/// The same of processes, whose times are random; the one before it 900 times at most, as names may
/// not be nested deeper.
std::string longSequence(size_t lines) {
  std::ostringstream out, all;
  for (size_t i = 1; i <= lines / 3; ++i) {
    out << "numeric parameter n" << i << "\nnumeric c" << i << " = exponential(" << i
        << ")\nprocess t" << i << " = " << (i % 900 == 1 ? "delay(1)" : text("t", i - 1))
        << "; seq (i = 1, n" << i << ") delay(c" << i << ")\n";
    if (i % 900 == 0 || i == lines / 3)
      all << (i > 900 ? "; t" : "t") << i;
  }
  out << "process main = " << all.str() << "\n";
  return out.str();
}

/// `count` resources with names, each used by a loop of its own.
std::string manyResources(size_t count) {
  std::ostringstream out;
  out << "numeric parameter P = 4\n";
  for (size_t i = 0; i < count; ++i)
    out << "numeric parameter n" << i << " = " << 2 + i % 50 << "\nresource r" << i << " = fcfs("
        << i << ", " << 1 + i % 3 << ")\nprocess f" << i << " = seq (i = 1, n" << i << ") use(r"
        << i << ", " << 1 + i % 7 << ")\n";
  out << "process main = par (p = 1, P) {\n";
  for (size_t i = 0; i < count; ++i)
    out << "  f" << i << (i + 1 < count ? ";" : "") << "\n";
  out << "}\n";
  return out.str();
}

void parsed(benchmark::State &state, const std::string &model) {
  for (auto _ : state) {
    const Result<Model> m = parseText(model, "model.pam");
    if (!m)
      return state.SkipWithError(m.error().message().c_str());
    benchmark::DoNotOptimize(m->definitions.data());
  }
  state.counters["lines"] = static_cast<double>(std::count(model.begin(), model.end(), '\n'));
}

void analyzed(benchmark::State &state, const std::string &model) {
  const Result<Model> m = parseText(model, "model.pam");
  if (!m)
    return state.SkipWithError(m.error().message().c_str());
  for (auto _ : state) {
    const Result<Analyzed> a = analyze(*m);
    if (!a)
      return state.SkipWithError(a.error().message().c_str());
    benchmark::DoNotOptimize(a->closed);
  }
}

/// The parts of a sequence that `points` goes through: each what a tape does on four cumulants.
constexpr size_t nodes = 1000, counts = 16;

std::string draws() { ///< n draws of a law, n a parameter
  std::ostringstream out;
  for (size_t i = 0; i < counts; ++i)
    out << "numeric parameter n" << i << "\n";
  out << "process main = {\n";
  for (size_t i = 0; i < nodes; ++i)
    out << "  seq (i = 1, " << i + 1 << " * n" << i % counts << ") delay(exponential(" << i + 1
        << "))" << (i + 1 < nodes ? ";" : "") << "\n";
  out << "}\n";
  return out.str();
}

std::string scales() { ///< a law with a parameter as its scale, once
  std::ostringstream out;
  for (size_t i = 0; i < counts; ++i)
    out << "numeric parameter n" << i << "\n";
  out << "process main = {\n";
  for (size_t i = 0; i < nodes; ++i)
    out << "  delay(n" << i % counts << " * exponential(" << i + 1 << "))"
        << (i + 1 < nodes ? ";" : "") << "\n";
  out << "}\n";
  return out.str();
}

std::string scaledDraws() { ///< so many draws of a scaled law: two nodes
  std::ostringstream out;
  for (size_t i = 0; i < counts; ++i)
    out << "numeric parameter n" << i << "\n";
  out << "process main = {\n";
  for (size_t i = 0; i < nodes / 2; ++i)
    out << "  seq (i = 1, " << i + 1 << " * n" << i % counts << ") delay(n" << (i + 5) % counts
        << " * exponential(" << i + 1 << "))" << (i + 1 < nodes / 2 ? ";" : "") << "\n";
  out << "}\n";
  return out.str();
}

/// Items are points.
void points(benchmark::State &state, const std::string &model) {
  const Result<Model> m = parseText(model, "model.pam");
  if (!m)
    return state.SkipWithError(m.error().message().c_str());
  std::vector<std::string> names;
  for (size_t i = 0; i < counts; ++i)
    names.push_back(text("n", i));
  Result<Formula> f = Formula::of(*m, {}, names);
  if (!f)
    return state.SkipWithError(f.error().message().c_str());
  std::mt19937_64 random(1);
  std::vector<Evaluated> out(1024);
  std::vector<double> values(out.size() * counts);
  for (double &v : values)
    v = static_cast<double>(1 + random() % 1000);
  for (auto _ : state) {
    if (const Status s = f->at(values, out); !s)
      return state.SkipWithError(s.error().message().c_str());
    benchmark::DoNotOptimize(out.data());
  }
  if (f->pointByPoint() != 0)
    state.SkipWithError("points went through the model");
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(out.size()));
}

/// The machine repair model with P = 1000 to 2999; items are points.
void repair(benchmark::State &state, bool percentiles) {
  const Result<Model> m =
      parseText("numeric exponential(mu) = moments(mu, mu * mu, 2, 9)\n"
                "numeric parameter P\nnumeric parameter N\nresource s = fcfs(0, 1)\n"
                "process main = par (p = 1, P) seq (i = 1, N) {\n"
                "  delay(exponential(10)); use(s, exponential(0.1)) }\n",
                "mrm.pam");
  if (!m)
    return state.SkipWithError(m.error().message().c_str());
  EvaluateOptions options;
  options.parameters["N"] = 1e6;
  Result<Formula> f = Formula::of(*m, options, {"P"});
  if (!f)
    return state.SkipWithError(f.error().message().c_str());
  std::vector<Evaluated> out(2000);
  std::vector<double> values(out.size());
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<double>(1000 + i);
  for (auto _ : state) {
    if (const Status s = f->at(values, out); !s)
      return state.SkipWithError(s.error().message().c_str());
    if (percentiles) {
      EvaluatedModel all{"mrm.pam", {"main"}, {}, {}};
      for (size_t i = 0; i < out.size(); ++i)
        all.points.push_back({"main", {{"P", values[i]}}, out[i], {}, {}});
      std::ostringstream table;
      printEvaluatedTsv(all, table);
      benchmark::DoNotOptimize(table.str().size());
    }
  }
  if (f->pointByPoint() != 0)
    state.SkipWithError("points went through the model");
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(out.size()));
}

} // namespace

BENCHMARK_CAPTURE(parsed, program, program(5400))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(analyzed, program, program(5400))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(parsed, longSum, longSum(5000))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(analyzed, longSum, longSum(5000))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(parsed, longSequence, longSequence(5000))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(analyzed, longSequence, longSequence(5000))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(parsed, manyResources, manyResources(1000))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(analyzed, manyResources, manyResources(1000))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(points, draws, draws())->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(points, scales, scales())->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(points, scaledDraws, scaledDraws())->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(repair, symbolic, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(repair, percentiles, true)->Unit(benchmark::kMillisecond);
