// What every law answers without code of its own: tails at many places, and cumulants by panels.
// The idea: moments are integrals of the tails,
//   E (T-c)^r = r int_c^inf (t-c)^(r-1) S(t) dt + (-1)^r r int_-inf^c (c-t)^(r-1) F(t) dt,
// so steps, kinks and densities with poles need nothing but panels that end there. c is near the
// median, where both tails still have their digits. Reference: docs/09-percentiles-and-bounds.md.
// A moment that hangs on what lies beyond the last knot is not seen.
#include "quincunx/dist/Distribution.h"

#include "quincunx/numeric/Elementary.h"
#include "quincunx/numeric/Quadrature.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace quincunx {

void Distribution::tails(std::span<const double> ascending, TailSpans out) const {
  for (size_t i = 0; i < ascending.size(); ++i)
    out.below[i] = cdf(ascending[i]), out.above[i] = survival(ascending[i]);
}

void Distribution::stations(std::span<const double> u, StationSpans out) const {
  std::copy(u.begin(), u.end(), out.t.begin());
  std::fill_n(out.stretch.begin(), u.size(), 1.0);
  tails(u, out.tails);
}

namespace {

/// Integrals of (t-c)^(r-1) tail, r = 1..4, on one side of c.
using Powers = std::array<double, 4>;
constexpr int maxHalvings = 45;
constexpr size_t maxAtOnce = 16;
/// Laws with a thousand times heavier tails than one meets would take seconds to their last digits:
/// panels that are not resolved after so many are near enough.
constexpr size_t mostPanels = 50000;

/// The stations of a law with room of their own.
template <class Room> struct Stations {
  Room t, stretch, below, above;
  StationSpans first(size_t n) {
    const auto part = [n](Room &room) { return std::span(room.data(), n); };
    return {part(t), part(stretch), {part(below), part(above)}};
  }
  const Room &tail(bool upper) const { return upper ? above : below; }
};

class Integration {
public:
  Integration(const Distribution &integrated, std::vector<double> panelEdges)
      : law(integrated), edges(std::move(panelEdges)) {
    for (std::vector<double> *room : {&at.t, &at.stretch, &at.below, &at.above})
      room->resize(edges.size());
    law.stations(edges, at.first(edges.size()));
    findMiddle();
    estimate();
  }

  Cumulants cumulants() {
    std::vector<Panel> todo = panels();
    std::vector<Evaluated> all;
    while (!todo.empty())
      evaluateSome(todo, all);
    // What is allowed follows from the integrals themselves: unresolved, they are near enough.
    scale = {};
    for (const Evaluated &e : all)
      for (size_t r = 0; r < 4; ++r)
        scale[r] += e.part[r];
    Powers up{}, down{};
    size_t panelsSoFar = 0;
    while (!all.empty()) {
      panelsSoFar += all.size();
      for (const Evaluated &e : all)
        if (panelsSoFar > mostPanels || isResolved(e)) {
          Powers &sum = e.panel.upper ? up : down;
          for (size_t r = 0; r < 4; ++r)
            sum[r] += e.part[r];
        } else {
          const auto &[low, high, upper, halvings] = e.panel;
          const double half = low + (high - low) / 2;
          todo.push_back({half, high, upper, halvings + 1});
          todo.push_back({low, half, upper, halvings + 1});
        }
      all.clear();
      while (!todo.empty())
        evaluateSome(todo, all);
    }
    // E (T-c)^r, r = 1..4
    std::array<double, 4> m{};
    for (size_t r = 1; r <= 4; ++r)
      m[r - 1] = static_cast<double>(r) * (up[r - 1] + (r % 2 == 0 ? down[r - 1] : -down[r - 1]));
    Cumulants k = quincunx::cumulants(RawMoments{m[0], m[1], m[2], m[3]});
    k.k1 += center;
    return k;
  }

private:
  struct Panel {
    double low, high;
    bool upper;
    int halvings = 0;
  };
  struct Evaluated {
    Panel panel;
    Powers part;            ///< its integrals
    double oneOff, fourOff; ///< about the errors of the first and the fourth
  };

  /// A place at or above which half of the mass lies, not far off: an edge, or one between edges.
  void findMiddle() {
    const auto half = std::partition_point(at.below.begin(), at.below.end() - 1,
                                           [](double below) { return below < 0.5; });
    const size_t i = static_cast<size_t>(half - at.below.begin());
    middle = edges[i], center = at.t[i];
    if (i == 0)
      return;
    double low = edges[i - 1], belowLow = at.below[i - 1], belowMiddle = at.below[i];
    for (int round = 0; round < 3 && belowLow < 0.2 && belowMiddle > 0.8; ++round) {
      const Panel between{low, middle, false};
      visit(std::span(&between, 1));
      size_t k = 0;
      while (k < panelPoints && inside.below[k] < 0.5)
        ++k;
      if (k > 0)
        low = u[k - 1], belowLow = inside.below[k - 1];
      if (k < panelPoints)
        middle = u[k], center = inside.t[k], belowMiddle = inside.below[k];
    }
  }

  /// The size of the integrals from the edges alone, rather too small: what is negligible beside it
  /// is so.
  void estimate() {
    for (size_t i = 1; i < edges.size(); ++i) {
      const std::vector<double> &tail = at.tail(edges[i] > middle);
      for (const size_t end : {i - 1, i}) {
        double part = (at.t[i] - at.t[i - 1]) / 2 * tail[end];
        for (size_t r = 0; r < 4; ++r, part *= std::abs(at.t[end] - center))
          scale[r] += part;
      }
    }
  }

  /// False for a panel that must be halved: its errors are more than nothing beside the whole, or
  /// than what rounded places allow.
  bool isResolved(const Evaluated &e) const {
    // Below this width places are too coarse for their tails to be smooth, halved or not.
    const auto &[low, high, upper, halvings] = e.panel;
    const bool grainy = high - low < 1e-12 * std::max(std::abs(low), std::abs(high));
    const double rounding = std::numeric_limits<double>::epsilon() * std::abs(center),
                 coarse = scale[0] > 0 ? 8 * rounding / scale[0] : 0;
    const bool off = e.oneOff > std::max(1e-13 * scale[0], 1e-3 * rounding) ||
                     e.fourOff > std::max(1e-13, coarse) * scale[3]; // not where they are NaN
    return halvings >= maxHalvings || grainy || !off;
  }

  /// True when |t-c|^(r-1) dt/du tail at edge i times `width` is nothing beside integral r, for
  /// all.
  bool small(size_t i, double width, bool upper) const {
    double part = at.tail(upper)[i] * at.stretch[i] * width;
    for (size_t r = 0; r < 4; ++r, part *= std::abs(at.t[i] - center))
      if (part > 1e-15 * scale[r])
        return false;
    return true;
  }

  /// Neighbouring edges, the highest panel first. Those without weight at both ends are left out.
  std::vector<Panel> panels() const {
    const auto idle = [this](size_t near, size_t far, bool upper) {
      const double width = std::abs(edges[far] - edges[near]);
      return small(near, width, upper) && small(far, width, upper);
    };
    size_t first = 0, last = edges.size() - 1;
    while (first < last && edges[first + 1] < middle && idle(first + 1, first, false))
      ++first;
    while (first < last && edges[last - 1] > middle && idle(last - 1, last, true))
      --last;
    std::vector<Panel> out;
    double high = edges[last];
    const auto downTo = [&](double low, bool upper) {
      if (low < high)
        out.push_back({low, high, upper});
      high = std::min(high, low);
    };
    size_t i = last;
    for (; i > first && edges[i - 1] > middle; --i)
      downTo(edges[i - 1], true);
    // All of the law between two edges: the panels beside its middle are too wide.
    const bool narrow = i > first && at.above[i] < 0.02 && at.below[i - 1] < 0.02;
    if (narrow)
      downTo(middle + (high - middle) / 2, true);
    downTo(middle, true);
    if (narrow)
      downTo(middle - (middle - edges[i - 1]) / 2, false);
    for (; i > first; --i)
      downTo(edges[i - 1], false);
    return out;
  }

  /// Stations of all these panels, the last panel (the lowest) first.
  void visit(std::span<const Panel> now) {
    const PanelValues &node = gaussNodes();
    for (size_t i = 0; i < now.size(); ++i) {
      const Panel &p = now[now.size() - 1 - i];
      for (size_t k = 0; k < panelPoints; ++k)
        u[i * panelPoints + k] = p.low + (p.high - p.low) / 2 * (1 + node[k]);
    }
    const size_t places = now.size() * panelPoints;
    law.stations(std::span(u).first(places), inside.first(places));
  }

  /// Many panels from the end of `todo` at once: their places wait for each other's arithmetic less
  /// than one's own do.
  void evaluateSome(std::vector<Panel> &todo, std::vector<Evaluated> &all) {
    const size_t count = std::min(todo.size(), maxAtOnce);
    const std::span<const Panel> now(todo.data() + todo.size() - count, count);
    visit(now);
    for (size_t i = 0; i < count; ++i)
      all.push_back(evaluate((count - 1 - i) * panelPoints, now[i]));
    todo.resize(todo.size() - count);
  }

  /// The integrals over a panel, whose stations begin at `from`.
  Evaluated evaluate(size_t from, const Panel &p) const {
    const PanelValues &weight = gaussWeights();
    const double half = (p.high - p.low) / 2;
    const double *t = &inside.t[from], *stretch = &inside.stretch[from],
                 *tail = &inside.tail(p.upper)[from];
    PanelValues first, fourth;
    Evaluated out{p, {}, 0, 0};
    // |t-c|^(r-1) dt/du tail, the small factors first, so that nothing overflows
    widely([&] {
      Lanes parts[4]{};
      for (size_t i = 0; i < panelPoints; i += laneCount) {
        const Lanes x = absolute(load(&t[i]) - center), w = half * load(&weight[i]);
        Lanes y = load(&tail[i]) * load(&stretch[i]);
        store(y, &first[i]);
        for (size_t r = 0; r < 4; ++r, y *= x) {
          parts[r] += w * y;
          if (r == 3)
            store(y, &fourth[i]);
        }
      }
      for (size_t r = 0; r < 4; ++r)
        for (size_t i = 0; i < laneCount; ++i)
          out.part[r] += parts[r][i];
    });
    const auto [one, four] = gaussErrors(first, fourth);
    out.oneOff = one * 2 * half, out.fourOff = four * 2 * half;
    return out;
  }

  const Distribution &law;
  std::vector<double> edges; ///< in u
  using Room = std::array<double, maxAtOnce * panelPoints>;
  Room u;                           ///< places in panels
  Stations<std::vector<double>> at; ///< the edges
  Stations<Room> inside;            ///< the places `u`
  double middle = 0, center = 0;    ///< u of the median, about, and its place
  Powers scale{};
};

} // namespace

Cumulants integrateCumulants(const Distribution &law) {
  std::vector<double> edges = law.edges();
  if (edges.empty())
    return cumulants(law.moments());
  return Integration(law, std::move(edges)).cumulants();
}

} // namespace quincunx
