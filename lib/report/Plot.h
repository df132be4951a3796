// Private to lib/report: the sketch of a law in text.
#pragma once

#include "quincunx/estimate/Observed.h"

#include <iosfwd>

namespace quincunx {

/// Bars of the program's mass between costs, on a linear axis, or a logarithmic one when costs span
/// more than a factor of fifty. Stopped runs get a bar of their own.
void sketch(const Observed &o, bool utf8, std::ostream &out);

} // namespace quincunx
