// What functions and branches did in each run: calls, evaluations, true outcomes. Reference:
// docs/23-exports.md. It knows no costs.
#pragma once

#include "quincunx/estimate/CountMatrix.h"
#include "quincunx/map/Foreign.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace quincunx {

/// Numbers are one per row of the matrix. Frames that were lost count in the middle of what is
/// possible.
struct RunCounters {
  struct Place {
    std::string path;
    uint32_t line = 0, column = 0;
    auto operator<=>(const Place &) const = default;
  };
  struct Branch {
    std::vector<double> evaluated, isTrue;
  };
  std::map<std::string, std::vector<double>> calls; ///< of compiled functions, by linkage name
  std::map<Place, Branch> branches;                 ///< conditions, not switches
};

/// Of the functions that ran at least once. Branches are those of files that are not foreign and of
/// which it is known what the source calls true; copies of one (instances of templates, inlined
/// code) are one.
RunCounters runCounters(const CountMatrix &matrix, const std::vector<Map> &maps,
                        const IsForeign &isForeign);

} // namespace quincunx
