// One question, or a sweep of one variable.
// The idea: price the runs as they were; then the machine, costs and flow in their order, the mix
// and the size; price the same runs again and compare. Costs are linear in the counts of the runs,
// so that a sweep over a variable needs no new model per point: the cost of a run is a polynomial
// in it, and a change of the flow goes further along a direction that is known. Reference:
// docs/17-what-if.md.
#include "Question.h"

#include "FlowChanges.h"
#include "PossibleCosts.h"
#include "TotalChanges.h"
#include "estimate/change/Composition.h"
#include "estimate/figures/Notes.h"
#include "estimate/price/PriceChange.h"
#include "estimate/scaling/InputMix.h"
#include "estimate/scaling/PairedBootstrap.h"
#include "estimate/scaling/Resize.h"
#include "estimate/scaling/Untried.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

namespace quincunx {

namespace {

using Target = Change::Target;

/// Parts that a law keeps apart in a sweep, where costs are random.
constexpr size_t sweepGroups = 128;

class Question {
public:
  Question(BlockCosts c, const Machine &m, const WhatIfOptions &o)
      : costs(std::move(c)), machine(m), options(o), asked(statisticsAsked(o.percentiles)),
        places(costs.matrix(), costs.maps(), o) {
    answer.machine = answer.otherMachine = machine.name;
    answer.unit = answer.otherUnit = machine.unit;
  }
  Result<WhatIfAnswer> ask(const std::vector<Change> &changes);
  /// FlowChanges::eitherWay().
  std::string eitherWay() const { return flow ? flow->eitherWay() : std::string(); }

private:
  bool isOfLibrary(const Change &c) const;
  Status takeMachine(const std::vector<Change> &changes);
  Status takePrices(const std::vector<Change> &changes);
  Status takeCosts(const std::vector<Change> &changes);
  Status takeTotals(const std::vector<Change> &changes);
  Status takeFlow(const std::vector<Change> &changes);
  Status takeSize(const std::vector<Change> &changes);
  Status takeMix(const std::vector<Change> &changes);
  std::vector<MixtureComponent> scatteredParts(const std::vector<Cumulants> &expected,
                                               const std::vector<double> &perRun) const;
  Result<CostSample> worldAt(double x, size_t groups);
  Result<CostSample> resized(std::vector<MixtureComponent> parts, double x, size_t groups);
  void addFlow(const FlowEffect &effect, const std::vector<double> &perRun, double x,
               std::vector<Cumulants> &sum);
  void addNote(const Note &note);
  Status compare();
  Status openFlow(const CostSample &after);
  Status sweep();
  void countRuns();

  BlockCosts costs;
  Machine machine; ///< that prices them
  const WhatIfOptions &options;
  const std::vector<Statistic> asked;
  const NameResolver places;
  std::vector<Cumulants> base; ///< per run, as the machine that is after expects it
  std::optional<CostChanges> replaced;
  std::optional<TotalChanges> totals;
  std::optional<FlowChanges> flow;
  std::optional<Change> size;
  std::vector<IntervalEstimate> sizeAfter, sizeDifference; ///< where the size changes
  double flowError = 0;                                    ///< FlowEffect::error
  CostSample before;
  std::vector<std::vector<Cumulants>> terms; ///< per power of the variable and run
  std::vector<double> weights;               ///< per run, after
  WhatIfAnswer answer;
};

/// One part per run, of which the machine expects so much.
std::vector<MixtureComponent> Question::scatteredParts(const std::vector<Cumulants> &expected,
                                                       const std::vector<double> &perRun) const {
  const auto &rows = costs.matrix().rows;
  std::vector<MixtureComponent> parts;
  parts.reserve(rows.size());
  for (size_t d = 0; d < rows.size(); ++d)
    parts.push_back({costs.scattered(expected[d]), perRun[d], isCensored(rows[d].outcome)});
  return parts;
}

Status Question::takeMachine(const std::vector<Change> &changes) {
  for (const Change &c : changes) {
    if (c.target != Target::machine)
      continue;
    Result<Machine> other = machineByName(c.file);
    if (!other)
      return about(c, other.error());
    machine = std::move(*other);
    costs.price(machine);
    base = costs.expectedRuns();
    answer.otherMachine = machine.name;
    answer.otherUnit = machine.unit;
    answer.changes.push_back(
        {c.text, "all blocks cost what machine " + machine.name + " says", "exact on the counts"});
    if (machine.unit != answer.unit)
      answer.notes.push_back({"units", "before is in " + answer.unit + ", after in " +
                                           machine.unit + ": differences mean little"});
  }
  return Done{};
}

Status Question::takePrices(const std::vector<Change> &changes) {
  for (const Change &c : changes) {
    if (c.target != Target::price)
      continue;
    const Result<PriceChange> done = changePrice(costs, machine, c.name, c.scales, c.value);
    if (!done)
      return about(c, done.error());
    base = costs.expectedRuns();
    answer.changes.push_back(
        {c.text,
         c.name + (done->isClass ? ", a class of instructions, costs " : ", an event, costs ") +
             brief(done->is.k1, 4) + " " + machine.unit + " in place of " + brief(done->was.k1, 4) +
             "; " + brief(100 * done->share, 3) + " % of the mean cost",
         "exact on the counts"});
  }
  return Done{};
}

/// Is it about calls of what was not counted?
bool Question::isOfLibrary(const Change &c) const {
  const bool isOfFunction =
      c.target == Target::cost || c.target == Target::calls || c.target == Target::total;
  return isOfFunction && c.place.file.empty() && !places.isCounted(c.name);
}

// How often a library is called comes last, of the costs that its calls have then.
Status Question::takeCosts(const std::vector<Change> &changes) {
  replaced.emplace(costs, base, places);
  for (const bool more : {false, true})
    for (const Change &c : changes) {
      const bool isCost =
          c.isInclusive() ? isOfLibrary(c) : c.target == Target::cost || c.target == Target::calls;
      if (!isCost || more != (c.target == Target::calls && c.scales))
        continue;
      Result<AppliedChange> done = replaced->apply(c, c.variable.empty() ? 0 : 1);
      if (!done)
        return about(c, done.error());
      answer.changes.push_back(std::move(*done));
    }
  terms = replaced->runs();
  return Done{};
}

Status Question::takeTotals(const std::vector<Change> &changes) {
  std::vector<Change> under;
  std::ranges::copy_if(changes, std::back_inserter(under),
                       [&](const Change &c) { return c.isInclusive() && !isOfLibrary(c); });
  if (under.empty())
    return Done{};
  totals.emplace(costs, *replaced, places, base);
  if (Status s = totals->take(under); !s)
    return s;
  const std::vector<AppliedChange> &done = totals->applied();
  answer.changes.insert(answer.changes.end(), done.begin(), done.end());
  answer.notes.insert(answer.notes.begin(), totals->notes().begin(), totals->notes().end());
  return Done{};
}

Status Question::takeFlow(const std::vector<Change> &changes) {
  for (const Change &c : changes) {
    if (c.target != Target::trips && c.target != Target::probability)
      continue;
    if (!flow)
      flow.emplace(costs, *replaced, places, options.withinRuns);
    Result<AppliedChange> done = flow->apply(c);
    if (!done)
      return about(c, done.error());
    answer.changes.push_back(std::move(*done));
  }
  if (!flow)
    return Done{};
  if (Status s = flow->finish(); !s)
    return s;
  answer.notes.insert(answer.notes.begin(), flow->notes().begin(), flow->notes().end());
  return Done{};
}

Status Question::takeMix(const std::vector<Change> &changes) {
  const auto &rows = costs.matrix().rows;
  for (const CountMatrix::Row &row : rows)
    weights.push_back(row.weight);
  for (const Change &c : changes) {
    if (c.target != Target::mix)
      continue;
    const Result<InputMix> mix = readMix(c.file, isText(c.name, rows));
    if (!mix)
      return mix.error();
    Result<std::vector<double>> other = weightsOf(*mix, c.name, rows);
    if (!other)
      return about(c, other.error());
    weights = std::move(*other);
    const auto used = std::count_if(weights.begin(), weights.end(), [](double w) { return w > 0; });
    answer.changes.push_back(
        {c.text,
         std::to_string(used) + " of " + std::to_string(rows.size()) + " " + places.several() +
             " stand for the new mix",
         "exact on the counts; " + places.several() + " of a class stand for its inputs"});
  }
  return Done{};
}

Status Question::takeSize(const std::vector<Change> &changes) {
  for (const Change &c : changes) {
    if (c.target != Target::size)
      continue;
    const auto &rows = costs.matrix().rows;
    size = c;
    if (sizesOf(rows, c.name).empty())
      return about(c, isText(c.name, rows)
                          ? Error{escape(c.name) + " has texts, and no sizes; " +
                                  "give them other weights with mix(" + escape(c.name) + ")"}
                          : unknownFeature(c.name, rows));
    answer.changes.push_back({c.text, sizesIn(rows, c.name),
                              "where runs are near a size they stand for it, elsewhere a law of "
                              "growth does"});
    answer.grows = c.name;
    if (Result<Growth> growth = growthWith(c.name, costs))
      answer.growth = std::move(*growth);
  }
  return Done{};
}

void Question::addFlow(const FlowEffect &effect, const std::vector<double> &perRun, double x,
                       std::vector<Cumulants> &sum) {
  addPowers(effect.delta, x, sum);
  if (!effect.spread(perRun, sum))
    addNote({"dispersion", "independent outcomes would make more variance than there is: "
                           "counts are scaled without it"});
}

/// In front, once.
void Question::addNote(const Note &note) {
  const auto same = [&](const Note &n) { return n.text == note.text; };
  if (std::none_of(answer.notes.begin(), answer.notes.end(), same))
    answer.notes.insert(answer.notes.begin(), note);
}

/// The costs of runs of another size.
Result<CostSample> Question::resized(std::vector<MixtureComponent> parts, double x, size_t groups) {
  const SizeChange to{size->name, size->value.k1 * (size->variable.empty() ? 1 : x), size->scales};
  const bool many = !options.variable.empty();
  Result<Resized> other = resize(costs.matrix().rows, before, parts, to,
                                 many ? std::vector<Statistic>() : asked, groups);
  if (!other)
    return about(*size,
                 Error{other.error().text + " (" + sizesIn(costs.matrix().rows, size->name) + ")"});
  if (other->law) {
    const std::vector<Sized> ran = sizesOf(costs.matrix().rows, size->name);
    const std::vector<UntriedBranch> untried =
        untriedBranches(costs, {ran.front().size, ran.back().size, other->beyond.grow});
    if (!untried.empty())
      openBeyond(*other, asked);
    for (const Note &n :
         notesOn(untried, [&](const std::string &name) { return places.sourceName(name); }))
      addNote(n);
  }
  for (const Note &n : notesOn(*other, to.feature)) {
    if (many) // of a sweep, the last point that has one
      std::erase_if(answer.notes, [&](const Note &was) { return was.kind == n.kind; });
    addNote(n);
  }
  sizeAfter = std::move(other->after);
  sizeDifference = std::move(other->difference);
  return std::move(other->world);
}

Result<CostSample> Question::worldAt(double x, size_t groups) {
  const auto &rows = costs.matrix().rows;
  std::vector<Cumulants> sum(rows.size());
  addPowers(terms, x, sum);
  if (totals)
    totals->addTo(x, sum);
  std::vector<double> perRun = weights;
  ReweighRuns redraw;
  double mostRuns = HUGE_VAL;
  if (flow) {
    const Result<FlowEffect> effect = flow->at(x);
    if (!effect)
      return effect.error();
    for (size_t d = 0; d < perRun.size(); ++d)
      perRun[d] *= effect->weights[d];
    addFlow(*effect, perRun, x, sum);
    redraw = effect->redraw;
    mostRuns = effect->rarerRuns;
    flowError = effect->error;
  }
  std::vector<MixtureComponent> parts = scatteredParts(sum, perRun);
  if (size)
    return resized(std::move(parts), x, groups);
  Result<CostSample> world = CostSample::make(std::move(parts), {}, groups);
  if (world) {
    world->reweigh = std::move(redraw);
    world->runs = std::min(world->runs, static_cast<uint64_t>(std::min(mostRuns, 1e18)));
  }
  return world;
}

Interval widened(const IntervalEstimate &e, double error) {
  return {e.value - std::hypot(e.value - e.trust.low, error),
          e.value + std::hypot(e.trust.high - e.value, error)};
}

Status Question::compare() {
  const Result<CostSample> after = worldAt(1, SIZE_MAX);
  if (!after)
    return after.error();
  answer.afterRuns = static_cast<double>(after->runs);
  const std::vector<IntervalEstimate> change =
      size ? sizeDifference : differences(before, *after, asked, costs.matrix().rows.size());
  const std::vector<Interval> redrawn = !size && after->reweigh
                                            ? intervalsOf(*after, asked, costs.matrix().rows.size())
                                            : std::vector<Interval>();
  for (size_t f = 0; f < asked.size(); ++f) {
    answer.figures[f].after = size ? sizeAfter[f] : figureOf(*after, asked[f]);
    answer.figures[f].difference = change[f];
    if (!redrawn.empty())
      answer.figures[f].after.trust = redrawn[f];
    if (flowError > 0 && !size)
      for (IntervalEstimate *e : {&answer.figures[f].after, &answer.figures[f].difference})
        e->trust = widened(*e, flowError);
  }
  if (size) {
    if (flow || (totals && !totals->range().empty()))
      addNote({"apart",
               "intervals hold what is not known of the size, and not what is not known of "
               "the other changes: ask these by themselves for theirs"});
    return Done{};
  }
  if (Status s = holdRange(flow     ? flow->range()
                           : totals ? totals->range()
                                    : std::vector<PointerTargets::Bounds>(),
                           before, *after, asked, answer.figures);
      !s)
    return s;
  return flow ? openFlow(*after) : Status(Done{});
}

/// What of the flow is not known, and what may go along with it.
Status Question::openFlow(const CostSample &after) {
  for (Compared &c : answer.figures)
    if (flow->areRecursive())
      c.after.trust = c.difference.trust = {-HUGE_VAL, HUGE_VAL};
  for (size_t f = 0; f < asked.size(); ++f)
    if (flow->isOpenAbove(asked[f]))
      answer.figures[f].after.trust.high = answer.figures[f].difference.trust.high = HUGE_VAL;
  std::vector<Cumulants> priced(costs.matrix().rows.size());
  addPowers(terms, 1, priced);
  const std::optional<CovariateEffect> along = flow->covariateEffect(priced);
  if (!along)
    return Done{};
  addNote({"along", "from " + places.observed() + " to " + places.observed() + " " +
                        along->words(places.several()) +
                        " with their trips per entry; where it does so here, as with longer "
                        "inputs, the figures would be those of the last column, and intervals "
                        "hold both"});
  if (!along->most.empty()) {
    std::vector<PointerTargets::Bounds> range;
    for (const double most : along->most)
      range.push_back({std::min(0.0, most), std::max(0.0, most)});
    if (Status s = holdRange(range, before, after, asked, answer.figures); !s)
      return s;
  }
  return holdAlong(along->more, before, after, asked, answer.figures);
}

Status Question::sweep() {
  answer.variable = options.variable;
  answer.afterRuns = static_cast<double>(before.runs);
  for (const double x : options.points) {
    const Result<CostSample> after = worldAt(x, sweepGroups);
    if (!after)
      return after.error();
    answer.afterRuns = static_cast<double>(after->runs);
    SweepPoint point{x, {}};
    for (const Statistic &a : asked)
      point.after.push_back(valueOf(*after, a));
    answer.points.push_back(std::move(point));
  }
  return Done{};
}

void Question::countRuns() {
  const CountMatrix &matrix = costs.matrix();
  answer.crashed = matrix.crashed;
  answer.unrecorded = matrix.unrecorded;
  for (const CountMatrix::Row &row : matrix.rows)
    ++(isCensored(row.outcome) ? answer.censored : answer.finished);
  for (Note &n : notesOn({answer.finished, answer.censored, matrix.crashed, matrix.unrecorded,
                          matrix.withoutMap}))
    answer.notes.push_back(std::move(n));
  std::vector<const Function *> ran;
  for (const CountMatrix::Columns &f : matrix.functions)
    ran.push_back(&costs.maps()[f.map].functions[f.function]);
  for (Note &n : notesOnAssembly(ran))
    answer.notes.push_back(std::move(n));
  if (std::any_of(matrix.functions.begin(), matrix.functions.end(),
                  [](const CountMatrix::Columns &f) { return !f.trees.empty(); }))
    answer.notes.push_back({"lost-frames",
                            "some calls never returned, so that counts are intervals; "
                            "their middle is taken (quincunx report says how wide)"});
  answer.notes.push_back({"inputs", "intervals hold 90 % and assume inputs drawn as in real use"});
}

Result<WhatIfAnswer> Question::ask(const std::vector<Change> &changes) {
  const auto &rows = costs.matrix().rows;
  std::vector<double> same;
  for (const CountMatrix::Row &row : rows)
    same.push_back(row.weight);
  base = costs.expectedRuns();
  Result<CostSample> was = CostSample::make(scatteredParts(base, same));
  if (!was)
    return was.error();
  before = std::move(*was);
  for (const Statistic &a : asked)
    answer.figures.push_back({a.name, figureOf(before, a), {}, {}, {}});
  for (const auto step :
       {&Question::takeMachine, &Question::takePrices, &Question::takeCosts, &Question::takeTotals,
        &Question::takeFlow, &Question::takeMix, &Question::takeSize})
    if (Status s = (this->*step)(changes); !s)
      return s.error();
  if (Status s = options.variable.empty() ? compare() : sweep(); !s)
    return s.error();
  countRuns();
  return std::move(answer);
}

bool changesOutcomes(const std::vector<Change> &changes) {
  return std::ranges::any_of(changes,
                             [](const Change &c) { return c.target == Target::probability; });
}

/// Intervals hold what outcomes do that change within runs, where these were weighted.
void holdWithin(const WhatIfAnswer &within, const std::string &observed, const std::string &where,
                WhatIfAnswer &answer) {
  const auto hold = [](IntervalEstimate &of, const IntervalEstimate &other) {
    of.trust.low = std::min(of.trust.low, other.trust.low);
    of.trust.high = std::max(of.trust.high, other.trust.high);
  };
  std::string mean;
  for (size_t f = 0; f < answer.figures.size(); ++f) {
    hold(answer.figures[f].after, within.figures[f].after);
    hold(answer.figures[f].difference, within.figures[f].difference);
    if (answer.figures[f].name == "mean")
      mean = brief(within.figures[f].after.value, 4);
  }
  answer.notes.insert(
      answer.notes.begin(),
      {"weighted", observed + "s differ in how often the branch at " + where +
                       " is true, and are weighted by that, as with other inputs; where it is "
                       "changed for the inputs there are, the mean would be " +
                       mean + ", and intervals hold both"});
}

} // namespace

Result<WhatIfAnswer> answered(BlockCosts costs, const Machine &machine,
                              const std::vector<Change> &changes, const WhatIfOptions &options) {
  if (!changesOutcomes(changes) || !options.variable.empty() || options.withinRuns)
    return Question(std::move(costs), machine, options).ask(changes);
  const CountMatrix &matrix = costs.matrix();
  const std::vector<Map> &maps = costs.maps();
  Question question(std::move(costs), machine, options);
  Result<WhatIfAnswer> answer = question.ask(changes);
  if (!answer || question.eitherWay().empty())
    return answer;
  WhatIfOptions within = options;
  within.withinRuns = true;
  // Where it has no answer, as that side never ran in some runs, there is no other way.
  if (const auto other = Question(BlockCosts(matrix, maps, machine), machine, within).ask(changes))
    holdWithin(*other, options.observed, question.eitherWay(), *answer);
  return answer;
}

} // namespace quincunx
