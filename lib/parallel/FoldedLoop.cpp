// Folded loops. Reference: docs/27-parallel.md, "Folded loops".
#include "quincunx/parallel/FoldedLoop.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace quincunx::parallel {

namespace {
constexpr double last = Segment::bins - 1;

size_t binOf(double cost, double top) {
  if (!(cost > 0))
    return 0;
  const double octave = std::floor(std::log2(top / cost));
  return octave < last ? static_cast<size_t>(last - octave) : 0;
}
/// The middle of an octave; of the first bin, which goes down to 0, too.
double middleOf(size_t bin, double top) {
  return 0.75 * std::ldexp(top, static_cast<int>(bin) - static_cast<int>(last));
}

std::vector<DearIteration> dearest(std::span<const double> costs, size_t most) {
  std::vector<uint64_t> order(costs.size());
  std::iota(order.begin(), order.end(), 0);
  most = std::min(most, costs.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end(),
                    [&](uint64_t a, uint64_t b) {
                      return costs[a] > costs[b] || (costs[a] == costs[b] && a < b);
                    });
  order.resize(most);
  std::sort(order.begin(), order.end());
  std::vector<DearIteration> all;
  for (const uint64_t i : order)
    all.push_back({i, costs[i]});
  return all;
}

/// The costs that a segment's histogram stands for, in a random order.
std::vector<double> drawn(const Segment &s, std::mt19937_64 &random) {
  std::vector<double> costs;
  for (size_t b = 0; b < Segment::bins; ++b)
    costs.insert(costs.end(), s.histogram[b], middleOf(b, s.top));
  const double sum = std::accumulate(costs.begin(), costs.end(), 0.0);
  for (double &x : costs)
    x *= sum > 0 ? s.sum / sum : 0;
  for (size_t i = costs.size(); i > 1; --i) // not std::shuffle, which libraries differ in
    std::swap(costs[i - 1], costs[random() % i]);
  return costs;
}
} // namespace

FoldedLoop fold(std::span<const double> costs, size_t segments, size_t dear) {
  FoldedLoop out;
  out.dear = dearest(costs, dear);
  std::vector<bool> isDear(costs.size(), false);
  for (const DearIteration &i : out.dear)
    isDear[i.index] = true;
  segments = std::max<size_t>(1, std::min(segments, costs.size()));
  for (size_t s = 0, at = 0; s < segments; ++s) {
    Segment segment;
    segment.count = costs.size() / segments + (s < costs.size() % segments ? 1 : 0);
    const size_t end = at + segment.count;
    for (size_t i = at; i < end; ++i)
      if (!isDear[i])
        segment.top = std::max(segment.top, costs[i]);
    for (; at < end; ++at)
      if (!isDear[at]) {
        segment.sum += costs[at];
        ++segment.histogram[binOf(costs[at], segment.top)];
      }
    out.segments.push_back(segment);
  }
  return out;
}

Result<std::vector<double>> unfold(const FoldedLoop &folded, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<double> costs;
  auto dear = folded.dear.begin();
  for (const Segment &s : folded.segments) {
    const std::vector<double> others = drawn(s, random);
    const uint64_t end = costs.size() + s.count;
    auto other = others.begin();
    while (costs.size() < end) {
      if (dear != folded.dear.end() && dear->index == costs.size())
        costs.push_back(dear++->cost);
      else if (other != others.end())
        costs.push_back(*other++);
      else
        return Error{"a segment has fewer iterations in its histogram than it counts"};
    }
    if (other != others.end())
      return Error{"a segment has more iterations in its histogram than it counts"};
  }
  if (dear != folded.dear.end())
    return Error{"an iteration is kept that the loop has not"};
  return costs;
}

} // namespace quincunx::parallel
