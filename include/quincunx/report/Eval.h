// What a PAMELA+ model says, for people and for programs: one point of its parameters in full, many
// as a table or a sketch, and the expressions themselves.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/pamela/Analyze.h"
#include "quincunx/pamela/Evaluate.h"

#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace quincunx {

/// A point of the parameters, in the order of the sweep, and what the model says there.
struct EvaluatedPoint {
  std::vector<std::pair<std::string, double>> parameters;
  pamela::Evaluated result;
  std::map<double, Cumulants> demands; ///< per resource, for one server
};

struct EvaluatedModel {
  std::string file, target;
  std::vector<EvaluatedPoint> points; ///< at least one
  std::string remark;                 ///< on how it was computed; may be empty
};

void printEvaluated(const EvaluatedModel &m, bool colour, std::ostream &out);
/// A bar for each point: the mean, and on to p99. A logarithmic axis over more than a factor of 50.
void plotEvaluated(const EvaluatedModel &m, bool colour, bool utf8, std::ostream &out);
/// A heading and a line per point, fields between tabs, numbers at full precision.
void printEvaluatedTsv(const EvaluatedModel &m, std::ostream &out);
Status printEvaluatedJson(const EvaluatedModel &m, std::ostream &out);

/// A figure of a time by its name: mean, variance, sd, skewness, kurtosis, or a percentile as
/// p99.9; nothing when it is none of them. Percentiles are of a law that has the four moments.
std::optional<double> figureOf(const Cumulants &k, std::string_view name);

/// The least that the percentile p can be of any law that has the moments of a lower bound; of a
/// time that is known, the percentile.
double lowerQuantile(const pamela::Evaluated &e, double p);
/// An upper bound of the percentile p, 0 < p < 1, of a time; not a number where there is none.
double upperQuantile(const pamela::Evaluated &e, double p);

/// The model of the results, with what it takes for granted as comments.
void printAnalyzed(const pamela::Analyzed &a, std::ostream &out);
Status printAnalyzedJson(const std::string &file, const std::string &target,
                         const pamela::Analyzed &a, std::ostream &out);

} // namespace quincunx
