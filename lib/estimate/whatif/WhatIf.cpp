// What would happen if: one question, or sweeps of one variable or two.
// The idea: points of a sweep are figures without intervals, so what makes an answer doubtful is
// asked of its ends. Reference: docs/17-what-if.md, "Sweeps".
#include "quincunx/estimate/WhatIf.h"

#include "Question.h"
#include "estimate/change/Composition.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <optional>
#include <set>

namespace quincunx {

namespace {

/// Points of a sweep have no intervals: what widens these where a probability or trips change is
/// said of its ends, which are asked as questions of their own.
void addNotesOfEnds(const BlockCosts &costs, const Machine &machine,
                    const std::vector<Change> &changes, const WhatIfOptions &options,
                    WhatIfAnswer &sweep) {
  if (options.points.empty() || std::none_of(changes.begin(), changes.end(), [](const Change &c) {
        return c.target == Change::Target::probability || c.target == Change::Target::trips;
      }))
    return;
  const auto [least, most] = std::minmax_element(options.points.begin(), options.points.end());
  WhatIfOptions alone = options;
  alone.variable.clear();
  for (const double x : std::set<double>{*least, *most}) {
    std::vector<Change> there;
    for (const Change &c : changes)
      there.push_back(withValue(c, options.variable, x));
    const Result<WhatIfAnswer> answer =
        answered(BlockCosts(costs.matrix(), costs.maps(), machine), machine, there, alone);
    if (!answer)
      continue; // the sweep had this point
    const std::string point = options.variable + " = " + exact(x);
    for (const Note &n : answer->notes)
      if (std::ranges::none_of(sweep.notes, [&](const Note &k) { return k.text == n.text; }))
        sweep.notes.insert(sweep.notes.begin(), {n.kind, "at " + point + ": " + n.text});
  }
}

/// Adds the points of another sweep of the same variable, and notes that it alone has.
void append(WhatIfAnswer &all, const WhatIfAnswer &more) {
  all.points.insert(all.points.end(), more.points.begin(), more.points.end());
  for (const Note &note : more.notes)
    if (std::none_of(all.notes.begin(), all.notes.end(),
                     [&](const Note &known) { return known.text == note.text; }))
      all.notes.insert(all.notes.begin(), note);
}

Result<WhatIfAnswer> ofOneVariable(const BlockCosts &costs, const Machine &machine,
                                   const std::vector<Change> &changes,
                                   const WhatIfOptions &options) {
  Result<WhatIfAnswer> answer =
      answered(BlockCosts(costs.matrix(), costs.maps(), machine), machine, changes, options);
  if (answer)
    addNotesOfEnds(costs, machine, changes, options, *answer);
  return answer;
}

} // namespace

Result<WhatIfAnswer> whatIf(BlockCosts costs, const Machine &machine,
                            const std::vector<Change> &changes, const WhatIfOptions &options) {
  const std::string &other = options.otherVariable;
  if (Status s = checkComposition(changes, {options.variable, other}); !s)
    return s.error();
  if (other.empty())
    return options.variable.empty() ? answered(std::move(costs), machine, changes, options)
                                    : ofOneVariable(costs, machine, changes, options);
  std::optional<WhatIfAnswer> all;
  for (const double y : options.otherPoints) {
    std::vector<Change> there;
    for (const Change &c : changes)
      there.push_back(withValue(c, other, y));
    Result<WhatIfAnswer> answer = ofOneVariable(costs, machine, there, options);
    if (!answer)
      return answer;
    for (SweepPoint &p : answer->points)
      p.y = y;
    if (!all)
      all = std::move(*answer);
    else
      append(*all, *answer);
  }
  all->otherVariable = other;
  return std::move(*all);
}

} // namespace quincunx
