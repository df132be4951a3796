// Which changes can be asked for together.
// The idea: costs, totals, mixes and sizes compose, since each says what runs cost that are given.
// Probabilities and trips make other flow, and who is called under whom in that is not known.
// Reference: docs/17-what-if.md.
#include "Composition.h"

#include "quincunx/base/Text.h"

#include <algorithm>

namespace quincunx {

namespace {

using Target = Change::Target;

size_t count(const std::vector<Change> &changes, Target target) {
  return static_cast<size_t>(std::count_if(changes.begin(), changes.end(),
                                           [&](const Change &c) { return c.target == target; }));
}

} // namespace

Error about(const Change &change, const Error &why) {
  return why.file.empty() ? Error{"change '" + escape(change.text) + "': " + why.text} : why;
}

Status checkComposition(const std::vector<Change> &changes,
                        const std::vector<std::string> &variables) {
  const auto depends = [](const Change &c, const std::string &name) {
    return c.variable == name || c.otherVariable == name;
  };
  for (const Change &c : changes)
    for (const std::string &name : {c.variable, c.otherVariable})
      if (!name.empty() && std::find(variables.begin(), variables.end(), name) == variables.end())
        return about(c, Error{"'" + escape(name) + "' has no value; give it some with --sweep " +
                              escape(name) + "=FROM..TO"});
  const auto ofThreads = std::ranges::find_if(changes, &Change::isOfThreads);
  if (ofThreads != changes.end())
    return about(*ofThreads, Error{"it changes how long threads wait and not what they cost: ask "
                                   "quincunx whatif for it by itself, without changes of costs"});
  for (const auto &[target, what] :
       {std::pair{Target::machine, "machine"}, std::pair{Target::mix, "mix"},
        std::pair{Target::size, "size"}})
    if (count(changes, target) > 1)
      return Error{std::string("two changes of the ") + what + "; the last would undo the first"};
  const auto inclusive =
      std::find_if(changes.begin(), changes.end(), [](const Change &c) { return c.isInclusive(); });
  if (inclusive != changes.end() &&
      count(changes, Target::trips) + count(changes, Target::probability) > 0)
    return about(*inclusive, Error{"it does not go with changes of p or trips, as what is called "
                                   "under it would change with these; ask one after the other"});
  for (const std::string &name : variables)
    if (!name.empty() && std::none_of(changes.begin(), changes.end(),
                                      [&](const Change &c) { return depends(c, name); }))
      return Error{"no change depends on '" + escape(name) + "'"};
  return Done{};
}

} // namespace quincunx
