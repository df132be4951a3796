// Which figures of a model its assumption of independence does not carry.
// The idea: what a function does itself is judged by its costs over the runs (CallDispersions.h);
// recursion is taken to know how deep it is, as one that works on smaller and smaller problems
// does, and counts cannot tell; and a caller rests on its callees in so far as its variance is made
// by theirs, E[calls] times the variance of one. It does not look at calls that were measured.
#include "Independence.h"

#include <algorithm>
#include <map>

namespace quincunx {

namespace {

/// Without so large a part of the variance the deviation is lower by a quarter.
constexpr double largePart = 1 - 1 / (1.25 * 1.25);

class Judge {
public:
  Judge(Modelled &model, const CallGraph &g, std::span<const ExecutionCounts> e,
        const Composition &c, const CallDispersions &d, bool p)
      : graph(g), executed(e), composition(c), dispersions(d), perRun(p) {
    for (ModelledFunction &f : model.functions)
      functions[f.number] = &f;
  }
  void run();

private:
  std::string reason(const ModelledFunction &f, bool recursive) const;
  std::string byCallees(const ModelledFunction &f) const;

  const CallGraph &graph;
  std::span<const ExecutionCounts> executed;
  const Composition &composition;
  const CallDispersions &dispersions;
  const bool perRun;
  std::map<uint32_t, ModelledFunction *> functions;
};

/// Callees first.
void Judge::run() {
  for (size_t c = 0; c < graph.components.size(); ++c)
    for (const uint32_t number : graph.components[c])
      if (const auto f = functions.find(number); f != functions.end() && !f->second->cost.endless)
        f->second->refuted = reason(*f->second, graph.recursive[c]);
}

std::string Judge::reason(const ModelledFunction &f, bool recursive) const {
  if (recursive && f.cost.outer < executed[f.number].entries)
    return "it is recursive, and calls know how deep they are";
  std::string own = dispersions.refuting(f.number, f.cost.exclusive, perRun);
  return own.empty() ? byCallees(f) : own;
}

std::string Judge::byCallees(const ModelledFunction &f) const {
  const ExecutionCounts &e = executed[f.number];
  std::map<uint32_t, double> calls; // of callees that are not independent, per call
  for (const CallSite &call : graph.calls[f.number])
    if (const auto g = functions.find(call.callee);
        g != functions.end() && !g->second->refuted.empty())
      calls[call.callee] += composition.share[call.callee] * e.blocks[call.block] / e.entries;
  double most = largePart * std::max(0.0, f.cost.inclusive.k2);
  std::string why;
  for (const auto &[number, times] : calls) {
    const double one = functions.at(number)->cost.inclusive.k2;
    if (const double part = times * std::max(one, dispersions.between(number)); part > most) {
      most = part;
      why = "its spread is made by " + graph.functions[number]->name +
            ", of which independence is refuted";
    }
  }
  return why;
}

} // namespace

void judgeIndependence(Modelled &model, const CallGraph &graph,
                       std::span<const ExecutionCounts> executed, const Composition &composition,
                       const CallDispersions &dispersions, bool perRun) {
  Judge(model, graph, executed, composition, dispersions, perRun).run();
}

} // namespace quincunx
