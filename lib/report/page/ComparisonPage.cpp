// The document of a page that compares: the comparison as programs get it, and the costs of all
// inputs, in the form in which a page has those of runs (share/page/data.js).
#include "ComparisonPage.h"

#include "Packed.h"
#include "PageDocument.h"
#include "report/runs/ComparisonDocument.h"

#include <cmath>

namespace quincunx {

ordered_json comparisonPageDocument(const Comparison &c, const ComparedNames &names,
                                    const Display &display, const std::string &version) {
  CompareOptions all;
  all.top = 0;
  all.display = display;
  ordered_json j{{"version", 1},  {"tool", version},       {"title", names.after},
                 {"corpus", ""},  {"machine", c.machine},  {"unit", c.unit},
                 {"request", ""}, {"constantRuns", false}, {"weights", nullptr}};
  j["runs"] = {{"used", c.inputs.size()}};
  std::vector<double> before, after;
  for (const char *list :
       {"labels", "open", "columns", "rows", "graph", "groups", "growth", "notes"})
    j[list] = ordered_json::array();
  j["features"] = j["texts"] = ordered_json::object();
  for (const InputChange &input : c.inputs) {
    j["labels"].push_back(input.label);
    before.push_back(input.cost.before);
    after.push_back(input.cost.after);
  }
  j["expected"] = {packed(before, Precision::whole)};
  j["other"] = packed(after, Precision::whole);
  j["residual"] = residualJson(c.residual);
  j["ranks"] = percentilesToDraw(c.inputs.size());
  j["verdict"] = verdictLine(c, display);
  j["comparison"] = comparisonDocument(c, names, all);
  for (const Note &n : c.notes)
    j["notes"].push_back(n.text);
  return j;
}

} // namespace quincunx
