// Parses values of parameters from the command line, lists and ranges, and combines sweeps.
#include "Sweep.h"

#include "quincunx/base/Text.h"

#include <algorithm>

namespace quincunx::tool {

namespace {

/// "1..10", "0..1..0.1", "1..1024:x2".
bool parseRange(std::string_view text, std::vector<double> &values) {
  const size_t dots = text.find("..");
  if (dots == std::string_view::npos)
    return false;
  const std::string_view rest = text.substr(dots + 2);
  const size_t more = std::min(rest.find(".."), rest.find(":x"));
  const bool times = more != std::string_view::npos && rest[more] == ':';
  double from = 0, to = 0, step = 1;
  const bool good = parseNumber(text.substr(0, dots), from) &&
                    parseNumber(rest.substr(0, more), to) &&
                    (more == std::string_view::npos || parseNumber(rest.substr(more + 2), step));
  if (!good || from > to || (times ? step <= 1 || from <= 0 : step <= 0))
    return false;
  for (double x = from; x <= to * (1 + 1e-12) && values.size() <= maxPoints;)
    values.push_back(x), x = times ? x * step : from + static_cast<double>(values.size()) * step;
  return true;
}

} // namespace

Result<std::vector<Sweep>> parseSweeps(const std::string &text, const char *option) {
  std::vector<Sweep> all;
  bool good = true;
  for (std::string_view word : fields(text, ',')) {
    if (const size_t equals = word.find('='); equals != std::string_view::npos) {
      good = good && equals != 0 && (all.empty() || !all.back().values.empty());
      all.push_back({std::string(word.substr(0, equals)), {}});
      word = word.substr(equals + 1);
    }
    double x = 0;
    if (all.empty())
      good = false;
    else if (parseNumber(word, x))
      all.back().values.push_back(x);
    else
      good = good && parseRange(word, all.back().values);
  }
  if (!good)
    return Error{std::string(option) + " " + escape(text) +
                 " is not NAME=VALUE,... or NAME=FROM..TO, with ..STEP or :xFACTOR behind it"};
  return all;
}

Result<std::vector<double>> pointsOf(const std::vector<Sweep> &sweeps) {
  size_t count = 1;
  for (const Sweep &s : sweeps) {
    if (count * s.values.size() > maxPoints)
      return Error{"--sweep has more than " + std::to_string(maxPoints) + " points"};
    count *= s.values.size();
  }
  std::vector<double> points;
  for (size_t p = 0; p < count; ++p) {
    size_t rest = count, left = p;
    for (const Sweep &s : sweeps) {
      rest /= s.values.size();
      points.push_back(s.values[left / rest]);
      left %= rest;
    }
  }
  return points;
}

} // namespace quincunx::tool
