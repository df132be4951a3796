// Runs as comma-separated values (RFC 4180, but that lines end as lines do here), at full
// precision: what the file is opened with decides how they look. It has no functions.
#include "quincunx/report/RunsCsv.h"

#include "quincunx/base/Text.h"

#include <charconv>
#include <ostream>
#include <set>

namespace quincunx {

namespace {

/// In quotes where it holds what separates. What a spreadsheet takes for a formula stays text.
std::string field(const std::string &text) {
  const bool isFormula = !text.empty() && std::string("=+-@").find(text[0]) != std::string::npos;
  std::string plain = (isFormula ? "'" : "") + escapeWhole(text);
  if (plain.find_first_of(",\"\n\r") == std::string::npos)
    return plain;
  std::string quoted = "\"";
  for (const char c : plain)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string field(double x) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, x).ptr};
}

} // namespace

void printRunsCsv(const Observed &observed, std::ostream &out) {
  std::set<std::string> features;
  for (const RunFigures &run : observed.runs)
    for (const auto &[name, value] : run.features)
      features.insert(name);
  out << "run,label,finished,weight," << field("cost (" + observed.unit + ")") << ","
      << field("outside functions (" + observed.unit + ")") << ",instrumented wall (s)";
  for (const std::string &name : features)
    out << ',' << field(name);
  out << "\n";
  for (const RunFigures &run : observed.runs) {
    out << field(run.identity) << ',' << field(run.label) << ','
        << (run.outcome == Outcome::finished) << ',' << field(run.weight) << ','
        << field(run.cost.k1) << ',' << field(run.unattributed) << ',' << field(run.wall);
    for (const std::string &name : features) {
      const auto at = run.features.find(name);
      out << ',' << (at == run.features.end() ? "" : field(at->second));
    }
    out << "\n";
  }
}

} // namespace quincunx
