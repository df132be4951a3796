// Code that no run reached.
// The idea: a law of growth cannot know of a branch like `n < 64` when all n were below. What tells
// such a branch from checks of errors and options: it is a comparison of order with a constant
// above 1, sizes move towards the limit and have not long passed it, and behind it lies work (a
// loop, a call) that flows back. Counts say that it never ran, the map says the rest. It cannot
// tell what the compared number is, and knows nothing of limits that are variables. Reference:
// docs/17-what-if.md.
#include "Untried.h"

#include "estimate/figures/Notes.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace quincunx {

namespace {

constexpr size_t maxNamed = 3; ///< in a note
constexpr double never = 0.5;  ///< times over all runs; the rest is rounding
/// What is compared may be this part of the size, or so many times of it.
constexpr double alike = 8;

/// Blocks that did not run, from this edge on without passing one that did.
std::set<uint32_t> behind(const Function &f, const FlowValues &flow, uint32_t edge) {
  std::set<uint32_t> found;
  std::vector<uint32_t> ahead{headOf(f.edges[edge])};
  while (!ahead.empty()) {
    const uint32_t b = ahead.back();
    ahead.pop_back();
    if (b == noIndex || flow.blocks[b] >= never || !found.insert(b).second)
      continue;
    for (const Edge &e : f.edges)
      if (e.from == b)
        ahead.push_back(headOf(e));
  }
  return found;
}

class Search {
public:
  Search(const BlockCosts &c, const SizesThatRan &s);
  std::vector<UntriedBranch> run() const;

private:
  bool isOneSided(const Branch &b, const FlowValues &flow) const;
  void addWork(const Function &f, const std::set<uint32_t> &blocks, UntriedBranch &out,
               bool &works) const;

  const BlockCosts &costs;
  const SizesThatRan sizes;
  std::set<std::string> counted, ran; ///< functions, by linkage name
};

Search::Search(const BlockCosts &c, const SizesThatRan &s) : costs(c), sizes(s) {
  for (const Map &map : c.maps())
    for (const Function &f : map.functions)
      counted.insert(f.name);
  for (size_t f = 0; f < c.matrix().functions.size(); ++f)
    ran.insert(c.function(f).name);
}

/// Evaluated, and always on the side of its limit that sizes come from.
bool Search::isOneSided(const Branch &b, const FlowValues &flow) const {
  if (b.isSwitch || b.limit == 0 || b.arms[0] == b.arms[1])
    return false;
  const auto limit = static_cast<double>(b.limit);
  if (sizes.grow ? limit <= sizes.most / alike : limit >= sizes.least * alike)
    return false;
  const bool takenOnTrue = b.belowOnTrue == sizes.grow;
  return flow.edges[b.arms[takenOnTrue ? 0 : 1]] >= never &&
         flow.edges[b.arms[takenOnTrue ? 1 : 0]] < never;
}

void Search::addWork(const Function &f, const std::set<uint32_t> &blocks, UntriedBranch &out,
                     bool &works) const {
  const auto holds = [&](uint32_t b) { return blocks.contains(b); };
  const bool returns = std::any_of(f.edges.begin(), f.edges.end(), [&](const Edge &e) {
    return e.from != noIndex && holds(e.from) &&
           (e.kind == EdgeKind::leave || (e.kind == EdgeKind::flow && !holds(e.to)));
  });
  works =
      std::any_of(f.loops.begin(), f.loops.end(), [&](const Loop &l) { return holds(l.header); });
  for (const Call &call : f.calls)
    if (holds(call.block) && (call.callee.empty() || counted.contains(call.callee))) {
      works = true;
      if (!call.callee.empty() && !ran.contains(call.callee) &&
          std::find(out.calls.begin(), out.calls.end(), call.callee) == out.calls.end())
        out.calls.push_back(call.callee);
    }
  works = works && returns;
}

std::vector<UntriedBranch> Search::run() const {
  std::vector<UntriedBranch> all;
  const std::vector<double> once(costs.matrix().rows.size(), 1.0);
  const std::vector<double> sums = costs.matrix().perColumn(once);
  for (size_t i = 0; i < costs.matrix().functions.size(); ++i) {
    const Function &f = costs.function(i);
    const auto limited = [](const Branch &b) { return b.limit != 0; };
    if (std::none_of(f.branches.begin(), f.branches.end(), limited))
      continue;
    std::vector<double> counters;
    for (const uint32_t c : costs.matrix().functions[i].counters)
      counters.push_back(c == noIndex ? 0 : sums[c]);
    const FlowValues flow = costs.flowSolver(i).flow(counters);
    for (const Branch &b : f.branches) {
      if (!isOneSided(b, flow))
        continue;
      UntriedBranch out{codePlace(f, b.at), b.limit, {}};
      bool works = false;
      addWork(f, behind(f, flow, b.arms[b.belowOnTrue == sizes.grow ? 1 : 0]), out, works);
      if (works)
        all.push_back(std::move(out));
    }
  }
  return all;
}

} // namespace

std::vector<UntriedBranch> untriedBranches(const BlockCosts &costs, const SizesThatRan &sizes) {
  return Search(costs, sizes).run();
}

std::vector<Note> notesOn(const std::vector<UntriedBranch> &untried,
                          const std::function<std::string(const std::string &)> &sourceName) {
  if (untried.empty())
    return {};
  std::string list;
  for (size_t i = 0; i < std::min(maxNamed, untried.size()); ++i) {
    const UntriedBranch &u = untried[i];
    list += (i == 0 ? "" : ", ") + escape(u.at.file.empty() ? "?" : fileName(u.at.file)) + ":" +
            std::to_string(u.at.line) + " (in " + sourceName(u.at.function) + ", limit " +
            std::to_string(u.limit);
    for (const std::string &name : u.calls)
      list += ", " + sourceName(name) + " never ran";
    list += ")";
  }
  if (untried.size() > maxNamed)
    list += " and " + std::to_string(untried.size() - maxNamed) + " more";
  return {{"untried",
           "the law leans on branches that went one way in all runs and may go the other way at "
           "these sizes: " +
               list + "; what these sizes cost is open"}};
}

} // namespace quincunx
