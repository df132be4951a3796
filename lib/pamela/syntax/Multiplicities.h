// Resources by their index: whatever their names, one index is one resource with one multiplicity.
// Reference: docs/12-pamela.md, "Names and kinds".
#pragma once

#include <map>
#include <string>

namespace quincunx::pamela {

class Multiplicities {
public:
  /// Why fcfs(index, servers) cannot be, or cannot be here as another one has the index; empty when
  /// it can.
  std::string meet(double index, double servers);

private:
  std::map<double, double> known;
};

} // namespace quincunx::pamela
