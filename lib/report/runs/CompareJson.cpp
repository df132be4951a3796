// Writes comparisons for programs, everything at full precision.
#include "quincunx/report/Compare.h"
#include "report/runs/ComparisonDocument.h"

namespace quincunx {

namespace {

ordered_json toJson(const RelativeChange &c) {
  return {{"before", number(c.before)},
          {"after", number(c.after)},
          {"change", number(c.change.value)},
          {"interval", toJson(c.change.trust)}};
}

ordered_json placeJson(const std::optional<FunctionFigures> &f) {
  if (!f)
    return nullptr;
  return {{"name", f->name}, {"file", f->file}, {"line", f->line}};
}

ordered_json functionJson(const FunctionChange &f, const Display &display) {
  ordered_json lines = ordered_json::array();
  for (const LineChange &l : f.lines)
    lines.push_back({{"file", l.file},
                     {"before", l.before == 0 ? ordered_json(nullptr) : ordered_json(l.before)},
                     {"after", l.after == 0 ? ordered_json(nullptr) : ordered_json(l.after)},
                     {"difference", number(l.difference)}});
  return {{"name", f.place().name},
          {"shown", display.names.of(f.place().name)},
          {"state", stateName(f.state)},
          {"codeChanged", f.isChanged},
          {"before", placeJson(f.before)},
          {"after", placeJson(f.after)},
          {"cost", toJson(f.cost)},
          {"calls", {{"before", number(f.calls.before)}, {"after", number(f.calls.after)}}},
          {"share", number(f.share.value)},
          {"shareInterval", toJson(f.share.trust)},
          {"probability", number(f.probability)},
          {"lines", std::move(lines)}};
}

const char *wordOf(Repeats r) {
  constexpr const char *words[] = {"unknown", "exact", "noisy"};
  return words[static_cast<size_t>(r)];
}

ordered_json runsJson(const PairedRuns &r) {
  return {{"inputs", r.inputs},         {"before", r.runsBefore},   {"after", r.runsAfter},
          {"onlyBefore", r.onlyBefore}, {"onlyAfter", r.onlyAfter}, {"otherSize", r.others},
          {"stopped", r.stopped}};
}

} // namespace

const char *verdictName(ChangeVerdict v) {
  constexpr const char *words[] = {"same", "faster", "slower", "unknown"};
  return words[static_cast<size_t>(v)];
}

ordered_json comparisonDocument(const Comparison &c, const ComparedNames &names,
                                const CompareOptions &options) {
  ordered_json j{{"schema", schemaOf("compare")}, {"before", names.before},
                 {"after", names.after},          {"verdict", verdictName(c.verdict)},
                 {"machine", c.machine},          {"unit", c.unit},
                 {"runs", runsJson(c.runs)}};
  j["priceDeviation"] = number(c.priceDeviation);
  j["repetition"] = {{"kind", wordOf(c.repetition)}, {"noise", number(c.noise)}};
  for (const FigureChange &f : c.figures) {
    j["program"][f.name] = toJson(f.of);
    j["program"][f.name]["atLeast"] = f.atLeast;
  }
  if (c.measured)
    j["measured"] = {{"inputs", c.measured->inputs},
                     {"seconds", toJson(c.measured->time)},
                     {"predicted", number(c.measured->predicted)}};
  j["functions"] = ordered_json::array();
  for (const FunctionChange &f : c.functions)
    if (options.top == 0 || j["functions"].size() < options.top)
      j["functions"].push_back(functionJson(f, options.display));
  j["functionsCompared"] = c.functionsCompared;
  j["doubtful"] = c.doubtful;
  j["against"] = ordered_json::array();
  for (const InputChange &i : c.against)
    if (options.top == 0 || j["against"].size() < options.top)
      j["against"].push_back({{"label", i.label}, {"cost", toJson(i.cost)}});
  return j;
}

Status printComparisonJson(const Comparison &c, const ComparedNames &names,
                           const CompareOptions &options, std::ostream &out) {
  return write(comparisonDocument(c, names, options), c.notes, out);
}

} // namespace quincunx
