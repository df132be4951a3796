// One sentence about why runs differ.
// The idea: the largest effect of inputs, and others of a tenth of the variance at least, each with
// the function that makes it; where inputs tell nothing, what the tail does. It computes nothing.
#include "Verdict.h"

#include "Ranking.h"
#include "quincunx/base/Text.h"
#include "report/layout/Grid.h"
#include "report/layout/Sections.h"

#include <cstdio>

namespace quincunx {

namespace {

/// Smaller shares of the variance are in the table alone.
constexpr double worthSaying = 0.1;

/// Three digits.
std::string rough(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

/// "deep (e01.c:4)".
std::string placeOf(const FunctionFigures &f, const Display &display) {
  const std::string name = rowName(f, display);
  return f.file.empty() || !f.members.empty()
             ? name
             : name + " (" + escape(fileName(f.file)) + ":" + std::to_string(f.line) + ")";
}

std::string carrierText(const Explained &e, const Carrier &by, const Display &display) {
  std::string s = placeOf(e.functions[by.function], display);
  if (by.caller != Carrier::none)
    s += ", called from " + rowName(e.functions[by.caller], display);
  return s;
}

std::string sentence(const Explained &e, const InputEffect &effect, const Display &display) {
  const std::string where = conditionText(effect);
  const bool isKnown = effect.by.function != Carrier::none;
  if (effect.kind != InputEffect::Kind::condition || 2 * effect.tailRuns <= e.tail.runs.size() ||
      effect.factor < 1)
    return (effect.kind == InputEffect::Kind::power ? "cost follows " : "") + effectText(effect) +
           (where.empty() ? "" : " where " + where) +
           (isKnown ? ", by " + carrierText(e, effect.by, display) : "") +
           (effect.by.power > 0 ? ", whose own has the power " + rough(effect.by.power) : "");
  std::string s =
      std::to_string(effect.tailRuns) + " of " + std::to_string(e.tail.runs.size()) + " slowest: ";
  if (isKnown && effect.by.isNew)
    s += carrierText(e, effect.by, display) + " ran, where ";
  else
    s += effectText(effect) + (isKnown ? " by " + carrierText(e, effect.by, display) + "," : "") +
         " where ";
  return s + where;
}

/// What to say where inputs tell nothing.
std::string ofTheTail(const Explained &e, const Display &display) {
  const std::string why =
      e.inputs.features.empty() ? "nothing that differs is recorded of all inputs (--feature)"
      : e.inputs.runs < 20      ? "too few runs to say how cost follows the inputs"
                                : "cost follows nothing that is recorded of the inputs";
  const std::vector<Contrast::Item> &parts = e.tail.contrast.functions;
  if (e.tail.runs.empty() || parts.empty())
    return why;
  const size_t f = ranked(parts.size(), 1, [&](size_t i) { return parts[i].share; }).front();
  return why + "; of what the " + std::to_string(e.tail.runs.size()) + " slowest cost more, " +
         percent(parts[f].share) + " is in " + placeOf(e.functions[f], display);
}

} // namespace

std::string conditionText(const InputEffect &effect) {
  std::string s;
  for (const InputCondition &c : effect.where)
    s += (s.empty() ? "" : " and ") + escape(c.feature) +
         (c.kind == InputCondition::Kind::equals ? " = " : " >= ") +
         (c.text.empty() ? exact(c.value) : escape(c.text));
  return s;
}

std::string effectText(const InputEffect &effect) {
  if (effect.kind == InputEffect::Kind::condition)
    return "cost x " + rough(effect.factor);
  if (effect.kind == InputEffect::Kind::exponential)
    return "cost x " + rough(effect.factor) + " for each 1 more of " + escape(effect.feature);
  const std::string of = effect.plusOne ? "1 + " + escape(effect.feature) : escape(effect.feature);
  return of + " to the power " + rough(effect.power) +
         (effect.powerLow != effect.powerHigh
              ? " (" + rough(effect.powerLow) + " .. " + rough(effect.powerHigh) + ")"
              : "");
}

std::string verdict(const Explained &e, const Display &display) {
  if (e.variance == 0)
    return "all runs cost the same";
  std::string s;
  for (const InputEffect &effect : e.inputs.effects)
    if (s.empty() || effect.share >= worthSaying)
      s += (s.empty() ? "" : "; ") + sentence(e, effect, display);
  return s.empty() ? ofTheTail(e, display) : s;
}

} // namespace quincunx
