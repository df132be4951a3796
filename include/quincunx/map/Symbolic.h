// Trip counts as the map writes them (Loop::trips): whole numbers, arguments of the function by
// name, indices of outer loops (i0, i1, .. in the order of the map's loops), values computed before
// the loop (@line), + * div min max. They are evaluated in doubles; nothing is simplified.
#pragma once

#include "quincunx/base/Result.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace quincunx {

class Symbolic {
public:
  /// An error says where and what was expected.
  static Result<Symbolic> parse(const std::string &text);

  /// Its unknowns, each once, in the order they stand.
  std::vector<std::string> unknowns() const;
  /// `value` gives an unknown's, if it is known. Nothing when one is not, or where it divides by 0.
  std::optional<double>
  at(const std::function<std::optional<double>(const std::string &)> &value) const;

private:
  struct Node;
  std::shared_ptr<const Node> root;
};

} // namespace quincunx
