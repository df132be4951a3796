// What follows a change from run to run, and what runs do not tell: sizes that only the other side
// of a branch had, what an arm sets that decides elsewhere, and what goes along with trips.
// Reference: docs/17-what-if.md.
#include "FlowChanges.h"
#include "OneSide.h"

#include "estimate/figures/Notes.h"
#include "quincunx/base/Text.h"
#include "quincunx/numeric/LineFit.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

/// Of the cost there was: less is not told.
constexpr double minEffect = 0.005;
/// Of what follows the outcomes, the most that their own way may cost.
constexpr double nearlyNothing = 0.05;
/// Standard errors from which on costs are said to follow; what else varies from run to run may go
/// along by chance.
constexpr double minErrors = 4, heldErrors = 2;
/// Correlation from which on another branch goes along.
constexpr double goesAlong = 0.5;

/// Correlation over the runs, of what evaluations do not tell.
double correlation(const std::vector<double> &x, const std::vector<double> &y) {
  LineFit line;
  for (size_t d = 0; d < x.size(); ++d)
    line.add(x[d], y[d]);
  return std::copysign(std::sqrt(line.explained()), line.slope());
}

} // namespace

void FlowChanges::findSides() {
  for (const BranchChange *branch : branches) {
    const Result<double> reached = branch->reached(1);
    if (hasVariable() || !reached)
      continue;
    const auto beyond =
        beyondSide(branch->outcomes(), *reached, blocks.matrix().rows, blocks.runs());
    if (beyond) {
      missing = std::max(missing, beyond->share);
      warnings.push_back(
          {"sides", "the " + places.several() +
                        " that become more frequent by the change of the branch at " +
                        whereOf(branch->change) + " have " + escape(beyond->feature) + " up to " +
                        brief(beyond->ran) + ", those of the other side up to " +
                        brief(beyond->other) +
                        ", and costs grow with it: what such runs would cost beyond is not known, "
                        "so that intervals are open above; record " +
                        places.several() + " of this side with larger " + escape(beyond->feature)});
    }
    findFollowing(*branch);
  }
}

/// Where an outcome costs next to nothing on its way, and costs of runs follow it all the same, it
/// decides elsewhere: intervals hold what follows as it does from run to run.
void FlowChanges::findFollowing(const BranchChange &branch) {
  const BranchOutcomes &outcomes = branch.outcomes();
  const std::vector<Cumulants> costs = blocks.runs();
  std::vector<double> far(costs.size()), n, taken, cost;
  double moves = 0, direct = 0, sum = 0;
  for (size_t d = 0; d < costs.size(); ++d) {
    for (const Decision &copy : decided)
      if (const Result<double> more = copy.step->distance(d, 1);
          more && &copy.step->outcomes() == &outcomes) {
        far[d] += *more;
        direct += weights[d] * blocks.scale(d) * *more * copy.step->slope[0][d].k1;
      }
    moves += weights[d] * far[d], sum += weights[d] * costs[d].k1;
    const double evaluated = outcomes.evaluationsPerRun()[d];
    n.push_back(evaluated), taken.push_back(evaluated * outcomes.sharePerRun()[d]);
    cost.push_back(costs[d].k1);
  }
  const Following found = following(n, taken, cost);
  const double follows = std::fabs(found.perOutcome * moves);
  if (std::fabs(found.perOutcome) <= minErrors * found.error || follows <= minEffect * sum ||
      std::fabs(direct) > nearlyNothing * follows)
    return;
  followed.resize(costs.size());
  for (size_t d = 0; d < costs.size(); ++d)
    for (const double end : {-heldErrors, heldErrors}) {
      const double more = (found.perOutcome + end * found.error) * far[d];
      followed[d].low = std::max(-cost[d], std::min(followed[d].low, more));
      followed[d].high = std::max(followed[d].high, more);
    }
  warnings.push_back(
      {"elsewhere", "the branch at " + whereOf(branch.change) +
                        " costs next to nothing where it stands, and costs of " + places.several() +
                        " follow it: "
                        "what it sets may decide elsewhere" +
                        companion(outcomes) +
                        "; figures are those of its arms alone, intervals hold what follows as it "
                        "does from " +
                        places.observed() + " to " + places.observed()});
}

/// "; FILE:LINE goes along with it (correlation 0.98): ask about that"
std::string FlowChanges::companion(const BranchOutcomes &outcomes) const {
  std::string best;
  double most = goesAlong;
  const size_t runs = blocks.matrix().rows.size();
  std::vector<double> taken;
  for (size_t d = 0; d < runs; ++d)
    taken.push_back(outcomes.evaluationsPerRun()[d] * outcomes.sharePerRun()[d]);
  for (size_t f = 0; f < blocks.matrix().functions.size(); ++f) {
    const Function &code = blocks.function(f);
    std::vector<std::vector<double>> arm(code.branches.size());
    for (size_t d = 0; d < runs; ++d) {
      const FunctionCounts counts = flows.counts(f, d);
      for (size_t b = 0; b < arm.size(); ++b)
        arm[b].push_back(counts.edges[code.branches[b].arms.front()].value);
    }
    for (size_t b = 0; b < arm.size(); ++b) {
      const Branch &other = code.branches[b];
      const bool own = std::any_of(decided.begin(), decided.end(), [&](const Decision &d) {
        return d.step->function == f && d.branch.block == other.block;
      });
      if (const double r = correlation(taken, arm[b]);
          !own && hasTwoArms(other) && other.at.line > 0 && std::fabs(r) > most + 1e-9) {
        most = std::fabs(r);
        best = "; the branch at line " + std::to_string(other.at.line) + " of " +
               places.sourceName(code.name) + " goes along with it (correlation " + brief(r, 2) +
               "): ask about that";
      }
    }
  }
  return best;
}

bool FlowChanges::isOpenAbove(const Statistic &of) const {
  // As many runs beyond again as chance may add to few.
  return missing > 0 && (of.kind != Statistic::Kind::percentile || 1 - of.p <= 2 * missing);
}

std::string CovariateEffect::words(const std::string &several) const {
  std::vector<std::string> what;
  for (const auto &[who, power] : {std::pair{"the work outside of these loops", outside},
                                   {"how often they are entered", entries},
                                   {"what an iteration costs", within}})
    if (power > 0)
      what.push_back(who + std::string(" to the power ") + brief(power, 3));
  std::string list;
  for (size_t i = 0; i < what.size(); ++i)
    list += (i == 0 ? "" : i + 1 < what.size() ? ", " : " and ") + what[i];
  if (what.empty()) // by the power of all runs nothing does
    return "the cost of some " + several + " grows";
  return list + (most.empty() ? "" : " (in some " + several + " more)") +
         (what.size() == 1 ? " grows" : " grow");
}

namespace {

using LogPoints = std::vector<std::pair<double, double>>;

LineFit lineThrough(const LogPoints &points) {
  LineFit line;
  for (const auto &[x, y] : points)
    line.add(x, y);
  return line;
}

bool isSignificant(const LineFit &line) {
  return line.count() >= minFollowing && line.slope() > minSlopeRatio * line.slopeError();
}

/// The powers with which y grows as x does, 0 where that is not significant: of all runs, and of
/// the dearer ones for their x where these grow faster. Runs of several kinds have no one power,
/// and those that grow fastest are what is left when x grows.
struct Powers {
  double usual = 0, most = 0;
};
Powers powersOf(const std::vector<double> &x, const std::vector<double> &y) {
  LogPoints points, above, seen;
  for (size_t d = 0; d < x.size(); ++d)
    if (x[d] > 0 && y[d] > 0) {
      seen.emplace_back(x[d], y[d]);
      points.emplace_back(std::log(x[d]), std::log(y[d]));
    }
  const LineFit all = lineThrough(points);
  if (!isSpread(seen))
    return {};
  const double usual = isSignificant(all) ? all.slope() : 0;
  for (const auto &[at, value] : points)
    if (value > all.at(at))
      above.emplace_back(at, value);
  const LineFit upper = lineThrough(above);
  const double error = std::hypot(all.slopeError(), upper.slopeError());
  const bool faster = isSignificant(upper) && upper.slope() - all.slope() > minSlopeRatio * error;
  return {usual, faster ? std::max(usual, upper.slope()) : usual};
}

} // namespace

std::optional<CovariateEffect>
FlowChanges::covariateEffect(const std::vector<Cumulants> &costs) const {
  if (hasVariable() || loops.size() != steps.size())
    return {};
  CovariateEffect out{0, 0, 0, std::vector<double>(costs.size()), {}};
  std::vector<double> perEntry(costs.size()), rest(costs.size()), entered(costs.size());
  std::vector<double> factor(costs.size(), 1.0), after(costs.size());
  double fewest = HUGE_VAL;
  for (const LoopChange *loop : loops)
    if (loop->growth() && !loop->grows())
      out.within = std::max(out.within, loop->growth()->power);
  for (size_t d = 0; d < costs.size(); ++d) {
    double trips = 0, inside = 0, changed = 0;
    for (const LoopChange *loop : loops) {
      const Result<double> more = loop->distance(d, 1);
      const double cost = blocks.scale(d) * loop->slope[0][d].k1, k = more ? 1 + *more : 1;
      trips += loop->trips(d), entered[d] += loop->entries(d);
      inside += cost, changed += k * loop->trips(d);
      after[d] += (k + loop->dearer(d, 1)) * cost;
    }
    rest[d] = costs[d].k1 - inside;
    factor[d] = trips > 0 ? changed / trips : 1;
    if (entered[d] > 0 && blocks.matrix().rows[d].weight > 0)
      perEntry[d] = trips / entered[d];
    if (perEntry[d] > 0)
      fewest = std::min(fewest, perEntry[d]);
  }
  // What goes along with fewer trips is known down to the fewest that any run has.
  for (size_t d = 0; d < costs.size(); ++d)
    if (factor[d] < 1 && perEntry[d] > 0)
      factor[d] = std::max(factor[d], fewest / perEntry[d]);
  const Powers outside = powersOf(perEntry, rest), entries = powersOf(perEntry, entered);
  out.outside = outside.usual, out.entries = entries.usual;
  const auto follows = [&](double outsidePower, double entriesPower, size_t d) {
    return std::max(0.0, rest[d]) * (std::pow(factor[d], outsidePower) - 1) +
           after[d] * (std::pow(factor[d], entriesPower + out.within) - 1);
  };
  const bool several = outside.most > outside.usual || entries.most > entries.usual;
  double more = 0, most = 0, sum = 0;
  for (size_t d = 0; d < costs.size(); ++d) {
    out.more[d] = follows(outside.usual, entries.usual, d);
    if (several)
      out.most.push_back(follows(outside.most, entries.most, d));
    more += out.more[d], sum += costs[d].k1;
    most += several ? out.most[d] : out.more[d];
  }
  return std::max(std::fabs(more), std::fabs(most)) > minEffect * sum ? std::optional(out)
                                                                      : std::nullopt;
}

} // namespace quincunx
