// What may be said of inputs: conditions on features and growth with them, each as columns of a
// regression.
#pragma once

#include "quincunx/estimate/CountMatrix.h"
#include "quincunx/estimate/ExplainedInputs.h"

namespace quincunx {

/// A feature over some runs. Where some value is no number, numbers are indices into `texts`.
struct InputFeature {
  std::string name;
  std::vector<double> of;     ///< per run
  std::vector<double> values; ///< distinct ones, ascending; two at least
  std::vector<std::string> texts;
};
/// Those that all of `rows` have and that vary in them.
std::vector<InputFeature> featuresOf(const CountMatrix &matrix, std::span<const size_t> rows);

struct InputTerm {
  InputEffect effect;                       ///< its kind, features, conditions and runs
  std::vector<std::vector<double>> columns; ///< per column one number per run
  std::vector<std::vector<double>> apart;   ///< of pairs: columns of the two by themselves
};

/// The simpler ones first.
std::vector<InputTerm> termsOf(const std::vector<InputFeature> &features);

} // namespace quincunx
