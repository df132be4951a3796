// What branches and loops have to do with the variance.
// The idea: a branch that is evaluated n times and goes one way m times has decided m given n. So
// what it explains is how much better a straight line in n and m fits the cost than one in n alone:
// (the squared correlation of the cost with what of m is not linear in n). A branch that always
// goes the same way, or in a fixed share, explains nothing, however often it is evaluated. A
// loop decides how often it goes round, given how often it is entered. Exact on the corpus; the
// test of Student says what chance would do as well. It does not see in which order things
// happened.
#include "Decisions.h"

#include "quincunx/base/Parallel.h"
#include "quincunx/model/Arms.h"
#include "quincunx/model/Loops.h"
#include "quincunx/numeric/Special.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace quincunx {

namespace {

/// In one run in twenty some decision of a program would explain so much by chance.
constexpr double chance = 0.05;

/// Sums over runs of products of n, m and T, each less its mean.
struct Fit {
  double nn = 0, nm = 0, mm = 0, nt = 0, mt = 0;
  void add(double w, double n, double m, double t) {
    nn += w * n * n;
    nm += w * n * m;
    mm += w * m * m;
    nt += w * n * t;
    mt += w * m * t;
  }
};

/// What m explains beyond n.
struct Gain {
  double explains = 0; ///< of Var[T]
  double each = 0;     ///< cost for each further m at equal n
  double partial = 0;  ///< squared correlation with T of what m adds
};

/// One pair (n, m): a loop's entries and repeats, or how often a branch is evaluated and goes one
/// way.
struct Question {
  bool isLoop = false;
  size_t item = 0;     ///< of Function::loops or ::branches
  uint32_t arm = 0;    ///< of the branch
  double n = 0, m = 0; ///< in the mean
  Fit fit;
};

/// Less of a variance is what rounding leaves of it.
constexpr double leastGain = 1e-9;

/// What rounding leaves of equal counts is no variance.
double spread(double squares, double mean) { return squares > 1e-24 * mean * mean ? squares : 0; }

Gain gainOf(const Question &q, const CostOfRuns &runs) {
  const Fit &s = q.fit;
  const double nn = spread(s.nn, q.n), mm = spread(s.mm, q.m);
  const double slope = nn > 0 ? s.nm / nn : 0;
  const double own = mm - slope * s.nm, dot = s.mt - slope * s.nt;
  // What is left of m when it is linear in n is rounding.
  if (!(own > 1e-9 * mm))
    return {};
  const double left = runs.between - (nn > 0 ? s.nt * s.nt / nn : 0);
  const double gain = dot * dot / own;
  if (!(gain > leastGain * runs.between) || !(left > leastGain * runs.between))
    return {};
  return {gain / runs.variance, dot / own, std::min(1.0, gain / left)};
}

double sum(const std::vector<uint32_t> &edges, const FlowValues &flow) {
  double total = 0;
  for (const uint32_t e : edges)
    total += flow.edges[e];
  return total;
}

std::pair<double, double> countsOf(const Function &f, const Question &q, const FlowValues &flow) {
  if (q.isLoop)
    return {sum(f.loops[q.item].entryEdges, flow), sum(f.loops[q.item].backEdges, flow)};
  const Branch &b = f.branches[q.item];
  return {flow.blocks[b.block], flow.edges[b.arms[q.arm]]};
}

std::vector<Question> questionsOf(const Function &f, const FlowValues &mean,
                                  const std::vector<std::vector<bool>> &bodies) {
  std::vector<Question> all;
  for (size_t l = 0; l < f.loops.size(); ++l)
    all.push_back({true, l, 0, 0, 0, {}});
  for (size_t b = 0; b < f.branches.size(); ++b) {
    const std::vector<uint32_t> &arms = f.branches[b].arms;
    const bool decides =
        std::any_of(arms.begin(), arms.end(), [&](uint32_t e) { return e != arms.front(); }) &&
        !isLoopCondition(f, f.branches[b], bodies);
    for (uint32_t a = 0; decides && a < arms.size(); ++a)
      all.push_back({false, b, a, 0, 0, {}});
  }
  for (Question &q : all)
    std::tie(q.n, q.m) = countsOf(f, q, mean);
  return all;
}

/// What one column adds to n and to m.
struct Term {
  uint32_t column;
  double n, m;
};

/// n and m of each question as sums over the columns of the function.
std::vector<std::vector<Term>> termsOf(const BlockCosts &costs, size_t f,
                                       const std::vector<Question> &questions) {
  std::vector<std::vector<Term>> terms(questions.size());
  const std::vector<uint32_t> &columns = costs.matrix().functions[f].counters;
  for (const uint32_t column : std::set<uint32_t>(columns.begin(), columns.end())) {
    if (column == noIndex)
      continue;
    std::vector<double> one;
    for (const uint32_t c : columns)
      one.push_back(c == column ? 1 : 0);
    const FlowValues flow = costs.flowSolver(f).flow(one);
    for (size_t q = 0; q < questions.size(); ++q)
      if (const auto [n, m] = countsOf(costs.function(f), questions[q], flow); n != 0 || m != 0)
        terms[q].push_back({column, n, m});
  }
  return terms;
}

/// Asks the questions of function `f` of every run. Counts are added up before their mean is taken
/// off: whole numbers are exact, so that equal ones are equal.
void ask(const BlockCosts &costs, size_t f, const CostOfRuns &runs, std::vector<Question> &all) {
  const std::vector<Column> &columns = costs.matrix().columns;
  const auto terms = termsOf(costs, f, all);
  std::vector<double> n(runs.costs.size()), m(n.size());
  for (size_t q = 0; q < all.size(); ++q) {
    std::fill(n.begin(), n.end(), 0.0);
    std::fill(m.begin(), m.end(), 0.0);
    for (const Term &term : terms[q]) {
      if (term.n != 0)
        columns[term.column].addTo(n, term.n);
      if (term.m != 0)
        columns[term.column].addTo(m, term.m);
    }
    all[q].n = runs.centre(n);
    all[q].m = runs.centre(m);
    for (size_t d = 0; d < n.size(); ++d)
      all[q].fit.add(runs.weights[d], n[d], m[d], runs.costs[d] - runs.mean);
  }
}

/// All that is found in one function.
class OfFunction {
public:
  OfFunction(const BlockCosts &c, const Attribution &p, const CostOfRuns &r,
             const CostOfCalls &ofCalls, size_t number, std::span<const double> meanCounts,
             std::span<const double> pricedCounts, std::span<const double> covariances)
      : costs(c), parts(p), runs(r), calls(ofCalls), f(number), function(c.function(number)),
        mean(p.flow(number, meanCounts)), priced(p.flow(number, pricedCounts)),
        covariance(p.flow(number, covariances)), bodies(bodiesOf(function)),
        questions(questionsOf(function, mean, bodies)) {
    if (!questions.empty() && runs.between > 0)
      ask(costs, f, runs, questions);
  }
  size_t asked() const { return questions.size(); }
  /// Squared correlations above `critical` are no chance.
  void report(double critical, Decisions &out) {
    for (const Question &q : questions)
      if (q.isLoop)
        out.loops.push_back(loop(q, critical));
    for (size_t q = 0; q < questions.size();) {
      size_t end = q + 1;
      while (end < questions.size() && !questions[q].isLoop && !questions[end].isLoop &&
             questions[end].item == questions[q].item)
        ++end;
      if (!questions[q].isLoop)
        addBranch({&questions[q], end - q}, critical, out.branches);
      q = end;
    }
  }

private:
  LoopShares loop(const Question &q, double critical) const {
    const Loop &l = function.loops[q.item];
    const Gain gain = gainOf(q, runs);
    LoopShares out;
    out.at = parts.at(f, l.at);
    out.entered = q.n;
    out.repeats = q.m;
    out.explains = gain.partial > critical ? gain.explains : 0;
    for (size_t b = 0; b < function.blocks.size(); ++b) {
      if (!bodies[q.item][b])
        continue;
      const Cumulants &cost = costs.blocks(f)[b];
      if (runs.variance > 0)
        out.variance +=
            (covariance.blocks[b] * cost.k1 + priced.blocks[b] * cost.k2) / runs.variance;
      if (runs.mean > 0)
        out.mean += priced.blocks[b] * cost.k1 / runs.mean;
    }
    return out;
  }

  /// The arm that explains most; of two that tell the same, the one that goes along with more cost.
  void addBranch(std::span<const Question> arms, double critical, std::vector<BranchShares> &out) {
    const Question *best = nullptr;
    Gain most;
    for (const Question &q : arms) {
      const Gain gain = gainOf(q, runs);
      const bool same = std::abs(gain.explains - most.explains) <= 1e-9 * most.explains;
      if (gain.partial > critical && (!best || (same ? gain.each > most.each && most.each < 0
                                                     : gain.explains > most.explains))) {
        best = &q;
        most = gain;
      }
    }
    if (!best)
      return;
    const Branch &b = function.branches[best->item];
    out.push_back({parts.at(f, b.at),
                   b.isSwitch,
                   best->arm,
                   b.senseKnown,
                   b.at.called ? 0 : lineBehind(function, b, b.arms[best->arm]),
                   best->n,
                   best->m,
                   most.explains,
                   most.each,
                   {},
                   0});
    costItself(b, b.arms[best->arm], out.back());
  }

  /// What the arms cost until they meet is a cost like any other; of what the outcome explains it
  /// makes its slope over the outcome, of that of the run; all of it, where others make up for it.
  void costItself(const Branch &b, uint32_t arm, BranchShares &branch) {
    if (!calls.isKnown)
      return;
    if (joins.empty())
      joins = joinsOf(function);
    const std::vector<uint32_t> arms = untilJoin(function, b, joins);
    if (!recurses)
      recurses = calls.calls.recursesIn(f);
    if (std::ranges::any_of(arms, [&](uint32_t block) { return recurses->contains(block); }))
      return;
    std::vector<double> made(runs.costs.size());
    for (const uint32_t block : arms)
      for (size_t d = 0; const double cost : costOf(block))
        made[d++] += cost;
    std::vector<double> n = executed(b.block, noIndex), m = executed(noIndex, arm);
    runs.centre(n);
    const double spreadOf = spread(product(n, n), branch.evaluated), average = runs.centre(made);
    runs.centre(m);
    const double slope = spreadOf > 0 ? product(n, m) / spreadOf : 0;
    for (size_t d = 0; d < m.size(); ++d)
      m[d] -= slope * n[d];
    const double own = product(m, m), through = own > 0 ? product(m, made) / own : 0;
    branch.itself = branch.explains * std::clamp(through / branch.each, 0.0, 1.0);
    branch.cost = runs.mean > 0 ? average / runs.mean : 0;
  }

  double product(const std::vector<double> &a, const std::vector<double> &b) const {
    double sum = 0;
    for (size_t d = 0; d < a.size(); ++d)
      sum += runs.weights[d] * a[d] * b[d];
    return sum;
  }

  /// How often a block, or else an edge, is executed in each run.
  std::vector<double> executed(uint32_t block, uint32_t edge) const {
    std::vector<double> blocks(function.blocks.size()), edges(function.edges.size());
    (block != noIndex ? blocks[block] : edges[edge]) = 1;
    return costs.matrix().perRun(f, costs.flowSolver(f).linear(blocks, edges));
  }

  /// What a block costs in each run, with all it calls.
  const std::vector<double> &costOf(uint32_t block) {
    if (!called)
      called = calls.calls.callsIn(f, calls.costs);
    std::vector<double> &known = costOfBlocks[block];
    if (!known.empty())
      return known;
    known = executed(block, noIndex);
    const auto more = called->find(block);
    for (size_t d = 0; d < known.size(); ++d)
      known[d] *= costs.blocks(f)[block].k1 * costs.scale(d) +
                  (more == called->end() ? 0 : more->second[d]);
    return known;
  }

  const BlockCosts &costs;
  const Attribution &parts;
  const CostOfRuns &runs;
  const CostOfCalls &calls;
  size_t f;
  const Function &function;
  FlowValues mean, priced, covariance;
  std::vector<std::vector<bool>> bodies; ///< of loops
  std::vector<Question> questions;
  std::vector<uint32_t> joins;
  std::optional<std::set<uint32_t>> recurses; ///< blocks with calls that may come back
  std::optional<std::map<uint32_t, std::vector<double>>> called; ///< by block: what calls cost
  std::map<uint32_t, std::vector<double>> costOfBlocks;
};

/// The squared correlation that the largest of `questions` unrelated ones exceeds in one case in
/// twenty.
double criticalOf(size_t questions, double effective) {
  const double freedom = effective - 3;
  if (questions == 0 || freedom < 1)
    return 1;
  const double t = studentQuantile(freedom, 1 - chance / (2 * static_cast<double>(questions)));
  return t * t / (t * t + freedom);
}

/// Code of others holds loops and branches that nobody asked for. Of those that one place calls,
/// the one of the largest `size` stands for all.
template <class Shares, class Size> void keepLargestCalled(std::vector<Shares> &all, Size size) {
  const auto placeOf = [](const SourceLine &at) {
    return std::tuple(at.file, at.line, at.function);
  };
  std::map<decltype(placeOf({})), const Shares *> largest;
  for (const Shares &s : all)
    if (s.at.called)
      if (const Shares *&most = largest[placeOf(s.at)]; !most || size(s) > size(*most))
        most = &s;
  std::vector<Shares> kept;
  for (Shares &s : all)
    if (!s.at.called || largest[placeOf(s.at)] == &s)
      kept.push_back(s);
  all = std::move(kept);
}

} // namespace

double CostOfRuns::centre(std::vector<double> &values) const {
  const auto takeOff = [&](double part, const double *of) {
    for (size_t d = 0; d < values.size(); ++d)
      values[d] -= part * (of ? of[d] : 1);
  };
  double average = 0;
  for (size_t d = 0; d < values.size(); ++d)
    average += weights[d] * values[d];
  takeOff(average, nullptr);
  for (const std::vector<double> &known : without) {
    double part = 0;
    for (size_t d = 0; d < values.size(); ++d)
      part += weights[d] * known[d] * values[d];
    takeOff(part, known.data());
  }
  return average;
}

Decisions decisions(const BlockCosts &costs, const Attribution &parts, const CostOfRuns &runs,
                    const CostOfCalls &calls, std::span<const double> meanCounts,
                    std::span<const double> priced, std::span<const double> covariances) {
  const size_t functions = costs.matrix().functions.size();
  std::vector<std::optional<OfFunction>> found(functions);
  forEachParallel(functions, [&](size_t f) {
    found[f].emplace(costs, parts, runs, calls, f, meanCounts, priced, covariances);
  });
  size_t questions = 0;
  for (const auto &of : found)
    questions += of->asked();
  const double critical =
      criticalOf(questions, runs.effective - static_cast<double>(runs.without.size()));
  Decisions out;
  for (auto &of : found)
    of->report(critical, out);
  keepLargestCalled(out.loops,
                    [](const LoopShares &l) { return std::pair(std::abs(l.variance), l.mean); });
  keepLargestCalled(out.branches, [](const BranchShares &b) { return b.rank(); });
  return out;
}

} // namespace quincunx
