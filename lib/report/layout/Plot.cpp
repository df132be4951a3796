// Draws a histogram of a law in text: a dozen bars, axis and range chosen from the law itself. The
// idea: mass between two costs is a difference of the cdf, so the same code shows steps and
// densities. It smooths nothing and marks no percentiles; the table has them.
#include "quincunx/report/Plot.h"

#include "Grid.h"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace quincunx {

namespace {

constexpr size_t bars = 12, barWidth = 48;
} // namespace

std::string bar(double share, bool utf8) {
  static const char *const eighths[] = {"",       "\u258F", "\u258E", "\u258D",
                                        "\u258C", "\u258B", "\u258A", "\u2589"};
  const double length = share * static_cast<double>(barWidth);
  std::string s;
  if (!utf8)
    return std::string(static_cast<size_t>(std::lround(length)), '#') +
           (share > 0 && length < 0.5 ? "." : "");
  const auto parts = static_cast<size_t>(std::lround(length * 8));
  for (size_t i = 0; i < parts / 8; ++i)
    s += "\u2588";
  s += eighths[parts % 8];
  return share > 0 && parts == 0 ? eighths[1] : s;
}

namespace {

/// With so many digits at the axis; 0: as many as figures have.
void sketch(const Distribution &law, Range range, double open, bool utf8, int digits,
            std::ostream &out) {
  const auto [low, high] = range;
  const double closed = 1 - open;
  const bool logarithmic = low > 0 && high / low > 50;
  const auto edge = [&](size_t i) {
    const double f = static_cast<double>(i) / bars;
    return i == bars ? high : logarithmic ? low * std::pow(high / low, f) : low + f * (high - low);
  };
  std::vector<double> mass;
  for (size_t i = 0; i < bars; ++i)
    mass.push_back((i + 1 == bars ? closed : law.cdf(edge(i + 1))) -
                   (i == 0 ? 0 : law.cdf(edge(i))));
  if (open > 0)
    mass.push_back(open);
  const double tallest = *std::max_element(mass.begin(), mass.end());
  const auto shown = [&](size_t i) {
    return figure(digits > 0 ? rounded(edge(i), digits) : edge(i));
  };
  size_t edgeWidth = std::string("stopped").size();
  for (size_t i = 0; i <= bars; ++i)
    edgeWidth = std::max(edgeWidth, shown(i).size());
  for (size_t i = 0; i < mass.size(); ++i) {
    const std::string name = i < bars ? shown(i) : "stopped";
    std::string share = percent(mass[i]);
    share.insert(0, 7 - std::min<size_t>(7, share.size()), ' ');
    std::string line = "  " + std::string(edgeWidth - name.size(), ' ') + name + "  " + share +
                       "  " + bar(mass[i] / tallest, utf8);
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << "\n";
    if (i + 1 == bars)
      out << "  " << std::string(edgeWidth - shown(bars).size(), ' ') << shown(bars) << "\n";
  }
}

} // namespace

void sketch(const Distribution &law, Range range, double open, bool utf8, std::ostream &out) {
  sketch(law, range, open, utf8, 0, out);
}

void sketch(const Observed &o, bool utf8, std::ostream &out) {
  const Distribution &law = *o.law;
  const auto d = static_cast<double>(o.used());
  const double closed = static_cast<double>(o.finished) / d;
  if (o.finished == 0)
    return;
  const double low = o.constant ? o.program.min : std::max(0.0, law.quantile(0.5 * closed / d));
  const double high = o.constant ? o.program.max : law.quantile(closed * (1 - 0.5 / d));
  if (!(high > low)) {
    out << "  every " << (o.request.empty() ? "run that finished" : "request") << " cost "
        << figure(low) << "\n";
    return;
  }
  out << "  " << (low > 0 && high / low > 50 ? "logarithmic" : "linear") << " axis, share of "
      << (o.request.empty() ? "runs" : "requests") << "\n";
  sketch(law, {low, high}, 1 - closed, utf8, 4, out);
}

} // namespace quincunx
