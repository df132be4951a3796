// What is found out about how the cost of a run follows what is recorded of its input, and who
// makes that. How it is found: lib/estimate/explain/InputModel.h. Reference:
// docs/18-why-runs-differ.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace quincunx {

/// Something that is so in some runs, by one feature.
struct InputCondition {
  enum class Kind : uint8_t { equals, atLeast };
  std::string feature;
  Kind kind = Kind::equals;
  double value = 0;
  std::string text; ///< in place of `value`, where it is no number
};

/// Who makes a difference between runs, by the cost of functions themselves.
struct Carrier {
  static constexpr size_t none = SIZE_MAX;
  size_t function = none; ///< of Explained::functions: the one with the largest share
  double share = 0;       ///< of what the difference costs
  size_t caller = none;   ///< who makes most of its calls there, where names tell; never itself
  bool isNew = false;     ///< of conditions: it runs in no other run
  double power = 0;       ///< of powers: what its own cost follows; 0: not known
};

/// One thing about inputs that the logarithm of the cost follows, all others being equal.
struct InputEffect {
  enum class Kind : uint8_t {
    condition,  ///< runs where all of `where` holds cost `factor` times as much
    power,      ///< there (everywhere, if it is empty) the cost is as feature^power
    exponential ///< each 1 more of the feature costs `factor` times as much
  };
  Kind kind = Kind::condition;
  std::vector<InputCondition> where; ///< up to two
  std::string feature;               ///< of power and exponential
  bool plusOne = false;              ///< the power is of 1 + feature: some are 0
  double factor = 1;
  double power = 0, powerLow = 0, powerHigh = 0; ///< mean, where 10 % and 90 % are below
  double share = 0;                              ///< of Var[ln T]; may be below 0
  size_t runs = 0;                               ///< where it holds
  size_t tailRuns = 0;                           ///< of them in the tail
  Carrier by;
};

struct ExplainedInputs {
  size_t runs = 0;                   ///< that were looked at: finished ones
  std::vector<std::string> features; ///< that all of them have and that vary
  std::vector<InputEffect> effects;  ///< the largest share first
  double explained = 0; ///< of Var[ln T], each run expected from the others; never below 0
};

} // namespace quincunx
