// Optimal string alignment distance, by the usual table of which three rows are kept.
// Reference: Damerau (1964). It does not know what the words mean.
#include "quincunx/base/Nearest.h"

#include <algorithm>
#include <vector>

namespace quincunx {

size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

/// Longer words are not compared: the table has as many cells as both have letters, multiplied.
static constexpr size_t longest = 200;

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  std::string best;
  size_t least = SIZE_MAX;
  for (const std::string &c : candidates) {
    if (std::max(word.size(), c.size()) > longest)
      continue;
    const size_t d = editDistance(word, c);
    if (d < least && d <= std::max<size_t>(2, std::max(word.size(), c.size()) / 3))
      best = c, least = d;
  }
  return best;
}

} // namespace quincunx
