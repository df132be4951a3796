// What each iteration of loops that a team shared took, in each run of a corpus, in counts: the
// costs of tasks side by side, as bench/texts.py compares rules about them.
//
//   loop_costs CORPUS.qx THREADS
//
// Teams are told to have so many threads, whatever they had. Lines: label of the run, file and line
// of the loop, then its iterations, for every time that a team came to it, in order. Loops of more
// than 512 iterations are in stretches.
#include "quincunx/estimate/ParallelRuns.h"
#include "quincunx/strands/StrandDescription.h"

#include <cstdio>
#include <cstdlib>

using namespace quincunx;

namespace {

Status print(const Run &run, const StrandSites &sites, uint32_t threads) {
  if (run.strands.empty())
    return Error{"run " + run.label + " has no strands"};
  const Result<StrandHistory> history =
      StrandHistory::of(run.strands.front(), {.threads = threads});
  if (!history)
    return history.error();
  const StrandDescription told = history->describe(Kept::nothing);
  for (const parallel::Loop &loop : told.description.loops) {
    const auto site = sites.find(told.works[loop.workClass].site);
    if (site == sites.end())
      continue;
    const std::string &file = site->second.file;
    std::printf("%s\t%s\t%u", run.label.c_str(), file.substr(file.rfind('/') + 1).c_str(),
                site->second.line);
    for (const double cost : loop.costs)
      std::printf("\t%.17g", cost);
    std::printf("\n");
  }
  return Done{};
}

Status printAll(const char *path, uint32_t threads) {
  const Result<Corpus> corpus = Corpus::open(path, Corpus::Mode::read);
  if (!corpus)
    return corpus.error();
  const Result<std::vector<Map>> maps = corpus->maps();
  if (!maps)
    return maps.error();
  const StrandSites sites = strandSites(*maps);
  return corpus->forEachRun([&](Run &&run) { return print(run, sites, threads); },
                            Corpus::ReadMask::strands);
}

} // namespace

int main(int argc, char **argv) {
  const int threads = argc == 3 ? std::atoi(argv[2]) : 0;
  if (threads < 1)
    return std::fprintf(stderr, "usage: loop_costs CORPUS.qx THREADS\n"), 2;
  const Status status = printAll(argv[1], static_cast<uint32_t>(threads));
  if (!status)
    return std::fprintf(stderr, "loop_costs: error: %s\n", status.error().message().c_str()), 1;
}
