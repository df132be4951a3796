// What the calls made in one function cost, over what calls of the same functions cost elsewhere.
// The idea: calls were measured while the program ran, each with all it called (record=calls), by
// the clock of the build. What E_f calls of f cost, less what its blocks do, was spent in its
// callees. Calls of a function that nobody else calls cost its average. What is left, over what
// average calls of the others add up to, is the context of these calls:
//   r_f = (E_f M_f - own_f - sum_a calls_fa I_a) / sum_h calls_fh I_h
// so that what depends on arguments stays with the caller that passes them. Where f calls code that
// is not counted, what was called back may be under f, and no part of r_f. I_h is measured
// itself, or follows from what is measured where h calls itself. Calls of one function at several
// places of f are told apart by regression over the runs. Reference: docs/17-what-if.md. Which of
// several calls at one place is the dear one it does not know.
#include "InclusiveCosts.h"

#include "Rounding.h"
#include "estimate/counts/RecordedCalls.h"

#include "quincunx/estimate/ConfidenceIntervals.h"
#include "quincunx/numeric/NonNegative.h"
#include "quincunx/numeric/Special.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace quincunx {

namespace {

/// Of the entries of a function, so many may have no measured call, or two.
constexpr double maxMissing = 0.01;
/// Of what was called back: a cost that is so near to it is it.
constexpr double asMuch = 0.05;
/// Of how the cost of a call differs between runs, what places leave of it at most.
constexpr double maxLeft = 0.25;
constexpr double minFreedom = 8;

double meanOf(const std::vector<double> &x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

/// What a call costs at each of several places.
struct PlaceCosts {
  std::vector<double> each, error; ///< per place; half of the 90 % interval
  std::vector<double> factor;      ///< per run: what was spent, over what these add up to
};

/// `n`: calls per place and run; `calls`: of all places; `spent`: in them. Nothing where places
/// cannot be told apart or do not explain the cost.
std::optional<PlaceCosts> placeCosts(const std::vector<std::vector<double>> &n,
                                     const std::vector<double> &calls,
                                     const std::vector<double> &spent) {
  const size_t places = n.size(), runs = calls.size();
  std::vector<double> gram(places * places), right(places);
  double all = 0, sum = 0, used = 0;
  for (size_t d = 0; d < runs; ++d) {
    if (calls[d] <= 0)
      continue;
    ++used, all += calls[d], sum += spent[d];
    for (size_t i = 0; i < places; ++i) {
      right[i] += n[i][d] / calls[d] * spent[d];
      for (size_t j = 0; j < places; ++j)
        gram[i * places + j] += n[i][d] / calls[d] * n[j][d];
    }
  }
  const NonNegativeFit equations(gram);
  const double freedom = used - static_cast<double>(equations.rank());
  if (equations.rank() < places || freedom < minFreedom)
    return {};
  PlaceCosts out{equations.solve(right), {}, std::vector<double>(runs, 1.0)};
  double left = 0, differ = 0;
  for (size_t d = 0; d < runs; ++d) {
    double told = 0;
    for (size_t i = 0; i < places; ++i)
      told += out.each[i] * n[i][d];
    if (calls[d] <= 0)
      continue;
    left += (spent[d] - told) * (spent[d] - told) / calls[d];
    differ += std::pow(spent[d] - calls[d] * sum / all, 2) / calls[d];
    out.factor[d] = told > 0 ? std::max(0.0, spent[d] / told) : 1;
  }
  if (left > maxLeft * differ)
    return {};
  for (size_t i = 0; i < places; ++i)
    out.error.push_back(studentQuantile(freedom, (1 + confidenceLevel) / 2) *
                        std::sqrt(left / freedom * equations.variance(i)));
  return out;
}

} // namespace

/// Per run: what a call costs by the clock with all it calls, on average of all runs where it was
/// not called; NaN: not known. Of functions that call themselves only outermost calls are measured.
std::vector<double> InclusiveCosts::measuredCosts(uint32_t number,
                                                  const std::vector<double> &entries) const {
  const size_t f = calls->functionOf[number];
  const CountMatrix::Columns &own = blocks.matrix().functions[f];
  std::vector<double> each(entries.size(), NAN);
  double all = 0, cost = 0;
  for (size_t d = 0; d < each.size(); ++d) {
    const double n = own.calls.at(d);
    const bool lost = !loses.empty() && loses[f][d];
    if (n > 0 && !lost && std::fabs(n - entries[d]) <= maxMissing * n) {
      each[d] = own.callCosts.at(d) / n;
      all += n, cost += own.callCosts.at(d);
    }
  }
  for (size_t d = 0; d < each.size() && all > 0; ++d)
    if (entries[d] <= 0)
      each[d] = cost / all;
  return each;
}

std::vector<double> InclusiveCosts::ownByClock(size_t f,
                                               const std::vector<ClassCount> &clock) const {
  return blocks.matrix().perRun(f,
                                blocks.flowSolver(f).linear(clockCosts(blocks.function(f), clock)));
}

/// Per run: what all that is called back cost; infinite: not known. Small functions that call
/// nothing are not measured, and cost what their blocks do.
std::vector<double> InclusiveCosts::callbackCosts(const std::vector<ClassCount> &clock) const {
  std::vector<double> sum(blocks.matrix().rows.size());
  for (uint32_t number = 0; number < calls->functionOf.size(); ++number) {
    const std::vector<double> &times = calls->calledBack(number);
    if (!calls->isCalledBack(number))
      continue;
    const auto at = nodes.find(comparing());
    const bool isTold = at != nodes.end() && isCompared(number);
    const size_t f = calls->functionOf[number];
    const std::vector<double> entries =
        blocks.matrix().perRun(f, {blocks.flowSolver(f).frameForms().entered, {}});
    std::vector<double> cost = measuredCosts(number, entries);
    if (blocks.function(f).calls.empty()) {
      cost = ownByClock(f, clock);
      for (size_t d = 0; d < cost.size(); ++d)
        cost[d] /= std::max(1.0, entries[d]);
    }
    for (size_t d = 0; d < sum.size(); ++d)
      if (times[d] > 0 && !(isTold && at->second.entries[d] > 0))
        sum[d] += std::isnan(cost[d]) ? HUGE_VAL : times[d] * cost[d];
  }
  return sum;
}

double InclusiveCosts::contextAt(uint32_t number, const CallCounts::Named &call, size_t run) const {
  const Node &node = nodes.at(number);
  for (const CallPlace &place : node.calledAt)
    if (place.callee == call.callee && place.block == call.block)
      return place.context[run];
  return contextAt(node, call.callee, run);
}

/// Costs k_i of the calls of one function at several blocks, from what was spent in them:
/// y_d = sum_i k_i n_id over the runs, which weigh by 1 / calls. `each`: what a call of each node
/// costs, per run; `inCallees`: what was spent in all callees.
void InclusiveCosts::findPlaces(uint32_t number, const std::vector<std::vector<double>> &each,
                                const std::vector<double> &inCallees) {
  Node &node = nodes.at(number);
  const size_t f = calls->functionOf[number], runs = node.entries.size();
  for (const Times &times : node.calls) {
    std::vector<CallPlace> at;
    std::vector<std::vector<double>> n;
    for (const CallCounts::Named &call : calls->named(number))
      if (call.callee == times.first && !call.times) {
        std::vector<double> weights(blocks.function(f).blocks.size());
        weights[call.block] = 1;
        n.push_back(blocks.matrix().perRun(f, blocks.flowSolver(f).linear(weights)));
        at.push_back({call.callee, call.block, {}, 0});
      }
    if (at.size() < 2)
      continue;
    const std::vector<double> &usual = each[nodes.at(times.first).row];
    std::vector<double> spent = inCallees;
    for (const Times &other : node.calls)
      for (size_t d = 0; d < runs && other.first != times.first; ++d)
        spent[d] -= other.second[d] * each[nodes.at(other.first).row][d];
    const double usualCost = meanOf(usual);
    const std::optional<PlaceCosts> found = placeCosts(n, times.second, spent);
    for (size_t i = 0; i < at.size() && found; ++i) {
      for (size_t d = 0; d < runs; ++d)
        at[i].context.push_back(usual[d] > 0 ? found->each[i] * found->factor[d] / usual[d] : 1);
      at[i].error = found->error[i] / usualCost;
      node.calledAt.push_back(std::move(at[i]));
    }
  }
}

double InclusiveCosts::contextError(size_t f, std::span<const double> passes) const {
  const Function &function = blocks.function(f);
  const Node &node = nodes.at(numberOf(f));
  const auto more = [&](uint32_t block) {
    double sum = 0;
    for (size_t e = 0; e < passes.size(); ++e)
      sum += headOf(function.edges[e]) == block ? passes[e] : 0;
    return sum;
  };
  const auto costOf = [&](uint32_t callee, const std::vector<double> *times) {
    std::vector<double> cost;
    for (const Cumulants &each : nodes.at(callee).each[0])
      cost.push_back(each.k1 * (times ? (*times)[cost.size()] : 1));
    return meanOf(cost);
  };
  double sum = 0, doubt = 0;
  for (const CallPlace &place : node.calledAt)
    sum += std::fabs(more(place.block)) * place.error * costOf(place.callee, nullptr);
  for (const CallCounts::Named &call : calls->named(numberOf(f)))
    if (!node.doubt.empty() && !call.times && !node.alone.contains(call.callee))
      doubt += more(call.block) * costOf(call.callee, &node.doubt);
  return sum + std::fabs(doubt);
}

/// Callees that are entered as often as the node calls them by name, in all runs.
void InclusiveCosts::findCalledAlone() {
  for (auto &[number, node] : nodes)
    for (const Times &times : node.calls) {
      const Node &callee = nodes.at(times.first);
      bool alone = !isSite(times.first);
      for (size_t d = 0; d < callee.entries.size() && alone; ++d)
        alone = std::fabs(callee.entries[d] - times.second[d]) <= rounding * callee.entries[d];
      if (alone)
        node.alone.insert(times.first);
    }
}

void InclusiveCosts::setContext(uint32_t number, size_t run, const Spent &spent) {
  Node &node = nodes.at(number);
  if (node.context.empty())
    node.context.assign(blocks.matrix().rows.size(), NAN);
  double &context = node.context[run];
  context = spent.shared > 0 ? std::max(0.0, (spent.all - spent.alone) / spent.shared) : 1;
  double doubt = 0;
  if (spent.shared > 0 && spent.callbacks > 0 && calls->callsOut(number)) {
    // Either nothing was called back from here, or all was: what is nearer to the usual.
    const double back = spent.callbacks / spent.shared;
    const double less = std::isfinite(back) ? std::max(0.0, context - back) : 1;
    const bool isBack = std::isfinite(back) && std::fabs(context - 1 - back) <= asMuch * back;
    doubt = isBack ? 0 : std::fabs(context - less);
    node.doubt.resize(node.context.size());
    node.doubt[run] = doubt;
    if (std::fabs(less - 1) < std::fabs(context - 1))
      context = less;
  }
  const double left = spent.all - spent.alone - context * spent.shared;
  if (doubt == 0 && std::fabs(left) <= rounding * spent.all)
    ++node.told;
}

void InclusiveCosts::findContext(const ChangedFlows &flows) {
  const size_t runs = blocks.matrix().rows.size();
  std::vector<std::vector<double>> measured(nodes.size()), own(nodes.size());
  const std::vector<ClassCount> clock = recordingClock(blocks.matrix(), blocks.maps());
  if (clock.empty())
    return;
  loses = losesUnder(blocks.matrix(), blocks.maps(), *calls);
  for (const auto &[number, node] : nodes) {
    measured[node.row].assign(runs, NAN);
    own[node.row].assign(runs, 0.0);
    if (number >= calls->graph.functions.size())
      continue;
    const size_t f = calls->functionOf[number];
    own[node.row] = ownByClock(f, clock);
    measured[node.row] = measuredCosts(number, node.entries);
  }
  findCalledAlone();
  const std::vector<double> callbacks = callbackCosts(clock);
  std::vector<std::vector<double>> each(nodes.size(), std::vector<double>(runs));
  std::vector<std::vector<double>> inCallees = each;
  for (size_t d = 0; d < runs; ++d) {
    std::vector<double> known, inBlocks;
    for (const auto &[number, node] : nodes) {
      known.push_back(measured[node.row][d]);
      inBlocks.push_back(told(node, own[node.row], d));
    }
    const std::vector<double> solved = solve(d, partsOf(d), inBlocks, known);
    for (auto &[number, node] : nodes) {
      each[node.row][d] = solved.empty() ? 0 : solved[node.row];
      if (solved.empty() || std::isnan(known[node.row]))
        continue;
      double alone = 0, shared = 0;
      for (const Times &times : node.calls)
        (node.alone.contains(times.first) ? alone : shared) +=
            told(node, times.second, d) * solved[nodes.at(times.first).row];
      double &spent = inCallees[node.row][d];
      spent = told(node, node.entries, d) * known[node.row] - inBlocks[node.row];
      setContext(number, d, {spent, alone, shared, callbacks[d]});
    }
  }
  for (const auto &[f, flow] : flows.all())
    if (const Node &node = nodes.at(numberOf(f));
        node.doubt.empty() && !node.context.empty() &&
        std::none_of(node.context.begin(), node.context.end(),
                     [](double r) { return std::isnan(r); }))
      findPlaces(numberOf(f), each, inCallees[node.row]);
}

} // namespace quincunx
