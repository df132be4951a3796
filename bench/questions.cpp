// How long questions about a corpus take: reading it, an answer to "what if" (medians of 21), a
// sweep over 1000 costs, and the model of the whole program.
//
//   questions CORPUS FUNCTION [MACHINE]
//
// FUNCTION (linkage name) is the one of which the cost changes. Prints one line per question, and
// the largest memory of the process. It passes and fails on nothing.
#include "quincunx/estimate/Model.h"
#include "quincunx/estimate/WhatIf.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <sys/resource.h>

using namespace quincunx;

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double peakMegabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

int fail(const Error &e) {
  std::fprintf(stderr, "questions: %s\n", e.message().c_str());
  return 1;
}

/// Median seconds of `rounds` answers; negative: there was none.
double answers(const CountMatrix &matrix, const std::vector<Map> &maps, const Machine &machine,
               const std::string &change, const WhatIfOptions &options, int rounds) {
  std::vector<double> seconds;
  for (int i = 0; i < rounds; ++i) {
    const Result<Change> parsed = parseChange(change);
    BlockCosts own(matrix, maps, machine); // part of reading
    const double begin = now();
    const Result<WhatIfAnswer> answer =
        parsed ? whatIf(std::move(own), machine, {*parsed}, options) : parsed.error();
    seconds.push_back(now() - begin);
    if (!answer) {
      fail(answer.error());
      return -1;
    }
  }
  std::nth_element(seconds.begin(), seconds.begin() + rounds / 2, seconds.end());
  return seconds[static_cast<size_t>(rounds / 2)];
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: questions CORPUS FUNCTION [MACHINE]\n");
    return 2;
  }
  const Result<Machine> machine = machineByName(argc > 3 ? argv[3] : "x86-64");
  const Result<Corpus> corpus = Corpus::open(argv[1], Corpus::Mode::read);
  if (!machine || !corpus)
    return fail(machine ? corpus.error() : machine.error());
  const double start = now();
  const Result<std::vector<Map>> maps = corpus->maps();
  if (!maps)
    return fail(maps.error());
  const Result<CountMatrix> matrix = readCounts(*corpus, *maps);
  if (!matrix)
    return fail(matrix.error());
  BlockCosts(*matrix, *maps, *machine);
  size_t blocks = 0, counters = 0;
  for (const Map &m : *maps) {
    counters += m.counterCount;
    for (const Function &f : m.functions)
      blocks += f.blocks.size();
  }
  std::printf("%zu runs, %zu blocks, %zu counters, %zu columns that differ\n", matrix->rows.size(),
              blocks, counters, matrix->columns.size());
  std::printf("%-28s %9.1f ms\n", "read", 1e3 * (now() - start));
  const std::string change = std::string("cost(") + argv[2] + ") *= ";
  std::printf("%-28s %9.1f ms\n", "whatif, one cost",
              1e3 * answers(*matrix, *maps, *machine, change + "0.5", {}, 21));
  WhatIfOptions sweep;
  sweep.variable = "x";
  for (int i = 1; i <= 1000; ++i)
    sweep.points.push_back(i / 500.0);
  std::printf("%-28s %9.1f ms\n", "whatif, 1000 costs",
              1e3 * answers(*matrix, *maps, *machine, change + "x", sweep, 1));
  const double modelStart = now();
  Model model(*maps, *machine, {});
  const Status added =
      corpus->forEachRun([&](Run &&run) { return model.add(run); }, Corpus::ReadMask::recorders);
  const Result<Modelled> modelled = added ? model.finish() : added.error();
  if (!modelled)
    return fail(modelled.error());
  std::printf("%-28s %9.1f ms\n", "model, read again", 1e3 * (now() - modelStart));
  std::printf("%-28s %9.1f MB\n", "largest memory", peakMegabytes());
  return 0;
}
