// Which figures of a model its assumption of independence does not carry.
// The idea: what a function does itself is judged by its costs over the runs (CallDispersions.h);
// recursion that makes most of a variance is taken to know how deep it is, as it does on problems
// that get smaller, since counts cannot tell; and a caller rests on its callees in so far as its
// variance is made by theirs, E[calls] times that of one. Measured calls are for its readers.
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
  std::map<uint32_t, double> calls(const ModelledFunction &f) const;
  bool restsOnItself(const ModelledFunction &f, const std::vector<uint32_t> &members) const;
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
    for (const uint32_t number : graph.components[c]) {
      const auto at = functions.find(number);
      if (at == functions.end() || at->second->cost.endless)
        continue;
      ModelledFunction &f = *at->second;
      if (graph.recursive[c] && restsOnItself(f, graph.components[c]))
        f.refuted = "it is recursive, and calls know how deep they are";
      if (f.refuted.empty())
        f.refuted = dispersions.refuting(number, f.cost.exclusive, perRun);
      if (f.refuted.empty())
        f.refuted = byCallees(f);
    }
}

/// Of every callee that has figures, per call.
std::map<uint32_t, double> Judge::calls(const ModelledFunction &f) const {
  std::map<uint32_t, double> all;
  for (const auto &[callee, times] : callsOf(graph, executed, f.number))
    if (functions.contains(callee))
      all[callee] += composition.share[callee] * times / executed[f.number].entries;
  return all;
}

/// Whether the variance is made by calls within the recursion.
bool Judge::restsOnItself(const ModelledFunction &f, const std::vector<uint32_t> &members) const {
  double sum = 0;
  for (const auto &[number, times] : calls(f))
    if (std::ranges::find(members, number) != members.end())
      sum += times * functions.at(number)->cost.inclusive.k2;
  return sum > largePart * f.cost.inclusive.k2;
}

std::string Judge::byCallees(const ModelledFunction &f) const {
  double most = largePart * std::max(0.0, f.cost.inclusive.k2);
  std::string why;
  for (const auto &[number, times] : calls(f)) {
    const ModelledFunction &g = *functions.at(number);
    const double part = times * std::max(g.cost.inclusive.k2, dispersions.between(number));
    if (!g.refuted.empty() && part > most) {
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
