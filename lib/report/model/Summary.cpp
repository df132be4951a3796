// Prints a line per function, for the compiler and other tools. The idea: what is best known of one
// call: measured where calls were recorded, else modelled, else guessed, and which of these.
// Numbers are exact, names escaped.
#include "quincunx/report/Model.h"

#include "quincunx/base/Text.h"

#include <cmath>
#include <map>
#include <ostream>

namespace quincunx {

namespace {

/// p50, p90 and p99: the first of the percentiles that reports show.
constexpr size_t shownPercentiles = 3;

struct Line {
  double mean = 0;
  std::string text;
};

std::string figuresOf(const ModelReport &m, const ModelledFunction &f, double &mean) {
  const FunctionFigures *measured = m.measuredOf(f.number);
  const bool refuted = measured == nullptr && (f.open || !f.verdict.refuted.empty());
  std::string text = measured          ? "measured"
                     : m.model.guessed ? "guessed"
                     : refuted         ? (f.open ? "open" : "refuted")
                                       : "modelled";
  mean = measured ? measured->cost.moments.mean : f.cost.inclusive.k1;
  const double sd =
      measured ? measured->cost.deviation : std::sqrt(std::max(0.0, f.cost.inclusive.k2));
  text += '\t';
  text += m.model.guessed ? "-" : exact(f.calls);
  text += "\t" + exact(mean) + "\t" + (refuted ? "-" : exact(sd));
  for (size_t i = 0; i < shownPercentiles; ++i) {
    text += '\t';
    if (measured)
      text += exact(measured->cost.percentiles[i].value);
    else
      text += f.law && !refuted ? exact(f.law->quantile(reportedPercentiles[i])) : "-";
  }
  return text;
}

} // namespace

Status printSummary(const ModelReport &m, std::ostream &out) {
  std::map<std::pair<std::string, std::string>, Line> lines; // by name and file
  for (const ModelledFunction &f : m.model.functions) {
    if (f.cost.endless)
      continue;
    const FunctionFigures place = placeOf(*m.graph.functions[f.number], m.graph.imageOf[f.number]);
    double mean = 0;
    std::string text = std::to_string(place.line) + "\t" + figuresOf(m, f, mean);
    const auto [at, fresh] = lines.try_emplace({place.name, fileName(place.file)});
    if (fresh || mean > at->second.mean)
      at->second = {mean, std::move(text)};
  }
  out << "# quincunx summary 1\tmachine " << escapeWhole(m.model.machine) << "\tin "
      << escapeWhole(m.model.unit) << "\t" << m.model.runs << " runs\n"
      << "name\tfile\tline\tbasis\tcalls/run\tmean\tsd\tp50\tp90\tp99\n";
  for (const auto &[key, line] : lines)
    out << escapeWhole(key.first) << "\t" << (key.second.empty() ? "-" : escapeWhole(key.second))
        << "\t" << line.text << "\n";
  return Done{};
}

} // namespace quincunx
