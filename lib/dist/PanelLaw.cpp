// Laws on panels, in the units of the cost.
// The idea: a table in the coordinate of the shape answers everything, so a family is a log-density
// and nothing else; a mirrored law is the same table with its tails exchanged. Reference:
// docs/09-percentiles-and-bounds.md. It fits nothing (lib/dist/Pearson.cpp, MaxEntropy.cpp do).
#include "quincunx/dist/PanelLaw.h"
#include "base/Infinity.h"

#include "PanelTable.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace quincunx {

namespace {

class PanelLaw final : public Distribution {
public:
  PanelLaw(std::unique_ptr<const Shape> s, PanelTable t, const Frame &f, const Moments &m)
      : shape(std::move(s)), table(std::move(t)), frame(f), known(m) {}

  double cdf(double t) const override { return at(t).below; }
  double survival(double t) const override { return at(t).above; }
  double quantile(double p) const override {
    if (!(p > 0))
      return support().low;
    return p <= 0.5 ? fromTail(p, false) : upperQuantile(1 - p);
  }
  double upperQuantile(double q) const override {
    if (!(q > 0))
      return support().high;
    return q <= 0.5 ? fromTail(q, true) : quantile(1 - q);
  }

  // f(t) = f(d) / (dx/dd) / |scale|
  std::optional<double> density(double t) const override {
    const double x = (t - frame.origin) / frame.scale;
    const Range r = shape->support();
    if (!(x > r.low && x < r.high))
      return 0;
    const double d[] = {shape->coordinate(x)};
    double g[1], place[1], stretch[1];
    shape->logDensity(d, g);
    shape->places(d, place, stretch);
    const double f = std::exp(g[0] - table.logMass()) / stretch[0];
    return std::isnan(f) ? 0 : f / std::abs(frame.scale);
  }

  Moments moments() const override { return known; }
  Range support() const override {
    const Range r = shape->support();
    const double a = unit(r.low), b = unit(r.high);
    return {std::min(a, b), std::max(a, b)};
  }

  std::vector<double> knots() const override {
    // In log and logit coordinates 1.3 is a factor of 3.7 towards an end; 16 points of t integrate
    // such a panel to rounding, and one in which the density falls by e^10.
    const std::vector<double> d = table.edges(1.3, 10);
    std::vector<double> k(d.size()), stretch(d.size());
    shape->places(d, k, stretch);
    for (double &x : k)
      x = unit(x);
    const Range r = support();
    if (std::isfinite(r.low))
      k.push_back(r.low);
    if (std::isfinite(r.high))
      k.push_back(r.high);
    std::sort(k.begin(), k.end());
    k.erase(std::unique(k.begin(), k.end()), k.end());
    return k;
  }

  // u is d, mirrored like the line is.
  std::vector<double> edges() const override {
    // 16 points integrate most of what falls by e^18 to rounding; the rest is halved.
    std::vector<double> e = table.edges(3, 18);
    if (frame.scale < 0) {
      std::reverse(e.begin(), e.end());
      for (double &d : e)
        d = -d;
    }
    return e;
  }
  void stations(std::span<const double> u, StationSpans out) const override {
    const double size = std::abs(frame.scale);
    std::vector<double> mirror;
    if (frame.scale < 0)
      for (const double at : u)
        mirror.push_back(-at);
    const std::span<const double> d = frame.scale < 0 ? mirror : u;
    shape->places(d, out.t, out.stretch);
    for (size_t i = 0; i < u.size(); ++i)
      out.t[i] = unit(out.t[i]), out.stretch[i] *= size;
    table.tails(d, mirrored(out.tails));
  }

  void tails(std::span<const double> ascending, TailSpans out) const override {
    const Range r = shape->support();
    std::array<double, 16> x, d;
    for (size_t from = 0; from < ascending.size(); from += d.size()) {
      const size_t count = std::min(d.size(), ascending.size() - from);
      for (size_t i = 0; i < count; ++i)
        x[i] = (ascending[from + i] - frame.origin) / frame.scale;
      shape->coordinates(std::span(x).first(count), d);
      for (size_t i = 0; i < count; ++i)
        d[i] = x[i] <= r.low ? -inf : x[i] >= r.high ? inf : d[i];
      table.tails(std::span(d).first(count), mirrored(out.part(from, count)));
    }
  }

private:
  double unit(double x) const { return frame.origin + frame.scale * x; }
  Tails at(double t) const {
    Tails out;
    tails(std::span(&t, 1), {std::span(&out.below, 1), std::span(&out.above, 1)});
    return out;
  }
  /// The tails of t in the order of d.
  TailSpans mirrored(TailSpans s) const {
    return frame.scale < 0 ? TailSpans{s.above, s.below} : s;
  }
  double fromTail(double p, bool upper) const {
    const Range r = support();
    const double t = unit(shape->place(table.quantile(p, upper != (frame.scale < 0))));
    return std::clamp(t, r.low, r.high);
  }

  std::unique_ptr<const Shape> shape;
  PanelTable table;
  Frame frame;
  Moments known;
};

} // namespace

double Shape::place(double d) const {
  const double at[] = {d};
  double x[1], stretch[1];
  places(at, x, stretch);
  return x[0];
}

void Shape::coordinates(std::span<const double> x, std::span<double> out) const {
  const Range r = support();
  for (size_t i = 0; i < x.size(); ++i)
    out[i] = x[i] > r.low && x[i] < r.high ? coordinate(x[i]) : 0;
}

Result<DistributionPtr> makePanelLaw(std::unique_ptr<const Shape> shape, const Frame &frame,
                                     const Moments &known) {
  Result<PanelTable> table = PanelTable::make(*shape);
  if (!table)
    return table.error();
  return DistributionPtr(
      std::make_shared<PanelLaw>(std::move(shape), std::move(*table), frame, known));
}

} // namespace quincunx
