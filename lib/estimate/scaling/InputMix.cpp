// Another mix of inputs.
// The idea: a line of the file is a class of inputs with its share in the new mix; the runs of that
// class share it. What a run counted stays, so that any figure is exact for the new mix as far as
// the runs of a class stand for its inputs. Reference: docs/17-what-if.md. It makes no runs of
// sizes that nobody profiled.
#include "InputMix.h"

#include "quincunx/base/Nearest.h"
#include "quincunx/base/ReadFile.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <sstream>

namespace quincunx {

namespace {

/// `*` stands for any text, `?` for any character.
bool matches(std::string_view pattern, std::string_view text) {
  size_t p = 0, t = 0, star = std::string_view::npos, from = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1; // the star takes one character more
      t = ++from;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

Status parseValue(InputMix::Line &line) {
  const size_t dots = line.value.find("..");
  line.isRange = dots != std::string::npos;
  const bool good = line.isRange ? parseNumber(line.value.substr(0, dots), line.low) &&
                                       parseNumber(line.value.substr(dots + 2), line.high) &&
                                       line.low <= line.high
                                 : parseNumber(line.value, line.low);
  if (!line.isRange)
    line.high = line.low;
  if (good)
    return Done{};
  return Error{"'" + escape(line.value) +
               "' is neither a number nor a range FROM..TO (a tab stands before the weight)"};
}

Result<InputMix::Line> parseLine(const std::string &text, bool isText) {
  const auto parts = fields(text, '\t');
  InputMix::Line line;
  line.value = parts[0];
  if (line.value.empty() || parts.size() > 2)
    return Error{"expected VALUE, or VALUE, a tab and WEIGHT"};
  const auto isWeight = [](double w) { return w == 0 || (w >= 1e-100 && w <= 1e100); };
  if (parts.size() == 2 && (!parseNumber(parts[1], line.weight) || !isWeight(line.weight)))
    return Error{"'" + escape(parts[1]) +
                 "' is no weight: write 0, or a number from 1e-100 to 1e100"}; // has a square
  if (Status s = isText ? Status(Done{}) : parseValue(line); !s)
    return s.error();
  return line;
}

const double *featureOf(const CountMatrix::Row &row, const std::string &feature) {
  const auto at = row.features.find(feature);
  return at == row.features.end() ? nullptr : &at->second;
}

/// What patterns are held against; none: the run has no such feature.
std::optional<std::string> textOf(const CountMatrix::Row &row, const std::string &feature) {
  if (feature == "label")
    return row.label;
  if (const auto text = row.texts.find(feature); text != row.texts.end())
    return text->second;
  const double *number = featureOf(row, feature);
  return number ? std::optional(exact(*number)) : std::nullopt;
}

/// The runs that a line means: of a number those that have just it, or else those near it.
std::vector<size_t> members(const InputMix::Line &line, const std::string &feature,
                            const std::vector<CountMatrix::Row> &rows) {
  std::vector<size_t> found;
  const auto collect = [&](double low, double high) {
    for (size_t d = 0; d < rows.size(); ++d)
      if (const double *x = featureOf(rows[d], feature); x && *x >= low && *x <= high)
        found.push_back(d);
  };
  if (isText(feature, rows)) {
    for (size_t d = 0; d < rows.size(); ++d)
      if (const auto text = textOf(rows[d], feature); text && matches(line.value, *text))
        found.push_back(d);
    return found;
  }
  collect(line.low, line.high);
  const double around = nearSize * std::abs(line.low);
  if (found.empty() && !line.isRange)
    collect(line.low - around, line.low + around);
  return found;
}

Result<InputMix> parseMix(const std::string &text, const std::string &file, bool isText) {
  InputMix mix{file, {}};
  std::istringstream in(text);
  double total = 0;
  unsigned at = 0;
  for (std::string line; std::getline(in, line);) {
    ++at;
    if (line.ends_with('\r'))
      line.pop_back();
    if (line.empty() || line.starts_with('#'))
      continue;
    Result<InputMix::Line> parsed = parseLine(line, isText);
    if (!parsed)
      return Error{parsed.error().text, file, at};
    parsed->at = at;
    total += parsed->weight;
    mix.lines.push_back(std::move(*parsed));
  }
  if (total > 0)
    return mix;
  return Error{mix.lines.empty() ? "a mix needs at least one line" : "all weights are 0", file};
}

} // namespace

bool isText(const std::string &feature, const std::vector<CountMatrix::Row> &rows) {
  return feature == "label" || std::any_of(rows.begin(), rows.end(), [&](const auto &row) {
           return row.texts.contains(feature);
         });
}

Result<InputMix> readMix(const std::string &file, bool isText) {
  const Result<std::string> text = readTextFile(file);
  if (!text)
    return Error{"cannot read the mix: " + text.error().text, file};
  return parseMix(*text, file, isText);
}

Error unknownFeature(const std::string &feature, const std::vector<CountMatrix::Row> &rows) {
  std::set<std::string> names{"label"};
  for (const CountMatrix::Row &row : rows) {
    for (const auto &[name, value] : row.features)
      names.insert(name);
    for (const auto &[name, text] : row.texts)
      names.insert(name);
  }
  const std::vector<std::string> all(names.begin(), names.end());
  const std::string near = nearest(feature, all);
  std::string list;
  for (const std::string &name : all)
    list += (list.empty() ? "" : ", ") + escape(name);
  return Error{"no run has a feature '" + escape(feature) + "'" +
               (near.empty() ? "; there is " + list : "; did you mean '" + escape(near) + "'?")};
}

Result<std::vector<double>> weightsOf(const InputMix &mix, const std::string &feature,
                                      const std::vector<CountMatrix::Row> &rows) {
  const auto has = [&](const auto &row) { return textOf(row, feature).has_value(); };
  if (std::none_of(rows.begin(), rows.end(), has))
    return unknownFeature(feature, rows);
  std::vector<double> weights(rows.size(), 0.0);
  for (const InputMix::Line &line : mix.lines) {
    const std::vector<size_t> runs = members(line, feature, rows);
    if (runs.empty())
      return Error{"no run has the " + escape(feature) + " '" + escape(line.value) + "'", mix.file,
                   line.at};
    double all = 0;
    for (const size_t d : runs)
      all += rows[d].weight;
    for (const size_t d : runs)
      weights[d] += line.weight * rows[d].weight / all;
  }
  return weights;
}

} // namespace quincunx
