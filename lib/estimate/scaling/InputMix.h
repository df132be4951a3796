// Another mix of inputs, as weights of the runs that there are.
#pragma once

#include "quincunx/estimate/CountMatrix.h"

namespace quincunx {

/// A file of lines "VALUE<tab>WEIGHT"; without a weight: 1. Comments start with #.
struct InputMix {
  struct Line {
    std::string value;        ///< as written: a pattern for texts
    double low = 0, high = 0; ///< of a feature
    bool isRange = false;     ///< LOW..HIGH
    double weight = 1;
    unsigned at = 0; ///< in the file, from 1
  };
  std::string file;
  std::vector<Line> lines;
};

/// Are values of the feature texts? "label" are the names of runs; of another one some run has a
/// value that is no number.
bool isText(const std::string &feature, const std::vector<CountMatrix::Row> &rows);

/// Errors carry file and line.
Result<InputMix> readMix(const std::string &file, bool isText);

/// How near a run must be to a size to stand for it.
inline constexpr double nearSize = 0.15;

/// A weight for each run: the runs that a line means share its weight, in proportion to what they
/// stand for. Errors: a feature that no run has, a line that means no run.
Result<std::vector<double>> weightsOf(const InputMix &mix, const std::string &feature,
                                      const std::vector<CountMatrix::Row> &rows);

/// Why no run has this feature, with the nearest that some have.
Error unknownFeature(const std::string &feature, const std::vector<CountMatrix::Row> &rows);

} // namespace quincunx
