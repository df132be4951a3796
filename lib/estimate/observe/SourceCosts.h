// What functions of the source cost within one that was compiled, in a run. It keeps no runs.
#pragma once

#include "estimate/price/Prices.h"
#include "quincunx/map/SourceFunctions.h"
#include "quincunx/profile/Run.h"

#include <optional>
#include <span>
#include <vector>

namespace quincunx {

class SourceCosts {
public:
  /// The `number`-th of the maps that are priced; all must outlive it.
  SourceCosts(const std::vector<Map> &maps, size_t number, const Prices &prices,
              const SourceFunctions &sources);
  struct Part {
    size_t source = 0; ///< number among SourceFunctions
    Cumulants k;
  };
  /// The parts of what a function of the map costs, itself the first; empty where all is its own.
  /// Valid until the next call.
  std::span<const Part> of(uint32_t function, const Counts &counts);

private:
  /// What a count of a counter adds to a part.
  struct Weight {
    uint32_t part = 0;
    Cumulants k;
  };
  struct Split {
    std::vector<size_t> sources;       ///< per part
    std::vector<uint32_t> firstWeight; ///< per counter, and behind the last
    std::vector<Weight> weights;
  };
  Split split(size_t function) const;

  const std::vector<Map> *maps;
  size_t number;
  const Prices *prices;
  const SourceFunctions *sources;
  std::vector<std::optional<Split>> splits; ///< per function; empty until it runs
  std::vector<Part> parts;                  ///< of the function at hand
};

} // namespace quincunx
