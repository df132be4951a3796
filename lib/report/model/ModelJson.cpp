// Prints the model for programs: every function with the cumulants and percentiles of one call, and
// the tree of one function as nested lines. Conventions as in Json.cpp.
#include "quincunx/report/Model.h"

#include "ModelTree.h"
#include "quincunx/report/Names.h"
#include "report/layout/JsonDocument.h"

#include <ostream>

namespace quincunx {

namespace {

ordered_json toJson(const Cumulants &k) {
  return {number(k.k1), number(k.k2), number(k.k3), number(k.k4)};
}

ordered_json toJson(const CallGraph &graph, const OpenCalls &open) {
  ordered_json j{{"mean", {number(open.least), number(open.most)}},
                 {"lines", ordered_json::array()},
                 {"callees", ordered_json::array()}};
  for (const Location &at : open.at)
    j["lines"].push_back(at.line);
  for (const uint32_t callee : open.callees)
    j["callees"].push_back(graph.functions[callee]->name);
  return j;
}

ordered_json toJson(const ModelReport &m, const ModelledFunction &f) {
  const FunctionFigures place = placeOf(*m.graph.functions[f.number], m.graph.imageOf[f.number]);
  ordered_json j{{"name", place.name},   {"demangled", demangle(place.name)},
                 {"file", place.file},   {"line", place.line},
                 {"image", place.image}, {"endless", f.cost.endless}};
  if (m.model.guessed)
    j["guessed"] = true;
  else
    j["calls"] = f.calls, j["roots"] = f.roots;
  j["exclusive"] = toJson(f.cost.exclusive);
  j["inclusive"] = toJson(f.cost.inclusive);
  if (const FunctionFigures *c = m.measuredOf(f.number))
    j["measured"] = {{"mean", number(c->cost.moments.mean)},
                     {"sd", number(c->cost.deviation)},
                     {"contextEffect", number(f.cost.inclusive.k1 - c->cost.moments.mean)}};
  const Verdict &v = f.verdict;
  if (!v.refuted.empty())
    j["refuted"] = v.refuted;
  for (const auto &[name, is] : {std::pair("asMeasured", v.asMeasured),
                                 {"otherMean", v.otherMean},
                                 {"otherPercentiles", v.otherPercentiles}})
    if (is)
      j[name] = true;
  if (f.open)
    j["open"] = toJson(m.graph, *f.open);
  if (!f.law)
    return j;
  j["law"] = f.family;
  for (size_t i = 0; i < reportedPercentiles.size(); ++i)
    j[percentileNames[i]] = number(f.law->quantile(reportedPercentiles[i]));
  return j;
}

ordered_json toJson(const CallGraph &graph, const ModelledTree &tree) {
  const Display whole{.names = FunctionNames(NameStyle::full)};
  const Function &f = *graph.functions[tree.number];
  ordered_json j{{"branches", ordered_json::array()},
                 {"loops", ordered_json::array()},
                 {"tree", ordered_json::array()}};
  for (const ModelledBranch &b : tree.branches) {
    const Location &at = f.branches[b.branch].at;
    ordered_json row{{"line", at.line}, {"column", at.column}, {"n", b.n}, {"p", b.p}};
    if (b.rate)
      row["rate"] = toJson(*b.rate);
    if (b.dispersion) {
      row["phi"] = number(b.dispersion->phi);
      row["phiInterval"] = toJson(b.dispersion->trust);
    }
    if (!b.why.empty())
      row["why"] = b.why;
    j["branches"].push_back(std::move(row));
  }
  for (const ModelledLoop &l : tree.loops) {
    ordered_json row{{"line", f.loops[l.loop].at.line},
                     {"entries", l.entries},
                     {"trips", number(l.dispersion.p)}};
    if (l.dispersion.runs >= 2) {
      row["phi"] = number(l.dispersion.phi);
      row["phiInterval"] = toJson(l.dispersion.trust);
    }
    if (l.along != 0)
      row["along"] = l.along;
    j["loops"].push_back(std::move(row));
  }
  for (const TreeLine &l : treeLines(graph, tree, whole)) {
    ordered_json line{{"depth", l.depth},
                      {"kind", l.kind},
                      {"line", l.line},
                      {"perCall", l.perCall},
                      {"cost", toJson(l.cost)}};
    if (!l.callee.empty())
      line["callee"] = l.callee;
    if (l.threads > 0)
      line["threads"] = l.threads;
    j["tree"].push_back(std::move(line));
  }
  return j;
}

} // namespace

Status printModelJson(const ModelReport &m, const ModelledTree *tree, const std::string &corpus,
                      const ReportOptions &options, std::ostream &out) {
  const auto chosen = modelledFunctions(m.model, m.graph, options);
  if (!chosen)
    return chosen.error();
  ordered_json j{{"schema", schemaOf("model")},
                 {"corpus", corpus},
                 {"machine", m.model.machine},
                 {"unit", m.model.unit},
                 {"guessed", m.model.guessed}};
  if (!m.model.guessed) {
    j["per"] = m.request.empty() ? "run" : "request";
    if (!m.request.empty())
      j["request"] = m.request;
    j["runs"] = m.model.runs;
    j["branch"] = m.options.publishedMethod ? "published-method" : m.options.branch;
    j["perRun"] = m.options.perRun;
    j["composedMean"] = number(m.model.composedMean);
    j["observedMean"] = number(m.model.observedMean);
  }
  j["functions"] = ordered_json::array();
  for (const size_t i : *chosen) {
    if (options.top != 0 && j["functions"].size() == options.top)
      break;
    j["functions"].push_back(toJson(m, m.model.functions[i]));
  }
  if (m.guessed != nullptr) {
    j["unknown"] = ordered_json::array();
    for (const OpenLoop &o : m.guessed->open) {
      const Function &f = *m.graph.functions[o.number];
      j["unknown"].push_back({{"function", f.name},
                              {"line", f.loops[o.loop].at.line},
                              {"trips", f.loops[o.loop].trips},
                              {"names", o.unknowns}});
    }
  }
  if (tree != nullptr)
    j["function"] = toJson(m.graph, *tree);
  return write(std::move(j), m.model.notes, out);
}

} // namespace quincunx
