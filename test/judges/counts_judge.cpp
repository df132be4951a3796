// The judge of derived counts: reads raw records of a program built with record=blocks and
// compares, at every block of every function, the count derived from the edge counters with the
// block's own counter. Equal where the count is exact; inside the interval where frames were lost.
// It also checks that a random weighted sum of the blocks agrees with its linear form. Prints one
// line per image and the differences.
//
//   counts_judge [--exact] [--program PATH] RECORD.qxraw...
//
// --exact: intervals are wrong too.
#include "quincunx/model/FlowSolver.h"
#include "quincunx/profile/Run.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <random>

using namespace quincunx;

namespace {

struct Tally {
  size_t functions = 0, blocks = 0, executed = 0, intervals = 0, wrong = 0, lostFrames = 0;
};

void compare(const Function &f, std::span<const uint64_t> counters,
             std::span<const uint64_t> inherited, Tally &tally) {
  const FlowSolver flowSolver(f);
  const FunctionCounts counts = flowSolver.counts(counters, inherited);
  ++tally.functions;
  tally.lostFrames += counts.frames.lost != 0 || counts.frames.inherited != 0;
  std::mt19937_64 random(1);
  std::vector<double> weights(f.blocks.size());
  double truth = 0;
  for (size_t b = 0; b < f.blocks.size(); ++b) {
    if (f.blocks[b].counter == noIndex)
      continue;
    const auto seen = static_cast<double>(counters[f.blocks[b].counter]);
    const Count &c = counts.blocks[b];
    weights[b] = static_cast<double>(random() % 97);
    truth += weights[b] * seen;
    ++tally.blocks;
    tally.executed += seen > 0;
    tally.intervals += !c.exact();
    if (seen >= c.low && seen <= c.high)
      continue;
    if (++tally.wrong <= 20)
      std::printf("  %s block %zu line %u: counted %.0f, derived %.0f [%.0f, %.0f], lost %.0f "
                  "inherited %.0f\n",
                  f.name.c_str(), b, f.blocks[b].lines.empty() ? 0 : f.blocks[b].lines[0].line,
                  seen, c.value, c.low, c.high, counts.frames.lost, counts.frames.inherited);
  }
  const Count sum = flowSolver.linear(weights).at(counters, counts.frames);
  const double slack = 1e-9 * std::fabs(truth);
  if (truth < sum.low - slack || truth > sum.high + slack) {
    ++tally.wrong;
    std::printf("  %s: weighted sum %.17g outside its linear form [%.17g, %.17g]\n", f.name.c_str(),
                truth, sum.low, sum.high);
  }
}

std::vector<uint64_t> dense(const Counts &sparse, uint64_t size) {
  std::vector<uint64_t> all(size, 0);
  for (size_t i = 0; i < sparse.index.size(); ++i)
    all[sparse.index[i]] = sparse.value[i];
  return all;
}

} // namespace

int main(int argc, char **argv) {
  Run run;
  std::string program;
  bool exact = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--program") == 0 && i + 1 < argc) {
      program = argv[++i];
      continue;
    }
    if (std::strcmp(argv[i], "--exact") == 0) {
      exact = true;
      continue;
    }
    Result<ProcessRecord> record = readRawFile(argv[i]);
    if (!record)
      return std::fprintf(stderr, "%s\n", record.error().message().c_str()), 1;
    add(run, *record);
  }
  Tally tally;
  for (const ImageCounts &image : run.images) {
    Result<RawMap> raw = image.embedded ? Result<RawMap>(*image.embedded)
                                        : readElf(program.empty() ? image.path : program);
    if (!raw)
      return std::fprintf(stderr, "%s\n", raw.error().message().c_str()), 1;
    Result<Map> map = decodeMap(*raw);
    if (!map)
      return std::fprintf(stderr, "%s\n", map.error().message().c_str()), 1;
    if (map->hash != image.map)
      return std::fprintf(stderr, "%s: was rebuilt since it ran\n", image.path.c_str()), 1;
    const std::vector<uint64_t> counters = dense(image.counts, map->counterCount);
    const std::vector<uint64_t> inherited = dense(image.inherited, map->counterCount);
    for (const Function &f : map->functions) {
      std::span<const uint64_t> before;
      if (!image.inherited.index.empty())
        before = std::span(inherited).subspan(f.firstCounter, f.counterCount);
      compare(f, std::span(counters).subspan(f.firstCounter, f.counterCount), before, tally);
    }
  }
  std::printf(
      "functions %zu, with lost frames %zu, blocks %zu, executed %zu, intervals %zu, wrong %zu\n",
      tally.functions, tally.lostFrames, tally.blocks, tally.executed, tally.intervals,
      tally.wrong);
  return tally.wrong != 0 || tally.executed == 0 || (exact && tally.intervals != 0);
}
