// Finds the smallest or largest value of a parameter that meets a condition. The idea: values are
// tried in blocks from that end on, so that one that is found early is found soon; nothing is taken
// for granted about the figure.
#include "ParameterSearch.h"

#include "ModelPoints.h"
#include "quincunx/base/Text.h"
#include "quincunx/report/Eval.h"

#include <algorithm>
#include <cmath>

namespace quincunx::tool {

namespace {
constexpr size_t atOnce = 256;

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && s.front() == ' ')
    s.remove_prefix(1);
  while (!s.empty() && s.back() == ' ')
    s.remove_suffix(1);
  return s;
}

Error unbounded(const Condition &c, const pamela::Evaluated &e) {
  return Error{!e.upper ? "there is too much to go through for an upper bound of " +
                              escape(c.target) + "; try fewer values, or simulate"
                        : "where one waits, " + c.figure + " of " + escape(c.target) +
                              " has no bound: ask for the mean or a percentile, or simulate"};
}
} // namespace

Result<Condition> parseCondition(const std::string &text) {
  Condition c;
  const size_t sign = text.find_first_of("<>");
  const bool orEqual = sign != std::string::npos && text[sign + 1] == '=';
  bool good = sign != std::string::npos;
  if (good) {
    c.below = text[sign] == '<', c.strict = !orEqual;
    const std::string_view left = trimmed(std::string_view(text).substr(0, sign));
    const size_t dot = left.find('.');
    c.target = left.substr(0, dot);
    if (dot != std::string_view::npos)
      c.figure = left.substr(dot + 1);
    good = !c.target.empty() && figureOf({1, 1, 0, 0}, c.figure) &&
           parseNumber(trimmed(std::string_view(text).substr(sign + (orEqual ? 2 : 1))), c.limit);
  }
  if (!good)
    return Error{
        "--solve '" + escape(text) +
        "' is not a condition like 'main.p99 <= 10': a process or number, perhaps a figure "
        "(mean, variance, sd, skewness, kurtosis, p50 and so on), <, <=, > or >=, and a "
        "limit"};
  return c;
}

Result<Solution> solve(const pamela::Model &model, const pamela::EvaluateOptions &options,
                       const Condition &condition, const Sweep &sweep, bool largest) {
  pamela::EvaluateOptions o = options;
  o.target = condition.target;
  std::vector<double> values = sweep.values;
  std::sort(values.begin(), values.end());
  if (largest)
    std::reverse(values.begin(), values.end());
  Result<ModelPoints> points = ModelPoints::of(model, o, {sweep.name}, values.size());
  if (!points)
    return points.error();
  Solution out;
  bool first = true;
  for (size_t from = 0; from < values.size(); from += atOnce) {
    const size_t count = std::min(atOnce, values.size() - from);
    std::vector<pamela::Evaluated> results(count);
    if (const Status s = points->at(std::span(values).subspan(from, count), results); !s)
      return s.error();
    for (size_t i = 0; i < count; ++i) {
      const bool isBound = !results[i].isTime();
      const double x = boundOf(results[i], condition.figure, condition.below);
      if (isBound && std::isnan(x))
        return unbounded(condition, results[i]);
      const bool holds = condition.below ? x < condition.limit : x > condition.limit;
      if (holds || (!condition.strict && x == condition.limit)) {
        out.value = values[from + i], out.figure = x, out.isBound = isBound;
        return out;
      }
      if (first || (condition.below ? x < out.figure : x > out.figure))
        out.figure = x, out.best = values[from + i], out.isBound = isBound, first = false;
    }
  }
  return out;
}

} // namespace quincunx::tool
