// Turns a program into a model of PAMELA+: which functions, who starts what, and in which order
// they stand. The idea: a process per function, callers before callees. Threads that functions
// start are no longer roots of a run. What threads cost side by side is evaluated, and said beside
// what the model of the program has for it. Processes are made in ExportProcess.cpp.
#include "quincunx/report/Export.h"

#include "ExportProcess.h"
#include "quincunx/base/Text.h"
#include "quincunx/pamela/Evaluate.h"
#include "quincunx/report/Names.h"
#include "report/layout/Grid.h"
#include "report/model/OpenCalls.h"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace quincunx {

using pamela::Op;
using pamela::Tree;

namespace {

/// Numbers that differ by less than this share differ by rounding.
constexpr double roundedAway = 1e-9;

bool isWhole(double x) { return std::fabs(x - std::round(x)) <= roundedAway && x > 0.5; }

using TreeOf = std::function<Result<ModelledTree>(uint32_t)>;

class ModelExport {
public:
  ModelExport(const ModelReport &report, const TreeOf &trees, const Display &on);
  Status run(const std::vector<size_t> &chosen, bool wholeRun, std::ostream &out);

private:
  void reach(const std::vector<size_t> &chosen, bool wholeRun);
  void planForks();
  void planTeams(const ModelledTree &tree, double &P);
  bool isCalled(uint32_t function) const;
  bool startsItself(uint32_t function) const;
  bool isTask(uint32_t function) const;
  void exportAll();
  Tree start(const std::vector<size_t> &chosen, bool wholeRun);
  void order(uint32_t function, std::set<uint32_t> &seen);
  pamela::Model build(const std::vector<size_t> &chosen, bool wholeRun);
  std::vector<pamela::Definition> heads() const;
  std::vector<pamela::Definition> definitions(uint32_t function);
  std::string headOf(bool wholeRun, const pamela::Evaluated *here) const;
  std::string placeOf(uint32_t number) const;

  const ModelReport &m;
  const TreeOf &treeOf;
  const Display &display;
  ExportPlan plan;
  std::map<uint32_t, const ModelledFunction *> known;
  std::map<uint32_t, ModelledTree> trees; ///< trees of what is reached and has one
  std::set<uint32_t> lost;                ///< those whose tree does not have the moments
  std::set<uint32_t> alone;               ///< reached, and recursive or without a tree
  std::map<uint32_t, ExportedProcess> processes;
  std::vector<uint32_t> calleesFirst; ///< that are in the model
  Tree main;
  double processors = 0;
  bool hasTasks = false, tasksInTurn = false; ///< of OpenMP, in `main`
};

ModelExport::ModelExport(const ModelReport &report, const TreeOf &t, const Display &on)
    : m(report), treeOf(t), display(on), plan(report) {
  for (const ModelledFunction &f : m.model.functions)
    known[f.number] = &f;
}

/// Finds all functions that can be in it. The language has no recursion.
void ModelExport::reach(const std::vector<size_t> &chosen, bool wholeRun) {
  std::set<uint32_t> cycles;
  for (size_t c = 0; c < m.graph.components.size(); ++c)
    if (m.graph.recursive[c])
      cycles.insert(m.graph.components[c].begin(), m.graph.components[c].end());
  std::vector<uint32_t> waiting;
  std::set<uint32_t> seen;
  const auto want = [&](uint32_t f) {
    if (known.contains(f) && seen.insert(f).second)
      waiting.push_back(f);
  };
  for (const size_t i : chosen)
    if (!wholeRun || m.model.functions[i].roots > 0)
      want(m.model.functions[i].number);
  while (!waiting.empty()) {
    const uint32_t number = waiting.back();
    waiting.pop_back();
    Result<ModelledTree> tree = treeOf(number);
    if (known[number]->cost.endless || !tree || cycles.contains(number)) {
      alone.insert(number);
      continue;
    }
    const uint32_t root = tree->regions.root;
    if (root != noIndex && !alike(tree->costs[root], known[number]->cost.inclusive))
      lost.insert(number);
    for (const ModelledCall &c : tree->calls) {
      for (const ModelledCall::Target &t : c.among)
        want(t.callee);
      if (c.among.empty() && (c.threads == 0 || plan.mayStart(number, c.callee)))
        want(c.callee);
    }
    trees.emplace(number, std::move(*tree));
  }
}

bool ModelExport::isCalled(uint32_t function) const {
  return std::any_of(trees.begin(), trees.end(), [&](const auto &t) {
    return std::any_of(t.second.calls.begin(), t.second.calls.end(), [&](const ModelledCall &c) {
      return c.threads == 0 &&
             (c.callee == function ||
              std::ranges::find(c.among, function, &ModelledCall::Target::callee) != c.among.end());
    });
  });
}

/// Whether its threads start it again; the language has no recursion.
bool ModelExport::startsItself(uint32_t function) const {
  const std::vector<ModelledCall> &calls = trees.at(function).calls;
  return std::any_of(calls.begin(), calls.end(), [&](const ModelledCall &c) {
    return c.threads > 0 && !plan.mayStart(function, c.callee);
  });
}

/// Is it what a task of OpenMP does? The library calls it.
bool ModelExport::isTask(uint32_t function) const {
  return m.graph.functions[function]->name.find(".omp_task_entry.") != std::string::npos;
}

/// Plans the teams of one function; `P` becomes at least as large as they are.
void ModelExport::planTeams(const ModelledTree &tree, double &P) {
  const Function &f = *m.graph.functions[tree.number];
  double single = 0;
  for (const ModelledCall &c : tree.calls) {
    if (c.threads == 0 || !plan.mayStart(tree.number, c.callee))
      continue;
    if (const double threads = oneByOne(f, tree, c); threads > 0) {
      single += threads;
      continue;
    }
    ExportPlan::Team &team = plan.teams[c.callee];
    team.threads = c.threads;
    if (trees.contains(c.callee) && !lost.contains(c.callee) && !isCalled(c.callee))
      team.shared = sharedLoops(*m.graph.functions[c.callee]);
    P = std::max(P, c.threads);
  }
  P = std::max(P, single);
}

void ModelExport::planForks() {
  bool any = false, whole = true;
  for (const auto &[number, tree] : trees) {
    for (const ModelledCall &c : tree.calls)
      if (c.threads > 0 && plan.mayStart(number, c.callee)) {
        any = true;
        const double single = oneByOne(*m.graph.functions[number], tree, c);
        whole = whole && isWhole(single > 0 ? single : c.threads);
      }
    planTeams(tree, processors);
  }
  plan.onProcessors = any && whole;
  processors = std::round(processors);
  for (auto &[callee, team] : plan.teams)
    team.parameter = std::fabs(team.threads - processors) <= roundedAway
                         ? "P"
                         : plan.names.parameter(callee, "P");
}

void ModelExport::exportAll() {
  for (const auto &[number, tree] : trees) {
    ExportedProcess &p = processes[number];
    p = lost.contains(number) ? exportAsOne(plan, tree, known[number]->cost.inclusive)
                              : exportProcess(plan, tree);
    const auto team = plan.teams.find(number);
    if (team != plan.teams.end() && team->second.parameter != "P" && plan.onProcessors)
      p.parameters.insert({team->second.parameter, team->second.threads, "threads of a team"});
  }
  for (const uint32_t number : alone)
    processes[number] = exportAlone(plan, known[number]->cost.charged);
}

/// Makes main: calls from outside, but for threads that are started by what is exported; null:
/// none.
Tree ModelExport::start(const std::vector<size_t> &chosen, bool wholeRun) {
  std::map<uint32_t, double> started;
  for (const auto &[number, process] : processes)
    for (const ExportedProcess::Fork &fork : process.forks)
      started[fork.callee] += fork.perCall * known[number]->calls;
  std::vector<Tree> all, tasks;
  for (const size_t i : chosen) {
    const ModelledFunction &f = m.model.functions[i];
    const double times = wholeRun ? f.roots - started[f.number] : 1;
    if (times <= roundedAway * f.roots || f.cost.endless)
      continue;
    const bool hasProcessor = plan.onProcessors && !processes[f.number].isTeam;
    const bool areTasks = wholeRun && isTask(f.number);
    const bool besideEachOther = areTasks && hasProcessor && isWhole(times);
    hasTasks |= areTasks;
    tasksInTurn |= areTasks && !besideEachOther;
    const Tree place = besideEachOther ? node(Op::mod, {named("t"), named("P")}) : constant(0);
    const Tree call = named(plan.names.process(f.number),
                            hasProcessor ? std::vector{place} : std::vector<Tree>{});
    std::vector<Tree> &to = areTasks ? tasks : all;
    if (besideEachOther)
      to.push_back(repeat(Op::par, "t", 0, constant(std::round(times)), call));
    else
      to.push_back(std::fabs(times - 1) <= roundedAway
                       ? call
                       : repeat(Op::seq, "i", 1, constant(times), call));
    processes[noIndex].callees.push_back(f.number);
  }
  all.insert(all.end(), tasks.begin(), tasks.end());
  return all.empty() ? nullptr : inTurn(std::move(all));
}

/// Orders callees before callers.
void ModelExport::order(uint32_t function, std::set<uint32_t> &seen) {
  const auto process = processes.find(function);
  if (process == processes.end() || !seen.insert(function).second)
    return;
  const std::vector<uint32_t> &callees = process->second.callees;
  for (size_t i = callees.size(); i-- > 0;) // so that the first one comes first
    order(callees[i], seen);
  if (function != noIndex)
    calleesFirst.push_back(function);
}

std::vector<pamela::Definition> ModelExport::heads() const {
  std::vector<pamela::Definition> all;
  if (plan.onProcessors) {
    all.push_back({pamela::Kind::numeric, true, "P", {}, constant(processors), {}});
    all.push_back({pamela::Kind::resource,
                   false,
                   "cpu",
                   {"p"},
                   node(Op::fcfs, {named("p"), constant(1)}),
                   {}});
  }
  all.push_back({pamela::Kind::process, false, "main", {}, main, {}});
  return all;
}

/// Returns its parameters, and behind them its process.
std::vector<pamela::Definition> ModelExport::definitions(uint32_t function) {
  const ExportedProcess &p = processes[function];
  std::vector<pamela::Definition> all;
  for (const ExportedProcess::Parameter &x : p.parameters)
    all.push_back({pamela::Kind::numeric, true, x.name, {}, constant(x.value), {}});
  std::vector<std::string> arguments;
  if (plan.onProcessors && !p.isTeam)
    arguments.emplace_back("p");
  all.push_back(
      {pamela::Kind::process, false, plan.names.process(function), arguments, p.body, {}});
  return all;
}

std::string ModelExport::placeOf(uint32_t number) const {
  const Function &f = *m.graph.functions[number];
  std::string text = display.function(f.name);
  if (!f.scopes.empty() && f.scopes[0].file < f.files.size())
    text.append(" (")
        .append(escape(fileName(f.files[f.scopes[0].file].path)))
        .append(":")
        .append(std::to_string(f.scopes[0].line))
        .append(")");
  return text;
}

std::string ModelExport::headOf(bool wholeRun, const pamela::Evaluated *here) const {
  std::string text = "The model of one ";
  text.append(wholeRun ? "run" : "call")
      .append(", in ")
      .append(escape(m.model.unit))
      .append(" of machine ")
      .append(escape(m.model.machine))
      .append(".");
  if (hasTasks)
    text += std::string("\nTasks of OpenMP stand behind what makes them, ") +
            (tasksInTurn ? "one after another" : "beside each other") +
            ";\nwhat they wait for is not in it: quincunx scale has that.";
  const bool forks = std::any_of(processes.begin(), processes.end(),
                                 [](const auto &p) { return !p.second.forks.empty(); });
  if (!forks)
    return text;
  text += "\nThreads run beside each other, and its time is until the last of them has ended.";
  if (!wholeRun)
    return text + "\nIn quincunx model they are no part of the call.";
  text +=
      "\nquincunx model adds them up: " + figure(m.model.composedMean) + " is the mean of a run.";
  if (!plan.onProcessors || here == nullptr)
    return text;
  double work = 0;
  for (const auto &[index, demand] : here->demands)
    work += demand.k.k1;
  if (std::fabs(work - m.model.composedMean) <= roundedAway * work)
    return text + "\nThat is what is used of all processors together.";
  return text + "\nWhat is used of all processors together is " + figure(work) + ".";
}

/// Builds the model without comments; it has no definitions when nothing has a mean.
pamela::Model ModelExport::build(const std::vector<size_t> &chosen, bool wholeRun) {
  processes.clear();
  calleesFirst.clear();
  exportAll();
  pamela::Model model;
  model.files = {"model"};
  main = start(chosen, wholeRun);
  if (!main)
    return model;
  std::set<uint32_t> seen;
  order(noIndex, seen);
  std::erase_if(processes, [&](const auto &p) { return !seen.contains(p.first); });
  model.definitions = heads();
  for (const uint32_t number : calleesFirst)
    for (pamela::Definition &d : definitions(number))
      model.definitions.push_back(std::move(d));
  return model;
}

Status ModelExport::run(const std::vector<size_t> &chosen, bool wholeRun, std::ostream &out) {
  reach(chosen, wholeRun);
  planForks();
  pamela::Model bare = build(chosen, wholeRun);
  if (!main)
    return Error{"nothing that was chosen has a mean"};
  const pamela::EvaluateOptions asItStands{"main", {}, false, maxForkSteps};
  auto here = pamela::evaluate(bare, asItStands);
  if (!here) { // too much to go through
    plan.usesIndices = false;
    bare = build(chosen, wholeRun);
    here = pamela::evaluate(bare, asItStands);
  }
  judgeForks(processes, m.graph, display, bare);

  ModelText text;
  text.comment(headOf(wholeRun, here ? &*here : nullptr));
  for (const pamela::Definition &d : heads())
    text.add(d, {}, d.name == "P" ? "processors, as many as threads were seen" : "");
  for (size_t i = calleesFirst.size(); i-- > 0;) {
    const uint32_t number = calleesFirst[i];
    const ExportedProcess &process = processes[number];
    std::string comment = placeOf(number);
    const auto f = known.find(number);
    const Verdict verdict = f == known.end() ? Verdict{} : f->second->verdict;
    if (alone.contains(number))
      comment += verdict.asMeasured ? ": recursive, as measured" : ": recursive, as one";
    else if (startsItself(number))
      comment += ": its threads start it again, and stand in main";
    if (!verdict.refuted.empty())
      comment += "; independence is refuted: " + verdict.refuted;
    if (verdict.asMeasured && !alone.contains(number))
      comment += ";\nin quincunx model callers are charged as measured, here by its parts";
    if (f != known.end())
      if (const auto &open = f->second->open)
        comment += ";\nits mean is between " + figure(open->least) + " and " + figure(open->most) +
                   ": " + openCalls(m.graph, *open, display);
    text.comment(comment);
    auto parameter = process.parameters.begin();
    for (const pamela::Definition &d : definitions(number))
      text.add(d, process.comments, d.parameter ? (parameter++)->comment : "");
  }
  out << text.text();
  return Done{};
}

} // namespace

Status printPamela(const ModelReport &m, const TreeOf &treeOf, const ReportOptions &options,
                   std::ostream &out) {
  if (m.options.perRun || m.options.branch == "empirical")
    return Error{"a mixture of runs is no model of the language; leave out --per-run, or choose "
                 "another --branch"};
  const auto chosen = modelledFunctions(m.model, m.graph, options);
  if (!chosen)
    return chosen.error();
  return ModelExport(m, treeOf, options.display).run(*chosen, options.function.empty(), out);
}

} // namespace quincunx
