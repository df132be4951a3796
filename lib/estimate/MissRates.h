// Private to lib/estimate: what executions of blocks missed in runs of a build with
// record=predictor, carried to runs of a build without: misses per execution, on the average. It
// does not know what a miss costs.
#pragma once

#include "Events.h"
#include "quincunx/estimate/Calibrate.h"

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace quincunx {

/// Misses of each kind per execution of a block.
using MissRate = std::array<double, eventCount>;

class MissRates {
public:
  MissRates() = default; ///< none
  MissRates(const CountMatrix &matrix, const std::vector<Map> &maps);

  bool empty() const { return rates.empty(); }
  /// Some block has such events.
  bool has(Event event) const;
  /// None has from now on.
  void forget(Event event);
  /// Of the blocks of a function, which is known by its name, which of that name it is in its
  /// image, and its number of blocks; empty when it did not run, or misses nothing.
  std::vector<MissRate> of(const Map &map, uint32_t function) const;

private:
  std::map<std::pair<std::string, uint32_t>, std::vector<MissRate>> rates;
};

/// What to carry to the runs of a matrix, none where `from` is null. An error when some of them
/// count misses and some do not, when they all do and others are to be carried, and when there are
/// none to be carried, or to no function.
Result<MissRates> carriedTo(const CountMatrix &matrix, const std::vector<Map> &maps,
                            const SimulatedRuns *from);
/// Which of the functions of its name in the image it is.
uint32_t ordinalOf(const Map &map, uint32_t function);

} // namespace quincunx
