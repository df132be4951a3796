// Laws of calls: a cost is never negative, and moments that no law has are projected first.
// The idea: four moments are fitted as ever; where that law has much of its mass below 0, the gamma
// law with mean and variance alone takes its place.
#include "Laws.h"
#include "base/Infinity.h"

#include "quincunx/dist/Fit.h"

#include <limits>

namespace quincunx {

namespace {
/// Parts of a mixture over runs that are kept.
constexpr size_t callGroups = 128;

/// The most that may be below 0: reported percentiles begin with the median.
constexpr double strayed = 0.1;

// Pearson's type III with skewness 2c and kurtosis 3 + 6c^2 begins at the mean less deviation/c.
Result<Fit> gammaFrom0(const Moments &m) {
  // A mean that is a little more, so that rounding leaves nothing below 0.
  const double mean =
      m.mean + 4 * std::numeric_limits<double>::epsilon() * (m.mean + m.deviation());
  const double c = m.deviation() / m.mean;
  Result<Fit> fit = fitLaw({mean, m.variance, 2 * c, 3 + 6 * c * c}, {0, inf}, "pearson");
  if (fit)
    fit->family = "gamma";
  return fit;
}
} // namespace

std::pair<DistributionPtr, std::string> lawOf(const Cumulants &k,
                                              const std::vector<MixtureComponent> &parts) {
  if (!parts.empty()) {
    const Result<DistributionPtr> law = makeMixture(compress(parts, callGroups));
    return {law ? *law : nullptr, "mixture"};
  }
  const Moments m = project(moments(k)).moments;
  Result<Fit> fit = fitLaw(m, {0, inf});
  const double edge = -1e-9 * m.deviation(); // mass at 0 itself is none below
  if (fit && m.mean > 0 && fit->law->cdf(edge) > strayed)
    if (Result<Fit> gamma = gammaFrom0(m))
      fit = std::move(gamma);
  return fit ? std::pair{fit->law, fit->family} : std::pair{DistributionPtr{}, std::string{}};
}

} // namespace quincunx
