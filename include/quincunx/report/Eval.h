// What a PAMELA+ model says, for people and for programs: one point of its parameters in full, many
// as a table or a sketch, and the expressions themselves.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/pamela/Analyze.h"
#include "quincunx/pamela/Evaluate.h"
#include "quincunx/pamela/Simulate.h"
#include "quincunx/report/Display.h"

#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace quincunx {

/// A target at a point of the parameters, in the order of the sweep, and what the model says there.
struct EvaluatedPoint {
  std::string target;
  std::vector<std::pair<std::string, double>> parameters;
  pamela::Evaluated result;
  std::map<double, Cumulants> demands;        ///< per resource, for one server
  std::optional<pamela::Simulated> simulated; ///< for comparison, when that was asked for
};

struct EvaluatedModel {
  std::string file;
  std::vector<std::string> targets;   ///< at least one
  std::vector<EvaluatedPoint> points; ///< at least one; of a point of a sweep all targets in turn
  std::vector<std::string> remarks;   ///< on how it was computed
};

void printEvaluated(const EvaluatedModel &m, const Display &display, std::ostream &out);
/// A bar for each point: the mean, and on to p99; where there are bounds, the lower bound of the
/// mean, and on to the upper one. A logarithmic axis over more than a factor of 50.
void plotEvaluated(const EvaluatedModel &m, const Display &display, std::ostream &out);
/// A heading and a line per point, fields between tabs, numbers at full precision.
void printEvaluatedTsv(const EvaluatedModel &m, std::ostream &out);
Status printEvaluatedJson(const EvaluatedModel &m, std::ostream &out);

/// Are percentiles those of laws that were fitted to moments?
bool isFitted(const pamela::Evaluated &e);

/// A figure by its name: mean, variance, sd, skewness, kurtosis, or a percentile as p99.9; nothing
/// when it is none of them. Percentiles are of its law, or of one that has the four moments.
std::optional<double> figureOf(const pamela::RandomNumber &x, std::string_view name);
/// The figure of a time; where only bounds are known, that of the upper bound when `above`, else of
/// the lower one, which mean and percentiles have: others are not a number.
double boundOf(const pamela::Evaluated &e, std::string_view name, bool above);

/// The least that the percentile p can be: that of the law of the lower bound, or of any law that
/// has its moments where it was fitted; of a time that is known, the percentile.
double lowerQuantile(const pamela::Evaluated &e, double p);
/// An upper bound of the percentile p, 0 < p < 1, of a time; not a number where there is none.
double upperQuantile(const pamela::Evaluated &e, double p);

/// The model of the results, with what it takes for granted as comments.
void printAnalyzed(const pamela::Analyzed &a, std::ostream &out);
Status printAnalyzedJson(const std::string &file, const std::string &target,
                         const pamela::Analyzed &a, std::ostream &out);

} // namespace quincunx
