// Derivatives of expressions in a parameter, and means of random ones. Reference:
// docs/12-pamela.md, "Derivatives".
#pragma once

#include "Algebra.h"

#include <optional>

namespace quincunx::pamela {

struct Derivative {
  Id e = 0;
  /// It is that of pieces: at a step of floor or a condition there is none, at a kink of max it is
  /// one-sided.
  bool isPiecewise = false;
};

/// Of what is not random. Nothing where there is no expression, as for the bound of a sum.
std::optional<Derivative> derivative(Algebra &all, Id e, Id parameter);

/// The mean of a number, or of all that is in a vector; nothing where it has no expression, as of
/// the largest of random ones.
std::optional<Id> meanOf(Algebra &all, Id e);

} // namespace quincunx::pamela
