// The choice of a family.
// The idea: Pearson has a law for every possible pair and is exact for the laws that costs are made
// of; only where it would be U-shaped do the moments point to two modes, and then maximum entropy
// puts them inside. Reference: docs/09-percentiles-and-bounds.md. Who knows the parts of a mixture
// takes the mixture (dist/Mixture.h), not its moments.
#include "quincunx/dist/Fit.h"

#include "quincunx/base/Text.h"
#include "quincunx/dist/Families.h"
#include "quincunx/dist/Pearson.h"

#include <cmath>

namespace quincunx {

namespace {

Result<Fit> automatic(const Moments &m, Range range) {
  if (m.variance == 0) {
    const Result<DistributionPtr> point = fitPoint(m, range);
    if (!point)
      return point.error();
    return Fit{*point, "point", "the variance is 0"};
  }
  const Result<DistributionPtr> pearson = fitPearson(m, range);
  if (!pearson)
    return pearson.error();
  const PearsonParameters p = pearsonParameters(m);
  const std::string type = std::string("type ") + name(p.type);
  const bool ends = (p.type == PearsonType::I || p.type == PearsonType::II) &&
                    p.second < 1 - 1e-9; // not the uniform law
  if (!ends)
    return Fit{*pearson, "pearson", type};
  if (std::abs(m.skewness) > 1)
    return Fit{*pearson, "pearson", type + ", with its mass at both ends: two modes"};
  const Result<DistributionPtr> entropy = fitMaxEntropy(m, range);
  if (!entropy)
    return Fit{*pearson, "pearson",
               type + ", with its mass at both ends: two modes (" + entropy.error().text + ")"};
  return Fit{*entropy, "maxent", "the moments point to two modes"};
}

} // namespace

Result<Fit> fitLaw(const Moments &m, Range range, std::string_view family) {
  if (family == "auto")
    return automatic(m, range);
  std::string known = "auto";
  for (const Family &f : families()) {
    if (family == f.name) {
      const Result<DistributionPtr> law = f.fit(m, range);
      if (!law)
        return law.error();
      return Fit{*law, f.name, "as asked"};
    }
    known += std::string(", ") + f.name;
  }
  return Error{"there is no family '" + escape(family) + "' (there are " + known + ")"};
}

} // namespace quincunx
