// Cdf, survival and quantiles from a log-density.
// The idea: the density on a panel is an exponential times a polynomial, and the integral of such
// a product is one again. Mass is added up from the lower end and, apart from it, from the upper
// end, so that both tails keep their digits. A quantile is Chebyshev's method on the logarithm of
// the tail within one panel, from a quintic through its ends. Reference:
// docs/09-percentiles-and-bounds.md. It knows neither x nor units, only d; where the panels lie is
// Panels.cpp.
#include "PanelTable.h"

#include "quincunx/numeric/Elementary.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

/// The integral of a tilted panel has terms at most this many times larger than itself.
constexpr double maxGrowth = 8;
constexpr size_t n = panelPoints;

/// Four numbers, one of each panel.
template <class Value> PanelQuad quad(std::span<const SampledPanel> panels, const Value &value) {
  PanelQuad out{};
  for (size_t j = 0; j < out.size(); ++j)
    out[j] = value(panels[std::min(j, panels.size() - 1)]);
  return out;
}

/// sum_k rows_k x^k, for rows up to `last`: even and odd k apart.
template <size_t last> QUINCUNX_LANES Lanes polynomialAt(const PanelQuad *rows, Lanes x) {
  const Lanes x2 = x * x;
  constexpr size_t even = last - last % 2, odd = last - 1 + last % 2;
  Lanes a = load(rows[even].data()), b = load(rows[odd].data());
  for (size_t k = even; k >= 2; k -= 2)
    a = a * x2 + load(rows[k - 2].data());
  for (size_t k = odd; k >= 3; k -= 2)
    b = b * x2 + load(rows[k - 2].data());
  return a + x * b;
}

/// ln(a/b), by its series where they are close: with s = (a - b)/(a + b), 2 (s + s^3/3 + ...).
double logRatio(double a, double b) {
  const double s = (a - b) / (a + b), s2 = s * s;
  if (s2 > 2e-4)
    return std::log(a / b);
  return 2 * s * (1 + s2 * (1.0 / 3 + s2 * (1.0 / 5 + s2 * (1.0 / 7))));
}

/// Row k of four panels from what these have as part_k, q_k and (k + 1) q_k+1.
QUINCUNX_LANES void storeRows(Lanes part, Lanes q, Lanes derivative,
                              const std::array<PanelQuad *, 4> &rows, size_t k) {
  const Lanes none{}, even = __builtin_shufflevector(part, q, 0, 4, 2, 6), // of panels 0 and 2
      odd = __builtin_shufflevector(part, q, 1, 5, 3, 7),
                      evenRest = __builtin_shufflevector(derivative, none, 0, 4, 2, 6),
                      oddRest = __builtin_shufflevector(derivative, none, 1, 5, 3, 7);
  store(__builtin_shufflevector(even, evenRest, 0, 1, 4, 5), rows[0][k].data());
  store(__builtin_shufflevector(odd, oddRest, 0, 1, 4, 5), rows[1][k].data());
  store(__builtin_shufflevector(even, evenRest, 2, 3, 6, 7), rows[2][k].data());
  store(__builtin_shufflevector(odd, oddRest, 2, 3, 6, 7), rows[3][k].data());
}

/// The densities of four panels as polynomials in x.
std::array<PanelQuad, n> powersOf(std::span<const SampledPanel> sampled) {
  std::array<PanelQuad, n> q;
  for (size_t k = 0; k < n; ++k)
    q[k] = quad(sampled, [k](const SampledPanel &p) { return p.legendreOf[k]; });
  toPowers(q);
  return q;
}

} // namespace

Result<PanelTable> PanelTable::make(const Shape &shape) {
  std::optional<SampledDensity> density = samplePanels(shape);
  if (!density)
    return Error{"the density of this law cannot be resolved"};
  PanelTable t;
  t.lowEnd = density->lowEnd, t.highEnd = density->highEnd;
  std::vector<SampledPanel> &sampled = density->panels;
  std::vector<Ends> ends;
  t.panels.reserve(sampled.size()), ends.reserve(sampled.size());
  for (size_t from = 0; from < sampled.size();) {
    std::array<Panel, 4> four;
    std::array<Ends, 4> fourEnds;
    const PanelQuad growth = integrate(std::span(sampled).subspan(from), four, fourEnds);
    for (size_t j = 0; j < four.size() && from < sampled.size(); ++j, ++from) {
      if (growth[j] > maxGrowth) {
        const std::vector<SampledPanel> parts = cutPanel(shape, sampled[from]);
        const auto at = sampled.begin() + static_cast<std::ptrdiff_t>(from);
        sampled.insert(sampled.erase(at), parts.begin(), parts.end());
        break;
      }
      t.panels.push_back(four[j]), ends.push_back(fourEnds[j]);
    }
  }
  t.accumulate(ends);
  return t;
}

// With P = sum part_k x^k: d/dx e^(-tilt x) P = half e^(-tilt x) q, or P' - tilt P = half q.
PanelQuad PanelTable::integrate(std::span<const SampledPanel> sampled, std::array<Panel, 4> &panels,
                                std::array<Ends, 4> &ends) {
  const std::array<PanelQuad, n> q = powersOf(sampled);
  const PanelQuad halves = quad(sampled, [](const SampledPanel &p) { return p.half(); }),
                  tilts = quad(sampled, [](const SampledPanel &p) { return p.tilt; }),
                  references = quad(sampled, [](const SampledPanel &p) { return p.reference; });
  const std::array<PanelQuad *, 4> rows{panels[0].rows.data(), panels[1].rows.data(),
                                        panels[2].rows.data(), panels[3].rows.data()};
  std::array<PanelQuad, resultCount> out;
  widely([&] {
    const Lanes half = load(halves.data()), tilt = load(tilts.data()),
                inverse = tilt == 0 ? Lanes{} : 1 / tilt;
    Lanes above{}, part{}, maxPart{}, maxDensity{}, evenA{}, oddA{}, evenF{}, oddF{}, evenG{},
        oddG{};
    for (size_t k = n + 1; k-- > 0;) {
      const auto K = static_cast<double>(k);
      const Lanes f = k < n ? load(q[k].data()) : Lanes{},
                  plain = k > 0 ? half / K * load(q[k - 1].data()) : Lanes{};
      part = tilt == 0 ? plain : ((K + 1) * part - half * f) * inverse;
      storeRows(part, f, (K + 1) * above, rows, k);
      above = f;
      maxPart = maxPart < absolute(part) ? absolute(part) : maxPart;
      maxDensity = maxDensity < absolute(f) ? absolute(f) : maxDensity;
      (k % 2 == 0 ? evenA : oddA) += part;
      (k % 2 == 0 ? evenF : oddF) += f;
      (k % 2 == 0 ? oddG : evenG) += K * f;
    }
    const Lanes factor = quickExp(load(references.data())), low = evenF - oddF, high = evenF + oddF,
                down = factor * quickExp(tilt), up = factor * quickExp(-tilt);
    store(factor, out[factorAt].data());
    store((evenA - oddA) * down, out[A0].data()), store((evenA + oddA) * up, out[A1].data());
    store(low * down, out[F0].data()), store(high * up, out[F1].data());
    store(((evenG - oddG) / low - tilt) / half, out[G0].data());
    store(((evenG + oddG) / high - tilt) / half, out[G1].data());
    store(maxPart * absolute(tilt) / (half * maxDensity), out[growthAt].data());
  });
  takeOver(sampled, out, panels, ends);
  return out[growthAt];
}

void PanelTable::takeOver(std::span<const SampledPanel> sampled,
                          const std::array<PanelQuad, resultCount> &out,
                          std::array<Panel, 4> &panels, std::array<Ends, 4> &ends) {
  for (size_t j = 0; j < std::min(sampled.size(), panels.size()); ++j) {
    panels[j].low = sampled[j].low, panels[j].high = sampled[j].high;
    panels[j].tilt = sampled[j].tilt, panels[j].factor = out[factorAt][j];
    ends[j] = {out[A0][j], out[A1][j], out[F0][j], out[F1][j], out[G0][j], out[G1][j]};
  }
}

void PanelTable::accumulate(std::span<const Ends> ends) {
  const size_t count = panels.size();
  double total = lowEnd.mass + highEnd.mass;
  for (const Ends &e : ends)
    total += e.A1 - e.A0;
  logTotal = std::log(total);
  lowEnd.mass /= total, highEnd.mass /= total;
  std::vector<double> tail(2 * (count + 1)), log(tail.size());
  tail[0] = lowEnd.mass, tail[2 * count + 1] = highEnd.mass;
  for (size_t i = count; i-- > 0;) {
    panels[i].above = tail[2 * i + 3] + ends[i].A1 / total;
    tail[2 * i + 1] = panels[i].above - ends[i].A0 / total;
  }
  for (size_t i = 0; i < count; ++i) {
    panels[i].below = tail[2 * i] - ends[i].A0 / total;
    tail[2 * i + 2] = panels[i].below + ends[i].A1 / total;
    panels[i].factor /= total;
  }
  inLanes(tail, log, [](Lanes x) QUINCUNX_INLINED { return quickLog(x); });
  between.reserve(count + 1);
  for (size_t i = 0; i <= count; ++i) {
    const Ends &e = ends[std::min(i, count - 1)];
    const double f = (i < count ? e.f0 : e.f1) / total;
    between.push_back({log[2 * i], log[2 * i + 1], f / tail[2 * i], -f / tail[2 * i + 1],
                       i < count ? e.g0 : e.g1});
  }
}

size_t PanelTable::find(double d) const {
  const auto next = std::upper_bound(panels.begin() + 1, panels.end(), d,
                                     [](double x, const Panel &p) { return x < p.low; });
  return static_cast<size_t>(next - panels.begin()) - 1;
}

Tails PanelTable::tails(double d) const {
  Tails out;
  tails(std::span(&d, 1), {std::span(&out.below, 1), std::span(&out.above, 1)});
  return out;
}

/// Both tails at places in one panel. Masses add up to 1 but for rounding, and no tail is above it.
void PanelTable::tailsInside(const Panel &p, std::span<const double> d, TailSpans out) {
  const double middle = p.low + p.half(), perHalf = 1 / p.half();
  if (d.size() == 1) {
    const double x = (d[0] - middle) * perHalf;
    double A = p.exponentialAt(x);
    widely([&] { A *= polynomialAt<n>(p.rows.data(), lanes(x))[0]; });
    out.below[0] = std::min(p.below + A, 1.0), out.above[0] = std::min(p.above - A, 1.0);
    return;
  }
  inLanes(d, out.below, out.above, [&](Lanes place) QUINCUNX_INLINED {
    const Lanes x = (place - middle) * perHalf;
    const Lanes x2 = x * x;
    Lanes even = lanes(p.rows[n][0]), odd = lanes(p.rows[n - 1][0]);
    for (size_t k = n; k >= 2; k -= 2) {
      even = even * x2 + p.rows[k - 2][0];
      odd = k > 2 ? odd * x2 + p.rows[k - 3][0] : odd;
    }
    const Lanes sum = even + x * odd;
    const Lanes A = p.factor * (p.tilt == 0 ? sum : sum * quickExp(-p.tilt * x));
    const Lanes below = p.below + A, above = p.above - A;
    return std::pair{below > 1 ? lanes(1) : below, above > 1 ? lanes(1) : above};
  });
}

void PanelTable::tails(std::span<const double> d, TailSpans out) const {
  const Panel &first = panels.front(), &last = panels.back();
  size_t at = 0; // the panel of the place before
  for (size_t i = 0; i < d.size();) {
    if (!(d[i] > first.low)) {
      const double below = lowEnd.mass * std::exp(lowEnd.slope * (d[i] - first.low));
      out.below[i] = below, out.above[i++] = 1 - below;
      continue;
    }
    if (d[i] >= last.high) {
      const double above = highEnd.mass * std::exp(highEnd.slope * (last.high - d[i]));
      out.below[i] = 1 - above, out.above[i++] = above;
      continue;
    }
    if (at + 1 < panels.size() && d[i] >= panels[at].high && d[i] < panels[at + 1].high)
      ++at;
    else if (d[i] < panels[at].low || d[i] >= panels[at].high)
      at = find(d[i]);
    const Panel &p = panels[at];
    size_t count = 1; // places in the same panel, one after another
    while (i + count < d.size() && d[i + count] >= p.low && d[i + count] < p.high)
      ++count;
    tailsInside(p, d.subspan(i, count), out.part(i, count));
    i += count;
  }
}

double PanelTable::quantile(double p, bool upper) const {
  const double log = std::log(p);
  if (!upper && log <= between.front().logBelow)
    return panels.front().low + (log - between.front().logBelow) / lowEnd.slope;
  if (upper && log <= between.back().logAbove)
    return panels.back().high - (log - between.back().logAbove) / highEnd.slope;
  const auto next = upper ? std::partition_point(between.begin() + 1, between.end() - 1,
                                                 [log](const Edge &x) { return x.logAbove >= log; })
                          : std::partition_point(between.begin() + 1, between.end() - 1,
                                                 [log](const Edge &x) { return x.logBelow < log; });
  return refine(static_cast<size_t>(next - between.begin()) - 1, p, log, upper);
}

// With y = ln(tail/p): y' = +-f/tail, y''/y' = f'/f - y', and y is nearly a line where tails are
// exponential. Chebyshev's steps, third order.
double PanelTable::refine(size_t at, double p, double logP, bool upper) const {
  const Panel &panel = panels[at];
  const double h = panel.half(), sign = upper ? -1 : 1;
  // A root that rounding puts beyond an end is there.
  double low = -1 - 1e-9, high = 1 + 1e-9;
  double x = std::clamp(start(at, logP, upper), low, high);
  widely([&] {
    for (int step = 0; step < 60; ++step) {
      const double E = panel.exponentialAt(x);
      const Lanes all = polynomialAt<n>(panel.rows.data(), lanes(x));
      const double A = E * all[0], q = all[1];
      const double tail = upper ? panel.above - A : panel.below + A;
      const double y = logRatio(tail, p), f = sign * h * E * q;
      const double bend = all[2] / q - panel.tilt - f / tail; // y''/y'
      (sign * y < 0 ? low : high) = x;
      const double newton = y * (tail / f), turn = newton * bend;
      double next = x - (std::abs(turn) < 1 ? newton * (1 + turn / 2) : newton);
      if (!(next >= low && next <= high))
        next = low + (high - low) / 2;
      x = next;
      if (std::abs(newton) * (newton * newton + turn * turn) < 3e-14) // what is left, about
        break;
    }
  });
  return panel.low + h * (1 + x);
}

/// x(y) at y = 0 as a quintic through both ends of the panel with the slopes 1/y' and the second
/// derivatives -y''/y'^3 there; 0 where these are not known.
double PanelTable::start(size_t at, double logP, bool upper) const {
  const double h = panels[at].half();
  struct End {
    double y, slope, bend;
  };
  const auto end = [&](const Edge &e) {
    const double slope = h * (upper ? e.slopeAbove : e.slopeBelow);
    return End{(upper ? e.logAbove : e.logBelow) - logP, slope, h * e.slopeOfDensity - slope};
  };
  const End a = end(between[at]), b = end(between[at + 1]);
  const double span = b.y - a.y, u = -a.y / span, v = 1 - u;
  if (!(u > 0 && u < 1 && a.slope != 0 && b.slope != 0))
    return 0;
  const double m0 = span / a.slope, m1 = span / b.slope;
  const double cubic = -v * v * (1 + 2 * u) + u * u * (3 - 2 * u) + u * v * (v * m0 - u * m1);
  const double more0 = -m0 * m0 * a.bend - (12 - 4 * m0 - 2 * m1),
               more1 = -m1 * m1 * b.bend - (-12 + 2 * m0 + 4 * m1);
  const double quintic = cubic + u * u * v * v / 2 * (more0 * v + more1 * u);
  return std::isfinite(quintic) ? quintic : cubic;
}

std::vector<double> PanelTable::edges(double step, double fall) const {
  std::vector<double> e;
  e.reserve(3 * panels.size());
  e.push_back(panels.front().low);
  for (const Panel &p : panels) {
    const double width = p.high - p.low;
    const double count = std::ceil(std::max(width / step, 2 * std::abs(p.tilt) / fall));
    for (int k = 1; k < count; ++k)
      e.push_back(p.low + width * k / count);
    e.push_back(p.high);
  }
  return e;
}

} // namespace quincunx
