// The runs near a size.
// The idea: the cost at a size has the law that the costs of the runs near it have, each scaled
// along the straight line or the power through them, whichever is nearer (local regression), so
// that no form is assumed. A run that changes its size keeps its place (quantile) among the runs of
// its size: the law of the cost at each size is that of the runs near it, and a size that stays
// changes nothing. Reference: docs/17-what-if.md. It knows nothing of sizes that nothing ran near.
#include "NearRuns.h"

#include "InputMix.h"
#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

/// Runs that were stopped rank above all others.
bool cheaper(const MixtureComponent &a, const MixtureComponent &b) {
  return a.open != b.open ? b.open : a.k.k1 < b.k.k1;
}

/// The place of `p` among sorted costs, from 0 to 1, half of its equals below it.
double positionOf(const MixtureComponent &p, const std::vector<MixtureComponent> &sorted) {
  double below = 0, equal = 0, total = 0;
  for (const MixtureComponent &q : sorted) {
    total += q.weight;
    below += cheaper(q, p) ? q.weight : 0;
    equal += cheaper(q, p) || cheaper(p, q) ? 0 : q.weight;
  }
  return (below + equal / 2) / total;
}

/// The cost at a place; between two costs by their distance. Only `k.k1` and `open` are of use.
MixtureComponent costAt(double place, const std::vector<MixtureComponent> &sorted) {
  double total = 0, before = 0, last = 0;
  for (const MixtureComponent &q : sorted)
    total += q.weight;
  for (size_t j = 0; j < sorted.size(); before += sorted[j++].weight) {
    const double here = (before + sorted[j].weight / 2) / total;
    if (place > here) {
      last = here;
      continue;
    }
    if (j == 0 || place == here || sorted[j].open)
      return sorted[j];
    MixtureComponent between = sorted[j];
    between.k.k1 = std::lerp(sorted[j - 1].k.k1, sorted[j].k.k1, (place - last) / (here - last));
    return between;
  }
  return sorted.back();
}

} // namespace

MixtureComponent grown(MixtureComponent part, double cost) {
  part.k = part.k.k1 > 0 ? cost / part.k.k1 * part.k : Cumulants{cost, 0, 0, 0};
  return part;
}

std::optional<NearRuns::Window> NearRuns::around(double size, size_t most) const {
  const auto windowOf = [&](double low, double high) {
    const auto from = std::lower_bound(all.begin(), all.end(), low,
                                       [](const Sized &s, double x) { return s.size < x; });
    const auto to = std::upper_bound(from, all.end(), high,
                                     [](double x, const Sized &s) { return x < s.size; });
    return Window{static_cast<size_t>(from - all.begin()), static_cast<size_t>(to - all.begin()),
                  size, false};
  };
  const auto stands = [&](const Window &w, size_t least) { // with some weight
    size_t n = 0;
    for (size_t j = w.first; j < w.last; ++j)
      n += parts[all[j].run].weight > 0;
    return n >= least;
  };
  constexpr double rounding = 1e-12;
  Window w = windowOf(size * (1 - rounding), size * (1 + rounding));
  if (stands(w, enoughExact)) {
    w.exact = true;
    return w;
  }
  if (size < all.front().size * (1 - rounding) || size > all.back().size * (1 + rounding))
    return {};
  w = windowOf(size * (1 - nearSize), size * (1 + nearSize));
  while (w.last - w.first > most)
    all[w.last - 1].size - size > size - all[w.first].size ? --w.last : ++w.first;
  return stands(w, enough) ? std::optional(w) : std::nullopt;
}

double NearRuns::Curve::at(double size) const {
  return isPower ? std::exp(line.at(std::log(size))) : line.at(size);
}

NearRuns::Curve NearRuns::curve(const Window &w, std::span<const uint32_t> times) const {
  Curve straight{{}, false}, power{{}, true};
  std::vector<std::pair<double, double>> points;
  bool positive = true;
  for (size_t j = w.first; j < w.last; ++j)
    if (const MixtureComponent &p = parts[all[j].run]; !p.open && p.weight > 0)
      for (uint32_t n = 0; n < (times.empty() ? 1 : times[j]); ++n) {
        points.emplace_back(all[j].size, p.k.k1);
        positive = positive && p.k.k1 > 0;
      }
  double off = 0;
  for (const auto &[size, cost] : points) {
    straight.line.add(size, cost);
    if (positive)
      power.line.add(std::log(size), std::log(cost));
  }
  for (const auto &[size, cost] : points)
    off += std::pow(straight.at(size) - cost, 2) - std::pow(power.at(size) - cost, 2);
  return positive && off > 0 ? power : straight;
}

std::vector<MixtureComponent> NearRuns::at(const Window &w, std::span<const uint32_t> times) const {
  const Curve curved = w.exact ? Curve{} : curve(w, times);
  const double there = curved.at(w.size);
  std::vector<MixtureComponent> out;
  for (size_t j = w.first; j < w.last; ++j) {
    MixtureComponent p = parts[all[j].run];
    p.weight *= times.empty() ? 1 : times[j];
    if (const double here = curved.at(all[j].size); here > 0 && there > 0)
      p.k = there / here * p.k;
    if (p.weight > 0)
      out.push_back(p);
  }
  return out;
}

MixtureComponent NearRuns::carried(size_t i, const Window &from, const Window &to,
                                   std::span<const uint32_t> times) const {
  const MixtureComponent &own = parts[all[i].run];
  std::vector<MixtureComponent> here = at(from, times), there = at(to, times);
  if (here.empty() || there.empty()) // of a sample that has none of them
    return own;
  std::sort(there.begin(), there.end(), cheaper);
  const MixtureComponent moved = costAt(positionOf(own, here), there);
  MixtureComponent out = grown(own, moved.k.k1);
  out.open = moved.open;
  return out;
}

} // namespace quincunx
