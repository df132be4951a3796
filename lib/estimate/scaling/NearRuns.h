// The runs near a size, and what they say of the cost at just that size.
#pragma once

#include "quincunx/dist/Mixture.h"
#include "quincunx/numeric/LineFit.h"

#include <optional>
#include <span>
#include <vector>

namespace quincunx {

/// A run that has the feature, and a positive one.
struct Sized {
  double size = 0;
  uint32_t run = 0;
};

/// Runs by size. All that it is made of must outlive it.
class NearRuns {
public:
  /// Runs that can stand for a size, and those of just that size which need no others.
  static constexpr size_t enough = 8, enoughExact = 5;

  /// Of `all` (in ascending order), those that stand for a size; `all` and `parts` must outlive it.
  NearRuns(std::span<const Sized> sorted, std::span<const MixtureComponent> costs)
      : all(sorted), parts(costs) {}

  struct Window {
    size_t first = 0, last = 0; ///< [first, last)
    double size = 0;
    bool exact = false; ///< all of them have just that size
  };
  /// Those of just that size, or within 15 % of it, the nearest `most`; none: these are too few, or
  /// it is a size beyond all that ran.
  std::optional<Window> around(double size, size_t most) const;
  /// What its runs with weight cost at the size of the window, scaled along the curve through the
  /// costs of the window.
  std::vector<MixtureComponent> at(const Window &w, std::span<const uint32_t> times = {}) const;
  /// The `i`-th run, which has its place among the costs of window `from`, at the same place among
  /// those of window `to`; run j counts times[j] times (empty: once).
  MixtureComponent carried(size_t i, const Window &from, const Window &to,
                           std::span<const uint32_t> times = {}) const;

private:
  /// Mean cost about a size: a straight line, or a power as a line through logarithms.
  struct Curve {
    LineFit line;
    bool isPower = false;
    double at(double size) const;
  };
  Curve curve(const Window &w, std::span<const uint32_t> times) const;

  std::span<const Sized> all;
  std::span<const MixtureComponent> parts;
};

/// As `part`, but with another mean: what is random in it adds up over as many more steps.
MixtureComponent grown(MixtureComponent part, double cost);

} // namespace quincunx
