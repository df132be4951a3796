#include "SampledParts.h"

namespace quincunx {

SampledParts::Line SampledParts::lineOf(const Function &caller, const Call &call) {
  const Scope &s = caller.scopes[call.at.scope < caller.scopes.size() ? call.at.scope : 0];
  return {s.file < caller.files.size() ? sourceName(caller.files[s.file].path) : "", call.at.line};
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
      else if (const auto at = callLines.find({sourceName(place.file), place.line});
               at != callLines.end())
        part = at->second;
      if (part)
        own.samples[*part] += static_cast<double>(count);
    }
  }
}

size_t SampledParts::partOf(const Function &caller, const Call &call) const {
  return callLines.at(lineOf(caller, call));
}

} // namespace quincunx
