// Judges the model on corpora of real programs:
//
//   model_judge CORPUS.qx...
//
// (a) Every function of every map, with random probabilities: the tree of regions has every block
// once, and evaluates to what elimination of the whole flow gives; without loops (and with less
// than 20,000 ways) also to what enumeration of all ways gives. 1e-9 each. (b) With all counts of
// the corpus: the mean of every function's tree is what its counts say (but where frames were lost
// or came back to a place, setjmp), and the sum over roots is the mean of a run, 1e-9 each. Status
// 1 when something is wrong. It judges no prediction.
#include "quincunx/estimate/Model.h"
#include "quincunx/numeric/LinearSystem.h"

#include "../unit/model/Engines.h"

#include <cstdio>
#include <random>

using namespace quincunx;
using namespace quincunx::test;

namespace {

struct Tally {
  size_t functions = 0, acyclic = 0, enumerated = 0, large = 0, endless = 0, means = 0, lost = 0;
  size_t wrong = 0;
  double worst = 0;
  void judge(double difference, const std::string &what) {
    worst = std::max(worst, difference);
    if (difference < 1e-9)
      return;
    if (++wrong <= 20)
      std::printf("  WRONG %s: %.3g\n", what.c_str(), difference);
  }
};

/// Expected passes of each edge when the edges of a block are drawn with random chances; all calls
/// return, as in trees.
std::optional<std::vector<double>> randomFlow(const Function &f, std::mt19937_64 &random) {
  const size_t n = f.blocks.size();
  std::vector<double> chance(f.edges.size(), 0.0), total(n, 0.0), start(n, 0.0);
  for (size_t e = 0; e < f.edges.size(); ++e)
    if (f.edges[e].from != noIndex && f.edges[e].kind != EdgeKind::nonReturning) {
      chance[e] = 0.05 + static_cast<double>(random() % 1000) / 1000;
      total[f.edges[e].from] += chance[e];
    }
  std::vector<double> matrix(n * n, 0.0);
  for (size_t b = 0; b < n; ++b)
    matrix[b * n + b] = 1;
  for (size_t e = 0; e < f.edges.size(); ++e)
    if (f.edges[e].kind == EdgeKind::entry)
      start[f.edges[e].to] = 1;
    else if (f.edges[e].kind == EdgeKind::flow)
      matrix[f.edges[e].to * n + f.edges[e].from] -= chance[e] / total[f.edges[e].from];
  const Result<std::vector<double>> visits = solveLinear(matrix, start);
  if (!visits)
    return std::nullopt;
  std::vector<double> edges;
  for (size_t e = 0; e < f.edges.size(); ++e) {
    const uint32_t from = f.edges[e].from;
    edges.push_back(from == noIndex ? (f.edges[e].kind == EdgeKind::entry ? 1 : 0)
                                    : (*visits)[from] * chance[e] / total[from]);
  }
  return edges;
}

void judgeFunction(const Function &f, std::mt19937_64 &random, Tally &tally) {
  ++tally.functions;
  const Regions r = reduce(f);
  for (const int times : blocksOf(r, f.blocks.size()))
    if (times != 0 && times != 1)
      tally.judge(1, f.name + ", a block that is not there once");
  if (f.blocks.size() > 600) {
    ++tally.large;
    return;
  }
  const std::optional<std::vector<double>> edges = randomFlow(f, random);
  if (!edges) {
    ++tally.endless;
    return;
  }
  std::vector<Cumulants> blocks;
  for (size_t b = 0; b < f.blocks.size(); ++b)
    blocks.push_back({static_cast<double>(random() % 20), static_cast<double>(random() % 5), 0,
                      static_cast<double>(random() % 3)});
  const Evaluation e{*edges, blocks, {}, {}};
  const Result<std::vector<Cumulants>> tree = evaluate(r, e);
  const Result<Cumulants> flat = evaluateFlat(f, e);
  if (!tree || !flat) {
    tally.judge(1, f.name + ", " + (tree ? flat.error() : tree.error()).text);
    return;
  }
  tally.judge(difference((*tree)[r.root], *flat), f.name + ", tree and elimination");
  if (!isAcyclic(f))
    return;
  ++tally.acyclic;
  if (Cumulants all; enumerated(f, e, all)) {
    ++tally.enumerated;
    tally.judge(difference(all, *flat), f.name + ", all ways and elimination");
  }
}

/// Who came in left by a way of the tree, and nobody came twice.
bool isConserved(const Function &f, const std::vector<double> &edges) {
  double balance = 0, again = 0;
  for (size_t i = 0; i < edges.size(); ++i) {
    balance += f.edges[i].kind == EdgeKind::entry ? edges[i] : 0;
    balance -= f.edges[i].to == noIndex ? edges[i] : 0;
    const EdgeKind kind = f.edges[i].kind;
    again += kind == EdgeKind::reentry || kind == EdgeKind::nonReturning ? edges[i] : 0;
  }
  return balance == 0 && again == 0;
}

Status judgeMeans(const Corpus &corpus, const std::vector<Map> &maps, Tally &tally) {
  const Result<Machine> machine = machineByName("x86-64");
  Model model(maps, *machine, {});
  if (const Status s =
          corpus.forEachRun([&](Run &&run) { return model.add(run); }, Corpus::ReadMask::recorders);
      !s)
    return s;
  const Result<Modelled> m = model.finish();
  if (!m)
    return m.error();
  for (const ModelledFunction &f : m->functions) {
    const Result<ModelledTree> tree = model.tree(f.number);
    if (!tree)
      return tree.error();
    const ExecutionCounts &e = tree->executed;
    const Function &function = *model.graph().functions[f.number];
    const bool conserved = isConserved(function, e.edges);
    tally.lost += !conserved;
    const double mean = tree->costs[tree->regions.root].k1;
    if (conserved)
      tally.judge(std::fabs(mean - f.cost.inclusive.k1) / std::max(mean, 1.0),
                  function.name + ", mean of its tree");
    ++tally.means;
  }
  tally.judge(std::fabs(m->composedMean - m->observedMean) / m->observedMean, "sum over roots");
  return Done{};
}

} // namespace

int main(int argc, char **argv) {
  Tally tally;
  std::mt19937_64 random(5);
  for (int i = 1; i < argc; ++i) {
    const Result<Corpus> corpus = Corpus::open(argv[i], Corpus::Mode::read);
    const Result<std::vector<Map>> maps =
        corpus ? corpus->maps() : Result<std::vector<Map>>(corpus.error());
    if (!maps)
      return std::fprintf(stderr, "%s\n", maps.error().message().c_str()), 2;
    for (const Map &m : *maps)
      for (const Function &f : m.functions)
        judgeFunction(f, random, tally);
    if (const Status s = judgeMeans(*corpus, *maps, tally); !s)
      return std::fprintf(stderr, "%s: %s\n", argv[i], s.error().message().c_str()), 2;
  }
  std::printf(
      "functions %zu (acyclic %zu, enumerated %zu, over 600 blocks %zu, endless %zu), means "
      "%zu (that do not return once per call %zu), largest difference %.2g, wrong %zu\n",
      tally.functions, tally.acyclic, tally.enumerated, tally.large, tally.endless, tally.means,
      tally.lost, tally.worst, tally.wrong);
  return tally.wrong != 0 || tally.functions == 0;
}
