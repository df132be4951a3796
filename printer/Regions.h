// The trees of regions of a module's functions as text, with the four moments of every region: of
// what is guessed of them, or of what the runs of a corpus say.
#pragma once

#include "MappedFunction.h"
#include "quincunx/base/Result.h"

#include <iosfwd>
#include <memory>

namespace quincunx {

/// Prints every function as the compiler guesses it (lib/estimate/compose/Guess.cpp).
Status printGuessed(std::vector<MappedFunction> functions, std::ostream &out);

/// What the runs of a corpus say of the functions of its program (lib/estimate/compose/Model.cpp).
class MeasuredRegions {
public:
  static Result<MeasuredRegions> read(const std::string &corpus);
  MeasuredRegions(MeasuredRegions &&) noexcept;
  ~MeasuredRegions();

  /// Prints every function that was recorded as it is here; of others, why it has no figures.
  Status print(const std::vector<MappedFunction> &functions, std::ostream &out) const;

private:
  struct Impl;
  explicit MeasuredRegions(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace quincunx
