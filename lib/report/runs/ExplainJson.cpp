// Prints why runs differ, for programs. The idea: the explanation as it is, each list in the order
// of its share, parts of functions and lines named wherever they stand. It rounds nothing.
#include "quincunx/report/Explain.h"

#include "Ranking.h"
#include "RunDocument.h"
#include "Verdict.h"
#include "quincunx/base/Text.h"
#include "quincunx/report/Names.h"

#include <ostream>

namespace quincunx {

namespace {

/// Parts of a contrast, or of a run, that cost the same in both are left out.
bool differs(const Contrast::Item &i) { return i.cost != i.rest || i.executed != i.executedRest; }

class Writer {
public:
  Writer(const Explained &explained, const ExplainOptions &options)
      : e(explained), top(options.top), display(options.display) {}

  ordered_json document(const std::string &corpus) const {
    ordered_json j = documentOf("explain", e.observed, corpus);
    j["images"] = imagesOf(e.observed);
    j["verdict"] = validUtf8(verdict(e, display));
    j["inputs"] = inputs();
    j["variance"] = {{"value", number(e.variance)}, {"within", number(e.within)}};
    j["p99"] = number(e.p99);
    j["functions"] = functions();
    j["path"] = path();
    j["callbacks"] = number(e.totals.callbacks);
    j["unsolved"] = e.totals.unsolved;
    j["converted"] = e.totals.isConverted;
    j["lines"] = lines();
    j["loops"] = loops();
    j["branches"] = branches(e.branches);
    j["rest"] = rest();
    j["uncounted"] = uncounted();
    j["tail"] = tail();
    j["humps"] = {{"excess", number(e.modes.excess)}, {"critical", number(e.modes.critical)}};
    j["groups"] = groups();
    j["slowest"] = slowest();
    return j;
  }

private:
  ordered_json name(size_t f) const {
    const FunctionFigures &place = e.functions[f];
    return {{"name", place.name},
            {"demangled", demangle(place.name)},
            {"file", place.file},
            {"line", place.line},
            {"image", place.image}};
  }
  static ordered_json place(const SourceLine &at) {
    return {{"file", at.file}, {"line", at.line}, {"function", demangle(at.function)}};
  }
  /// Of a loop or a branch.
  static ordered_json placeIn(const SourceLine &at) {
    ordered_json j = place(at);
    j["called"] = at.called;
    return j;
  }

  /// The rows of the largest of `n` things by `size`, each made by `row`.
  template <class Size, class Row> ordered_json largest(size_t n, Size size, Row row) const {
    ordered_json all = ordered_json::array();
    for (const size_t i : ranked(n, top, size))
      all.push_back(row(i));
    return all;
  }

  ordered_json effect(const InputEffect &x) const {
    constexpr const char *kinds[] = {"condition", "power", "exponential"};
    ordered_json j{{"kind", kinds[static_cast<size_t>(x.kind)]}, {"where", ordered_json::array()}};
    for (const InputCondition &c : x.where)
      j["where"].push_back(
          {{"feature", validUtf8(c.feature)},
           {"is", c.kind == InputCondition::Kind::equals ? "=" : ">="},
           {"value", c.text.empty() ? number(c.value) : ordered_json(validUtf8(c.text))}});
    if (!x.feature.empty())
      j["feature"] = validUtf8(x.feature);
    j["factor"] = number(x.factor);
    if (x.kind == InputEffect::Kind::power)
      j["power"] = {{"mean", number(x.power)},
                    {"low", number(x.powerLow)},
                    {"high", number(x.powerHigh)},
                    {"plusOne", x.plusOne}};
    j["share"] = number(x.share);
    j["runs"] = x.runs;
    j["tail"] = x.tailRuns;
    j["by"] = nullptr;
    if (x.by.function != Carrier::none) {
      j["by"] = name(x.by.function);
      j["by"]["share"] = number(x.by.share);
      j["by"]["new"] = x.by.isNew;
      j["by"]["power"] = number(x.by.power);
      j["by"]["caller"] = nullptr;
      if (x.by.caller != Carrier::none)
        j["by"]["caller"] = e.functions[x.by.caller].name;
    }
    return j;
  }

  ordered_json inputs() const {
    ordered_json j{{"runs", e.inputs.runs},
                   {"features", ordered_json::array()},
                   {"explained", number(e.inputs.explained)},
                   {"effects", ordered_json::array()}};
    for (const std::string &name : e.inputs.features)
      j["features"].push_back(validUtf8(name));
    for (const InputEffect &x : e.inputs.effects)
      j["effects"].push_back(effect(x));
    return j;
  }

  ordered_json functions() const {
    const auto row = [&](size_t f) {
      const Shares &s = e.functionShares[f];
      ordered_json j = name(f);
      j["variance"] = number(s.variance);
      j["within"] = number(s.within);
      j["p99"] = number(s.p99);
      j["mean"] = number(s.mean);
      j["total"] = nullptr;
      if (f < e.totals.functions.size() && e.totals.functions[f]) {
        const TotalShares &total = *e.totals.functions[f];
        j["total"] = {{"variance", number(total.variance)},
                      {"tail", number(total.tail)},
                      {"mean", number(total.mean)},
                      {"recorded", total.isRecorded}};
      }
      return j;
    };
    return largest(e.functions.size(), [&](size_t f) { return e.functionShares[f].variance; }, row);
  }

  ordered_json lines() const {
    const auto row = [&](size_t l) {
      const Shares &s = e.lineShares[l];
      ordered_json j = place(e.lines[l]);
      j["variance"] = number(s.variance);
      j["within"] = number(s.within);
      j["mean"] = number(s.mean);
      return j;
    };
    return largest(e.lines.size(), [&](size_t l) { return e.lineShares[l].variance; }, row);
  }

  ordered_json loops() const {
    const auto row = [&](size_t l) {
      const LoopShares &s = e.loops[l];
      ordered_json j = placeIn(s.at);
      j["variance"] = number(s.variance);
      j["mean"] = number(s.mean);
      j["entered"] = number(s.entered);
      j["repeats"] = number(s.repeats);
      j["explains"] = number(s.explains);
      return j;
    };
    return largest(e.loops.size(), [&](size_t l) { return e.loops[l].variance; }, row);
  }

  ordered_json path() const {
    ordered_json all = ordered_json::array();
    for (const CallStep &step : e.totals.path) {
      all.push_back(name(step.function));
      all.back()["variance"] = number(step.variance);
    }
    return all;
  }

  ordered_json rest() const {
    const ExplainedRest &r = e.rest;
    if (e.inputs.effects.empty())
      return nullptr;
    const auto shares = [&](const std::vector<double> &of, const std::vector<double> &tails,
                            auto named) {
      return largest(
          of.size(), [&](size_t i) { return of[i]; },
          [&](size_t i) {
            ordered_json row = named(i);
            row["variance"] = number(of[i]);
            row["tail"] = tails.empty() ? ordered_json(nullptr) : number(tails[i]);
            return row;
          });
    };
    ordered_json j{{"left", number(r.left)}, {"runs", ordered_json::array()}};
    for (const size_t d : r.tail)
      j["runs"].push_back(run(d));
    j["functions"] = shares(r.functions, r.functionTails, [&](size_t f) { return name(f); });
    j["lines"] = shares(r.lines, r.lineTails, [&](size_t l) { return place(e.lines[l]); });
    j["branches"] = branches(r.branches);
    return j;
  }

  ordered_json branches(const std::vector<BranchShares> &of) const {
    const auto row = [&](size_t b) {
      const BranchShares &s = of[b];
      ordered_json j = placeIn(s.at);
      j["kind"] = s.isSwitch ? "switch" : "if";
      j["arm"] = s.arm;
      j["senseKnown"] = s.senseKnown;
      j["target"] = s.target;
      j["evaluated"] = number(s.evaluated);
      j["taken"] = number(s.taken);
      j["explains"] = number(s.explains);
      j["itself"] = s.itself ? number(*s.itself) : ordered_json(nullptr);
      j["goesAlong"] = s.goesAlong();
      j["cost"] = s.itself ? number(s.cost) : ordered_json(nullptr);
      j["each"] = number(s.each);
      return j;
    };
    return largest(of.size(), [&](size_t b) { return of[b].rank(); }, row);
  }

  ordered_json uncounted() const {
    const auto row = [&](size_t c) -> ordered_json {
      const UncountedCall &call = e.uncounted[c];
      return {{"name", call.name},
              {"demangled", demangle(call.name)},
              {"calls", number(call.calls)},
              {"caller", e.functions[call.caller].name}};
    };
    return largest(e.uncounted.size(), [&](size_t c) { return e.uncounted[c].calls; }, row);
  }

  /// `named`: what stands before the figures of a part.
  template <class Named>
  ordered_json items(const std::vector<Contrast::Item> &parts, const char *executed,
                     Named named) const {
    ordered_json all = ordered_json::array();
    for (const size_t i :
         ranked(parts.size(), top, [&](size_t part) { return parts[part].share; })) {
      const Contrast::Item &p = parts[i];
      if (!differs(p))
        continue;
      ordered_json row = named(i);
      row["share"] = number(p.share);
      row["cost"] = {number(p.cost), number(p.rest)};
      row[executed] = {number(p.executed), number(p.executedRest)};
      all.push_back(std::move(row));
    }
    return all;
  }
  ordered_json contrast(const Contrast &c) const {
    return {{"cost", {number(c.cost), number(c.rest)}},
            {"functions", items(c.functions, "calls", [&](size_t f) { return name(f); })},
            {"lines", items(c.lines, "executed", [&](size_t l) { return place(e.lines[l]); })}};
  }

  ordered_json run(size_t d) const {
    const RunFigures &r = e.observed.runs[d];
    return {{"identity", r.identity}, {"label", r.label}, {"censored", isCensored(r.outcome)}};
  }

  ordered_json tail() const {
    if (e.tail.runs.empty())
      return nullptr;
    ordered_json j{{"from", number(e.tail.from)}, {"runs", ordered_json::array()}};
    for (const size_t d : e.tail.runs)
      j["runs"].push_back(run(d));
    j.update(contrast(e.tail.contrast));
    return j;
  }

  ordered_json group(const Cluster &g) const {
    ordered_json j{{"share", number(g.share)},
                   {"from", number(g.low)},
                   {"to", number(g.high)},
                   {"mean", number(g.mean)},
                   {"features", ordered_json::object()},
                   {"runs", ordered_json::array()}};
    for (const auto &[name, r] : g.features)
      j["features"][name] = {
          {"runs", r.runs}, {"from", r.low}, {"median", r.median}, {"to", r.high}};
    for (const size_t d : g.runs)
      j["runs"].push_back(run(d));
    return j;
  }

  ordered_json groups() const {
    ordered_json all = ordered_json::array();
    for (const Cluster &g : e.groups) {
      ordered_json j = group(g);
      if (!g.apart.empty()) {
        j["against"] = contrast(g.contrast);
        j["against"]["functions"] = items(g.contrast.functions, "calls", [&](size_t f) {
          ordered_json row = name(f);
          row["apart"] = number(g.apart[f]);
          return row;
        });
      }
      all.push_back(std::move(j));
    }
    return all;
  }

  ordered_json slowest() const {
    ordered_json all = ordered_json::array();
    for (const SlowRun &s : e.slowest) {
      ordered_json j = run(s.run);
      j["median"] = e.observed.runs[e.median].identity;
      j.update(contrast(s.contrast));
      all.push_back(std::move(j));
    }
    return all;
  }

  const Explained &e;
  size_t top;
  const Display &display;
};

} // namespace

Status printExplainedJson(const Explained &e, const std::string &corpus,
                          const ExplainOptions &options, std::ostream &out) {
  return write(Writer(e, options).document(corpus), e.observed.notes, out);
}

} // namespace quincunx
