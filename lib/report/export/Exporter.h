// Turns the regions of a function into trees; ExportProcess.cpp has what is executed at most once,
// ExportLoops.cpp what is repeated, ExportForks.cpp threads.
#pragma once

#include "ExportProcess.h"
#include "quincunx/estimate/LoopBounds.h"

namespace quincunx {

/// What is executed one after the other; costs without structure that follow each other are one.
struct TreeSequence {
  struct Element {
    pamela::Tree tree; ///< null: `plain`
    Cumulants plain;
    bool ofTeam = false; ///< done by all threads together
  };
  std::vector<Element> all;

  void add(const Cumulants &plain);
  void add(pamela::Tree tree) { all.push_back({std::move(tree), {}}); }
  void add(const TreeSequence &others);
  bool empty() const { return all.empty(); }
};

class Exporter {
public:
  Exporter(ExportPlan &p, const ModelledTree &t)
      : plan(p), m(p.m), tree(t), f(*p.m.graph.functions[t.number]),
        bounds(boundsOf(f, t.executed)) {}
  ExportedProcess run();
  ExportedProcess runAsOne(const Cumulants &cost);

private:
  double weight(const EdgeSet &edges) const { return passes(edges, tree.executed.edges); }
  bool fixed() const { return m.options.branch == "observed"; }
  pamela::Tree of(const TreeSequence &parts) const;
  pamela::Tree note(pamela::Tree commented, const std::string &comment);
  std::string place(const char *what, const Location &at) const;
  pamela::Tree call(uint32_t callee);
  pamela::Tree oneOfThem(const ModelledCall &c);
  pamela::Tree calls(const ModelledCall &c, double n);

  TreeSequence of(uint32_t region);
  TreeSequence repeated(uint32_t region); ///< what is not once per call
  TreeSequence block(uint32_t region);
  TreeSequence branch(const Region &r);
  TreeSequence arms(const Region &r, double sum);

  TreeSequence loop(const Region &r);
  TreeSequence loopAround(const Region &r, const Cumulants &n, bool testsLast);
  TreeSequence shared(const Region &r, const Cumulants &n, bool testsLast);
  pamela::Tree bound(uint32_t loop, const Cumulants &n, bool testsLast);
  pamela::Tree expression(const std::string &trips);
  std::string loopComment(uint32_t loop, bool known) const;
  TreeSequence collapsed(uint32_t region);
  /// Calls and forks, and how often.
  using Counted = std::vector<std::pair<const ModelledCall *, double>>;
  TreeSequence ownAndCalls(const Cumulants &all, const Counted &callsAndForks, std::string comment);
  void blocksOf(uint32_t region, std::set<uint32_t> &blocks) const;
  /// How often `block` is executed, per execution of `region`.
  double executions(uint32_t block, uint32_t region);

  void start(const ModelledCall &fork, double times, TreeSequence &parts);
  void startedInLoop(size_t before, const pamela::Tree &passes, const Cumulants &n);
  void join(TreeSequence &parts);
  bool joins(uint32_t region) const;
  pamela::Tree wholeTeam(const TreeSequence &parts) const;

  ExportPlan &plan;
  const ModelReport &m;
  const ModelledTree &tree;
  const Function &f;
  const LoopBounds bounds;
  ExportedProcess out;
  pamela::Tree processor;    ///< on which it is; null: none has a name
  const char *index = "i";   ///< of what is repeated; not one that the processor depends on
  size_t depth = 0;          ///< 0: once per call
  uint32_t around = noIndex; ///< the loop whose passes these are, each once
  bool usesIndex = false;    ///< of that loop
  struct Started {
    const ModelledCall *fork = nullptr;
    double number = 0;
    pamela::Tree threads; ///< the same, perhaps as the bound of a loop
  };
  std::vector<Started> started;                   ///< one by one, and not joined yet
  std::set<const ModelledCall *> counted;         ///< forks of teams
  std::map<uint32_t, std::vector<double>> visits; ///< see executions()
};

} // namespace quincunx
