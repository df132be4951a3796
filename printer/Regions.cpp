// From maps to printed trees.
// The idea: the same reduction, evaluation and composition as `quincunx model` makes, and the same
// lines of text (lib/report). Functions of a corpus are found by name and must be the same code:
// counts of other code would be wrong figures, so there are none then. It knows nothing of LLVM.
// Reference: docs/19-without-runs.md.
#include "Regions.h"

#include "quincunx/base/Text.h"
#include "quincunx/cost/Machine.h"
#include "quincunx/estimate/Guess.h"
#include "quincunx/profile/Corpus.h"
#include "quincunx/report/Model.h"
#include "quincunx/report/Names.h"

#include <algorithm>
#include <ostream>

namespace quincunx {

namespace {

constexpr const char *pricedBy = "x86-64";

/// As printers of LLVM's own analyses begin.
void printHeading(const std::string &name, std::ostream &out) {
  out << "Printing analysis 'quincunx' for function '" << escape(demangle(name)) << "':\n";
}

/// The tree of one function, or why there is none.
void printOne(const ModelReport &m, uint32_t number, const Result<ModelledTree> &tree,
              std::span<const std::string> labels, std::ostream &out) {
  const auto is = [&](const ModelledFunction &f) { return f.number == number; };
  const auto at = std::find_if(m.model.functions.begin(), m.model.functions.end(), is);
  if (at == m.model.functions.end())
    out << "no figures: it never " << (m.model.guessed ? "ends by these guesses" : "ran") << "\n";
  else if (at->cost.endless)
    out << "no figures: it calls itself at least once more on average, so that no mean exists\n";
  else if (!tree)
    out << "no figures: " << tree.error().text << "\n";
  else
    printRegions(m, *tree, labels, out);
}

/// Is it the same flow of the same instructions? Lines, guesses and counters may differ.
bool isSameCode(const Function &a, const Function &b) {
  const auto alike = [](const auto &x, const auto &y, auto same) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), same);
  };
  return alike(a.blocks, b.blocks,
               [](const Block &x, const Block &y) {
                 return x.mix == y.mix && x.mayNotReturn == y.mayNotReturn &&
                        x.returnsTwice == y.returnsTwice;
               }) &&
         alike(a.edges, b.edges,
               [](const Edge &x, const Edge &y) {
                 return x.from == y.from && x.to == y.to && x.kind == y.kind;
               }) &&
         alike(a.branches, b.branches,
               [](const Branch &x, const Branch &y) {
                 return x.block == y.block && x.arms == y.arms;
               }) &&
         alike(a.loops, b.loops,
               [](const Loop &x, const Loop &y) {
                 return x.header == y.header && x.backEdges == y.backEdges;
               }) &&
         alike(a.calls, b.calls, [](const Call &x, const Call &y) {
           return x.block == y.block && x.callee == y.callee && x.starts == y.starts;
         });
}

} // namespace

Status printGuessed(std::vector<MappedFunction> functions, std::ostream &out) {
  const Result<Machine> machine = machineByName(pricedBy);
  if (!machine)
    return machine.error();
  std::vector<Map> maps(1);
  for (MappedFunction &f : functions)
    maps.front().functions.push_back(std::move(f.map));
  const Result<Guessed> guessed = guess(maps, *machine, {});
  if (!guessed)
    return guessed.error();
  const ModelReport report{guessed->model, guessed->graph, maps, {}, nullptr, "", &*guessed, ""};
  for (uint32_t f = 0; f < functions.size(); ++f) {
    printHeading(guessed->graph.functions[f]->name, out);
    printOne(report, f, guessed->tree(f), functions[f].labels, out);
  }
  return Done{};
}

struct MeasuredRegions::Impl {
  std::string file;
  std::vector<Map> maps; ///< before `model`, which looks at them
  CountMatrix counts;
  Model model;
  Modelled modelled;

  Impl(std::string path, std::vector<Map> m, CountMatrix c, const Machine &machine)
      : file(std::move(path)), maps(std::move(m)), counts(std::move(c)),
        model(maps, machine, {}, &counts) {}
  std::vector<uint32_t> named(const std::string &name) const;
  Status read(const Corpus &corpus, const Machine &machine);
};

/// The functions of the corpus with this linkage name: several where files have some of their own.
std::vector<uint32_t> MeasuredRegions::Impl::named(const std::string &name) const {
  std::vector<uint32_t> found;
  for (uint32_t f = 0; f < model.graph().functions.size(); ++f)
    if (model.graph().functions[f]->name == name)
      found.push_back(f);
  return found;
}

Status MeasuredRegions::Impl::read(const Corpus &corpus, const Machine &machine) {
  if (Status all =
          corpus.forEachRun([&](Run &&run) { return model.add(run); }, Corpus::ReadMask::recorders);
      !all)
    return all;
  const Result<ObservedCalls> measured = observeCalls(corpus, machine);
  Result<Modelled> finished = model.finish(measured ? &*measured : nullptr);
  if (!finished)
    return finished.error();
  modelled = std::move(*finished);
  return Done{};
}

MeasuredRegions::MeasuredRegions(std::unique_ptr<Impl> i) : impl(std::move(i)) {}
MeasuredRegions::MeasuredRegions(MeasuredRegions &&) noexcept = default;
MeasuredRegions::~MeasuredRegions() = default;

Result<MeasuredRegions> MeasuredRegions::read(const std::string &file) {
  const Result<Machine> machine = machineByName(pricedBy);
  if (!machine)
    return machine.error();
  const Result<Corpus> corpus = Corpus::open(file, Corpus::Mode::read);
  if (!corpus)
    return corpus.error();
  Result<std::vector<Map>> maps = corpus->maps();
  if (!maps)
    return maps.error();
  Result<CountMatrix> counts = readCounts(*corpus, *maps);
  if (!counts)
    return Error{escape(file) + ": " + counts.error().text};
  auto impl =
      std::make_unique<Impl>(fileName(file), std::move(*maps), std::move(*counts), *machine);
  if (const Status all = impl->read(*corpus, *machine); !all)
    return Error{escape(file) + ": " + all.error().text};
  return MeasuredRegions(std::move(impl));
}

Status MeasuredRegions::print(const std::vector<MappedFunction> &functions,
                              std::ostream &out) const {
  const CallGraph &graph = impl->model.graph();
  const ModelReport report{impl->modelled, graph, impl->maps, {}, nullptr, "", nullptr, ""};
  for (const MappedFunction &f : functions) {
    printHeading(f.map.name, out);
    const std::vector<uint32_t> all = impl->named(f.map.name);
    const auto same = std::find_if(
        all.begin(), all.end(), [&](uint32_t n) { return isSameCode(*graph.functions[n], f.map); });
    if (all.empty())
      out << "no figures: no program of " << escape(impl->file) << " has it\n";
    else if (same == all.end())
      out << "no figures: " << escape(impl->file)
          << " was recorded from other code; print the IR of that build (-S -emit-llvm)\n";
    else
      printOne(report, *same, impl->model.tree(*same), f.labels, out);
  }
  return Done{};
}

} // namespace quincunx
