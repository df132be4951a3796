// One number per run, for something that is looked at once per run. Most numbers are small integers
// (counts, and costs in integer units), which take four bytes here, exactly; the first that is not
// makes the column wide. Runs that never set a value have 0.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace quincunx {

class Column {
public:
  /// Runs come in ascending order; `expected` is only a hint how many there will be.
  void set(size_t run, double value, size_t expected) {
    const auto small = static_cast<uint32_t>(value >= 0 && value < 4294967296.0 ? value : 0);
    if (wide.empty() && static_cast<double>(small) == value) {
      place(narrow, run, small, expected);
      return;
    }
    if (wide.empty() && !narrow.empty()) {
      wide.reserve(expected > run ? expected : run + 1);
      wide.assign(narrow.begin(), narrow.end());
      narrow = {};
    }
    place(wide, run, value, expected);
  }
  /// The same for `n` runs from `first` on, which follow all runs set before.
  void setAll(size_t first, const double *values, size_t n, size_t expected) {
    bool small = wide.empty(), zero = true;
    for (size_t i = 0; i < n; ++i) {
      const double v = values[i];
      small =
          small && v >= 0 && v < 4294967296.0 && static_cast<double>(static_cast<uint32_t>(v)) == v;
      zero = zero && v == 0;
    }
    if (zero)
      return;
    if (!small) {
      for (size_t i = 0; i < n; ++i)
        set(first + i, values[i], expected);
      return;
    }
    if (narrow.empty())
      narrow.reserve(expected > first ? expected : first + n);
    narrow.resize(first + n);
    for (size_t i = 0; i < n; ++i)
      narrow[first + i] = static_cast<uint32_t>(values[i]);
  }
  double at(size_t run) const {
    if (!wide.empty())
      return run < wide.size() ? wide[run] : 0;
    return run < narrow.size() ? static_cast<double>(narrow[run]) : 0;
  }
  bool empty() const { return narrow.empty() && wide.empty(); }
  /// sum[d] += weight x at(d)
  void addTo(std::span<double> sum, double weight) const {
    visit([&](const auto &column) {
      const auto *const values = column.data();
      double *const to = sum.first(column.size()).data();
      for (size_t d = 0; d < column.size(); ++d)
        to[d] += weight * static_cast<double>(values[d]);
    });
  }
  /// The sum over all runs of weights[d] x (at(d) - from).
  double dot(std::span<const double> weights, double from = 0) const {
    double sum = 0;
    visit([&](const auto &column) {
      const size_t n = column.size();
      const auto *const values = column.data();
      const double *const by = weights.first(n).data();
      std::array<double, 4> part{}; // four at a time: each sum waits for its last term
      for (size_t d = 0; d + 4 <= n; d += 4)
        for (size_t i = 0; i < 4; ++i)
          part[i] += by[d + i] * (static_cast<double>(values[d + i]) - from);
      sum = (part[0] + part[1]) + (part[2] + part[3]);
      for (size_t d = n / 4 * 4; d < n; ++d)
        sum += by[d] * (static_cast<double>(values[d]) - from);
      for (size_t d = n; from != 0 && d < weights.size(); ++d)
        sum -= weights[d] * from;
    });
    return sum;
  }
  /// Ends behind the last run that is not 0, so that equal columns have equal bytes.
  void trim() {
    while (!narrow.empty() && narrow.back() == 0)
      narrow.pop_back();
    while (!wide.empty() && wide.back() == 0)
      wide.pop_back();
    narrow.shrink_to_fit();
    wide.shrink_to_fit();
  }
  auto operator<=>(const Column &) const = default;

private:
  template <class F> void visit(F f) const {
    if (wide.empty())
      f(narrow);
    else
      f(wide);
  }
  template <class T> static void place(std::vector<T> &v, size_t run, T value, size_t expected) {
    if (v.empty())
      v.reserve(expected > run ? expected : run + 1);
    v.resize(run + 1);
    v[run] = value;
  }
  std::vector<uint32_t> narrow;
  std::vector<double> wide;
};

} // namespace quincunx
