// Prints derivatives and elasticities: a table for each parameter, with how each is known.
// Percentiles are those that eval prints. Nothing is differentiated here.
#include "quincunx/report/Sensitivity.h"

#include "quincunx/base/Text.h"
#include "quincunx/report/Eval.h"
#include "report/layout/Grid.h"
#include "report/layout/JsonDocument.h"
#include "report/layout/Sections.h"

#include <cmath>
#include <limits>
#include <ostream>

namespace quincunx {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string howOf(const pamela::FigureSlope &f) {
  switch (f.slope.kind) {
  case Slope::Kind::kink:
    return "a kink: from below " + figure(f.slope.below) + ", from above " + figure(f.slope.above);
  case Slope::Kind::above:
    return "from above only";
  case Slope::Kind::below:
    return "from below only";
  case Slope::Kind::step:
    return "a step: none";
  case Slope::Kind::none:
    return "no value near";
  case Slope::Kind::smooth:
    break;
  }
  return f.isExact   ? "exact"
         : f.isOne() ? "differences, to " + figure(f.slope.error)
                     : "differences do not agree";
}

std::vector<Note> notesOf(const std::vector<pamela::Sensitivity> &all) {
  std::vector<Note> notes;
  for (const pamela::Sensitivity &s : all) {
    for (const std::string &text : s.notes)
      notes.push_back({"model", text});
    if (s.isBound && &s == &all[0])
      notes.push_back({"model", "of the lower bound; who waits for resources may take longer"});
  }
  return notes;
}

} // namespace

Result<pamela::Sensitivity> sensitivityOf(const pamela::Model &model,
                                          const pamela::EvaluateOptions &options,
                                          const std::string &parameter) {
  std::vector<pamela::Figure> figures;
  for (const char *name : {"mean", "sd"})
    figures.push_back(
        {name, [name](const pamela::Evaluated &e) { return figureOf(e.T, name).value_or(nan); }});
  for (size_t i = 0; i < std::size(percentileNames); ++i)
    figures.push_back({percentileNames[i], [i](const pamela::Evaluated &e) {
                         return lowerQuantile(e, reportedPercentiles[i]);
                       }});
  return pamela::sensitivityOf(model, options, parameter, figures);
}

void printSensitivities(const std::string &target, const std::vector<pamela::Sensitivity> &all,
                        const Display &display, std::ostream &out) {
  for (const pamela::Sensitivity &s : all) {
    out << heading("Derivatives of " + escape(target), display) << " in " << escape(s.parameter)
        << ", at " << escape(s.parameter) << " = " << figure(s.at) << "\n\n";
    Grid grid({"", "value", "derivative", "elasticity", "known by"}, 1);
    for (const pamela::FigureSlope &f : s.figures) {
      const bool one = f.isOne();
      const double e = pamela::elasticity(f.slope.value, s.at, f.value);
      grid.add({f.figure, figure(f.value), one ? figure(f.slope.value) : "",
                one && std::isfinite(e) ? figure(e) : "", howOf(f)});
    }
    grid.print(out, display);
    out << "\n";
  }
  printNotes(notesOf(all), out);
}

Status printSensitivitiesJson(const std::string &file, const std::string &target,
                              const std::vector<pamela::Sensitivity> &all, std::ostream &out) {
  constexpr const char *kinds[] = {"smooth", "kink", "above", "below", "step", "none"};
  ordered_json j{{"schema", schemaOf("derivatives")}, {"model", file}, {"target", target}};
  j["derivatives"] = ordered_json::array();
  for (const pamela::Sensitivity &s : all)
    for (const pamela::FigureSlope &f : s.figures) {
      const bool one = f.isOne(), kink = f.slope.kind == Slope::Kind::kink;
      j["derivatives"].push_back(
          {{"parameter", s.parameter},
           {"at", number(s.at)},
           {"figure", f.figure},
           {"lowerBound", s.isBound},
           {"value", number(f.value)},
           {"derivative", number(one ? f.slope.value : nan)},
           {"elasticity", number(one ? pamela::elasticity(f.slope.value, s.at, f.value) : nan)},
           {"kind", kinds[static_cast<size_t>(f.slope.kind)]},
           {"exact", f.isExact},
           {"error", number(f.slope.error)},
           {"below", number(kink ? f.slope.below : nan)},
           {"above", number(kink ? f.slope.above : nan)}});
    }
  return write(std::move(j), notesOf(all), out);
}

} // namespace quincunx
