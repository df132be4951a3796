// A thread that is added does, in each team and from one meeting to the next, what that one of its
// threads did that did least beside loops and tasks, and nothing that only one of them would do. Of
// one that is taken away, its iterations and what it did more than that go to
// the first thread of the team: what only one of them does, as a single, has to be done. Tasks stay
// with the threads of the process, which take them as they come.
#include "TeamSizes.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

namespace quincunx {

namespace {

/// An event, and what was done before it.
struct Step {
  uint64_t work = 0;
  StrandEvent event;
};
using Steps = std::vector<Step>;

Steps stepsOf(const StrandThread &thread) {
  Steps steps;
  uint64_t clock = 0;
  for (const StrandEvent &e : thread.events)
    steps.push_back({e.clock - std::exchange(clock, e.clock), e});
  return steps;
}

StrandThread threadOf(uint32_t number, const Steps &steps) {
  StrandThread thread{number, {}};
  uint64_t clock = 0;
  for (const Step &s : steps) {
    thread.events.push_back(s.event);
    thread.events.back().clock = clock += s.work;
  }
  return thread;
}

bool isOfLockOrCounter(qx_strand_kind kind) {
  return takesLock(kind) || kind == QX_STRAND_UNLOCK || (sharesOut(kind) && !isOfLoop(kind));
}

/// What a thread did in a team: steps between the one with which it came there and the one with
/// which it left.
struct Stay {
  size_t thread = 0, begin = 0, end = 0;
  uint32_t member = 0;
};

/// A step of a stay: whose its work is and whose its event, and how many loops and meetings there
/// were before.
struct Part {
  enum class Of : uint8_t { itself, task, loop };
  const Step &step;
  Of work, event;
  size_t loops, meetings;
};

/// Where a part of a loop ends that begins there. Teams of one thread may be within it.
size_t endOfLoop(const Steps &steps, size_t begin, size_t end) {
  size_t last = begin, within = 0;
  for (size_t i = begin + 1; i < end; ++i) {
    const StrandEvent &e = steps[i].event;
    if (e.kind == QX_STRAND_TEAM)
      ++within;
    else if (e.kind == QX_STRAND_LEAVE && within > 0)
      --within;
    else if (e.kind == QX_STRAND_ITERATED)
      last = within == 0 ? i : last;
    else if (!isOfLockOrCounter(e.kind) && (within == 0 || e.kind == QX_STRAND_RUN))
      break;
  }
  return last;
}

template <class Visit> void follow(const Steps &steps, const Stay &stay, Visit visit) {
  using Of = Part::Of;
  size_t loops = 0, meetings = 0, endsAt = stay.begin, teamsWithin = 0;
  bool isInTask = false;
  for (size_t i = stay.begin + 1; i < stay.end; ++i) {
    const StrandEvent &e = steps[i].event;
    const bool wasInTask = isInTask;
    if (e.kind == QX_STRAND_RUN)
      isInTask = e.object != 0;
    if (wasInTask || isInTask) {
      visit(Part{steps[i], wasInTask ? Of::task : Of::itself, Of::task, loops, meetings});
      continue;
    }
    if (i <= endsAt) {
      visit(Part{steps[i], Of::loop, Of::loop, loops - 1, meetings});
      continue;
    }
    visit(Part{steps[i], Of::itself, Of::itself, loops, meetings});
    if (e.kind == QX_STRAND_TEAM)
      ++teamsWithin;
    else if (e.kind == QX_STRAND_LEAVE && e.object != 0 && teamsWithin > 0)
      --teamsWithin;
    if (teamsWithin > 0)
      continue;
    if (e.kind == QX_STRAND_LOOP) {
      endsAt = endOfLoop(steps, i, stay.end);
      ++loops;
    } else if (e.kind == QX_STRAND_MEET) {
      ++meetings;
    }
  }
}

/// What a thread did itself up to a meeting of its team.
struct Stretch {
  uint64_t work = 0;
  Steps steps;            ///< with events of its own
  bool hasOthers = false; ///< than locks, and waits for what is made ready for all
  Steps all;              ///< with these of loops and meetings, too
};

class Resizer {
public:
  Resizer(const ProcessStrands &s, uint32_t t) : strands(s), wanted(t) {
    for (const StrandThread &thread : s.threads)
      all.push_back(stepsOf(thread));
  }

  Result<ResizedTeams> resize() {
    for (size_t t = 0; t < all.size(); ++t)
      findStays(t);
    for (const auto &[id, team] : teams)
      size = std::max(size, 1 + static_cast<uint32_t>(team.others.size()));
    if (size == 1)
      return Error{teams.empty()
                       ? "the program has no teams of OpenMP, and what other threads would do with "
                         "more of them is not known; record them (--threads)"
                       : "its teams had one thread, so that nothing says where several "
                         "would wait for each other; record two or more (--threads 2)"};
    std::set<size_t> leaders;
    for (const auto &[id, team] : teams)
      if (team.others.size() + 1 == size)
        leaders.insert(team.first.thread);
    if (leaders.size() > 1)
      return Error{"several threads make teams, which share the library's workers"};
    added.resize(wanted > size ? wanted - size : 0);
    for (const auto &[id, team] : teams)
      if (team.others.size() + 1 == size)
        if (const Status s = resize(id, team); !s)
          return s.error();
    return finish();
  }

private:
  struct Team {
    Stay first;
    std::vector<Stay> others;
  };
  /// What comes to the first thread of a team.
  struct Moved {
    std::map<size_t, Steps> ofLoops, beforeMeetings;
    std::map<size_t, uint64_t> work; ///< before meetings
  };

  void findStays(size_t t) {
    const Steps &steps = all[t];
    Stay *now = nullptr;
    std::vector<uint64_t> led;
    for (size_t i = 0; i < steps.size(); ++i) {
      const StrandEvent &e = steps[i].event;
      const bool ends = e.kind == QX_STRAND_END || e.kind == QX_STRAND_MEMBER ||
                        (e.kind == QX_STRAND_LEAVE && e.object == 0);
      if (ends && now != nullptr)
        std::exchange(now, nullptr)->end = i;
      if (e.kind == QX_STRAND_MEMBER) {
        now = &teams[e.object].others.emplace_back(Stay{t, i, i, e.site});
      } else if (e.kind == QX_STRAND_TEAM) {
        teams[e.object].first = {t, i, i, 0};
        led.push_back(e.object);
      } else if (e.kind == QX_STRAND_LEAVE && !led.empty() && e.object == led.back()) {
        teams[e.object].first.end = i;
        led.pop_back();
      }
    }
  }

  /// What may be parts of something that threads share by their numbers: of several of them, more,
  /// from one meeting to the next, than it takes to come to loops. What only one does then, as a
  /// single that makes tasks, more threads would not share.
  uint64_t maybeShared(const Team &team) const {
    constexpr uint64_t hardly = 200;               // counts
    std::map<size_t, std::vector<uint64_t>> large; // by meeting
    const auto look = [&](const Stay &stay) {
      for (const auto &[meeting, stretch] : stretchesOf(stay))
        if (stretch.work > hardly)
          large[meeting].push_back(stretch.work);
    };
    look(team.first);
    std::ranges::for_each(team.others, look);
    uint64_t sum = 0;
    for (const auto &[meeting, works] : large)
      sum += works.size() > 1 ? std::accumulate(works.begin(), works.end(), uint64_t{0}) : 0;
    return sum;
  }
  /// Do several of its threads make tasks at one place from one meeting to the next? Whether fewer
  /// threads would make as many in all, or each as many, is nowhere.
  bool makesTasksEach(const Team &team) const {
    std::map<std::pair<size_t, uint32_t>, size_t> makers; // by meeting and place
    const auto look = [&](const Stay &stay) {
      std::set<std::pair<size_t, uint32_t>> places;
      follow(all[stay.thread], stay, [&](const Part &p) {
        if (p.event == Part::Of::itself && p.step.event.kind == QX_STRAND_SPAWN)
          places.emplace(p.meetings, p.step.event.site);
      });
      for (const auto &place : places)
        ++makers[place];
    };
    look(team.first);
    std::ranges::for_each(team.others, look);
    return std::ranges::any_of(makers, [](const auto &m) { return m.second > 1; });
  }

  /// What any thread of a team does, up to each meeting: what one of them did that worked, met
  /// others and had locks, and did nothing else but execute tasks, and of these the one that did
  /// least. Empty: up to some meeting nobody did only that.
  std::optional<std::map<size_t, Stretch>> leastOf(const Team &team) const {
    std::map<size_t, std::optional<Stretch>> least;
    const auto look = [&](const Stay &stay) {
      for (auto &[meeting, stretch] : stretchesOf(stay)) {
        std::optional<Stretch> &known = least[meeting];
        if (!stretch.hasOthers && (!known || stretch.work < known->work))
          known = std::move(stretch);
      }
    };
    std::ranges::for_each(team.others, look);
    look(team.first);
    std::map<size_t, Stretch> out;
    for (auto &[meeting, stretch] : least) {
      if (!stretch)
        return std::nullopt;
      out.emplace(meeting, std::move(*stretch));
    }
    return out;
  }

  Status resize(uint64_t id, const Team &team) {
    const std::optional<std::map<size_t, Stretch>> least = leastOf(team);
    beside += maybeShared(team);
    if (!least && wanted > size)
      return Error{"between two barriers no thread of a team did only what another one more would "
                   "do, too: to work, to "
                   "meet the others, to execute tasks and to have locks (teams within teams, "
                   "signals and waits of another kind are more)"};
    if (wanted < size && makesTasksEach(team))
      return Error{
          "several threads of a team make tasks at one place, and what fewer of them would "
          "make is not known; record the program with so many (--threads)"};
    for (size_t k = 0; k < added.size(); ++k)
      copy(id, *least, size + static_cast<uint32_t>(k), added[k]);
    for (const Stay &s : team.others)
      if (s.member >= wanted)
        remove(s, least.value_or(std::map<size_t, Stretch>()), moved[id]);
    return Done{};
  }

  /// Without iterations and tasks.
  static void copy(uint64_t team, const std::map<size_t, Stretch> &stretches, uint32_t member,
                   Steps &to) {
    to.push_back({0, {0, QX_STRAND_MEMBER, 0, member, team}});
    uint64_t left = 0; ///< work behind the last event of a stretch
    for (const auto &[meeting, stretch] : stretches) {
      left += stretch.work;
      for (const Step &step : stretch.all) {
        left -= step.work;
        to.push_back(step);
      }
    }
    to.push_back({left, {0, QX_STRAND_LEAVE, 0, 0, 0}});
  }

  std::map<size_t, Stretch> stretchesOf(const Stay &stay) const {
    std::map<size_t, Stretch> out;
    uint64_t sinceEvent = 0;
    follow(all[stay.thread], stay, [&](const Part &p) {
      const qx_strand_kind kind = p.step.event.kind;
      Stretch &s = out[p.meetings];
      const uint64_t work = p.work == Part::Of::itself ? p.step.work : 0;
      s.work += work;
      sinceEvent += work;
      if (p.event != Part::Of::itself)
        return;
      s.all.push_back({std::exchange(sinceEvent, 0), p.step.event});
      if (kind != QX_STRAND_LOOP && kind != QX_STRAND_MEET && kind != QX_STRAND_PART) {
        s.steps.push_back({work, p.step.event});
        s.hasOthers |= !isOfLockOrCounter(kind) && kind != QX_STRAND_AWAIT;
      }
    });
    return out;
  }

  void remove(const Stay &stay, const std::map<size_t, Stretch> &usual, Moved &to) {
    removed[stay.thread].push_back(stay);
    follow(all[stay.thread], stay, [&](const Part &p) {
      if (p.event == Part::Of::loop)
        to.ofLoops[p.loops].push_back(p.step);
    });
    for (auto &[meeting, stretch] : stretchesOf(stay)) {
      if (stretch.hasOthers) {
        Steps &steps = to.beforeMeetings[meeting];
        steps.insert(steps.end(), stretch.steps.begin(), stretch.steps.end());
      } else if (const auto of = usual.find(meeting);
                 stretch.work > (of == usual.end() ? 0 : of->second.work)) {
        to.work[meeting] += stretch.work - (of == usual.end() ? 0 : of->second.work);
      }
    }
  }

  /// What a thread of the process does now.
  Steps stepsNow(size_t t) const {
    const Steps &steps = all[t];
    std::map<size_t, Steps> before, behind; ///< by step
    std::map<size_t, uint64_t> more;
    for (const auto &[id, what] : moved)
      if (const Stay &first = teams.at(id).first; first.thread == t)
        follow(steps, first, [&](const Part &p) {
          const auto i = static_cast<size_t>(&p.step - steps.data());
          if (p.event == Part::Of::task)
            return;
          if (const auto loop = what.ofLoops.find(p.loops); loop != what.ofLoops.end() &&
                                                            p.event == Part::Of::itself &&
                                                            p.step.event.kind == QX_STRAND_LOOP)
            behind[endOfLoop(steps, i, first.end)] = loop->second;
          if (p.event != Part::Of::itself || p.step.event.kind != QX_STRAND_MEET)
            return;
          if (const auto s = what.beforeMeetings.find(p.meetings); s != what.beforeMeetings.end())
            before[i] = s->second;
          if (const auto s = what.work.find(p.meetings); s != what.work.end())
            more[i] = s->second;
        });
    std::vector<bool> isKept(steps.size(), true), works(steps.size(), true);
    if (const auto gone = removed.find(t); gone != removed.end())
      for (const Stay &stay : gone->second) {
        isKept[stay.begin] = false;
        if (steps[stay.end].event.kind == QX_STRAND_LEAVE)
          isKept[stay.end] = false;
        works[stay.end] = false;
        follow(steps, stay, [&](const Part &p) {
          const auto i = static_cast<size_t>(&p.step - steps.data());
          isKept[i] = p.event == Part::Of::task;
          works[i] = p.work == Part::Of::task;
        });
      }
    Steps out;
    uint64_t left = 0; // work before events that are not there any more
    for (size_t i = 0; i < steps.size(); ++i) {
      const auto put = before.find(i);
      if (put != before.end())
        out.insert(out.end(), put->second.begin(), put->second.end());
      const uint64_t work = (works[i] ? steps[i].work : 0) + (more.contains(i) ? more[i] : 0);
      if (isKept[i])
        out.push_back({work + std::exchange(left, 0), steps[i].event});
      else
        left += work;
      if (const auto rest = behind.find(i); rest != behind.end())
        out.insert(out.end(), rest->second.begin(), rest->second.end());
    }
    return out;
  }

  ResizedTeams finish() {
    ResizedTeams out;
    out.strands.isCut = strands.isCut;
    uint32_t number = 0;
    double work = 0;
    for (size_t t = 0; t < all.size(); ++t) {
      number = std::max(number, strands.threads[t].number + 1);
      out.strands.threads.push_back(threadOf(strands.threads[t].number, stepsNow(t)));
      for (const Step &s : all[t])
        work += static_cast<double>(s.work);
    }
    for (Steps &steps : added) {
      steps.push_back({0, {0, QX_STRAND_END, 0, 0, 0}});
      out.strands.threads.push_back(threadOf(number++, steps));
    }
    const auto ran = static_cast<uint32_t>(all.size());
    out.atOnce = ran + wanted > size ? ran + wanted - size : 1;
    out.had = size;
    out.besideLoops = work > 0 ? static_cast<double>(beside) / work : 0;
    return out;
  }

  const ProcessStrands &strands;
  const uint32_t wanted;
  uint32_t size = 1; ///< of the largest teams
  std::vector<Steps> all;
  std::map<uint64_t, Team> teams; ///< by number
  std::vector<Steps> added;
  std::map<uint64_t, Moved> moved;             ///< by team
  std::map<size_t, std::vector<Stay>> removed; ///< by thread of the process
  uint64_t beside = 0;
};

} // namespace

Result<ResizedTeams> resizeTeams(const ProcessStrands &strands, uint32_t threads) {
  return Resizer(strands, threads).resize();
}

} // namespace quincunx
