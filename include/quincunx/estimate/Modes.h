// Whether values fall into groups: the excess mass test of Mueller and Sawitzki (J. Amer. Statist.
// Assoc. 86, 1991), which is Hartigan's dip test, with the places where the law is parted.
// Reference: docs/18-why-runs-differ.md. It fits no humps; a group of less mass than the test can
// tell from chance (about 1.2/sqrt(D)) is not found.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace quincunx {

struct Modes {
  /// Values in ascending order are parted before each of these positions; empty: one group.
  std::vector<size_t> cuts;
  double excess = 0;   ///< by how much mass two humps hold more than one, of all values
  double critical = 1; ///< what one hump in a hundred reaches by chance
};

/// `ascending`: finite; `weights`: parallel, positive; at most four groups. Where all values are
/// positive humps are sought on a logarithmic scale.
Modes findModes(std::span<const double> ascending, std::span<const double> weights);

} // namespace quincunx
