// Alternating runs of independent lengths, from the recorded histograms of run lengths.
// The idea: estimate the laws of true and of false runs, of which many were cut off by the end of
// the loop; renewal theory then gives the rate, and what every loop instance has once from its
// first outcome. A loop instance begins with a fresh run, true as often as was seen. Reference:
// docs/05-branches.md; Gautama's thesis (4.14), of which mean and variance stand. It does not test
// whether runs are independent of each other; where they are not, even its variance is off.
#include "quincunx/cost/Branch.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace quincunx {

namespace {

struct Process {
  RunLaw u, d;
  std::optional<double> first;
};

Result<Process> process(const BranchRecord &record) {
  if (const Status ok = checkRecord(record); !ok)
    return ok.error();
  const Result<RunLaw> u = estimateRuns(record.ofTrue), d = estimateRuns(record.ofFalse);
  if (!u)
    return Error{"the branch's true runs: " + u.error().text};
  if (!d)
    return Error{"the branch's false runs: " + d.error().text};
  Process p{*u, *d, std::nullopt};
  if (record.instances > 0)
    p.first = static_cast<double>(record.firstTrue) / static_cast<double>(record.instances);
  return p;
}

bool neverChanges(const BranchRecord &r) { return r.taken == 0 || r.taken == r.n; }

} // namespace

Result<Rate> renewalRate(const BranchRecord &record) {
  if (checkRecord(record) && neverChanges(record))
    return observedRate(record);
  const Result<Process> p = process(record);
  if (!p)
    return p.error();
  const Cumulants u = cumulants(p->u), d = cumulants(p->d);
  const double longest = static_cast<double>(std::max(p->u.longest(), p->d.longest()));
  const Rate rate{renewalRates(u, d), renewalOnce(p->u, p->d, p->first),
                  std::max(10 * (u.k1 + d.k1), longest)};
  if (!std::isfinite(rate.perExecution.k4 + rate.once.k4))
    return Error{"the branch's runs are too long for a double"};
  return rate;
}

Result<Cumulants> renewalTrueCount(const BranchRecord &record, uint64_t n) {
  const Result<Rate> rate = renewalRate(record);
  if (!rate)
    return rate.error();
  if (static_cast<double>(n) >= rate->settled)
    return trueCount(*rate, static_cast<double>(n));
  const Result<Process> p = process(record);
  return renewalCount(p->u, p->d, p->first, n);
}

// With V = l2: skew = 2(d1 - u1) mu^2 sqrt(V)/(d1^2 (u1 + u2) + u1^2 (d1 + d2)),
// kurtosis = 3 mu [mu d1^2 u1^2 + (2(d1 - u1)^2 + d1 u1)(d1^2 u2 + u1^2 d2)]
//            / {[d1^2 (u1 + 2 u2) + u1^2 (d1 + 2 d2)][d1^2 (u1 + u2) + u1^2 (d1 + d2)]}
Result<Rate> thesisBetaRate(const BranchRecord &record) {
  const Result<Process> p = process(record);
  if (!p)
    return p.error();
  const Cumulants u = cumulants(p->u), d = cumulants(p->d), l = renewalRates(u, d);
  const double mu = u.k1 + d.k1, u11 = u.k1 * u.k1, d11 = d.k1 * d.k1, apart = d.k1 - u.k1;
  const double once = d11 * (u.k1 + u.k2) + u11 * (d.k1 + d.k2);
  const double twice = d11 * (u.k1 + 2 * u.k2) + u11 * (d.k1 + 2 * d.k2);
  const Moments beta{l.k1, l.k2, l.k2 > 0 ? 2 * apart * mu * mu * std::sqrt(l.k2) / once : 0,
                     l.k2 > 0 ? 3 * mu *
                                    (mu * d11 * u11 + (2 * apart * apart + d.k1 * u.k1) *
                                                          (d11 * u.k2 + u11 * d.k2)) /
                                    (twice * once)
                              : 3};
  if (!admissible(beta))
    return Error{"no law has the moments of the beta form: the outcomes cluster too much"};
  return Rate{cumulants(beta), {}};
}

} // namespace quincunx
