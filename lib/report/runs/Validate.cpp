// Prints errors in per cent: the floor first, then in-sample and held-out of every estimator.
#include "quincunx/report/Validate.h"

#include "quincunx/base/Text.h"
#include "quincunx/report/JsonText.h"
#include "report/layout/Grid.h"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <ostream>

namespace quincunx {

namespace {

/// "+1.5 %"; what is off by a factor is one: "x 250".
std::string signedPercent(double x) {
  if (!std::isfinite(x))
    return "open";
  if (x >= 10)
    return "x " + figure(std::round(x + 1));
  char text[32];
  std::snprintf(text, sizeof text, "%+.1f %%", 100 * x);
  return std::string(text) == "-0.0 %" ? "+0.0 %" : text;
}

/// "12.0 %"; of a factor, in which such a spread is, "x 3.4".
std::string spreadOf(double x) {
  if (!std::isfinite(x))
    return "open";
  return x >= 10 ? "x " + figure(std::round(x)) : percent(x);
}

/// "+1.5 % (12.0 %)": the mean, and the spread from split to split.
std::vector<std::string> row(const OverSplits &errors, const std::string &sample,
                             const std::string &name) {
  std::vector<std::string> cells;
  for (size_t i = 0; i < errors.mean.size(); ++i)
    cells.push_back(signedPercent(errors.mean[i]) + " (" + spreadOf(errors.spread[i]) + ")");
  cells.insert(cells.end(), {sample, name});
  return cells;
}

} // namespace

void printValidation(const Validation &v, const Display &display, std::ostream &out) {
  const std::string title = "Error of predicting " + std::to_string(v.heldOut) +
                            (v.request.empty() ? " runs" : " requests") + " from " +
                            std::to_string(v.profiled) + " others";
  out << (display.colour ? "\033[1m" + title + "\033[0m" : title) << ", in " << escape(v.unit)
      << " (machine " << escape(v.machine) << "): mean (and spread) over " << v.splits
      << " random splits\n\n";
  Grid grid(
      {shownNames[0], shownNames[1], shownNames[2], shownNames[3], shownNames[4], "", "estimator"},
      2);
  std::vector<std::string> floor;
  for (const double x : v.floor)
    floor.push_back("(" + spreadOf(x) + ")");
  floor.insert(floor.end(), {"floor", "a perfect one"});
  grid.add(std::move(floor));
  for (const Prediction &p : v.predictions) {
    if (!p.why.empty())
      continue;
    grid.add(row(p.heldOut, "held-out", escape(p.estimator)));
    grid.add(row(p.inSample, "in-sample", ""));
  }
  grid.print(out, display);
  out << "\n";
  for (const Prediction &p : v.predictions)
    if (!p.why.empty())
      out << "note: " << escape(p.estimator) << " does not apply: " << printable(p.why) << "\n";
  for (const Note &n : v.notes)
    out << "note: " << printable(n.text) << "\n";
}

void printValidationJson(const Validation &v, const std::string &corpus, std::ostream &out) {
  using nlohmann::ordered_json;
  const auto object = [](const Shown &values) {
    ordered_json j;
    for (size_t i = 0; i < values.size(); ++i)
      j[shownNames[i]] = std::isfinite(values[i]) ? ordered_json(values[i]) : ordered_json(nullptr);
    return j;
  };
  ordered_json j{{"schema", schemaOf("validate")},
                 {"corpus", corpus},
                 {"machine", v.machine},
                 {"unit", v.unit},
                 {"per", v.request.empty() ? "run" : "request"},
                 {"splits", v.splits},
                 {"profiled", v.profiled},
                 {"heldOut", v.heldOut},
                 {"truth", object(v.truth)},
                 {"floor", object(v.floor)}};
  j["estimators"] = ordered_json::array();
  for (const Prediction &p : v.predictions) {
    ordered_json row{{"name", p.estimator}};
    if (p.why.empty()) {
      row["heldOut"] = object(p.heldOut.mean);
      row["heldOutSpread"] = object(p.heldOut.spread);
      row["inSample"] = object(p.inSample.mean);
      row["inSampleSpread"] = object(p.inSample.spread);
    } else
      row["why"] = p.why;
    j["estimators"].push_back(std::move(row));
  }
  j["notes"] = ordered_json::array();
  for (const Note &n : v.notes)
    j["notes"].push_back({{"kind", n.kind}, {"text", n.text}});
  out << jsonText(j) << "\n";
}

} // namespace quincunx
