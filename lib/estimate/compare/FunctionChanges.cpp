// Changes of functions.
// The idea: each function is tested by its own cost over the inputs, and all tests together are
// held to one level (Holm 1979), since of a thousand functions some differ by chance. A function
// without code that changed may have an effect, too: it is called more often.
#include "FunctionChanges.h"

#include "LineChanges.h"
#include "estimate/scaling/PairedBootstrap.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

/// Of equal counts, in means over runs.
constexpr double roundingOfMeans = 1e-9;

BuildFunctions functionsOf(const PricedBuild &build) {
  BuildFunctions out{build.rows(), bodiesOf(build.costs(), build.rows()), {}};
  for (const Map &map : build.costs().maps())
    for (const Function &f : map.functions) {
      out.names.insert(f.name);
      for (const Scope &scope : f.scopes)
        out.names.insert(scope.function);
    }
  return out;
}

std::optional<FunctionFigures> placeIn(const PricedBuild &build, size_t row,
                                       const FunctionMatch &match) {
  if (row != FunctionMatch::none)
    return build.rows().place(row);
  if (match.before != FunctionMatch::none || match.after != FunctionMatch::none)
    return {};
  FunctionFigures outside;
  outside.name = unattributedName;
  return outside;
}

RelativeChange callsOf(const FunctionMatch &m, const PricedBuild::Means &before,
                       const PricedBuild::Means &after) {
  RelativeChange out;
  out.before = m.before == FunctionMatch::none ? 0 : before.parts.functionCalls[m.before];
  out.after = m.after == FunctionMatch::none ? 0 : after.parts.functionCalls[m.after];
  if (std::abs(out.after - out.before) <= roundingOfMeans * out.before)
    out.after = out.before;
  out.change.value = out.before == out.after ? 0 : out.after / out.before - 1;
  return out;
}

std::vector<double> difference(const PairedCosts &paired) {
  std::vector<double> out;
  for (size_t d = 0; d < paired.before.size(); ++d)
    out.push_back(paired.after[d] - paired.before[d]);
  return out;
}

std::vector<std::vector<size_t>> runsOf(std::span<const RunPair> pairs,
                                        std::vector<size_t> RunPair::*which) {
  std::vector<std::vector<size_t>> out;
  for (const RunPair &p : pairs)
    out.push_back(p.*which);
  return out;
}

/// Describes the differences that were found.
class Describer {
public:
  Describer(const BuildPair &builds, const PairedCosts &all)
      : of(builds), program(all), before(of.before.means(runsOf(of.pairs, &RunPair::before))),
        after(of.after.means(runsOf(of.pairs, &RunPair::after))) {}

  FunctionChange describe(const FunctionMatch &match, const PairedCosts &paired,
                          double probability) const {
    FunctionChange out;
    out.before = placeIn(of.before, match.before, match);
    out.after = placeIn(of.after, match.after, match);
    out.state = match.state;
    out.isChanged = match.isChanged;
    const std::vector<double> differs = difference(paired);
    out.cost = {paired.meanBefore(), paired.meanAfter(), meanShare(differs, paired.before)};
    out.share = meanShare(differs, program.before);
    out.probability = probability;
    if (match.before == FunctionMatch::none && match.after == FunctionMatch::none)
      return out;
    out.calls = callsOf(match, before, after);
    out.lines = lineChanges({out.before, before}, {out.after, after}, paired.difference());
    return out;
  }

private:
  const BuildPair &of;
  const PairedCosts &program;
  PricedBuild::Means before, after;
};

} // namespace

std::vector<MatchedCosts> matchedCosts(const BuildPair &builds) {
  std::vector<MatchedCosts> out;
  for (const FunctionMatch &match :
       matchFunctions(functionsOf(builds.before), functionsOf(builds.after), builds.shortName)) {
    CostSeries costs;
    if (match.before != FunctionMatch::none)
      costs.before = builds.before.perRun(match.before);
    if (match.after != FunctionMatch::none)
      costs.after = builds.after.perRun(match.after);
    out.push_back({match, std::move(costs)});
  }
  out.push_back({{}, {builds.before.costs().unattributed(), builds.after.costs().unattributed()}});
  return out;
}

CostSeries costsOfProgram(const BuildPair &builds, std::span<const MatchedCosts> all) {
  CostSeries sum{std::vector<double>(builds.before.matrix().rows.size()),
                 std::vector<double>(builds.after.matrix().rows.size())};
  for (const MatchedCosts &one : all) {
    for (size_t d = 0; d < one.costs.before.size(); ++d)
      sum.before[d] += one.costs.before[d];
    for (size_t d = 0; d < one.costs.after.size(); ++d)
      sum.after[d] += one.costs.after[d];
  }
  return sum;
}

FunctionChanges functionChanges(const BuildPair &builds, std::span<const MatchedCosts> all,
                                const RepetitionNoise &noise, const PairedCosts &program) {
  std::vector<PairedCosts> paired;
  std::vector<double> probabilities;
  for (const MatchedCosts &one : all) {
    paired.push_back(pairedCosts(one.costs, builds.pairs));
    probabilities.push_back(noise.probability(one.costs, paired.back()));
  }
  probabilities = adjusted(probabilities);
  FunctionChanges out;
  std::optional<Describer> describer;
  const auto describe = [&](size_t i) {
    if (!describer)
      describer.emplace(builds, program);
    return describer->describe(all[i].match, paired[i], probabilities[i]);
  };
  size_t most = all.size();
  for (size_t i = 0; i < all.size(); ++i) {
    if (probabilities[i] <= comparisonLevel) {
      out.found.push_back(describe(i));
    } else if (paired[i].before != paired[i].after) {
      ++out.doubtful;
      if (most == all.size() ||
          std::abs(paired[i].difference()) > std::abs(paired[most].difference()))
        most = i;
    }
  }
  if (most < all.size())
    out.mostDoubtful = describe(most);
  std::ranges::stable_sort(out.found, std::greater<>(), [](const FunctionChange &f) {
    return std::abs(f.cost.after - f.cost.before);
  });
  return out;
}

} // namespace quincunx
