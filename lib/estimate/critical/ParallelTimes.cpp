// Counts of the clock become time by one factor for each run: what it costs without its start, over
// what its threads did. How much threads slow each other down is one more for each number of
// threads; of a number that was not timed, that of the next smaller one that was. Parts of a run
// whose counts take longer than others are not told apart; what that comes to is part of the error
// that the test against the clock shows.
#include "quincunx/estimate/ParallelTimes.h"

#include "RunFates.h"
#include "StrandPrices.h"
#include "StrandRuns.h"
#include "base/TimeUnits.h"
#include "quincunx/estimate/Timeline.h"

#include "quincunx/base/Parallel.h"
#include "quincunx/base/Text.h"
#include "quincunx/numeric/Quantile.h"
#include "quincunx/profile/Features.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace quincunx {

namespace {

/// Time of counts in one run.
struct Clock {
  double start = 0, perCount = 0, alone = 0;
  double operator()(double counts) const {
    return perCount > 0 ? start + perCount * counts : alone;
  }
  SimulatedTime operator()(const Fates &f) const {
    return {.alone = (*this)(workIn(f.fate.description)),
            .time = (*this)(f.fate.simulated.makespan),
            .withJobs = (*this)(f.withJobs),
            .inOrder = (*this)(f.inOrder),
            .needed = f.needed,
            .ofChunks = f.fate.description.ofChunks,
            .hasHardlyWorked = f.fate.description.hasHardlyWorked,
            .missed = f.fate.simulated.missed,
            .evenness = f.fate.description.evenness,
            .soonest = (*this)(f.fate.soonest),
            .latest = (*this)(f.fate.latest)};
  }
};

class Teller {
public:
  Teller(const Corpus &c, const Observed &o, const ClockCosts &k, const Processors &p,
         const StrandChanges &s, const StrandPrices &of)
      : corpus(c), counts(k), changes(s), prices(of), processors(p),
        inSeconds(secondsIn(o.unit).value_or(0)), startUp(o.startUp) {
    out.unit = o.unit;
    for (const RunFigures &r : o.runs)
      costs[r.identity] = r.cost.k1;
    const size_t each = std::max<size_t>(processors.threads.size(), 1);
    atOnce = (enough + each - 1) / each;
  }

  /// Runs of which the plain program was timed, with several threads, on more than one processor.
  std::vector<TimedStrands> tellTimed() {
    areTimed = true;
    if (!tell())
      return {};
    std::vector<TimedStrands> all;
    for (auto &[i, t] : timed) {
      if (const auto of = alone.find(t.input); of != alone.end())
        t.alone = *out.runs[of->second].clock / out.runs[of->second].here;
      t.off = *out.runs[i].clock / out.runs[i].here / t.alone - 1;
      if (std::isfinite(t.off))
        all.push_back(std::move(t));
    }
    return all;
  }

  Result<ParallelTimes> tell() {
    if (const Status s = readTimings(); !s)
      return s.error();
    if (areTimed && (clocks.empty() || processors.timed < 2 || inSeconds == 0))
      return nothingIn(out);
    if (!processors.threads.empty()) {
      LeftOut left;
      const Status known = forEachStrandRun(corpus, left, [this](const Run &run) -> Status {
        ran[inputOf(run.label)].insert(threadsOf(run, threadsAtOnce(run.strands.front())));
        return Done{};
      });
      if (!known)
        return known.error();
    }
    const Status read = forEachStrandRun(corpus, out, [this](Run &&run) -> Status {
      if (areTimed && !clocks.contains(run.label))
        return Done{};
      for (const StrandThread &t : run.strands.front().threads)
        events += t.events.size();
      waiting.push_back({.run = std::move(run)});
      if (waiting.size() == atOnce || events > mostEvents)
        tellWaiting();
      return Done{};
    });
    if (!read)
      return read.error();
    tellWaiting();
    if (out.runs.empty() && !out.notTold.empty())
      return Error{"times of " + threadsText(out.notTold.begin()->first) +
                   " cannot be told: " + out.notTold.begin()->second.why};
    if (out.runs.empty())
      return nothingIn(out);
    compareRetold();
    slowDown();
    return areTimed ? ParallelTimes() : std::move(out);
  }

private:
  Status readTimings() {
    const auto program = corpus.timedProgram();
    const auto timings = corpus.timings();
    if (!program || !timings)
      return program ? timings.error() : program.error();
    if (*program && (*program)->pinned >= 0)
      processors.timed = 1;
    if (processors.timed == 0)
      return Done{};
    for (const Timing &t : *timings)
      for (const Repetition &r : t.repetitions) {
        Least &least = clocks.try_emplace(t.label, Least{r.wall, r.cpu()}).first->second;
        least = {std::min(least.wall, r.wall), std::min(least.cpu, r.cpu())};
      }
    return Done{};
  }

  /// One run with as many threads as it had, or with others.
  struct Told {
    std::optional<ParallelTime> time;
    /// Number of threads of which it is not told; 0: nothing is told of the run.
    uint32_t notOf = 0;
    Error why = {};
    std::optional<TimedStrands> timed = {}; ///< of several threads
  };
  struct Waiting {
    Run run;
    Result<ParallelWork> work = Error{};
    uint32_t had = 0;
    Clock clock = {};
    std::vector<uint32_t> threads = {}, others = {}; ///< to be told of, and to be told again
    std::vector<Told> told = {};
    std::vector<double> again = {}; ///< counts; below 0: cannot be
  };

  /// Runs are independent, and so are numbers of threads: all at once, then one after another.
  void tellWaiting() {
    forEachParallel(waiting.size(), [&](size_t w) { prepare(waiting[w]); });
    struct Part {
      Waiting *of;
      size_t number;
    };
    std::vector<Part> parts;
    for (Waiting &w : waiting)
      for (size_t i = 0; i < w.threads.size() + w.others.size(); ++i)
        parts.push_back({&w, i});
    forEachParallel(parts.size(), [&](size_t p) {
      Waiting &w = *parts[p].of;
      const size_t i = parts[p].number, n = w.threads.size();
      if (i < n)
        w.told[i] = areTimed ? timedOf(w) : timeOf(w, w.threads[i]);
      else
        w.again[i - n] = tellAgain(w, w.others[i - n]);
    });
    for (Waiting &w : waiting)
      add(w);
    waiting.clear();
    events = 0;
  }

  void prepare(Waiting &w) const {
    const auto cost = costs.find(w.run.identity);
    if (cost == costs.end())
      return;
    w.work = workOf(w.run, counts);
    if (!w.work)
      return;
    w.had = threadsOf(w.run, threadsAtOnce(w.run.strands.front()));
    const auto total = static_cast<double>(w.work->work);
    const double start = std::min(startUp, cost->second);
    w.clock = {start, total > 0 ? (cost->second - start) / total : 0, cost->second};
    if (processors.threads.empty()) {
      w.threads = {w.had};
    } else {
      const std::set<uint32_t> &recorded = ran.at(inputOf(w.run.label));
      const bool hasMost = w.had == *recorded.rbegin();
      for (const uint32_t threads : processors.threads)
        if (threads == w.had || (!recorded.contains(threads) && hasMost))
          w.threads.push_back(threads);
      for (const uint32_t threads : recorded)
        if (threads != 1 && recorded.size() > 1 && (threads == w.had || hasMost))
          w.others.push_back(threads);
    }
    w.told.resize(w.threads.size());
    w.again.resize(w.others.size());
  }

  void add(Waiting &w) {
    if (!costs.contains(w.run.identity)) {
      ++out.notFinished; // not one of those that were observed
      return;
    }
    if (!w.work)
      return leaveOut(w.work.error());
    for (Told &told : w.told) {
      if (!told.time && told.notOf == 0) {
        leaveOut(told.why);
      } else if (!told.time) {
        ParallelTimes::NotTold &left = out.notTold[told.notOf];
        if (left.runs++ == 0)
          left.why = told.why.text;
      } else {
        const ParallelTime &t = *told.time;
        if (t.clock && t.alone > t.start)
          slower[t.threads].push_back(
              {out.runs.size(),
               (clocks.at(w.run.label).cpu / inSeconds - t.start) / (t.alone - t.start)});
        if (told.timed)
          timed.emplace_back(out.runs.size(), std::move(*told.timed));
        else if (t.clock && t.threads == 1)
          alone[inputOf(w.run.label)] = out.runs.size();
        out.runs.push_back(std::move(*told.time));
      }
    }
    for (size_t i = 0; i < w.others.size(); ++i)
      if (w.again[i] >= 0)
        (w.others[i] == w.had ? itself : retold)[{inputOf(w.run.label), w.others[i]}] = w.again[i];
  }

  Told timeOf(const Waiting &w, uint32_t threads) const {
    StrandChanges world;
    world.threads = threads == w.had ? 0 : threads;
    world.asked = askedOf(w.run);
    const Result<Fates> fates = fatesOf(w.run, processors.asked, world, Keep::pieces, {prices});
    if (!fates)
      return {{}, world.threads, fates.error()};
    const StrandDescription &described = fates->fate.description;
    ParallelTime t;
    t.run = figuresOf(w.run, *w.work);
    t.run.hasChunks = described.keepsChunks;
    t.run.hasClaims = false; // they are dealt
    t.threads = threads;
    t.toldFrom = threads == w.had ? 0 : w.had;
    if (t.toldFrom != 0)
      t.run.threads = described.atOnce;
    t.start = w.clock.start;
    static_cast<SimulatedTime &>(t) = w.clock(*fates);
    t.hasSpins = t.run.spins != 0;
    t.hasFolded = t.run.hasFolded;
    t.isPartial = t.run.isElsewhere || t.run.hasUncounted;
    if (t.toldFrom == 0)
      t.alone = w.clock.alone;
    t.waits = waitsOf(fates->fate, w.clock.perCount);
    t.chain = chainOf(fates->fate, w.clock.perCount);
    t.queues = described.queues;
    const std::vector<double> rows = workOfRows(described, fates->fate.simulated.pieces);
    t.first = w.clock.start + (rows.empty() ? 0 : rows[0] * w.clock.perCount);
    for (size_t row = 1; row < rows.size(); ++row)
      t.other = std::max(t.other, rows[row] * w.clock.perCount);
    if (!changes.empty()) {
      StrandChanges after = changes;
      after.threads = changes.threads != 0 ? changes.threads : world.threads;
      after.asked = world.asked;
      const Result<Fates> changed =
          fatesOf(w.run, processors.asked, after, Keep::times, {prices, fates->fate.scale});
      if (!changed)
        return {{}, after.threads != 0 ? after.threads : threads, changed.error()};
      t.changed = w.clock(*changed);
      t.changed->hasSpins = t.hasSpins;
      t.changed->hasFolded = t.hasFolded;
      t.changed->isPartial = t.isPartial;
    }
    if (t.toldFrom == 0)
      if (const Status s = compareWithClock(w, described, t); !s)
        return {{}, 0, s.error()};
    return {std::move(t)};
  }

  /// What the run with most threads tells of one of those with others, which were recorded as well.
  double tellAgain(const Waiting &w, uint32_t threads) const {
    StrandChanges world;
    world.threads = threads == w.had ? 0 : threads;
    world.asked = askedOf(w.run);
    const Result<StrandHistory> history = StrandHistory::of(w.run.strands.front(), world);
    const Result<Fate> fate =
        history ? fateOf(*history, processors.asked, Kept::nothing) : Result<Fate>(history.error());
    return fate ? fate->simulated.makespan : -1;
  }

  void compareRetold() {
    for (const auto &[of, told] : retold)
      if (const auto is = itself.find(of); is != itself.end() && is->second > 0)
        out.retold.push_back(told / is->second - 1);
  }

  /// Of a run of which the plain program was timed.
  Status compareWithClock(const Waiting &w, const StrandDescription &strands,
                          ParallelTime &t) const {
    const auto clock = clocks.find(w.run.label);
    if (clock == clocks.end() || inSeconds == 0)
      return Done{};
    const Result<parallel::Simulated> here = simulate(strands, processors.timed);
    if (!here)
      return here.error();
    t.clock = clock->second.wall;
    t.here = inSeconds * w.clock(here->makespan);
    return Done{};
  }

  /// No more than how the run agrees with the clock, and why.
  Told timedOf(const Waiting &w) const {
    StrandChanges world;
    world.asked = askedOf(w.run);
    const Result<StrandHistory> history = StrandHistory::of(w.run.strands.front(), world);
    const Result<Fate> here = history ? freestOf(*history, processors.timed, Keep::pieces, {prices})
                                      : Result<Fate>(history.error());
    if (!here)
      return {{}, 0, here.error()};
    ParallelTime t;
    t.threads = w.had;
    t.start = w.clock.start;
    t.alone = w.clock.alone;
    t.clock = clocks.at(w.run.label).wall;
    t.here = inSeconds * w.clock(here->simulated.makespan);
    Told told{t};
    if (t.threads == 1 || !(t.here > 0))
      return told;
    told.timed = {w.run.label, inputOf(w.run.label),
                  t.threads,   1,
                  0,           sharesOf(here->description, chainByClass(*here))};
    for (auto &[place, share] : told.timed->shares)
      share.chain = share.work + (share.chain - share.work) * (1 - inSeconds * t.start / t.here);
    return told;
  }

  void leaveOut(const Error &why) {
    if (out.notWhole++ == 0)
      out.whyNot = why.text;
  }

  /// How many threads it was asked to have; 0: that is not known.
  static uint32_t askedOf(const Run &run) {
    const auto asked = run.features.find(threadsFeature);
    const bool isKnown = asked != run.features.end() && asked->second >= 1 && asked->second < 1e9;
    return isKnown ? static_cast<uint32_t>(asked->second) : 0;
  }
  static uint32_t threadsOf(const Run &run, uint32_t recorded) {
    const uint32_t asked = askedOf(run);
    return asked != 0 ? asked : recorded;
  }

  /// No input is told by itself.
  void slowDown() {
    std::vector<double> others(out.runs.size(), 0); // of each that was timed, by the rest
    for (const auto &[threads, ofRuns] : slower) {
      if (ofRuns.size() < fewest)
        continue;
      for (const Slower &left : ofRuns)
        others[left.run] = medianWithout(ofRuns, left.run);
      out.slowdowns[threads] = medianWithout(ofRuns, SIZE_MAX);
    }
    for (size_t i = 0; i < out.runs.size(); ++i) {
      ParallelTime &t = out.runs[i];
      auto at = out.slowdowns.upper_bound(t.threads);
      if (at == out.slowdowns.begin())
        continue;
      const double factor = (--at)->second;
      slowDown(t, t.start, factor);
      t.first = t.start + factor * (t.first - t.start);
      t.other *= factor;
      if (t.changed)
        slowDown(*t.changed, t.start, factor);
      for (WaitedFor &w : t.waits)
        w.time *= factor;
      for (auto &[place, part] : t.chain)
        part *= factor;
      const double start = inSeconds * t.start;
      t.here = start + (others[i] > 0 ? others[i] : factor) * (t.here - start);
    }
  }

  static void slowDown(SimulatedTime &t, double start, double factor) {
    for (double *time : {&t.alone, &t.time, &t.withJobs, &t.inOrder, &t.soonest, &t.latest})
      *time = start + factor * (*time - start);
  }

  struct Slower {
    size_t run;
    double factor;
  };
  static double medianWithout(const std::vector<Slower> &all, size_t run) {
    std::vector<double> factors;
    for (const Slower &s : all)
      if (s.run != run)
        factors.push_back(s.factor);
    return quantile(std::move(factors), 0.5);
  }

  const Corpus &corpus;
  const ClockCosts &counts;
  const StrandChanges &changes;
  const StrandPrices &prices;
  Processors processors;
  bool areTimed = false;                              ///< of no others is told
  std::vector<std::pair<size_t, TimedStrands>> timed; ///< beside their numbers in `out.runs`
  std::map<std::string, size_t> alone; ///< that number of the run with one thread, by input
  const double inSeconds, startUp;
  struct Least {
    double wall, cpu; ///< seconds
  };
  static constexpr size_t enough = 64;                  ///< simulations to be shared out at once
  size_t atOnce = 1;                                    ///< runs
  static constexpr size_t mostEvents = size_t{1} << 20; ///< of runs in memory
  size_t events = 0;
  std::vector<Waiting> waiting;
  static constexpr size_t fewest = 3;  ///< timed inputs that tell how threads slow each other down
  std::map<std::string, double> costs; ///< by identity
  std::map<std::string, Least> clocks; ///< by label
  std::map<uint32_t, std::vector<Slower>> slower;
  std::map<std::string, std::set<uint32_t>> ran; ///< numbers of threads, by input
  using OfInput = std::pair<std::string, uint32_t>;
  std::map<OfInput, double> itself, retold; ///< counts
  ParallelTimes out;
};

void testAgainstClock(ParallelTimes &out) {
  std::map<uint32_t, std::vector<double>> errors;
  for (const ParallelTime &t : out.runs)
    if (t.clock && *t.clock > 0)
      errors[t.threads].push_back(t.here / *t.clock - 1);
  for (auto &[threads, of] : errors) {
    ClockTest &test = out.tests[threads];
    test.runs = of.size();
    test.bias = quantile(of, 0.5);
    for (double &e : of)
      e = std::abs(e);
    test.median = quantile(of, 0.5);
    test.p90 = percentile(of, 0.9);
  }
}

/// Prices of strands, where those that half of the inputs tell are better for the other half than
/// counts are.
struct LearntStrands {
  StrandPrices prices = {};
  std::map<std::pair<std::string, uint32_t>, double> off =
      {};                 ///< by label and threads, as left out
  double offByCounts = 0; ///< median size of what times by counts alone are off; 0: these are told
};

double medianOff(const std::vector<TimedStrands> &runs) {
  std::vector<double> sizes;
  for (const TimedStrands &t : runs)
    sizes.push_back(std::abs(t.off));
  return quantile(std::move(sizes), 0.5);
}

LearntStrands learn(const Corpus &corpus, const Observed &observed, const ClockCosts &costs,
                    Processors processors) {
  constexpr size_t fewest = 6;    // inputs
  constexpr double small = 0.02;  // what is off by less is left alone
  constexpr double better = 0.75; // what has to be left of it
  constexpr size_t mostRounds = 3;
  processors.threads.clear();
  const auto rows = [&](const StrandPrices &prices) {
    return Teller(corpus, observed, costs, processors, {}, prices).tellTimed();
  };
  const std::vector<TimedStrands> byCounts = rows({});
  std::set<std::string> inputs;
  for (const TimedStrands &t : byCounts)
    inputs.insert(t.input);
  if (inputs.size() < fewest)
    return {};
  const double offByCounts = medianOff(byCounts);
  if (offByCounts < small)
    return {};
  std::set<std::string> halves[2];
  for (const std::string &input : inputs)
    halves[halves[0].size() > halves[1].size()].insert(input);

  struct Told {
    StrandPrices prices = {};
    std::vector<TimedStrands> runs; ///< all, by these
  };
  const auto of = [](const std::vector<TimedStrands> &runs, const std::set<std::string> &some) {
    std::vector<TimedStrands> out;
    std::ranges::copy_if(runs, std::back_inserter(out),
                         [&](const TimedStrands &t) { return some.contains(t.input); });
    return out;
  };
  const auto learnFrom = [&](const std::set<std::string> &some) {
    Told best{{}, byCounts};
    for (size_t round = 0; round < mostRounds; ++round) { // chains are others by other prices
      Told next{learnPrices(of(best.runs, some), best.prices), {}};
      next.runs = rows(next.prices);
      if (round > 0 && medianOff(of(next.runs, some)) >= medianOff(of(best.runs, some)))
        break;
      best = std::move(next);
    }
    return best;
  };
  std::vector<TimedStrands> leftOut = of(learnFrom(halves[0]).runs, halves[1]);
  std::ranges::move(of(learnFrom(halves[1]).runs, halves[0]), std::back_inserter(leftOut));
  if (medianOff(leftOut) > better * offByCounts)
    return {};
  LearntStrands out{learnFrom(inputs).prices, {}, offByCounts};
  for (const TimedStrands &t : leftOut)
    out.off[{t.label, t.threads}] = (1 + t.off) * t.alone - 1;
  return out;
}

} // namespace

Result<ParallelTimes> parallelTimes(const Corpus &corpus, const Observed &observed,
                                    const ClockCosts &costs, const Processors &processors,
                                    const StrandChanges &changes) {
  const LearntStrands learnt = learn(corpus, observed, costs, processors);
  Result<ParallelTimes> out =
      Teller(corpus, observed, costs, processors, changes, learnt.prices).tell();
  if (!out)
    return out;
  out->offByCounts = learnt.offByCounts;
  for (ParallelTime &t : out->runs)
    if (const auto at = learnt.off.find({t.run.label, t.threads});
        t.clock && at != learnt.off.end())
      t.here = *t.clock / (1 + at->second);
  testAgainstClock(*out);
  return out;
}

Result<ReplayedRun> replayedRun(const Corpus &corpus, const Observed &observed,
                                const std::string &name) {
  const double inSeconds = secondsIn(observed.unit).value_or(0);
  if (inSeconds == 0)
    return Error{"a replay takes time, and these costs are in " + observed.unit +
                 "; calibrate the corpus, or name a machine (--machine)"};
  const Result<Run> run = strandRun(corpus, name);
  if (!run)
    return run.error();
  const auto cost = std::ranges::find(observed.runs, run->identity, &RunFigures::identity);
  const Result<ParallelWork> work = workOf(*run, {});
  if (!work)
    return work.error();
  if (cost == observed.runs.end() || work->work == 0)
    return Error{"run " + escape(run->label) + " has nothing to replay"};
  constexpr double enough = std::numeric_limits<double>::infinity();
  const Result<StrandHistory> history = StrandHistory::of(run->strands.front());
  if (!history)
    return history.error();
  Result<Fate> fate = fateOf(*history, enough, Kept::nothing, Chunks::asTheyWere);
  if (!fate)
    fate = fateOf(*history, enough, Kept::order, Chunks::asTheyWere);
  if (!fate)
    return fate.error();
  const double whole = cost->cost.k1 - std::min(observed.startUp, cost->cost.k1);
  const double perCount = inSeconds * whole / static_cast<double>(work->work);
  return ReplayedRun{run->label, run->identity, std::move(fate->description), perCount,
                     perCount * fate->simulated.makespan};
}

} // namespace quincunx
