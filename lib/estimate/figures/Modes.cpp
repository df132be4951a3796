// The excess mass test, and where to part.
// The idea: above the level l a law has the excess mass E_1(l) in its best interval and E_2(l) in
// its best two. With one hump two intervals hold no more than one, but for chance; the largest
// E_2 - E_1 over all levels is compared with what the uniform law shows, which of all laws with one
// hump shows most (in the limit), so false alarms are at most as frequent as stated. The law is
// parted at the widest gap between the two intervals, and each part is looked at in turn.
//
// Costs are counts: equal values come in heaps. A few values, each with many runs, are groups by
// themselves; otherwise a heap is spread over the room between its neighbours, or every lattice
// would have as many humps as points.
#include "quincunx/estimate/Modes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quincunx {

namespace {

constexpr size_t maxGroups = 4, minValues = 30, levels = 200;
constexpr double minMass = 0.05, densestMass = 0.1;
constexpr size_t minRuns = 5;

/// sqrt(n) (E_2 - E_1) of n uniform values is larger in one case in a hundred (drawn 6000 times,
/// n from 30 to 3000: 1.11 to 1.20).
constexpr double oneInAHundred = 1.21;

struct Points {
  std::vector<double> x, w; ///< ascending; w adds up to 1
};

/// Where heaps of equal values are spread to.
std::vector<double> spreadHeaps(std::span<const double> ascending) {
  std::vector<size_t> starts;
  for (size_t i = 0; i < ascending.size(); ++i)
    if (i == 0 || ascending[i] != ascending[i - 1])
      starts.push_back(i);
  starts.push_back(ascending.size());
  std::vector<double> x(ascending.begin(), ascending.end());
  for (size_t h = 0; h + 1 < starts.size(); ++h) {
    const size_t n = starts[h + 1] - starts[h];
    if (n == 1 || starts.size() == 2)
      continue;
    const double at = ascending[starts[h]];
    const double before = h > 0 ? at - ascending[starts[h] - 1] : ascending[starts[h + 1]] - at;
    const double behind = h + 2 < starts.size() ? ascending[starts[h + 1]] - at : before;
    // Not across a gap that stands out.
    const double most = 4 * std::min(before, behind);
    double low = at - std::min(before, most) / 2, high = at + std::min(behind, most) / 2;
    if (at > 0)
      low = std::max(low, at / 2);
    for (size_t i = 0; i < n; ++i)
      x[starts[h] + i] =
          low + (high - low) * (static_cast<double>(i) + 0.5) / static_cast<double>(n);
  }
  return x;
}

/// Two intervals of positions, and what they hold more than one.
struct Pair {
  double excess = 0;
  size_t firstEnd = 0, secondStart = 0;
};

/// E_2 - E_1 at one level: intervals from open to close hold their mass less level x width.
Pair excessAt(const Points &p, double level) {
  constexpr double none = -1e300;
  double open = none, one = none, openTwo = none, two = none, before = 0;
  size_t oneEnd = 0, pairEnd = 0, pairStart = 0;
  Pair best;
  for (size_t i = 0; i < p.x.size(); ++i) {
    const double start = level * p.x[i] - before;
    // The second interval starts behind the best first one that has ended.
    if (one > none && one + start > openTwo) {
      openTwo = one + start;
      pairEnd = oneEnd;
      pairStart = i;
    }
    open = std::max(open, start);
    before += p.w[i];
    const double end = before - level * p.x[i];
    if (openTwo + end > two) {
      two = openTwo + end;
      best.firstEnd = pairEnd;
      best.secondStart = pairStart;
    }
    if (open + end > one) {
      one = open + end;
      oneEnd = i;
    }
  }
  best.excess = two - one;
  return best;
}

/// The largest mean density of an interval with a tenth of the mass.
double densest(const Points &p) {
  double most = 0, mass = 0;
  for (size_t low = 0, high = 0; high < p.x.size(); ++high) {
    mass += p.w[high];
    while (mass - p.w[low] >= densestMass)
      mass -= p.w[low++];
    if (mass >= densestMass && p.x[high] > p.x[low])
      most = std::max(most, mass / (p.x[high] - p.x[low]));
  }
  return most;
}

Pair largestExcess(const Points &p) {
  const double range = p.x.back() - p.x.front();
  Pair best;
  if (!(range > 0))
    return best;
  const double low = 0.1 / range, high = std::max(2 * densest(p), 2 * low);
  for (size_t i = 0; i < levels; ++i) {
    const double level = low * std::pow(high / low, static_cast<double>(i) / (levels - 1));
    if (const Pair pair = excessAt(p, level); pair.excess > best.excess)
      best = pair;
  }
  return best;
}

/// Runs of equal weight that would tell as much.
double effectiveOf(std::span<const double> w) {
  double sum = 0, squares = 0;
  for (const double x : w) {
    sum += x;
    squares += x * x;
  }
  return sum * sum / squares;
}

Points part(std::span<const double> x, std::span<const double> w) {
  const double sum = std::accumulate(w.begin(), w.end(), 0.0);
  Points p{{x.begin(), x.end()}, {}};
  for (const double weight : w)
    p.w.push_back(weight / sum);
  return p;
}

/// Positions at which a few values, each with many runs, part; empty: they are not so few.
std::vector<size_t> fewValues(std::span<const double> ascending, std::span<const double> w) {
  const double sum = std::accumulate(w.begin(), w.end(), 0.0);
  std::vector<size_t> cuts;
  double mass = 0;
  for (size_t i = 0, start = 0; i < ascending.size(); ++i) {
    mass += w[i];
    if (i + 1 < ascending.size() && ascending[i + 1] == ascending[i])
      continue;
    if (i + 1 - start < minRuns || mass < minMass * sum || cuts.size() + 1 > maxGroups)
      return {};
    if (i + 1 < ascending.size())
      cuts.push_back(i + 1);
    start = i + 1;
    mass = 0;
  }
  return cuts.size() < maxGroups ? cuts : std::vector<size_t>{};
}

/// Parts x[from .. to) as long as the test says so.
void divide(std::span<const double> x, std::span<const double> w, size_t from, size_t to,
            Modes &out) {
  if (to - from < minValues || out.cuts.size() + 1 >= maxGroups)
    return;
  const Pair pair = largestExcess(part(x.subspan(from, to - from), w.subspan(from, to - from)));
  const double critical = oneInAHundred / std::sqrt(effectiveOf(w.subspan(from, to - from)));
  if (to - from == x.size()) {
    out.excess = pair.excess;
    out.critical = critical;
  }
  if (pair.excess <= critical)
    return;
  size_t cut = from + pair.firstEnd + 1;
  for (size_t i = cut; i <= from + pair.secondStart; ++i)
    if (x[i] - x[i - 1] > x[cut] - x[cut - 1])
      cut = i;
  out.cuts.push_back(cut);
  divide(x, w, from, cut, out);
  divide(x, w, cut, to, out);
}

} // namespace

Modes findModes(std::span<const double> ascending, std::span<const double> weights) {
  Modes out;
  if (ascending.size() < minValues || ascending.front() == ascending.back())
    return out;
  std::vector<double> x = spreadHeaps(ascending);
  if (x.front() > 0)
    for (double &v : x)
      v = std::log(v);
  divide(x, weights, 0, x.size(), out);
  if (std::vector<size_t> cuts = fewValues(ascending, weights); !cuts.empty())
    out.cuts = std::move(cuts);
  std::sort(out.cuts.begin(), out.cuts.end());
  return out;
}

} // namespace quincunx
