// Prices of single classes of instructions and of events, changed: `price(load) *= 0.5`.
#pragma once

#include "quincunx/cost/Machine.h"
#include "quincunx/estimate/BlockCosts.h"

namespace quincunx {

/// The machine with another price of a class or event.
Machine withPrice(Machine machine, const std::string &word, const Cumulants &price);

/// Classes and events that cost something, and of which runs say how often they happen. Where
/// blocks were fitted to times classes have no prices of their own.
std::vector<std::string> wordsWithPrices(const Machine &machine);

struct PriceChange {
  bool isClass = false; ///< of instructions, not an event
  Cumulants was, is;
  double share = 0; ///< of the mean cost of runs, at the price that was
};
/// The class or event costs `value`, or, with `scales`, value.k1 times what it did. `machine`
/// prices `costs`, before and after. An error: there is no such class or event, it has no price
/// that could be scaled, or nobody knows how often it happens in these runs.
Result<PriceChange> changePrice(BlockCosts &costs, Machine &machine, const std::string &word,
                                bool scales, const Cumulants &value);

} // namespace quincunx
