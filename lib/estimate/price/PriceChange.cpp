// Prices of single classes of instructions and of events, changed.
// The idea: a run costs, for each class and event, so many times the price. What it spends on one
// is what it would cost less if that were free. Reference: docs/17-what-if.md.
#include "PriceChange.h"

#include "quincunx/base/Nearest.h"
#include "quincunx/base/Text.h"

#include <algorithm>

namespace quincunx {

namespace {

bool isIn(std::span<const std::string> words, const std::string &word) {
  return std::ranges::find(words, word) != words.end();
}

bool isFitted(const Machine &machine) { return !machine.fit.functions.empty(); }

Cumulants priceOf(const Machine &machine, const std::string &word) {
  return isIn(machineClasses(), word) ? machine.cost(word) : machine.event(word);
}

Error unknownWord(const std::string &name) {
  std::vector<std::string> words(machineClasses().begin(), machineClasses().end());
  words.insert(words.end(), machineEvents().begin(), machineEvents().end());
  const std::string hint = nearest(name, words);
  return Error{
      "there is no class of instructions and no event '" + escape(name) + "'" +
      (hint.empty() ? "; docs/13-machines.md has a list" : "; did you mean '" + hint + "'?")};
}

double meanOf(const BlockCosts &costs, const std::vector<Cumulants> &runs) {
  double sum = 0, weight = 0;
  for (size_t d = 0; d < runs.size(); ++d) {
    sum += costs.matrix().rows[d].weight * runs[d].k1;
    weight += costs.matrix().rows[d].weight;
  }
  return weight > 0 ? sum / weight : 0;
}

/// What runs cost in the mean where the word has that price.
double meanWith(BlockCosts &costs, const Machine &machine, const std::string &word,
                const Cumulants &price) {
  costs.price(withPrice(machine, word, price));
  return meanOf(costs, costs.expectedRuns());
}

} // namespace

Machine withPrice(Machine machine, const std::string &word, const Cumulants &price) {
  auto &prices = isIn(machineClasses(), word) ? machine.classes : machine.events;
  const auto known = std::ranges::find(prices, word, &std::pair<std::string, Cumulants>::first);
  if (known != prices.end())
    known->second = price;
  else
    prices.emplace_back(word, price);
  return machine;
}

std::vector<std::string> wordsWithPrices(const Machine &machine) {
  std::vector<std::string> words;
  for (const std::string &word : machineClasses())
    if (!isFitted(machine) && machine.cost(word).k1 > 0)
      words.push_back(word);
  for (const std::string &word : machineEvents())
    if (machine.event(word).k1 > 0)
      words.push_back(word);
  return words;
}

Result<PriceChange> changePrice(BlockCosts &costs, Machine &machine, const std::string &word,
                                bool scales, const Cumulants &value) {
  const bool isClass = isIn(machineClasses(), word);
  if (!isClass && !isIn(machineEvents(), word))
    return unknownWord(word);
  if (isClass && isFitted(machine))
    return Error{"a calibration fitted what blocks of this program cost, and not classes of "
                 "instructions; ask cost(FUNCTION) *= FACTOR, or by prices of a machine: "
                 "--machine x86-64"};
  const Cumulants was = priceOf(machine, word);
  if (scales && !(was.k1 > 0))
    return Error{word + " has no price here that could be scaled; give it one: price(" + word +
                 ") = COST"};
  const double free = meanWith(costs, machine, word, {});
  if (!isClass && meanWith(costs, machine, word, {1, 0, 0, 0}) == free)
    return Error{"these runs do not say how often " + word +
                 " happens, apart from what else they cost"};
  const double whole = meanWith(costs, machine, word, was);
  const Cumulants is = scales ? scaled(value.k1, was) : value;
  machine = withPrice(std::move(machine), word, is);
  costs.price(machine);
  return PriceChange{isClass, was, is, whole > 0 ? 1 - free / whole : 0};
}

} // namespace quincunx
