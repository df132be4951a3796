// The least and the most that calls of one function at several places cost.
// The idea: where regression does not tell places apart (CallContext.cpp), calls of one function
// are taken to cost the same at each place of their caller. What all of them cost in a run is
// known, and the cheapest and the dearest call of the function are. So costs k_i of the n_i calls
// at place i are all that may be with sum_i n_i k_i = n k, least <= k_i <= most, and what m_i more
// calls at each cost lies between the ends of a linear programme, which is a continuous knapsack
// (Dantzig, Oper. Res. 5, 1957). Reference: docs/17-what-if.md. Calls of one place may be dear and
// cheap, and which of them become more it does not ask. Where calls of the caller were not measured
// (it calls setjmp, ends in a jump, or recurses) all calls elsewhere are one place more.
#include "InclusiveCosts.h"

#include "Rounding.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

/// Calls at a place, and how many more of them.
struct CallsAt {
  double calls = 0, more = 0;
};

/// The most that sum m_i k_i is, where sum n_i k_i = n k and low <= k_i <= high.
double mostOf(std::vector<CallsAt> places, double k, double low, double high) {
  double budget = 0, sum = 0;
  for (const CallsAt &p : places) {
    budget += p.calls * (k - low);
    sum += p.more * low;
    if (p.calls <= 0)
      sum += std::max(0.0, p.more) * (high - low);
  }
  std::erase_if(places, [](const CallsAt &p) { return p.calls <= 0; });
  std::sort(places.begin(), places.end(),
            [](const CallsAt &a, const CallsAt &b) { return a.more * b.calls > b.more * a.calls; });
  for (const CallsAt &p : places) {
    const double part = std::clamp(budget, 0.0, p.calls * (high - low));
    sum += p.more / p.calls * part;
    budget -= part;
  }
  return sum;
}

double leastOf(std::vector<CallsAt> places, double k, double low, double high) {
  for (CallsAt &p : places)
    p.more = -p.more;
  return -mostOf(std::move(places), k, low, high);
}

} // namespace

PointerTargets::Bounds InclusiveCosts::placeRange(size_t f, std::span<const double> was,
                                                  std::span<const double> more, size_t run) const {
  const uint32_t number = numberOf(f);
  const Function &function = blocks.function(f);
  std::vector<CallsAt> ofBlock(function.blocks.size());
  for (size_t e = 0; e < more.size(); ++e)
    if (const uint32_t to = headOf(function.edges[e]); to != noIndex)
      ofBlock[to].calls += was[e], ofBlock[to].more += more[e];
  std::map<uint32_t, std::vector<CallsAt>> of;
  for (const CallCounts::Named &call : calls->named(number))
    if (!call.times)
      of[call.callee].push_back(ofBlock[call.block]);
  const Node &node = nodes.at(number);
  PointerTargets::Bounds sum;
  for (auto &[callee, at] : of) {
    const auto isCallee = [&](const CallPlace &p) { return p.callee == callee; };
    const CountMatrix::Columns &own = blocks.matrix().functions[calls->functionOf[callee]];
    const double n = own.calls.at(run), usual = own.callCosts.at(run) / n;
    if (!isMeasured(node, run)) { // what calls of the others cost is open as well
      double here = 0;
      for (const CallsAt &p : at)
        here += p.calls;
      if (n - here > rounding * n)
        at.push_back({n - here, 0});
    }
    if (at.size() < 2 || std::any_of(node.calledAt.begin(), node.calledAt.end(), isCallee) ||
        !(n > 0 && usual > 0))
      continue;
    const double k = contextAt(node, callee, run) * nodes.at(callee).each[0][run].k1;
    const double unit = nodes.at(callee).each[0][run].k1 / usual;
    const double low = std::min(k, unit * own.leastCost.at(run));
    const double high = std::max(k, unit * own.mostCost.at(run));
    double is = 0;
    for (const CallsAt &p : at)
      is += p.more * k;
    sum.low += std::min(0.0, leastOf(at, k, low, high) - is);
    sum.high += std::max(0.0, mostOf(at, k, low, high) - is);
  }
  return sum;
}

} // namespace quincunx
