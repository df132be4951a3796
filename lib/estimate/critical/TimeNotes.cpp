// What is said beside wall times: how they agree with the clock, from which runs they are told, and
// what in them was chance. It computes no times.
#include "StrandRuns.h"
#include "base/TimeUnits.h"
#include "quincunx/estimate/ParallelTimes.h"

#include "quincunx/numeric/Quantile.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <tuple>

namespace quincunx {

namespace {

constexpr double noted = 0.10, refused = 0.25; ///< errors by the clock

std::string inPercent(double share) { return std::to_string(std::lround(100 * share)) + " %"; }

/// "1.16".
std::string inTimes(double factor) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", factor);
  return text;
}

/// Before the changes, or after them.
using World = const SimulatedTime *(*)(const ParallelTime &);
const SimulatedTime *before(const ParallelTime &t) { return &t; }
const SimulatedTime *after(const ParallelTime &t) { return t.changed ? &*t.changed : nullptr; }

/// The number of threads at which the median run takes most longer, or less, if more of it stays as
/// it was, and by how much.
std::pair<uint32_t, double> effectOf(double SimulatedTime::*kept, World world,
                                     const ParallelTimes &times) {
  std::map<uint32_t, std::vector<double>> effects;
  for (const ParallelTime &t : times.runs)
    if (const SimulatedTime *s = world(t))
      effects[t.threads].push_back(s->time > 0 ? s->*kept / s->time - 1 : 0);
  std::pair<uint32_t, double> most;
  for (const auto &[threads, of] : effects)
    if (const double effect = percentile(of, 0.5); std::abs(effect) > std::abs(most.second))
      most = {threads, effect};
  return most;
}

/// "with 8 threads asked for, half of the runs had 1 or fewer", of the largest number; or nothing.
std::string fewerThreads(const ParallelTimes &times) {
  std::map<uint32_t, std::vector<double>> had;
  for (const ParallelTime &t : times.runs)
    had[t.threads].push_back(static_cast<double>(t.run.threads));
  const auto &[asked, of] = *had.rbegin();
  const double half = percentile(of, 0.5);
  return half >= asked
             ? ""
             : "with " + std::to_string(asked) + " threads asked for, half of the runs had " +
                   std::to_string(std::lround(half)) + " or fewer";
}

/// Of runs that had as many threads whatever was asked for, and not one beside them; or nothing.
std::string sameThreads(const ParallelTimes &times) {
  std::set<size_t> had;
  std::set<uint32_t> asked;
  for (const ParallelTime &t : times.runs)
    if (t.toldFrom == 0) {
      had.insert(t.run.threads);
      asked.insert(t.threads);
    }
  if (asked.size() < 2 || had.size() != 1)
    return "";
  const auto all = static_cast<uint32_t>(*had.begin());
  return "runs had " + threadsText(all) + " each, whether " + std::to_string(*asked.begin()) +
         " or " + std::to_string(*asked.rbegin()) +
         " were asked for: does the program know (OMP_NUM_THREADS, or {threads} in its command)?";
}

/// "5 % longer with 8 threads".
std::string longer(const std::pair<uint32_t, double> &effect) {
  return inPercent(std::abs(effect.second)) + (effect.second < 0 ? " shorter" : " longer") +
         " with " + std::to_string(effect.first) + " threads";
}

std::string list(const std::set<uint32_t> &numbers) {
  std::string text;
  for (const uint32_t n : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(n);
  return text;
}

/// On numbers of threads with which nothing ran.
void noteTold(const ParallelTimes &times, std::vector<Note> &notes) {
  std::set<uint32_t> told, from;
  for (const ParallelTime &t : times.runs)
    if (t.toldFrom != 0) {
      told.insert(t.threads);
      from.insert(t.toldFrom);
    }
  std::map<std::pair<std::string, size_t>, std::set<uint32_t>> notTold; // by why, and of how many
  for (const auto &[threads, left] : times.notTold)
    notTold[{left.why, left.runs}].insert(threads);
  for (const auto &[left, threads] : notTold)
    notes.push_back({"not-told", "times of " + list(threads) +
                                     (*threads.rbegin() == 1 ? " thread" : " threads") +
                                     " are not told of " + std::to_string(left.second) +
                                     (left.second == 1 ? " run: " : " runs: ") + left.first});
  double ofChunks = 0;
  for (const ParallelTime &t : times.runs)
    ofChunks = std::max({ofChunks, t.ofChunks, t.changed ? t.changed->ofChunks : 0});
  constexpr double small = 0.02;
  if (ofChunks > small)
    notes.push_back(
        {"chunks", "a loop has other chunks than when it ran, and coming to one costs 10 "
                   "to 60 counts, and some 0.2 us in OpenMP's library, which is not told: "
                   "it may be off by " +
                       inPercent(ofChunks)});
  if (told.empty())
    return;
  std::string text = "times of " + list(told) +
                     (told == std::set<uint32_t>{1} ? " thread" : " threads") +
                     " are told from runs with " + list(from) +
                     ": iterations, tasks and what is not of teams take what they took; ";
  if (times.retold.empty()) {
    text += "nothing was recorded that would test it";
  } else {
    std::vector<double> sizes;
    for (const double e : times.retold)
      sizes.push_back(std::abs(e));
    text += "told like that, times of other recorded numbers differ from those of their own runs "
            "by " +
            inPercent(quantile(sizes, 0.5)) + " in the median, and " +
            inPercent(percentile(sizes, 0.9)) + " in nine of ten";
  }
  notes.push_back({"told", text});
}

/// On threads that end with the first of them. An error where that one hardly worked in most runs.
Status noteFirst(const ParallelTimes &times, std::vector<Note> &notes) {
  const auto hardly = static_cast<size_t>(std::ranges::count_if(
      times.runs, [](const ParallelTime &t) { return t.changed && t.changed->hasHardlyWorked; }));
  if (hardly == 0)
    return Done{};
  const std::string text =
      "in " + std::to_string(hardly) + " of " + std::to_string(times.runs.size()) +
      (times.runs.size() == 1 ? " run" : " runs") +
      " the first of threads that are to end with it did next to nothing beside another one of "
      "them";
  if (2 * hardly > times.runs.size())
    return Error{text +
                 ": they seem to be told to stop as soon as another one is first, and then "
                 "what they did is chance; record runs in which each goes on to its own end"};
  notes.push_back({"first", text + "; where threads are told to stop as another one is first, "
                                   "record runs in which each goes on to its own end"});
  return Done{};
}

/// On inputs that made other work each time they ran.
void noteUnsteady(const ParallelTimes &times, std::vector<Note> &notes) {
  constexpr double noticed = 1.05;
  std::map<std::pair<std::string, uint32_t>, std::pair<uint64_t, uint64_t>> works; // least, most
  for (const ParallelTime &t : times.runs) {
    auto &[least, most] =
        works.try_emplace({t.run.label, t.threads}, t.run.work, t.run.work).first->second;
    least = std::min(least, t.run.work);
    most = std::max(most, t.run.work);
  }
  double ratio = 1;
  for (const auto &[input, of] : works)
    if (of.first > 0)
      ratio = std::max(ratio, static_cast<double>(of.second) / static_cast<double>(of.first));
  if (ratio > noticed)
    notes.push_back({"unsteady", "the same input made " + inTimes(ratio) +
                                     " times as much work in one run as in another: threads that "
                                     "look again and again whether others are done work as long as "
                                     "they wait, and who waits for whom is not seen then"});
}

/// On what hangs on chance; `when`: in which world.
void noteChance(World world, const std::string &when, const ParallelTimes &times,
                std::vector<Note> &notes) {
  constexpr double small = 0.02;
  uint64_t missed = 0;
  for (const ParallelTime &t : times.runs)
    if (const SimulatedTime *s = world(t))
      missed += s->missed;
  if (missed > 0)
    notes.push_back({"tried", when +
                                  "locks that threads try, and do not wait for, are not free in " +
                                  std::to_string(missed) +
                                  " cases: who tries goes on and does as much, which is "
                                  "too short where one tries until one has it"});
  double evenness = 1;
  for (const ParallelTime &t : times.runs)
    if (const SimulatedTime *s = world(t))
      evenness = std::min(evenness, s->evenness);
  if (evenness < 1 - small)
    notes.push_back({"queues", when +
                                   "threads that come to one of several locks, or are made at "
                                   "one place, work more than others of these; if they take work "
                                   "from each other, in a way that is not recorded, who took what "
                                   "was chance, and wall times may be as low as " +
                                   inPercent(evenness) + " of what is told"});
  if (const auto effect = effectOf(&SimulatedTime::withJobs, world, times);
      std::abs(effect.second) > small)
    notes.push_back({"queues", when +
                                   "threads seem to take jobs from a queue, and who takes which "
                                   "is simulated; if each did what it did in these runs, wall "
                                   "times would be " +
                                   longer(effect)});
  if (const auto effect = effectOf(&SimulatedTime::inOrder, world, times);
      std::abs(effect.second) > small)
    notes.push_back({"order", when +
                                  "who has a lock first is simulated; if what one did with it "
                                  "had to come after what another did, as in these runs, wall "
                                  "times would be " +
                                  longer(effect)});
  const auto soonest = effectOf(&SimulatedTime::soonest, world, times),
             latest = effectOf(&SimulatedTime::latest, world, times);
  std::string raced;
  for (const auto &effect : {soonest, latest})
    if (std::abs(effect.second) > small)
      raced += (raced.empty() ? "" : " or ") + longer(effect);
  if (!raced.empty())
    notes.push_back({"race", when +
                                 "threads race for tasks: whom they rob is drawn, wall times are "
                                 "the median of what that comes to, and may as well be " +
                                 raced});
  for (const auto &[kept, kind, what] :
       {std::tuple{Kept::jobs, "queues", "jobs are done by the threads that took them"},
        std::tuple{Kept::order, "locks", "locks are had in the order in which they were"}}) {
    const auto circles = std::ranges::count_if(times.runs, [&](const ParallelTime &t) {
      const SimulatedTime *s = world(t);
      return s != nullptr && s->needed == kept;
    });
    if (circles > 0)
      notes.push_back({kind, when + "in " + std::to_string(circles) +
                                 (circles == 1 ? " run " : " runs ") + what +
                                 ", as threads would else wait for each other forever"});
  }
}

/// How far the clock may be off; empty where nothing was timed.
std::string withinText(const ParallelTimes &times) {
  std::string shares;
  for (const auto &[threads, test] : times.tests)
    if (const std::optional<double> within = test.within())
      shares +=
          (shares.empty() ? "" : ", ") + inPercent(*within) + " (" + threadsText(threads) + ")";
  return shares.empty() ? ""
                        : "in nine of ten, a run takes what is said within " + shares +
                              " by the clock of another hour";
}

} // namespace

Result<std::vector<Note>> notesOnTimes(const ParallelTimes &times) {
  std::vector<Note> notes;
  for (const auto &[threads, test] : times.tests) {
    const std::string what = "the plain program with " + threadsText(threads) +
                             " takes another time by the " + "clock than these runs are told, by " +
                             inPercent(test.median) + " in the median of " +
                             std::to_string(test.runs);
    if (test.median > refused)
      return Error{what + "; threads may wait for what is not recorded, or need the same memory: "
                          "see quincunx critical, or ask in counts (--unit counts)"};
    if (test.median > noted)
      notes.push_back({"clock", what + ": all times here may be off by that"});
  }
  if (times.offByCounts > 0)
    notes.push_back(
        {"strands", "what parts of a run cost beside each other is learnt from how long runs "
                    "with several threads took: by counts alone these would be off by " +
                        inPercent(times.offByCounts) + " in the median"});
  if (const std::string within = withinText(times); !within.empty())
    notes.push_back({"within", within});
  const bool isTested = !times.tests.empty() && times.tests.rbegin()->first > 1;
  if (!isTested && secondsIn(times.unit))
    notes.push_back({"untested", "no time of several threads was compared with the clock: " +
                                     std::string("quincunx run --timed --threads 2 does that")});
  if (const auto &slower = times.slowdowns; slower.size() > 1) {
    const double most = slower.rbegin()->second / slower.begin()->second;
    const std::string threads = std::to_string(slower.rbegin()->first);
    if (std::abs(most - 1) > 0.02)
      notes.push_back({"slower", "the same work takes " + inTimes(most) + " times as long with " +
                                     threads + " threads as with " +
                                     std::to_string(slower.begin()->first) +
                                     ", as timed; with more it is taken to be as with " + threads});
  }
  if (const Status s = noteFirst(times, notes); !s)
    return s.error();
  noteTold(times, notes);
  if (const std::string same = sameThreads(times); !same.empty())
    notes.push_back({"fewer", same});
  else if (const std::string fewer = fewerThreads(times); !fewer.empty())
    notes.push_back({"fewer", fewer});
  noteUnsteady(times, notes);
  noteChance(before, "", times, notes);
  noteChance(after, "after the change, ", times, notes);
  return notes;
}

} // namespace quincunx
