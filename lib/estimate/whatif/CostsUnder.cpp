// Costs of calls with all that is called under them.
// The idea: the cost of every function in a run, times the share of its calls that are made under
// the root (CallShares). That is exact for functions that are called nowhere else. What calls of
// the others cost there is not told by counts, but by what calls of the root were recorded to cost
// with all they called (record=calls): that less the functions that are only under it is theirs.
// Where it was not recorded it lies between bounds: so many calls, each between the cheapest way
// through the function and the dearest. Reference: docs/17-what-if.md. What is under several roots
// at once was never recorded.
#include "CostsUnder.h"

#include "Rounding.h"
#include "estimate/counts/RecordedCalls.h"
#include "quincunx/base/Parallel.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace quincunx {

namespace {

/// That are looked at together; of these, that one system of equations is solved for.
constexpr size_t runsAtOnce = 128, runsOfOne = 16;

Interval meet(const Interval &a, const Interval &b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

} // namespace

CostsUnder::CostsUnder(const BlockCosts &b, const CostChanges &c,
                       std::vector<std::vector<size_t>> r)
    : blocks(b), costs(c), roots(std::move(r)), clock(recordingClock(b.matrix(), b.maps())),
      shares(b, roots), records(roots.size()),
      outermost(roots.size(), std::vector<double>(b.matrix().rows.size())) {}

void CostsUnder::read() {
  const CountMatrix &matrix = blocks.matrix();
  const size_t runs = matrix.rows.size();
  for (size_t r = 0; r < roots.size(); ++r) {
    const auto has = [&](size_t f) { return blocks.function(f).callRecorder != noIndex; };
    if (clock.empty() || roots[r].empty() || !std::all_of(roots[r].begin(), roots[r].end(), has))
      continue;
    Recorded &to = records[r];
    const std::vector<double> none(runs);
    to = {true, none, none, none, none};
    for (const size_t f : roots[r]) {
      const FlowSolver &flow = blocks.flowSolver(f);
      const std::vector<double> entries = matrix.perRun(f, {flow.frameForms().entered, {}});
      const std::vector<double> stops = stopsOf(matrix, f, blocks.function(f), flow);
      for (size_t d = 0; d < runs; ++d) {
        to.calls[d] += matrix.functions[f].calls.at(d);
        to.cost[d] += matrix.functions[f].callCosts.at(d);
        to.entries[d] += entries[d];
        to.stops[d] += stops[d];
      }
    }
  }
}

/// Are all calls that are not made under another one recorded? Of one that may call itself others
/// are not, and it is no guess how many these are.
bool CostsUnder::isOutermost(size_t root, size_t run, double guessed) const {
  const Recorded &of = records[root];
  if (!of.isOfUse || roots[root].size() != 1 || of.calls[run] < 0.5 || of.stops[run] > 0.5 ||
      isCensored(blocks.matrix().rows[run].outcome))
    return false;
  const double inner = of.entries[run] - of.calls[run];
  return std::fabs(inner) < 0.5 || (inner > 0 && guessed < of.entries[run] - 0.5);
}

/// What all calls of the root cost by the clock; nothing where some of it is missing.
std::optional<double> CostsUnder::recordedIn(size_t root, size_t run, const Under &under) const {
  const Recorded &of = records[root];
  const double calls = outermost[root][run];
  if (!of.isOfUse || shares.startsThreads(under) ||
      std::fabs(of.calls[run] - calls) > rounding * std::max(1.0, calls))
    return std::nullopt;
  double least = 0, most = 0;
  for (size_t i = 0; i < under.size(); ++i) {
    least += under[i].all ? own[i].clock[run] : 0;
    most += under[i].may ? own[i].clock[run] : 0;
    if (under[i].may && !lost[i].empty() && lost[i][run] != 0)
      return std::nullopt;
  }
  const double cost = of.cost[run], slack = rounding * most;
  return cost < least - slack || cost > most + slack ? std::nullopt : std::optional(cost);
}

/// Where all that is under the others is only called under this one, it is what they cost.
bool CostsUnder::copyNested(size_t set, size_t run, const CallShares::Sets &sets) {
  for (size_t r = 0; r < roots.size(); ++r) {
    const size_t one = size_t{1} << r, rest = set & ~one;
    bool within = rest != 0 && rest != set;
    for (size_t i = 0; i < sets[set].size() && within; ++i)
      within = !sets[rest][i].may || sets[one][i].all;
    if (!within)
      continue;
    for (size_t power = 0; power < costs.powers(); ++power)
      totals[set].perRun[power][run] = totals[rest].perRun[power][run];
    totals[set].bounds[run] = totals[rest].bounds[run];
    totals[set].isOpen = totals[set].isOpen || totals[rest].isOpen;
    return true;
  }
  return false;
}

/// A function that is called elsewhere as well: at least what its calls under the set cost on the
/// cheapest way, or what all its calls cost less the others on the dearest; at most likewise.
void CostsUnder::share(Shared &of, size_t i, size_t run, const CallShares::Under &under) {
  const double whole = own[i].perRun[0][run].k1, entries = shares.entries(i, run);
  const double scale = blocks.scale(run);
  const auto cost = [&](double calls, double each) {
    return calls > rounding * entries ? calls * scale * each : 0;
  };
  const Interval &call = own[i].perCall, &price = own[i].price;
  const Interval part = meet({cost(under.least, call.low), cost(under.most, call.high)},
                             {whole - cost(entries - under.least, call.high),
                              whole - cost(entries - under.most, call.low)});
  of.any = true;
  of.cost += under.share * whole, of.clock += under.share * own[i].clock[run];
  of.allCost += whole, of.allClock += own[i].clock[run];
  of.bounds = {of.bounds.low + part.low, of.bounds.high + std::max(part.low, part.high)};
  of.price = {std::min(of.price.low, scale * price.low),
              std::max(of.price.high, scale * price.high)};
  width[i] += std::max(0.0, part.high - part.low);
}

void CostsUnder::addUp(size_t set, size_t run, const Under &under) {
  CostUnder &to = totals[set];
  Shared shared;
  double sure = 0, sureClock = 0;
  for (size_t i = 0; i < under.size(); ++i) {
    if (!under[i].may)
      continue;
    for (size_t power = 0; power < costs.powers(); ++power)
      for (const auto order : cumulantOrders)
        to.perRun[power][run].*order += under[i].share * own[i].perRun[power][run].*order;
    if (under[i].all)
      sure += own[i].perRun[0][run].k1, sureClock += own[i].clock[run];
    else
      share(shared, i, run, under[i]);
  }
  double &mean = to.perRun[0][run].k1;
  to.bounds[run] = {mean, mean};
  if (!shared.any)
    return;
  double part = shared.cost;
  const std::optional<double> told =
      std::has_single_bit(set) ? recordedIn(static_cast<size_t>(std::countr_zero(set)), run, under)
                               : std::nullopt;
  if (told) {
    const double left = std::max(0.0, *told - sureClock);
    const double each = shared.clock > 0 ? shared.cost / shared.clock
                                         : shared.allCost / std::max(1.0, shared.allClock);
    part = left * each;
    if (left > 0 || shared.price.high < HUGE_VAL)
      shared.bounds = meet(shared.bounds, {left * shared.price.low, left * shared.price.high});
    to.isRecorded = true;
  }
  if (shared.bounds.low <= shared.bounds.high)
    part = std::clamp(part, shared.bounds.low, shared.bounds.high);
  mean = sure + part;
  to.bounds[run] = {std::min(mean, sure + shared.bounds.low),
                    std::max(mean, sure + shared.bounds.high)};
  const Interval &b = to.bounds[run];
  to.isOpen = to.isOpen || b.high - b.low > rounding * std::fabs(mean);
}

/// Functions that a run was stopped in are not counted: all of its cost may be under them, and is
/// under main.
void CostsUnder::openStopped() {
  const auto isMain = [&](size_t f) { return CallCounts::isEntryPoint(blocks.function(f)); };
  const std::vector<Cumulants> whole = blocks.expectedRuns();
  for (size_t d = 0; d < whole.size(); ++d)
    if (isCensored(blocks.matrix().rows[d].outcome))
      for (size_t set = 1; set < totals.size(); ++set) {
        totals[set].bounds[d].high = std::max(totals[set].bounds[d].high, whole[d].k1);
        totals[set].isStopped = true;
        if (std::has_single_bit(set) &&
            std::ranges::any_of(roots[static_cast<size_t>(std::countr_zero(set))], isMain))
          totals[set].perRun[0][d] = whole[d];
      }
}

void CostsUnder::compute() {
  read();
  const size_t runs = blocks.matrix().rows.size();
  for (const size_t f : shares.functions()) {
    own.push_back(ownCosts(blocks, costs, f, clock));
    lost.push_back(framesLost(blocks.matrix(), f, blocks.flowSolver(f)));
  }
  width.assign(own.size(), 0.0);
  totals.assign(size_t{1} << roots.size(),
                {std::vector<std::vector<Cumulants>>(costs.powers(), std::vector<Cumulants>(runs)),
                 std::vector<Interval>(runs)});
  std::vector<CallShares::Sets> ofRuns(runsAtOnce);
  for (size_t first = 0; first < runs; first += runsAtOnce) {
    const size_t some = std::min(runsAtOnce, runs - first);
    const size_t parts = (some + runsOfOne - 1) / runsOfOne;
    forEachParallel(parts, [&](size_t part) {
      SparseSystem system = shares.system();
      for (size_t i = part * runsOfOne; i < std::min(some, (part + 1) * runsOfOne); ++i) {
        ofRuns[i] = shares.of(first + i, system);
        for (size_t r = 0; r < roots.size(); ++r) {
          double &n = outermost[r][first + i];
          n = shares.outermost(r, first + i, ofRuns[i][size_t{1} << r]);
          if (isOutermost(r, first + i, n))
            n = records[r].calls[first + i];
        }
      }
    });
    for (size_t i = 0; i < some; ++i)
      for (size_t set = 1; set < ofRuns[i].size(); ++set)
        if (!copyNested(set, first + i, ofRuns[i]))
          addUp(set, first + i, ofRuns[i][set]);
  }
  openStopped();
}

std::optional<size_t> CostsUnder::mostOpen() const {
  const auto most = std::max_element(width.begin(), width.end());
  if (most == width.end() || *most <= 0)
    return std::nullopt;
  return shares.functions()[static_cast<size_t>(most - width.begin())];
}

} // namespace quincunx
