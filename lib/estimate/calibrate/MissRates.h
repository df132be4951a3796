// What executions of blocks missed in runs of a build with record=predictor, carried to runs of a
// build without: misses per execution, on the average. It does not know what a miss costs.
#pragma once

#include "estimate/price/Events.h"
#include "quincunx/cost/Machine.h"
#include "quincunx/estimate/Misses.h"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace quincunx {

/// Share of the work in functions that are known in other runs, below which they are of another
/// program: every program has a main, and many of them one with as many blocks.
inline constexpr double enoughWork = 0.5;

/// Misses of each kind per execution of a block.
using MissRate = std::array<double, eventCount>;

class MissRates {
public:
  MissRates() = default; ///< none
  /// Of several functions that look the same (see of), over all of them.
  MissRates(const CountMatrix &matrix, const std::vector<Map> &maps);

  /// Nothing was missed.
  bool empty() const;
  /// Some block has such events.
  bool has(Event event) const;
  /// None has from now on.
  void forget(Event event);
  /// Of the blocks of a function, which is known by its name, which of that name it is in its
  /// image, and its number of blocks; empty when it did not run there.
  std::vector<MissRate> of(const Map &map, uint32_t function) const;
  /// There was such a function, whether it ran or not.
  bool knows(const Map &map, uint32_t function) const;

private:
  using Key = std::tuple<std::string, uint32_t, size_t>; ///< name, which of it, blocks
  static Key keyOf(const Map &map, uint32_t function);

  std::map<Key, std::vector<MissRate>> rates; ///< of those that ran
  std::set<Key> known;
};

/// What is carried, and to what; nothing to nothing.
struct MissImputation {
  MissRates rates;
  std::optional<ImputedMisses> to;
};

/// What to carry to the runs of a matrix, nothing where `from` is null. An error when some of them
/// count misses and some do not, when they all do and others are to be carried, when there are none
/// to be carried, and when less than half of the work, as `guess` prices it, is of functions that
/// are known there.
Result<MissImputation> imputeMisses(const CountMatrix &matrix, const std::vector<Map> &maps,
                                    const Machine &guess, const SimulatedRuns *from);
/// Which of the functions of its name in the image it is.
uint32_t ordinalOf(const Map &map, uint32_t function);

} // namespace quincunx
