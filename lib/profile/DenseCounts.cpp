// Checks counts against a map and expands them.
// The idea: a record may come from anywhere, so that every index is compared with the map once,
// before anything is added up. Reference: docs/11-formats.md. It does not derive counts of edges or
// blocks (lib/model).
#include "quincunx/profile/DenseCounts.h"

#include <algorithm>
#include <functional>

namespace quincunx {

namespace {

/// Are the indices ascending, and those of words `first` <= i < `end`?
Status checkWords(const Counts &counts, uint32_t first, uint32_t end) {
  const auto &index = counts.index;
  if (index.size() != counts.value.size())
    return Error{"has counts without indices"};
  if (std::adjacent_find(index.begin(), index.end(), std::greater_equal<>()) != index.end())
    return Error{"has counters that are out of order"};
  if (!index.empty() && (index.back() >= end || index.front() < first))
    return Error{"has counter " + std::to_string(index.back()) + ", its map has " +
                 std::to_string(end)};
  return Done{};
}

} // namespace

Status checkCounts(const Counts &counts, const Map &map) {
  return checkWords(counts, 0, map.counterCount);
}

Status checkCounts(const ImageCounts &image, const Map &map) {
  if (image.counterCount != map.wordCount)
    return Error{"has " + std::to_string(image.counterCount) + " counters, its map has " +
                 std::to_string(map.wordCount)};
  for (const Counts *counts : {&image.counts, &image.inherited})
    if (const Status s = checkCounts(*counts, map); !s)
      return s;
  return checkWords(image.recorders, map.counterCount, map.wordCount);
}

Status expandCounts(const Counts &counts, const Map &map, std::vector<uint64_t> &dense) {
  if (const Status s = checkCounts(counts, map); !s)
    return s;
  dense.assign(map.counterCount, 0);
  for (size_t i = 0; i < counts.index.size(); ++i)
    dense[counts.index[i]] = counts.value[i];
  return Done{};
}

} // namespace quincunx
