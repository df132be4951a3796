// From regions to processes.
// The idea: each kind of region is a construct of the language with the same rule behind it:
// series, if with rates, switch with probabilities, seq with a random number of copies. What is no
// tree (a loop with several ways out, flow that does not reduce, recursion) is one delay with its
// moments. Costs of blocks that follow each other are one delay. It computes nothing but sums.
#include "quincunx/report/Export.h"

#include "Grid.h"
#include "quincunx/base/Text.h"
#include "quincunx/pamela/Print.h"
#include "quincunx/report/Names.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <ostream>
#include <set>

namespace quincunx {

namespace {

using pamela::Node;
using pamela::Op;
using pamela::Tree;

/// Moments that differ by less than this share differ by rounding.
constexpr double roundedAway = 1e-10;

Tree node(Op op, std::vector<Tree> args, std::string text = {}) {
  return std::make_shared<const Node>(Node{op, 0, std::move(text), std::move(args), {}, {}});
}
Tree number(double x) { return std::make_shared<const Node>(Node{Op::number, x, {}, {}, {}, {}}); }

/// How often a condition is true, as cumulants per evaluation.
Tree shares(const Cumulants &rate) {
  const Moments m = moments(rate);
  return node(Op::law, {number(m.mean), number(m.variance), number(m.skewness), number(m.kurtosis)},
              "moments");
}

/// A number, or moments(...).
Tree random(const Cumulants &k) { return k.k2 == 0 ? number(k.k1) : shares(k); }

bool isNothing(const Cumulants &k) { return k.k1 == 0 && k.k2 == 0; }

bool alike(const Cumulants &a, const Cumulants &b) {
  const auto close = [](double x, double y, double scale) {
    return std::fabs(x - y) <= roundedAway * std::max(scale, std::max(std::fabs(x), std::fabs(y)));
  };
  const double v = std::max(a.k2, b.k2), sd = std::sqrt(v);
  return close(a.k1, b.k1, 0) && close(a.k2, b.k2, 0) && close(a.k3, b.k3, v * sd) &&
         close(a.k4, b.k4, v * v);
}

/// Linkage names as names of the language, no two the same.
class Identifiers {
public:
  const std::string &of(uint32_t function, const std::string &linkage) {
    std::string &name = names[function];
    if (!name.empty())
      return name;
    for (const char c : linkage)
      name.push_back(std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_');
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0)
      name.insert(0, "f_");
    for (name.append("_call"); !used.insert(name).second;)
      name.push_back('_');
    return name;
  }

private:
  std::map<uint32_t, std::string> names;
  std::set<std::string> used;
};

/// What is executed one after the other; costs without structure that follow each other are one.
class Parts {
public:
  void add(const Cumulants &plain) {
    if (isNothing(plain))
      return;
    if (parts.empty() || parts.back().tree)
      parts.emplace_back();
    parts.back().plain += plain;
  }
  void add(Tree tree) { parts.push_back({std::move(tree), {}}); }
  void add(const Parts &others) {
    for (const Part &p : others.parts)
      if (p.tree)
        add(p.tree);
      else
        add(p.plain);
  }
  bool empty() const { return parts.empty(); }
  Tree tree() const {
    std::vector<Tree> all;
    for (const Part &p : parts)
      all.push_back(p.tree ? p.tree : node(Op::delay, {random(p.plain)}));
    if (all.empty())
      return node(Op::delay, {number(0)});
    return all.size() == 1 ? all[0] : node(Op::sequence, std::move(all));
  }

private:
  struct Part {
    Tree tree; ///< null: `plain`
    Cumulants plain;
  };
  std::vector<Part> parts;
};

class Exporter {
public:
  Exporter(const ModelReport &report, const ModelledTree &t, Identifiers &i)
      : m(report), tree(t), identifiers(i) {}
  Tree process() { return of(tree.regions.root).tree(); }
  std::set<uint32_t> callees; ///< that the process names

private:
  double weight(const EdgeSet &edges) const { return passes(edges, tree.executed.edges); }
  bool fixed() const { return m.options.branch == "observed"; }
  Parts of(uint32_t region);
  Parts block(uint32_t region);
  Parts branch(const Region &r);
  Parts arms(const Region &r, double sum);
  Parts loop(const Region &r);

  const ModelReport &m;
  const ModelledTree &tree;
  Identifiers &identifiers;
};

/// Own cost, then calls, when these are all of it.
Parts Exporter::block(uint32_t region) {
  const uint32_t block = tree.regions.all[region].item;
  Cumulants all = tree.executed.costs[block];
  std::vector<uint32_t> calls;
  for (const ModelledCall &c : tree.calls)
    if (c.block == block && c.threads == 0) {
      all += c.cost;
      calls.push_back(c.callee);
    }
  Parts parts;
  if (!alike(all, tree.costs[region])) {
    parts.add(tree.costs[region]);
    return parts;
  }
  parts.add(tree.executed.costs[block]);
  for (const uint32_t callee : calls) {
    callees.insert(callee);
    parts.add(node(Op::name, {}, identifiers.of(callee, m.graph.functions[callee]->name)));
  }
  return parts;
}

/// Of a switch: probabilities; or shares that are what they are, one after the other.
Parts Exporter::arms(const Region &r, double sum) {
  std::vector<Tree> args{nullptr};
  Tree chain;
  double rest = 0;
  for (size_t i = r.links.size(); i-- > 0;) {
    const double w = weight(r.links[i].edges);
    if (w <= 0)
      continue;
    rest += w;
    const Tree part = of(r.links[i].region).tree();
    chain = chain ? node(Op::branch, {shares({w / rest, 0, 0, 0}), part, chain}) : part;
    args.insert(args.begin() + 1, {number(w / sum), part});
  }
  Parts parts;
  parts.add(fixed() ? chain : node(Op::select, std::move(args)));
  return parts;
}

Parts Exporter::branch(const Region &r) {
  double sum = 0;
  for (const Link &l : r.links)
    sum += weight(l.edges);
  if (sum <= 0)
    return {};
  if (r.links.size() != 2)
    return arms(r, sum);
  const double p = weight(r.links[0].edges) / sum;
  if (p == 0 || p == 1)
    return of(r.links[p == 1 ? 0 : 1].region);
  const auto &rates = tree.executed.branches;
  const Tree condition = r.item < rates.size() && rates[r.item] ? shares(*rates[r.item])
                         : fixed()                              ? shares({p, 0, 0, 0})
                                                                : number(p);
  const Parts onTrue = of(r.links[0].region), onFalse = of(r.links[1].region);
  std::vector<Tree> args{condition, onTrue.tree()};
  if (!onFalse.empty())
    args.push_back(onFalse.tree());
  Parts parts;
  parts.add(node(Op::branch, std::move(args)));
  return parts;
}

/// The body once, and trips times the way back and the body.
Parts Exporter::loop(const Region &r) {
  const double back = weight(r.links[0].edges), left = weight(r.links[1].edges);
  const double mean = left > 0 ? back / left : back;
  const auto &trips = tree.executed.loops;
  Cumulants n{mean, 0, 0, 0};
  if (!fixed()) {
    const double v = mean * (mean + 1);
    n = r.item < trips.size() && trips[r.item]
            ? *trips[r.item]
            : Cumulants{mean, v, v * (2 * mean + 1), v * (6 * v + 1)};
  }
  const Parts body = of(r.parts[0]);
  Parts parts = body, again = of(r.links[0].region);
  again.add(body);
  if (mean > 0 && !again.empty())
    parts.add(node(Op::seq, {number(1), random(n), again.tree()}, "i"));
  return parts;
}

Parts Exporter::of(uint32_t region) {
  Parts parts;
  if (region == none || isNothing(tree.costs[region]))
    return parts;
  const Region &r = tree.regions.all[region];
  switch (r.kind) {
  case Region::Kind::block:
    return block(region);
  case Region::Kind::series:
    for (const uint32_t part : r.parts)
      parts.add(of(part));
    return parts;
  case Region::Kind::branch:
    return branch(r);
  case Region::Kind::loop:
    return loop(r);
  case Region::Kind::exits: { // of one with several ways out the cost is where it leads to
    uint32_t most = 0;
    for (const Link &l : r.links)
      most = std::max(most, l.to);
    if (most - r.parts.size() > 1)
      return parts;
    break;
  }
  case Region::Kind::left:
  case Region::Kind::flow:
    break;
  }
  parts.add(tree.costs[region]);
  return parts;
}

/// One definition with a comment in front.
void printProcess(const std::string &name, const std::string &comment, const Tree &body,
                  std::ostream &out) {
  out << "\n";
  if (!comment.empty())
    out << "% " << comment << "\n";
  pamela::Model one;
  one.definitions.push_back({pamela::Kind::process, false, name, {}, body, {}});
  out << pamela::print(one);
}

/// Functions that call themselves, directly or not: the language has no recursion.
std::set<uint32_t> recursive(const CallGraph &graph) {
  std::set<uint32_t> all;
  for (size_t c = 0; c < graph.components.size(); ++c)
    if (graph.recursive[c])
      all.insert(graph.components[c].begin(), graph.components[c].end());
  return all;
}

std::string placeOf(const ModelReport &m, uint32_t number) {
  const Function &f = *m.graph.functions[number];
  std::string text = escape(demangle(f.name));
  if (!f.scopes.empty() && f.scopes[0].file < f.files.size())
    text.append(" (")
        .append(escape(fileName(f.files[f.scopes[0].file].path)))
        .append(":")
        .append(std::to_string(f.scopes[0].line))
        .append(")");
  return text;
}

} // namespace

Status printPamela(const ModelReport &m,
                   const std::function<Result<ModelledTree>(uint32_t)> &treeOf,
                   const ReportOptions &options, std::ostream &out) {
  if (m.options.perRun || m.options.branch == "empirical")
    return Error{"a mixture of runs is no model of the language; leave out --per-run, or choose "
                 "another --branch"};
  const auto chosen = modelledFunctions(m.model, m.graph, options);
  if (!chosen)
    return chosen.error();
  Identifiers identifiers;
  std::map<uint32_t, const ModelledFunction *> known;
  for (const ModelledFunction &f : m.model.functions)
    known[f.number] = &f;
  const std::set<uint32_t> cycles = recursive(m.graph);
  std::vector<uint32_t> waiting;
  std::set<uint32_t> seen;
  const auto want = [&](uint32_t f) {
    if (known.contains(f) && seen.insert(f).second)
      waiting.push_back(f);
  };
  out << "% The model of one " << (options.function.empty() ? "run" : "call") << ", in "
      << escape(m.model.unit) << " of machine " << escape(m.model.machine) << ".\n";
  std::vector<Tree> start;
  for (const size_t i : *chosen) {
    const ModelledFunction &f = m.model.functions[i];
    const double times = options.function.empty() ? f.roots : 1;
    if (times <= 0 || f.cost.endless)
      continue;
    const Tree call =
        node(Op::name, {}, identifiers.of(f.number, m.graph.functions[f.number]->name));
    start.push_back(times == 1 ? call : node(Op::seq, {number(1), number(times), call}, "i"));
    want(f.number);
  }
  if (start.empty())
    return Error{"nothing that was chosen has a mean"};
  printProcess("main", "", start.size() == 1 ? start[0] : node(Op::sequence, std::move(start)),
               out);
  while (!waiting.empty()) {
    const uint32_t number = waiting.back();
    waiting.pop_back();
    const ModelledFunction &f = *known[number];
    const std::string &name = identifiers.of(number, m.graph.functions[number]->name);
    const Result<ModelledTree> tree = treeOf(number);
    const size_t root = tree ? tree->regions.root : none;
    if (f.cost.endless || !tree || cycles.contains(number) ||
        (root != none && !alike(tree->costs[root], f.cost.inclusive))) {
      printProcess(name, placeOf(m, number) + ": recursive, or frames were lost: as one",
                   node(Op::delay, {random(f.cost.inclusive)}), out);
      continue;
    }
    Exporter exporter(m, *tree, identifiers);
    const Tree body = exporter.process();
    printProcess(name, placeOf(m, number), body, out);
    for (const uint32_t callee : exporter.callees)
      want(callee);
  }
  return Done{};
}

} // namespace quincunx
