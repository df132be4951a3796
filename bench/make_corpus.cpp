// Writes a corpus of many runs of one made-up program, for bench/corpus.py.
//
//     make_corpus FILE FUNCTIONS RUNS related|unrelated
//
// Every function is a loop with a branch in it: three counters, all of them hit in every run.
// "related": counts grow with the size of the run's input, which is log-normal-like (2^20 at most),
// as those of a program do. "unrelated": every count is drawn by itself from 1 to 2^40, with
// log-uniform magnitude, the worst there is to store. Seeded.
#include "estimate/Synthetic.h"
#include "quincunx/profile/Corpus.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

using namespace quincunx;

namespace {

int fail(const Error &e) {
  std::fprintf(stderr, "make_corpus: %s\n", e.message().c_str());
  return 1;
}

std::vector<uint64_t> countsOf(size_t functions, bool related, std::mt19937_64 &random) {
  std::vector<uint64_t> counts;
  const auto below = [&](uint64_t n) { return random() % n; };
  const double size = std::exp(2 + static_cast<double>(below(4000)) / 1000);
  for (size_t i = 0; i < functions; ++i)
    for (const uint64_t share : {uint64_t{0}, uint64_t{100}, uint64_t{30}}) {
      if (!related)
        counts.push_back(1 + below(uint64_t{1} << (1 + below(40))));
      else if (share == 0)
        counts.push_back(1 + below(5));
      else
        counts.push_back(static_cast<uint64_t>(size * static_cast<double>(1 + below(share))));
    }
  return counts;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: make_corpus FILE FUNCTIONS RUNS related|unrelated\n");
    return 2;
  }
  const size_t functions = std::strtoul(argv[2], nullptr, 10);
  const size_t runs = std::strtoul(argv[3], nullptr, 10);
  const bool related = std::string(argv[4]) == "related";
  std::vector<Function> all;
  for (size_t i = 0; i < functions; ++i)
    all.push_back(test::loopWithBranch("function" + std::to_string(i),
                                       static_cast<uint32_t>(3 * i)));
  const RawMap raw = test::rawOf(all);
  Result<Map> map = decodeMap(raw);
  if (!map)
    return fail(map.error());
  map->functions.clear(); // a run needs the hash and the number of counters only
  Result<Corpus> corpus = Corpus::open(argv[1], Corpus::Mode::write);
  if (!corpus)
    return fail(corpus.error());
  if (const auto added = corpus->addMap(raw, map->path = "/bin/prog"); !added)
    return fail(added.error());
  std::mt19937_64 random(1);
  for (size_t r = 0; r < runs; ++r) {
    char name[32];
    std::snprintf(name, sizeof name, "in/%06zu.txt", r);
    if (const Status s = corpus->add(test::runOf(name, *map, countsOf(functions, related, random)));
        !s)
      return fail(s.error());
  }
  return 0;
}
