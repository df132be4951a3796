// What threads wait for on condition variables, other than who signals.
#pragma once

#include "CountedWaits.h"
#include "Permits.h"

namespace quincunx {

struct ConditionWaits {
  std::vector<CountedWaits> counted;
  std::vector<Permits> permits;
  std::vector<CountedWaits> ofAtomics; ///< none of a condition variable's
};

/// Those in which what is waited for has a rule, also where nobody had to wait if it has the same
/// one elsewhere, at the same sites. Others are not among them: they wait for who signalled.
ConditionWaits conditionWaits(const std::vector<Condition> &conditions);

} // namespace quincunx
