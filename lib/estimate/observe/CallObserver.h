// The laws of single calls, for every function, over the runs of a corpus.
#pragma once

#include "CallLaw.h"
#include "quincunx/map/Map.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace quincunx {

/// Adds up calls run by run. `maps` must outlive it.
class CallObserver {
public:
  struct Calls {
    CallLaw law;
    std::string dearestIn; ///< label of the run with the dearest call
    double dearest = 0;    ///< what it costs at least
  };
  /// What a unit of the clock costs in the calls of a function, by map and number; 0: not known.
  using Units = std::function<double(size_t map, size_t function)>;

  explicit CallObserver(const std::vector<Map> &maps);
  /// Runs that crashed are left out, like everywhere, and so are calls of which the unit is not
  /// known.
  void add(const Run &run, const Units &units);
  uint64_t runs() const { return used; }
  const Calls &of(size_t map, size_t function) const { return kept[map][function]; }

private:
  const std::vector<Map> &maps;
  std::map<Hash, size_t> mapOf;
  std::vector<std::vector<Calls>> kept; ///< per map and function
  uint64_t used = 0;
};

} // namespace quincunx
