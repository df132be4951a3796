// Sums, multiples and choices of random numbers with their laws. Reference: docs/12-pamela.md,
// "What it costs". Joins are JoinedLaws.h's.
#pragma once

#include "quincunx/pamela/RandomNumber.h"

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace quincunx::pamela {

inline bool isConstant(const Cumulants &k) { return k.k2 == 0; }
inline bool isFinite(const Cumulants &k) {
  return std::isfinite(k.k1) && std::isfinite(k.k2) && std::isfinite(k.k3) && std::isfinite(k.k4);
}

/// The parts of a number, one where only its cumulants are known.
std::vector<LawPart> partsOf(const RandomNumber &x);
/// `k` with the law of these parts: as they are when there are few, else `k` alone. What is one
/// point is that constant.
RandomNumber withLaw(const Cumulants &k, std::vector<LawPart> parts);

/// Keeps laws while they are small, and while there is `room` for the work that they take: parts
/// that were made. Beyond, cumulants are what stays.
class LawArithmetic {
public:
  explicit LawArithmetic(size_t parts) : room(parts) {}
  /// Of independent numbers.
  RandomNumber sum(const RandomNumber &a, const RandomNumber &b);
  /// c X, a single draw.
  RandomNumber scaled(double c, const RandomNumber &x);
  /// The sum of n independent draws; n need not be whole (an average count).
  RandomNumber times(double n, const RandomNumber &x);
  /// The sum of N of them, N random and independent.
  RandomNumber times(const RandomNumber &n, const RandomNumber &x);
  /// So many turns, `n` or the whole number next to it, so that the mean of n >= 0 holds. What is
  /// known by its cumulants alone (`moments`) stays as it is: an average, or measured turns.
  RandomNumber wholeTurns(const RandomNumber &n);
  /// Of independent numbers.
  RandomNumber product(const RandomNumber &a, const RandomNumber &b);
  /// Exactly one of them, with these probabilities.
  RandomNumber oneOf(std::span<const RandomNumber> x, std::span<const double> weights);
  /// `rate` says how often the condition is true per execution.
  RandomNumber branched(const RandomNumber &rate, const RandomNumber &onTrue,
                        const RandomNumber &onFalse);

private:
  bool affords(size_t parts);
  size_t room;
};

} // namespace quincunx::pamela
