// Programs whose calls and costs can be counted by hand.
#pragma once

#include "Synthetic.h"

#include <string>
#include <utility>
#include <vector>

namespace quincunx::test {

/// for (...) { work or a call of one of `callees` }, empty: through a pointer. Counters: entries,
/// rounds of work, calls of each. Work costs 1, all else nothing.
inline Function calling(const std::string &name, const std::vector<std::string> &callees) {
  Function f = loopWithBranch(name);
  const auto arms = static_cast<uint32_t>(callees.size() + 1);
  f.counterCount = arms + 1;
  f.blocks.assign(arms + 3, {});
  f.edges = {{noIndex, 0, EdgeKind::entry, 0}, {0, 1, EdgeKind::flow, noIndex}};
  for (uint32_t a = 0; a < arms; ++a) {
    f.edges.push_back({1, a + 2, EdgeKind::flow, noIndex});
    f.edges.push_back({a + 2, 1, EdgeKind::flow, a + 1});
    if (a > 0)
      f.calls.push_back({a + 2, callees[a - 1], false, {}, {}});
  }
  f.edges.push_back({1, arms + 2, EdgeKind::flow, noIndex});
  f.edges.push_back({arms + 2, noIndex, EdgeKind::leave, noIndex});
  f.blocks[2].mix = {{InstructionClass::multiply, 1}};
  return f;
}

struct Program {
  std::vector<Map> maps;
  std::vector<quincunx::Run> runs;
  /// `recorded`: per function, calls that ended and what they cost with all they called.
  void run(const std::vector<uint64_t> &counters,
           const std::vector<std::pair<uint64_t, uint64_t>> &recorded = {}) {
    runs.push_back(runOf("r" + std::to_string(runs.size()), maps[0], counters));
    Counts &words = runs.back().images[0].recorders;
    for (size_t f = 0; f < recorded.size(); ++f)
      if (const auto &[calls, sum] = recorded[f]; calls > 0) {
        const uint32_t first = maps[0].functions[f].firstRecorder;
        words.index.insert(words.index.end(), {first, first + 7});
        words.value.insert(words.value.end(), {sum, calls});
      }
  }
};

} // namespace quincunx::test
