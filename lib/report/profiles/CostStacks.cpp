// Stacks, as text and as JSON.
// The idea: of what a function costs a stack has the share that its caller's stack has of the costs
// of its calls, as all calls of a function by one caller are alike. So what stands under a function
// adds up to what its calls cost. Within recursion shares are those of the calls. Callers go first:
// when all stacks of a function are known, their shares are made all there is, which gives
// recursion to its first frame, and what was left out to the others. So every function has what it
// costs itself.
#include "quincunx/report/CostStacks.h"

#include "WholeCosts.h"
#include "quincunx/base/Text.h"
#include "quincunx/report/JsonText.h"
#include "report/layout/JsonDocument.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ostream>
#include <ranges>

namespace quincunx {

namespace {

constexpr size_t none = SIZE_MAX;

class StackWalk {
public:
  StackWalk(const CostGraph &g, double l)
      : graph(g), least(l * g.program), byOthers(g.functions.size()), met(g.functions.size(), 0.0) {
    addUpCycles();
  }

  std::vector<CostStack> walk() {
    std::vector<bool> isCalled(graph.functions.size());
    for (const CostGraph::Function &f : graph.functions)
      for (const CostGraph::Call &c : f.calls)
        isCalled[c.callee] = true;
    for (size_t f = 0; f < graph.functions.size(); ++f)
      if (!isCalled[f])
        cycleOf(f).entries.push_back({f, none, 1, cycleOf(f).cost});
    for (auto &[number, cycle] : cycles | std::views::reverse)
      enterAll(cycle);
    std::vector<CostStack> out;
    for (const Frame &last : frames) {
      CostStack &s = out.emplace_back(std::vector<size_t>{last.function},
                                      last.share * graph.functions[last.function].self);
      for (size_t f = last.parent; f != none; f = frames[f].parent)
        s.functions.push_back(frames[f].function);
      std::ranges::reverse(s.functions);
    }
    out.push_back({{}, graph.outside});
    return out;
  }

private:
  struct Frame {
    size_t function = 0, parent = none; ///< among `frames`
    double share = 0;                   ///< of the function's entries
    double cost = 0;                    ///< with all that it calls, about
  };
  /// Functions that call each other, or one.
  struct Cycle {
    std::vector<size_t> functions;
    double calls = 0;           ///< by others
    double cost = 0;            ///< with all they call
    std::vector<Frame> entries; ///< by others, found so far
    std::optional<Frame> small; ///< the dearest of those that cost too little
  };
  Cycle &cycleOf(size_t f) { return cycles[graph.functions[f].cycle]; }
  bool isWithin(size_t f, const CostGraph::Call &c) const {
    return graph.functions[f].cycle == graph.functions[c.callee].cycle;
  }
  bool isLibrary(const CostGraph::Call &c) const { return graph.functions[c.callee].image.empty(); }
  /// With all that the callee calls, which is not in the cycle of the caller: as the graph says,
  /// but no more than there is. Where averages do not describe recursion that may be nothing; then
  /// calls of a cycle are alike.
  double costOf(const CostGraph::Call &c) {
    const Cycle &of = cycleOf(c.callee);
    const double alike = of.calls > 0 ? c.times / of.calls * of.cost : 0;
    return isLibrary(c) ? c.cost : std::min(of.cost, std::max(c.cost, alike));
  }
  /// Of the entries of the callee, which weigh by what they cost where that is known by place.
  double shareOf(const CostGraph::Call &c, bool inCycle) const {
    const CostGraph::Function &callee = graph.functions[c.callee];
    if (isLibrary(c) && callee.self > 0)
      return c.cost / callee.self;
    const CallsByOthers &all = byOthers[c.callee];
    if (callee.times <= 0)
      return 0;
    return !inCycle && all.cost > 0 ? all.times / callee.times * c.cost / all.cost
                                    : c.times / callee.times;
  }

  void addUpCycles() {
    for (size_t f = 0; f < graph.functions.size(); ++f) {
      cycleOf(f).functions.push_back(f);
      for (const CostGraph::Call &c : graph.functions[f].calls)
        if (!isWithin(f, c)) {
          cycleOf(c.callee).calls += c.times;
          byOthers[c.callee].times += c.times;
          byOthers[c.callee].cost += std::max(0.0, c.cost);
        }
    }
    for (auto &[number, cycle] : cycles) // callees first
      for (const size_t f : cycle.functions) {
        cycle.cost += graph.functions[f].self;
        for (const CostGraph::Call &c : graph.functions[f].calls)
          cycle.cost += isWithin(f, c) ? 0 : costOf(c);
      }
  }

  /// Frames of a cycle, of which all entries by others are known, and their calls of others.
  void enterAll(Cycle &cycle) {
    const size_t first = frames.size();
    if (cycle.entries.empty() && cycle.small)
      cycle.entries.push_back(*cycle.small);
    for (const Frame &entry : cycle.entries)
      enter(entry);
    for (const size_t f : cycle.functions)
      if (met[f] == 0 && graph.functions[f].self != 0) { // nothing leads there
        frames.push_back({f, none, 1, cycle.cost});
        met[f] = 1;
      }
    for (size_t i = first; i < frames.size(); ++i)
      frames[i].share /= met[frames[i].function];
    for (size_t i = first; i < frames.size(); ++i)
      for (const Frame &below : calledBy(i, false)) {
        Cycle &of = cycleOf(below.function);
        if (below.cost > least)
          of.entries.push_back(below);
        else if (!of.small || of.small->cost < below.cost)
          of.small = below;
      }
  }

  void enter(const Frame &entry) {
    const size_t number = frames.size();
    frames.push_back(entry);
    met[entry.function] += entry.share;
    for (const Frame &below : calledBy(number, true))
      if ((below.cost > least || met[below.function] == 0) && !isOpen(below.function, number))
        enter(below);
  }
  bool isOpen(size_t f, size_t frame) const {
    while (frame != none && frames[frame].function != f)
      frame = frames[frame].parent;
    return frame != none;
  }

  /// What a frame calls, within its cycle or not: a frame for each function.
  std::vector<Frame> calledBy(size_t number, bool inCycle) {
    const Frame caller = frames[number];
    const std::vector<CostGraph::Call> &calls = graph.functions[caller.function].calls;
    double within = 0; // calls
    for (const CostGraph::Call &c : calls)
      within += isWithin(caller.function, c) ? c.times : 0;
    const double whole = cycleOf(caller.function).cost;
    std::map<size_t, Frame> below;
    for (const CostGraph::Call &c : calls)
      if (const double share = shareOf(c, inCycle);
          isWithin(caller.function, c) == inCycle && share > 0) {
        Frame &all = below.try_emplace(c.callee, c.callee, number).first->second;
        all.share += caller.share * share;
        all.cost += inCycle ? caller.cost * c.times / within : caller.cost / whole * costOf(c);
      }
    std::vector<Frame> out;
    for (const auto &[callee, frame] : below)
      out.push_back(frame);
    return out;
  }

  const CostGraph &graph;
  const double least;
  struct CallsByOthers {
    double times = 0, cost = 0;
  };
  std::vector<CallsByOthers> byOthers; ///< calls of each function that are in no cycle with it
  std::map<size_t, Cycle> cycles;      ///< by their numbers
  std::vector<double> met;             ///< shares of each function, of all its frames so far
  std::vector<Frame> frames;
};

constexpr const char *outside = "(outside functions)";

} // namespace

std::vector<CostStack> stacksOf(const CostGraph &graph, double least) {
  return StackWalk(graph, least).walk();
}

void printFolded(const CostGraph &graph, const FunctionNames &names, std::ostream &out) {
  WholeCosts whole(graph);
  for (const CostStack &s : stacksOf(graph)) {
    std::string line;
    for (const size_t f : s.functions) {
      std::string name = escape(names.of(graph.functions[f].name));
      std::ranges::replace(name, ';', ':');
      line += (line.empty() ? "" : ";") + name;
    }
    if (const int64_t cost = whole.next(s.cost); cost > 0)
      out << (line.empty() ? outside : line) << ' ' << cost << "\n";
  }
}

void printSpeedscope(const CostGraph &graph, const FunctionNames &names, const std::string &name,
                     std::ostream &out) {
  WholeCosts whole(graph);
  ordered_json frames = ordered_json::array(), samples = ordered_json::array(),
               weights = ordered_json::array();
  for (const CostGraph::Function &f : graph.functions) {
    ordered_json frame{{"name", names.of(f.name)}};
    if (!f.file.empty())
      frame["file"] = f.file, frame["line"] = f.line;
    frames.push_back(std::move(frame));
  }
  frames.push_back({{"name", outside}});
  for (const CostStack &s : stacksOf(graph)) {
    const int64_t cost = whole.next(s.cost);
    if (cost <= 0)
      continue;
    samples.push_back(s.functions.empty() ? std::vector{graph.functions.size()} : s.functions);
    weights.push_back(cost);
  }
  ordered_json profile{{"type", "sampled"},
                       {"name", graph.what == "mean" ? name : name + " (" + graph.what + ")"},
                       {"unit", "none"},
                       {"startValue", 0},
                       {"endValue", whole.total()},
                       {"samples", samples},
                       {"weights", weights}};
  if (whole.unit() == "ps") { // its smallest unit of time is a nanosecond
    profile["unit"] = "nanoseconds";
    profile["endValue"] = 1e-3 * static_cast<double>(whole.total());
    for (ordered_json &weight : profile["weights"])
      weight = 1e-3 * weight.get<double>();
  }
  out << jsonText({{"$schema", "https://www.speedscope.app/file-format-schema.json"},
                   {"exporter", "quincunx"},
                   {"name", name},
                   {"shared", {{"frames", std::move(frames)}}},
                   {"profiles", ordered_json::array({std::move(profile)})}})
      << "\n";
}

} // namespace quincunx
