// The model for programs: every function with the cumulants and percentiles of one call, and the
// tree of one function as nested lines. Conventions as in Json.cpp.
#include "quincunx/report/Model.h"

#include "ModelTree.h"
#include "quincunx/report/Names.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

namespace quincunx {

namespace {

using nlohmann::ordered_json;

ordered_json number(double x) { return std::isfinite(x) ? ordered_json(x) : ordered_json(nullptr); }
ordered_json toJson(const Cumulants &k) {
  return {number(k.k1), number(k.k2), number(k.k3), number(k.k4)};
}

ordered_json toJson(const ModelReport &m, const ModelledFunction &f) {
  const FunctionFigures place = placeOf(*m.graph.functions[f.number], m.graph.imageOf[f.number]);
  ordered_json j{{"name", place.name},   {"demangled", demangle(place.name)},
                 {"file", place.file},   {"line", place.line},
                 {"image", place.image}, {"calls", f.calls},
                 {"roots", f.roots},     {"endless", f.cost.endless}};
  j["exclusive"] = toJson(f.cost.exclusive);
  j["inclusive"] = toJson(f.cost.inclusive);
  if (!f.law)
    return j;
  j["law"] = f.family;
  constexpr const char *names[] = {"p50", "p90", "p99", "p99.9"};
  for (size_t i = 0; i < reportedPercentiles.size(); ++i)
    j[names[i]] = number(f.law->quantile(reportedPercentiles[i]));
  return j;
}

ordered_json toJson(const Function &f, const ModelledTree &tree) {
  ordered_json j{{"branches", ordered_json::array()}, {"tree", ordered_json::array()}};
  for (const ModelledBranch &b : tree.branches) {
    const Location &at = f.branches[b.branch].at;
    ordered_json row{{"line", at.line}, {"column", at.column}, {"n", b.n}, {"p", b.p}};
    if (b.rate)
      row["rate"] = toJson(*b.rate);
    if (!b.why.empty())
      row["why"] = b.why;
    j["branches"].push_back(std::move(row));
  }
  for (const TreeLine &l : treeLines(f, tree))
    j["tree"].push_back({{"depth", l.depth},
                         {"kind", l.kind},
                         {"line", l.line},
                         {"perCall", l.perCall},
                         {"cost", toJson(l.cost)}});
  return j;
}

} // namespace

Status printModelJson(const ModelReport &m, const ModelledTree *tree, const std::string &corpus,
                      const ReportOptions &options, std::ostream &out) {
  const auto chosen = modelledFunctions(m, options);
  if (!chosen)
    return chosen.error();
  ordered_json j{{"version", 1},
                 {"corpus", corpus},
                 {"machine", m.model.machine},
                 {"unit", m.model.unit},
                 {"runs", m.model.runs},
                 {"branch", m.options.thesis ? "thesis" : m.options.branch},
                 {"perRun", m.options.perRun},
                 {"composedMean", number(m.model.composedMean)},
                 {"observedMean", number(m.model.observedMean)}};
  j["functions"] = ordered_json::array();
  for (const size_t i : *chosen) {
    if (options.top != 0 && j["functions"].size() == options.top)
      break;
    j["functions"].push_back(toJson(m, m.model.functions[i]));
  }
  if (tree != nullptr)
    j["function"] = toJson(*m.graph.functions[tree->number], *tree);
  j["notes"] = ordered_json::array();
  for (const Note &n : m.model.notes)
    j["notes"].push_back({{"kind", n.kind}, {"text", n.text}});
  out << j.dump(2, ' ', false, ordered_json::error_handler_t::replace) << "\n";
  return Done{};
}

} // namespace quincunx
