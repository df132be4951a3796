// The largest demand on a resource, of demands with parameters.
#pragma once

#include "pamela/algebra/Algebra.h"

#include <vector>

namespace quincunx::pamela {

/// Expressions whose largest is the largest element of the vector, each divided by its servers.
/// Elements that may fall on the same place, where nobody can say before values are known, are
/// left as a vector, to be added up place by place.
std::vector<Id> largestElements(Algebra &all, Id vector);

/// Is it known that two elements of a vector never fall on the same place?
bool neverMeet(Algebra &all, Id a, Id b);

/// Is it known that an element is at each of its places once?
bool onceEach(Algebra &all, Id element);

} // namespace quincunx::pamela
