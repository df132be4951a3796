// Finds the arm of a branch that a question means: the one that is true in the source, or one by
// the line that it leads to. Where the compiler did not say which arm is true, and where branches
// of one function have one place (several conditions of a line, a macro), nothing is guessed.
#include "MeantArm.h"

#include "quincunx/base/Text.h"
#include "quincunx/model/Arms.h"

#include <algorithm>
#include <map>
#include <set>

namespace quincunx {

namespace {

using Lines = std::pair<uint32_t, uint32_t>; ///< that the arms lead to

Lines linesOf(const Function &f, const Branch &b) {
  return {lineBehind(f, b, b.arms[0]), lineBehind(f, b, b.arms[1])};
}

/// The arms that can be told apart, as one would name them.
std::string choices(const Place &place, const std::set<Lines> &arms) {
  std::set<uint32_t> lines;
  uint32_t both = 0;
  for (const auto &[yes, no] : arms) {
    both = yes == no ? std::max(both, yes) : both;
    for (const uint32_t line : {yes, no})
      if (line != 0 && yes != no)
        lines.insert(line);
  }
  if (lines.empty() && both != 0)
    return "; both of its arms lead to line " + std::to_string(both) +
           ", which does not tell them apart";
  std::string text;
  for (const uint32_t line : lines)
    text += (text.empty() ? "" : ", ") + ("'p(branch " + escape(place.file) + ":") +
            std::to_string(place.line) +
            (place.column != 0 ? ":" + std::to_string(place.column) : "") + " to line " +
            std::to_string(line) + ")'";
  return text.empty() ? "; the lines that they lead to are not known either"
                      : "; say where it leads: " + text;
}

} // namespace

Result<std::vector<MeantBranch>> meantBranches(const Place &place,
                                               const std::vector<ProgramElement> &spots,
                                               const BlockCosts &blocks) {
  std::vector<MeantBranch> meant;
  std::set<Lines> arms;
  std::map<std::pair<size_t, uint32_t>, Lines> first; // by function and copy
  bool known = true, equal = true;
  for (const ProgramElement &spot : spots) {
    const Function &f = blocks.function(spot.function);
    Branch b = f.branches[spot.index];
    const Lines to = linesOf(f, b);
    arms.insert(to);
    known = known && b.senseKnown;
    if (place.arm != 0 && (to.first == place.arm) == (to.second == place.arm))
      continue;
    if (place.arm != 0 && to.second == place.arm)
      std::swap(b.arms[0], b.arms[1]);
    equal = equal && first.try_emplace({spot.function, b.at.scope}, to).first->second == to;
    meant.push_back({spot.function, std::move(b)});
  }
  const std::string at = escape(place.file) + ":" + std::to_string(place.line);
  if (place.arm == 0 && !known)
    return Error{"it is not known which arm of the branch at " + at + " is true (chapter 17)" +
                 choices(place, arms)};
  if (!equal)
    return Error{"several conditions stand at " + at + ", and it is not known which is which" +
                 (place.arm == 0 ? choices(place, arms) : "")};
  if (meant.empty())
    return Error{"no one arm of the branch at " + at + " leads to line " +
                 std::to_string(place.arm) + choices(place, arms)};
  return meant;
}

} // namespace quincunx
