// Counts of a run held against the map of their image: checked, and written out with one number per
// counter. It knows no flow and no costs.
#pragma once

#include "quincunx/map/Map.h"
#include "quincunx/profile/Run.h"

#include <vector>

namespace quincunx {

/// Checks counts of unknown origin: indices ascend, and the map has these counters.
Status checkCounts(const Counts &counts, const Map &map);
/// Checks an image: its own counts, those it inherited, and its recorders are words the map has.
Status checkCounts(const ImageCounts &image, const Map &map);
/// Checks counts as above and writes one number per counter of the map to `dense`.
Status expandCounts(const Counts &counts, const Map &map, std::vector<uint64_t> &dense);

} // namespace quincunx
