// Sparse systems of linear equations of one pattern, solved again and again with other numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace quincunx {

class SparseSystem {
public:
  /// n equations; `places` are (row, column), from 0; a place may come several times.
  SparseSystem(size_t n, std::span<const std::pair<uint32_t, uint32_t>> places);
  SparseSystem(SparseSystem &&) noexcept;
  ~SparseSystem();

  /// The x with a x = b, `values` parallel to the places (those of one place add up); empty when
  /// there is not just one.
  std::vector<double> solve(std::span<const double> values, std::span<const double> b) {
    return set(values) ? solve(b) : std::vector<double>{};
  }
  /// The two parts of it, to solve for several b. False: there is not just one solution.
  bool set(std::span<const double> values);
  std::vector<double> solve(std::span<const double> b) const;
  /// For several b at once.
  std::vector<std::vector<double>> solveAll(std::vector<std::vector<double>> right) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace quincunx
