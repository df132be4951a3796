// Samples by part. The idea: what a place is of is asked once for each place, of the map.
#include "SampledParts.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <set>

namespace quincunx {

SampledParts::Line SampledParts::lineOf(const Function &caller, const Call &call) {
  const Scope &s = caller.scopes[call.at.scope < caller.scopes.size() ? call.at.scope : 0];
  return {s.file < caller.files.size() ? fileName(caller.files[s.file].path) : "", call.at.line};
}

SampledParts::SampledParts(const std::vector<Map> &maps, std::span<const SampledRun> runs)
    : bodies(maps) {
  std::set<std::string> counted;
  for (const Map &map : maps)
    for (const Function &f : map.functions)
      counted.insert(f.name);
  for (const Map &map : maps)
    for (const Function &f : map.functions)
      for (const Call &call : f.calls)
        if (!counted.contains(call.callee))
          callLines.try_emplace(lineOf(f, call), bodies.size() + callLines.size());
  for (const SampledRun &run : runs) {
    OfRun &own = heard.emplace_back();
    own.row = run.row;
    own.executions = static_cast<double>(run.executions);
    own.cpu = run.cpu;
    own.user = run.user;
    for (const auto &[place, count] : run.samples) {
      own.total += static_cast<double>(count);
      std::optional<size_t> part;
      if (place.object.empty())
        part = bodies.find(place);
      else if (place.line == 0)
        continue; // nobody knows who called
      else if (const auto at = callLines.find({fileName(place.file), place.line});
               at != callLines.end())
        part = at->second;
      if (part)
        own.samples[*part] += static_cast<double>(count);
    }
  }
}

std::string SampledParts::nameOf(size_t part) const {
  const auto text = [](const Line &line) { return line.first + ':' + std::to_string(line.second); };
  if (isBody(part))
    return text(bodies.begin(part));
  const auto at = std::find_if(callLines.begin(), callLines.end(),
                               [&](const auto &line) { return line.second == part; });
  return at == callLines.end() ? "" : text(at->first);
}

size_t SampledParts::partOf(const Function &caller, const Call &call) const {
  return callLines.at(lineOf(caller, call));
}

} // namespace quincunx
