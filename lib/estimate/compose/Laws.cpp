// Laws of calls: a cost is never negative, and moments that no law has are projected first.
#include "Laws.h"

#include "quincunx/dist/Fit.h"

#include <limits>

namespace quincunx {

namespace {
/// Parts of a mixture over runs that are kept.
constexpr size_t callGroups = 128;
} // namespace

std::pair<DistributionPtr, std::string> lawOf(const Cumulants &k,
                                              const std::vector<MixtureComponent> &parts) {
  if (!parts.empty()) {
    const Result<DistributionPtr> law = makeMixture(compress(parts, callGroups));
    return {law ? *law : nullptr, "mixture"};
  }
  constexpr double inf = std::numeric_limits<double>::infinity();
  const Result<Fit> fit = fitLaw(project(moments(k)).moments, {0, inf});
  return fit ? std::pair{fit->law, fit->family} : std::pair{DistributionPtr{}, std::string{}};
}

} // namespace quincunx
