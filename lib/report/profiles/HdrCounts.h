// Counts of whole numbers in bins that are at most a thousandth of their number wide, as
// HdrHistogram has them for three significant digits. Its bins: 0 to 2047 have one each; from there
// on each doubling of the numbers is divided into 1024 of equal width. Reference:
// http://hdrhistogram.org. It does not know what is counted.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace quincunx {

class HdrCounts {
public:
  static constexpr int digits = 3;
  static constexpr uint64_t linear = 2048;            ///< bins of width 1
  static constexpr uint64_t most = UINT64_C(1) << 62; ///< of the numbers that can be counted

  void add(uint64_t number, uint64_t times) {
    const size_t bin = binOf(number);
    if (bin >= counts.size())
      counts.resize(bin + 1);
    counts[bin] += times;
    total += times;
    greatest = std::max(greatest, number);
  }

  size_t bins() const { return counts.size(); } ///< up to that of the greatest number
  uint64_t count(size_t bin) const { return counts[bin]; }
  uint64_t all() const { return total; }
  uint64_t max() const { return greatest; }

  static size_t binOf(uint64_t number) {
    const auto doubling = static_cast<unsigned>(std::bit_width(number | (linear - 1)) - 11);
    return static_cast<size_t>(doubling * (linear / 2) + (number >> doubling));
  }
  static uint64_t width(size_t bin) { return UINT64_C(1) << doublingOf(bin); }
  static uint64_t lowest(size_t bin) {
    return (bin - doublingOf(bin) * (linear / 2)) << doublingOf(bin);
  }
  static uint64_t highest(size_t bin) { return lowest(bin) + width(bin) - 1; }
  static uint64_t middle(size_t bin) { return lowest(bin) + width(bin) / 2; }

private:
  static uint64_t doublingOf(size_t bin) { return bin < linear ? 0 : bin / (linear / 2) - 1; }

  std::vector<uint64_t> counts;
  uint64_t total = 0, greatest = 0;
};

} // namespace quincunx
