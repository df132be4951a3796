// Laws of three values that share four moments: what every sharp bound of this room is made of.
// Reference: docs/09-percentiles-and-bounds.md; Karlin & Studden, Tchebycheff Systems, ch. 2. The
// moments are those of a standardised law; whether a law has them is checked by the callers.
#pragma once

#include <array>

namespace quincunx {

struct Atom {
  double place = 0, mass = 0;
};

/// The only law of three values with mean 0, variance 1, skewness s and kurtosis D + s^2 + 1 that
/// has an atom at xi, which comes first. D > 0; a value at infinity has mass 0.
std::array<Atom, 3> atomsWith(double xi, double s, double D);

} // namespace quincunx
