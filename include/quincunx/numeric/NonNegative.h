// Least squares with coefficients that are not negative, from the normal equations, and what the
// equations say of each coefficient by itself.
#pragma once

#include <span>
#include <vector>

namespace quincunx {

/// Normal equations of one design, solved for many right-hand sides.
class NonNegativeFit {
public:
  /// `gram`: A'A, square, row by row.
  explicit NonNegativeFit(std::span<const double> gram);
  /// The x >= 0 with the least |A x - y|; `right`: A'y. Of several the one that comes first by the
  /// order in which they reduce the error.
  std::vector<double> solve(std::span<const double> right) const;
  /// Can coefficient `i` be told from all others together?
  bool isKnown(size_t i) const { return known[i]; }
  /// Its variance for errors of variance 1; of one that is not known that of the shortest solution.
  double variance(size_t i) const { return variances[i]; }
  /// Coefficients that can be told apart.
  size_t rank() const { return independent; }

private:
  std::vector<double> gram;
  std::vector<bool> known;
  std::vector<double> variances;
  size_t independent = 0;
};

} // namespace quincunx
