// Counts of the clock become time by one factor for each run: what it costs without its start, over
// what its threads did. How much threads slow each other down is one more for each number of
// threads; of a number that was not timed, that of the next smaller one that was. Parts of a run
// whose counts take longer than others are not told apart; what that comes to is part of the error
// that the test against the clock shows.
#include "quincunx/estimate/ParallelTimes.h"

#include "StrandRuns.h"
#include "quincunx/estimate/Timeline.h"

#include "quincunx/base/Text.h"
#include "quincunx/numeric/Quantile.h"
#include "quincunx/profile/Features.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace quincunx {

namespace {

/// What threads of a run wait for, over all that wait for the same.
std::vector<WaitedFor> waitsOf(const StrandDescription &d, const parallel::Simulated &s,
                               double perCount) {
  std::map<std::pair<qx_strand_kind, uint32_t>, double> times;
  const auto add = [&](const std::vector<StrandWait> &whats, const auto &waits) {
    for (size_t i = 0; i < whats.size(); ++i)
      if (whats[i].kind != 0 && waits[i].time > 0)
        times[{whats[i].kind, whats[i].site}] += waits[i].time * perCount;
  };
  add(d.channels, s.channels);
  add(d.barriers, s.barriers);
  add(d.locks, s.locks);
  std::vector<WaitedFor> out;
  for (const auto &[what, time] : times)
    out.push_back({{what.first, what.second}, time});
  std::ranges::stable_sort(out, std::greater<>(), &WaitedFor::time);
  return out;
}

struct Fate {
  StrandDescription description;
  parallel::Simulated simulated;
};

std::map<StrandPlace, double> chainOf(const StrandDescription &d, const parallel::Simulated &s,
                                      double perCount) {
  std::map<StrandPlace, double> chain;
  for (uint32_t p = s.last; p != noIndex; p = s.pieces[p].previous)
    chain[d.works[s.pieces[p].workClass]] += (s.pieces[p].end - s.pieces[p].begin) * perCount;
  return chain;
}

enum class Keep : bool { times, pieces };

Result<parallel::Simulated> simulate(const StrandDescription &d, double processors,
                                     Keep keep = Keep::times) {
  parallel::Setting setting;
  setting.cores = processors;
  setting.atOnce = d.atOnce;
  setting.keepPieces = keep == Keep::pieces;
  return parallel::simulate(d.description, setting);
}

Result<Fate> fateOf(const StrandHistory &run, double processors, Kept kept,
                    Chunks chunks = Chunks::dealt, Keep keep = Keep::times) {
  StrandDescription d = run.describe(kept, chunks);
  Result<parallel::Simulated> s = simulate(d, processors, keep);
  if (!s)
    return s.error();
  return Fate{std::move(d), std::move(*s)};
}

/// What a run comes to, whatever stays as it was.
struct Fates {
  Fate fate;
  double withJobs = 0, inOrder = 0; ///< counts
  bool isInOrder = false;           ///< else threads would wait for each other forever
};

Result<Fates> fatesOf(const Run &run, double processors, const StrandChanges &changes,
                      Keep keep = Keep::times) {
  const Result<StrandHistory> history = StrandHistory::of(run.strands.front(), changes);
  if (!history)
    return history.error();
  Result<Fate> fate = fateOf(*history, processors, Kept::nothing, Chunks::dealt, keep);
  Result<Fate> withJobs = fateOf(*history, processors, Kept::jobs, Chunks::dealt, keep);
  const Result<Fate> inOrder = fateOf(*history, processors, Kept::order, Chunks::dealt, keep);
  if (!inOrder)
    return inOrder.error();
  const bool isInOrder = !withJobs;
  if (isInOrder)
    withJobs = inOrder;
  if (!fate)
    fate = withJobs;
  return Fates{std::move(*fate), withJobs->simulated.makespan, inOrder->simulated.makespan,
               isInOrder};
}

/// Time of counts in one run.
struct Clock {
  double start, perCount, alone;
  double operator()(double counts) const {
    return perCount > 0 ? start + perCount * counts : alone;
  }
  SimulatedTime operator()(const Fates &f) const {
    return {(*this)(workIn(f.fate.description)),
            (*this)(f.fate.simulated.makespan),
            (*this)(f.withJobs),
            (*this)(f.inOrder),
            f.isInOrder,
            f.fate.description.ofChunks};
  }
};

class Teller {
public:
  Teller(const Corpus &c, const Observed &o, const ClockCosts &k, const Processors &p,
         const StrandChanges &s)
      : corpus(c), counts(k), changes(s), processors(p), inSeconds(secondsIn(o.unit)),
        startUp(o.startUp) {
    out.unit = o.unit;
    for (const RunFigures &r : o.runs)
      costs[r.identity] = r.cost.k1;
  }

  Result<ParallelTimes> tell() {
    if (const Status s = readTimings(); !s)
      return s.error();
    if (!processors.threads.empty()) {
      LeftOut left;
      const Status known = forEachStrandRun(corpus, left, [this](const Run &run) -> Status {
        ran[inputOf(run)].insert(threadsOf(run, run.strands.front().threads.size()));
        return Done{};
      });
      if (!known)
        return known.error();
    }
    const Status read = forEachStrandRun(corpus, out, [this](Run &&run) { return add(run); });
    if (!read)
      return read.error();
    if (out.runs.empty() && !out.notTold.empty())
      return Error{"times of " + threadsText(out.notTold.begin()->first) +
                   " cannot be told: " + out.notTold.begin()->second.why};
    if (out.runs.empty())
      return nothingIn(out);
    compareRetold();
    slowDown();
    testAgainstClock();
    return std::move(out);
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

  Status add(const Run &run) {
    const auto cost = costs.find(run.identity);
    if (cost == costs.end()) {
      ++out.notFinished; // not one of those that were observed
      return Done{};
    }
    const Result<ParallelWork> work = workOf(run, counts);
    if (!work)
      return leaveOut(work.error());
    const uint32_t had = threadsOf(run, work->threads);
    const auto total = static_cast<double>(work->work);
    const double start = std::min(startUp, cost->second);
    const Clock clock{start, total > 0 ? (cost->second - start) / total : 0, cost->second};
    if (processors.threads.empty())
      return addTime(run, *work, clock, had, had);
    const std::set<uint32_t> &recorded = ran[inputOf(run)];
    for (const uint32_t threads : processors.threads)
      if (threads == had || (!recorded.contains(threads) && had == *recorded.rbegin()))
        if (const Status s = addTime(run, *work, clock, had, threads); !s)
          return s;
    return retell(run, had, recorded);
  }

  /// Of a run that had so many threads, with as many or others.
  Status addTime(const Run &run, const ParallelWork &work, const Clock &clock, uint32_t had,
                 uint32_t threads) {
    StrandChanges world;
    world.threads = threads == had ? 0 : threads;
    world.asked = askedOf(run);
    const Result<Fates> fates = fatesOf(run, processors.asked, world, Keep::pieces);
    if (!fates)
      return world.threads == 0 ? leaveOut(fates.error()) : doNotTell(threads, fates.error());
    const StrandDescription &described = fates->fate.description;
    ParallelTime t;
    t.run = figuresOf(run, work);
    t.run.hasChunks = described.keepsChunks;
    t.threads = threads;
    t.toldFrom = threads == had ? 0 : had;
    if (t.toldFrom != 0)
      t.run.threads = described.atOnce;
    t.start = clock.start;
    static_cast<SimulatedTime &>(t) = clock(*fates);
    if (t.toldFrom == 0)
      t.alone = clock.alone;
    t.waits = waitsOf(described, fates->fate.simulated, clock.perCount);
    t.chain = chainOf(described, fates->fate.simulated, clock.perCount);
    t.queues = described.queues;
    const std::vector<double> rows = workOfRows(described, fates->fate.simulated.pieces);
    t.first = clock.start + (rows.empty() ? 0 : rows[0] * clock.perCount);
    for (size_t row = 1; row < rows.size(); ++row)
      t.other = std::max(t.other, rows[row] * clock.perCount);
    if (!changes.empty()) {
      StrandChanges after = changes;
      after.threads = changes.threads != 0 ? changes.threads : world.threads;
      after.asked = world.asked;
      const Result<Fates> changed = fatesOf(run, processors.asked, after);
      if (!changed)
        return doNotTell(after.threads != 0 ? after.threads : threads, changed.error());
      t.changed = clock(*changed);
    }
    if (t.toldFrom == 0)
      if (const Status s = compareWithClock(run, described, clock, t); !s)
        return leaveOut(s.error());
    out.runs.push_back(std::move(t));
    return Done{};
  }

  /// What the run with most threads tells of those with others, which were recorded as well.
  Status retell(const Run &run, uint32_t had, const std::set<uint32_t> &recorded) {
    const std::string input = inputOf(run);
    for (const uint32_t threads : recorded) {
      const bool isItself = threads == had;
      if (threads == 1 || recorded.size() == 1 || (!isItself && had != *recorded.rbegin()))
        continue;
      StrandChanges world;
      world.threads = isItself ? 0 : threads;
      world.asked = askedOf(run);
      const Result<StrandHistory> history = StrandHistory::of(run.strands.front(), world);
      const Result<Fate> fate = history ? fateOf(*history, processors.asked, Kept::nothing)
                                        : Result<Fate>(history.error());
      if (fate)
        (isItself ? itself : retold)[{input, threads}] = fate->simulated.makespan;
    }
    return Done{};
  }

  void compareRetold() {
    for (const auto &[of, told] : retold)
      if (const auto is = itself.find(of); is != itself.end() && is->second > 0)
        out.retold.push_back(told / is->second - 1);
  }

  /// A label without what `run --threads` puts behind it.
  static std::string inputOf(const Run &run) {
    const std::string behind = std::string(" ") + threadsFeature + "=";
    const size_t at = run.label.rfind(behind);
    const bool isNumber =
        at != std::string::npos &&
        run.label.find_first_not_of("0123456789", at + behind.size()) == std::string::npos;
    return isNumber ? run.label.substr(0, at) : run.label;
  }

  /// Of a run of which the plain program was timed.
  Status compareWithClock(const Run &run, const StrandDescription &strands, const Clock &clock,
                          ParallelTime &t) {
    const auto timed = clocks.find(run.label);
    if (timed == clocks.end() || inSeconds == 0)
      return Done{};
    const Result<parallel::Simulated> here = simulate(strands, processors.timed);
    if (!here)
      return here.error();
    t.clock = timed->second.wall;
    t.here = inSeconds * clock(here->makespan);
    if (t.alone > t.start)
      slower[t.threads].push_back(
          {out.runs.size(), (timed->second.cpu / inSeconds - t.start) / (t.alone - t.start)});
    return Done{};
  }

  Status leaveOut(const Error &why) {
    if (out.notWhole++ == 0)
      out.whyNot = why.text;
    return Done{};
  }

  Status doNotTell(uint32_t threads, const Error &why) {
    ParallelTimes::NotTold &left = out.notTold[threads];
    if (left.runs++ == 0)
      left.why = why.text;
    return Done{};
  }

  /// How many threads it was asked to have; 0: that is not known.
  static uint32_t askedOf(const Run &run) {
    const auto asked = run.features.find(threadsFeature);
    const bool isKnown = asked != run.features.end() && asked->second >= 1 && asked->second < 1e9;
    return isKnown ? static_cast<uint32_t>(asked->second) : 0;
  }
  static uint32_t threadsOf(const Run &run, size_t recorded) {
    const uint32_t asked = askedOf(run);
    return asked != 0 ? asked : static_cast<uint32_t>(std::max<size_t>(recorded, 1));
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
      const double start = inSeconds * t.start;
      t.here = start + (others[i] > 0 ? others[i] : factor) * (t.here - start);
    }
  }

  static void slowDown(SimulatedTime &t, double start, double factor) {
    for (double *time : {&t.alone, &t.time, &t.withJobs, &t.inOrder})
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

  void testAgainstClock() {
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

  const Corpus &corpus;
  const ClockCosts &counts;
  const StrandChanges &changes;
  Processors processors;
  const double inSeconds, startUp;
  struct Least {
    double wall, cpu; ///< seconds
  };
  static constexpr size_t fewest = 3;  ///< timed inputs that tell how threads slow each other down
  std::map<std::string, double> costs; ///< by identity
  std::map<std::string, Least> clocks; ///< by label
  std::map<uint32_t, std::vector<Slower>> slower;
  std::map<std::string, std::set<uint32_t>> ran; ///< numbers of threads, by input
  using OfInput = std::pair<std::string, uint32_t>;
  std::map<OfInput, double> itself, retold; ///< counts
  ParallelTimes out;
};

} // namespace

Result<ParallelTimes> parallelTimes(const Corpus &corpus, const Observed &observed,
                                    const ClockCosts &costs, const Processors &processors,
                                    const StrandChanges &changes) {
  return Teller(corpus, observed, costs, processors, changes).tell();
}

Result<ReplayedRun> replayedRun(const Corpus &corpus, const Observed &observed,
                                const std::string &name) {
  const double inSeconds = secondsIn(observed.unit);
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
