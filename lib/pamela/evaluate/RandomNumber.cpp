// The law of a random number.
// The idea: points are steps, other parts are laws of their own, and the number is their mixture.
// Reference: docs/12-pamela.md, "What it costs". What becomes of laws is LawArithmetic's.
#include "quincunx/pamela/RandomNumber.h"
#include "base/Infinity.h"

#include "quincunx/dist/Fit.h"
#include "quincunx/dist/Mixture.h"

#include <algorithm>

namespace quincunx::pamela {

bool RandomNumber::isExact() const {
  return k2 == 0 || (parts && std::all_of(parts->begin(), parts->end(),
                                          [](const LawPart &p) { return p.exact; }));
}

Result<DistributionPtr> lawOf(const RandomNumber &x) {
  const auto fitted = [](const Cumulants &k) -> Result<DistributionPtr> {
    const Result<Fit> fit = fitLaw(project(moments(k)).moments, Range{k.k1 >= 0 ? 0 : -inf, inf});
    return fit ? Result<DistributionPtr>(fit->law) : fit.error();
  };
  if (!x.parts)
    return fitted(x);
  std::vector<DistributionPtr> laws;
  std::vector<double> weights;
  std::vector<MixtureComponent> points;
  double ofPoints = 0;
  for (const LawPart &p : *x.parts) {
    if (p.k.k2 == 0) {
      points.push_back({p.k, p.weight, false});
      ofPoints += p.weight;
      continue;
    }
    const Result<DistributionPtr> law = p.law ? Result<DistributionPtr>(p.law) : fitted(p.k);
    if (!law)
      return law;
    laws.push_back(*law), weights.push_back(p.weight);
  }
  if (!points.empty()) {
    const Result<DistributionPtr> steps = makeMixture(points);
    if (!steps || laws.empty())
      return steps;
    laws.push_back(*steps), weights.push_back(ofPoints);
  }
  return laws.size() == 1 ? Result<DistributionPtr>(laws[0]) : makeWeighted(laws, weights);
}

} // namespace quincunx::pamela
