// By what costs of blocks have to be multiplied in a run to add up to what a fit says of it, for
// those who take runs one by one. BlockCosts has the same for a matrix.
#pragma once

#include "PricedMap.h"

namespace quincunx {

class RunScales {
public:
  /// Both must outlive it.
  RunScales(const std::vector<Map> &maps, const Prices &prices);
  struct OfRun {
    double scale = 1;  ///< Prices::OfRun::scale
    double blocks = 0; ///< what its blocks cost before that; 0 where nothing is fitted
  };
  /// An error when the run contradicts its map.
  Result<OfRun> of(const Run &run);

private:
  const std::vector<Map> &maps;
  const Prices &prices;
  std::map<Hash, size_t> mapOf;
  std::vector<PricedMap> priced; ///< parallel to maps; empty where nothing is fitted
};

} // namespace quincunx
