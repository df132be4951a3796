// Random numbers and the laws of the language.
// The idea: everything is drawn by the inverse of the cdf from one uniform number, so that answers
// do not depend on a library's choice of algorithm; inverses that take long become tables.
// Reference: docs/12-pamela.md.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/numeric/Special.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quincunx::pamela {

class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}
  /// In (0, 1), equally likely everywhere.
  double next() {
    ++count;
    return (static_cast<double>(engine() >> 12) + 0.5) * 0x1p-52;
  }
  uint64_t drawn() const { return count; }

private:
  std::mt19937_64 engine;
  uint64_t count = 0;
};

/// The inverse of a cdf, in lines between exact places once it has been asked often.
class InverseCdf {
public:
  /// `steps`: the law has no density, lines would be wrong.
  InverseCdf(std::function<double(double)> quantile, bool steps);
  double operator()(double u);

private:
  std::function<double(double)> exact;
  std::vector<double> places;
  bool steps;
  uint32_t asked = 0;
};

enum class LawKind : uint8_t {
  moments,
  exponential,
  normal,
  uniform,
  gamma,
  lognormal,
  bernoulli,
  histogram
};
std::optional<LawKind> lawKind(std::string_view name);
/// What must be right about the number of arguments: a text for an error when it is not.
std::optional<Error> checkCount(LawKind kind, size_t arguments);

class LawSampler {
public:
  double draw(Random &random) const;

private:
  friend class LawSamplers;
  LawKind kind = LawKind::uniform;
  double a = 0, b = 0;
  std::shared_ptr<InverseCdf> inverse;    ///< of normal, lognormal, gamma, moments
  std::vector<double> places, cumulative; ///< histogram
};

/// Makes laws; keeps what took long for the next that is the same but for its scale.
class LawSamplers {
public:
  /// Refuses parameters that the law cannot have.
  Result<LawSampler> make(LawKind kind, std::span<const double> parameters);
  /// Laws that could not have the moments asked for.
  std::vector<std::string> notes;

private:
  Status fit(LawSampler &law, std::span<const double> moments);
  std::map<std::vector<double>, std::shared_ptr<InverseCdf>> kept;
  /// Each simulation has its own: when it becomes a table must not depend on others.
  std::shared_ptr<InverseCdf> standardNormal = std::make_shared<InverseCdf>(normalQuantile, false);
};

} // namespace quincunx::pamela
