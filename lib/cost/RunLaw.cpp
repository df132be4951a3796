// The law of run lengths from runs of which some were cut off by the end of their loop.
// The idea: h(k) is the share of those that ended after k outcomes among those that were seen to
// last k and whose next outcome was seen as well; P(length = k) = h(k) prod_{j<k} (1 - h(j)).
// Leaving cut runs out, or counting them as complete, makes runs too short whenever loops are not
// much longer than runs. Beyond the longest completed run there are chances to end without an end;
// the geometric tail there takes one end in (those chances + what an end takes on average).
// Reference: docs/05-branches.md; Kaplan & Meier (1958). It does not look at the order of runs.
#include "quincunx/cost/Renewal.h"

#include "quincunx/numeric/Moments.h"

#include <algorithm>

namespace quincunx {

Result<RunLaw> estimateRuns(const RunLengths &lengths) {
  double atRisk = 0, ends = 0, chances = 0, beyond = 0;
  for (const auto &[k, count] : lengths.completed) {
    if (k == 0)
      return Error{"a run of outcomes has length 0"};
    const auto c = static_cast<double>(count);
    atRisk += c, ends += c, chances += c * static_cast<double>(k);
  }
  if (ends == 0)
    return Error{"no run of equal outcomes was seen to end"};
  for (const auto &[k, count] : lengths.cut) {
    if (k == 0)
      return Error{"a run of outcomes has length 0"};
    atRisk += static_cast<double>(count);
    chances += static_cast<double>(count) * static_cast<double>(k - 1);
  }
  RunLaw law;
  double lasting = 1;
  auto cut = lengths.cut.begin();
  for (const auto &[k, count] : lengths.completed) {
    for (; cut != lengths.cut.end() && cut->first <= k; ++cut)
      atRisk -= static_cast<double>(cut->second);
    if (count == 0)
      continue;
    const auto ended = static_cast<double>(count);
    atRisk = std::max(atRisk, ended); // counts over 2^53 are rounded
    law.atoms.push_back({k, lasting * (ended / atRisk)});
    atRisk -= ended;
    lasting *= atRisk / (atRisk + ended);
  }
  for (; cut != lengths.cut.end(); ++cut)
    beyond +=
        static_cast<double>(cut->second) * static_cast<double>(cut->first - 1 - law.longest());
  law.tail = lasting;
  law.hazard = lasting > 0 ? 1 / (beyond + chances / ends) : 1;
  return law;
}

// The tail's lengths are longest() + G, G geometric on 1, 2, ...: 1/h, q/h^2, q(1+q)/h^3,
// q(1 + 4q + q^2)/h^4.
Cumulants cumulants(const RunLaw &law) {
  std::vector<Cumulants> parts;
  std::vector<double> weights;
  for (const RunLaw::Atom &a : law.atoms)
    parts.push_back({static_cast<double>(a.length), 0, 0, 0}), weights.push_back(a.p);
  const double r = 1 / law.hazard, q = 1 - law.hazard;
  parts.push_back({static_cast<double>(law.longest()) + r, q * r * r, q * (1 + q) * r * r * r,
                   q * (1 + 4 * q + q * q) * r * r * r * r});
  weights.push_back(law.tail);
  return mixture(parts, weights);
}

} // namespace quincunx
