// Sketches of a law in text: a dozen bars on a linear axis, or on a logarithmic one when costs span
// more than a factor of fifty. They smooth nothing.
#pragma once

#include "quincunx/estimate/Observed.h"

#include <iosfwd>
#include <string>

namespace quincunx {

/// That share of 48 columns, in [0, 1].
std::string bar(double share, bool utf8);
/// The mass between the ends of `range` (what lies outside is in the bars at the ends), of which
/// `open` was stopped and gets a bar of its own.
void sketch(const Distribution &law, Range range, double open, bool utf8, std::ostream &out);
/// The program's cost, over the costs that runs had.
void sketch(const Observed &o, bool utf8, std::ostream &out);

} // namespace quincunx
