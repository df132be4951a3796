// Trips of loops as expressions of what they were computed from, and values of these with which
// each expression gives what was measured: so that a model can ask for other values. It records no
// arguments; a value is found by solving the expressions for it. Reference: docs/12-pamela.md.
#pragma once

#include "quincunx/map/Map.h"
#include "quincunx/model/Compose.h"

#include <map>
#include <string>
#include <vector>

namespace quincunx {

struct LoopBounds {
  enum class Kind : uint8_t {
    measured,   ///< a number is all that is known, or the expression does not give it
    expression, ///< Loop::trips gives it with `values`
    ofIndex,    ///< so it does, averaged over the index of the loop around it: i0, i1, ...
  };
  std::map<std::string, double> values; ///< of unknowns (Symbolic.h)
  std::vector<Kind> loops;              ///< parallel to Function::loops
  Kind of(uint32_t loop) const { return loop < loops.size() ? loops[loop] : Kind::measured; }
};

/// Of loops whose trips `executed` takes as constant; an unknown has one value in all of them. What
/// several unknowns decide together is solved only when all but one are known from other loops.
LoopBounds boundsOf(const Function &f, const ExecutionCounts &executed);

/// The name that trip counts have for the index of loop `loop`.
std::string indexName(uint32_t loop);

} // namespace quincunx
