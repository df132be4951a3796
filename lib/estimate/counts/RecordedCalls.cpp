// Recorded calls, as far as several estimates ask the same of them. Reference: docs/10-compiler.md.
#include "RecordedCalls.h"

namespace quincunx {

std::vector<ClassCount> recordingClock(const CountMatrix &matrix, const std::vector<Map> &maps) {
  const auto clockOf = [](const Map &map) {
    for (const Function &f : map.functions)
      if (f.callRecorder != noIndex && f.followsJumps)
        return f.clock;
    return std::vector<ClassCount>{};
  };
  std::vector<ClassCount> clock;
  for (size_t f = 0; f < matrix.functions.size(); ++f) {
    const uint32_t map = matrix.functions[f].map;
    if (f > 0 && map == matrix.functions[f - 1].map)
      continue;
    const std::vector<ClassCount> own = clockOf(maps[map]);
    if (f > 0 && own != clock)
      return {};
    clock = own;
  }
  return clock;
}

std::vector<double> clockCosts(const Function &function, const std::vector<ClassCount> &clock) {
  std::vector<double> costs;
  for (const Block &block : function.blocks) {
    double &cost = costs.emplace_back(0.0);
    for (const ClassCount &own : block.mix)
      for (const ClassCount &weight : clock)
        cost += own.kind == weight.kind ? static_cast<double>(own.count) * weight.count : 0;
  }
  return costs;
}

std::vector<double> framesLost(const CountMatrix &matrix, size_t f) {
  std::vector<double> lost;
  for (const uint32_t column : matrix.functions[f].trees)
    if (column != noIndex) {
      lost.resize(matrix.rows.size());
      matrix.columns[column].addTo(lost, 1);
    }
  return lost;
}

} // namespace quincunx
