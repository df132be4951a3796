// What a resource may be.
// The idea: one table and one wording for whoever meets resources: the check of constants, going
// through, expressions and simulation. Reference: docs/12-pamela.md, "Names and kinds".
#include "Multiplicities.h"

#include "quincunx/base/Text.h"

#include <cmath>

namespace quincunx::pamela {

std::string Multiplicities::meet(double index, double servers) {
  if (index != std::floor(index) || !(std::fabs(index) <= 0x1p53))
    return "the index of a resource is a whole number, not " + exact(index);
  if (!(servers >= 1) || servers != std::floor(servers))
    return "a multiplicity is a whole number from 1 on, or inf, not " + exact(servers);
  const auto [at, isNew] = known.try_emplace(index, servers);
  if (isNew || at->second == servers)
    return "";
  return "resource fcfs(" + exact(index) + ") has multiplicity " + exact(servers) + " here and " +
         exact(at->second) + " elsewhere";
}

} // namespace quincunx::pamela
