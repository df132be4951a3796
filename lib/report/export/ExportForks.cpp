// Exports threads as parallel processes. The idea: as in the model, a team runs until its last
// thread has ended, where it is started. Threads that are started one by one run beside each other
// until the function joins threads, or ends. On processors that are resources, each has its own as
// long as there are enough.
#include "Exporter.h"
#include "quincunx/base/Text.h"
#include "quincunx/pamela/Evaluate.h"
#include "quincunx/report/Names.h"
#include "report/layout/Grid.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace quincunx {

using pamela::Op;
using pamela::Tree;

namespace {

/// Costs that differ by less than this share differ by rounding.
constexpr double roundedCost = 1e-9;
/// No name of the language, so nothing else has it.
constexpr const char *oneFork = "(fork)";

} // namespace

bool ExportPlan::mayStart(uint32_t function, uint32_t callee) const {
  std::set<uint32_t> seen{callee};
  std::vector<uint32_t> waiting{callee};
  while (!waiting.empty()) {
    const uint32_t at = waiting.back();
    waiting.pop_back();
    if (at == function)
      return false;
    for (const auto *sites : {&m.graph.calls[at], &m.graph.starts[at]})
      for (const CallSite &c : *sites)
        if (seen.insert(c.callee).second)
          waiting.push_back(c.callee);
    for (const PointerSite &site : m.graph.pointers[at])
      for (const uint32_t target : site.callees)
        if (seen.insert(target).second)
          waiting.push_back(target);
  }
  return true;
}

bool joinsThreads(const Call &c) { return c.callee == "pthread_join" || c.callee == "thrd_join"; }

std::vector<uint32_t> sharedLoops(const Function &f) {
  std::vector<uint32_t> all;
  for (uint32_t l = 0; l < f.loops.size(); ++l) {
    const Loop &loop = f.loops[l];
    const bool is = std::any_of(f.calls.begin(), f.calls.end(), [&](const Call &c) {
      return c.callee.starts_with("__kmpc_for_static_init")
                 ? samePlace(c.at, loop.at)
                 : c.callee.starts_with("__kmpc_dispatch_next") && c.block == loop.header;
    });
    if (is && loop.parent == noIndex)
      all.push_back(l);
  }
  return all;
}

double oneByOne(const Function &f, const ModelledTree &tree, const ModelledCall &fork) {
  const double times = tree.executed.blocks[fork.block] / tree.executed.entries;
  const double threads = fork.perCall * fork.threads;
  const bool makesTeams = std::any_of(f.calls.begin(), f.calls.end(), [&](const Call &c) {
    return c.block == fork.block && c.callee.starts_with("__kmpc_fork");
  });
  // The model takes teams of one for single threads; without runs it takes threads for such teams.
  const bool is = std::fabs(threads - times) <= roundedCost * times &&
                  (!makesTeams || (fork.perCall == 1 && times != 1));
  return is ? threads : 0;
}

/// A team `times` times, or a thread that will be joined.
void Exporter::start(const ModelledCall &fork, double times, TreeSequence &parts) {
  if (!plan.mayStart(tree.number, fork.callee))
    return;
  if (const double threads = oneByOne(f, tree, fork); threads > 0) {
    const bool isNew = std::none_of(started.begin(), started.end(),
                                    [&](const Started &s) { return s.fork == &fork; });
    if (isNew)
      started.push_back({&fork, threads, constant(threads)});
    return;
  }
  const auto known = plan.teams.find(fork.callee);
  Tree team;
  if (plan.onProcessors && known != plan.teams.end() && !known->second.shared.empty()) {
    out.callees.push_back(fork.callee);
    team = named(plan.names.process(fork.callee));
  } else if (plan.onProcessors && known != plan.teams.end()) {
    const Tree own = std::exchange(processor, named("p"));
    team = repeat(Op::par, "p", 0, named(known->second.parameter), call(fork.callee));
    processor = own;
  } else
    team = repeat(Op::par, "t", 1, constant(fork.threads), call(fork.callee));
  // The test of a loop stands in front of it and in it: how often it is says so once.
  const double all = counted.insert(&fork).second ? fork.perCall * fork.threads : 0;
  out.forks.push_back({team, fork.callee, all, fork.cost});
  parts.add(times == 1 ? team : repeat(Op::seq, index, 1, constant(times), team));
}

/// As many as a loop has passes that was made of what follows the first `before` of them.
void Exporter::startedInLoop(size_t before, const Tree &passes, const Cumulants &n) {
  for (size_t i = before; i < started.size(); ++i)
    if (n.k2 == 0 && std::fabs(started[i].number - n.k1) <= roundedCost * n.k1)
      started[i].threads = passes;
}

/// What was started one by one, until all of it has ended.
void Exporter::join(TreeSequence &parts) {
  std::vector<Tree> all;
  Tree thread = named("t");
  for (const Started &s : started) {
    const ModelledCall &fork = *s.fork;
    const Tree own = processor;
    if (plan.onProcessors)
      processor = node(Op::mod, {thread, named("P")});
    Tree threads = call(fork.callee);
    processor = own;
    threads = s.number < 1
                  ? repeat(Op::seq, "i", 1, s.threads, std::move(threads))
                  : repeat(Op::par, "t", plan.onProcessors ? 0 : 1, s.threads, std::move(threads));
    thread = s.threads->op == Op::number ? plus(thread, s.threads->value)
                                         : node(Op::add, {thread, s.threads});
    out.forks.push_back({threads, fork.callee, s.number, fork.cost});
    all.push_back(std::move(threads));
  }
  if (!all.empty())
    parts.add(all.size() == 1 ? all[0] : node(Op::parallel, std::move(all)));
  started.clear();
}

/// Does it wait for threads?
bool Exporter::joins(uint32_t region) const {
  if (started.empty())
    return false;
  std::set<uint32_t> blocks;
  blocksOf(region, blocks);
  return std::any_of(f.calls.begin(), f.calls.end(),
                     [&](const Call &c) { return joinsThreads(c) && blocks.contains(c.block); });
}

/// All of a team: what each thread does on its processor, and what they share.
Tree Exporter::wholeTeam(const TreeSequence &parts) const {
  const Tree P = named(plan.teams.at(tree.number).parameter);
  std::vector<Tree> all;
  TreeSequence each;
  const auto close = [&] {
    if (!each.empty())
      all.push_back(repeat(Op::par, "p", 0, P, of(each)));
    each = {};
  };
  for (const TreeSequence::Element &part : parts.all) {
    if (!part.ofTeam) {
      each.all.push_back(part);
      continue;
    }
    close();
    all.push_back(part.tree);
  }
  close();
  return inTurn(std::move(all));
}

void judgeForks(std::map<uint32_t, ExportedProcess> &processes, const CallGraph &graph,
                const Display &display, pamela::Model model) {
  std::map<uint32_t, bool> forking; // by itself or in what it calls
  const std::function<bool(uint32_t)> forks = [&](uint32_t function) {
    const auto [at, isNew] = forking.emplace(function, false);
    if (isNew)
      forking[function] = !processes[function].forks.empty() ||
                          std::ranges::any_of(processes[function].callees, forks);
    return forking[function];
  };
  model.definitions.push_back({pamela::Kind::process, false, oneFork, {}, nullptr, {}});
  for (auto &[number, process] : processes)
    for (const ExportedProcess::Fork &fork : process.forks) {
      model.definitions.back().body = fork.tree;
      const auto here = pamela::evaluate(model, {oneFork, {}, false, maxForkSteps});
      const Cumulants there = fork.untilLast;
      const auto close = [&](double Cumulants::*k, double scale) {
        return std::fabs(here->T.*k - there.*k) <= roundedCost * scale;
      };
      const bool sameMean = here && close(&Cumulants::k1, there.k1);
      std::string text = "threads of " + display.function(graph.functions[fork.callee]->name) +
                         ", until the last has ended: ";
      if (!here)
        text += figure(there.k1) + " in quincunx model";
      else if (sameMean && close(&Cumulants::k2, there.k1 * there.k1))
        text += figure(there.k1) + ", as in quincunx model";
      else
        text +=
            figure(here->T.k1) + ";\nin quincunx model " +
            (sameMean ? "the same mean" : figure(there.k1)) +
            (forks(fork.callee)                   ? ", without threads that these start"
             : !processes[fork.callee].isTeam     ? ", as something in it varies otherwise"
             : here->T.k2 < there.k2 * (1 - 1e-9) ? ", as the passes of a thread are random there"
                                                  : ", as all threads have equal shares there");
      process.comments[fork.tree.get()] = text;
    }
}

} // namespace quincunx
