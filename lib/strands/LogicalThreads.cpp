// A member of a team begins where the team was made, a task where it was made or where those end
// that it depends on; who waits for tasks joins them. A barrier of a team waits for all tasks that
// were made in it: each member joins, before it comes there, the tasks that it made, and those
// that these made and did not wait for. A task that goes on in another thread is one for all that:
// its stretches have an order. OpenMP 5.2, 12.5, 12.9 and 15.
#include "LogicalThreads.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace quincunx {

namespace {

using Id = uint64_t; ///< number of a team or task

constexpr uint32_t mutexInOutSet = 4; ///< a kind of depend(), as OMPT has it

/// Work that may be some times what it was; whole as long as it is not.
class Work {
public:
  void add(uint64_t amount, double factor) {
    if (factor == 1) {
      sum += amount;
      return;
    }
    part += factor * static_cast<double>(amount);
    const double all = std::floor(part);
    sum += static_cast<uint64_t>(all);
    part -= all;
  }
  uint64_t rounded() const { return sum + (part >= 0.5 ? 1 : 0); }

private:
  uint64_t sum = 0;
  double part = 0; ///< below 1
};

/// What a thread of the process did in a task without a break.
struct TaskStretch {
  uint32_t order = 0, ranOn = 0;
  Work work;
  std::vector<StrandEvent> events; ///< with clocks from its beginning
};

struct Task {
  uint32_t number = 0; ///< of its logical thread
  std::vector<TaskStretch> stretches;
  std::vector<Id> left;  ///< for which it did not wait; those that these left come with them
  bool isMade = false;   ///< somebody did; nobody does so again
  std::vector<Id> after; ///< those that it depends on
};

/// A place in a team, and how many loops were met there.
struct Place {
  Id team = 0; ///< 0: none
  uint32_t member = 0, loops = 0;
};

struct Known {
  std::map<Id, std::vector<uint32_t>> members; ///< by team: logical threads, but for the first
  std::map<uint32_t, Place> places;            ///< of these
  std::map<Id, Task> tasks;
  std::map<std::pair<Id, uint32_t>, TeamLoop> loops; ///< by team, in its order
};

StrandEvent withClock(StrandEvent e, uint64_t clock) {
  e.clock = clock;
  return e;
}

/// How much more the work of whom is, by the numbers that events have.
class Factors {
public:
  Factors(const ProcessStrands &process, const WorkFactors &factors) {
    if (factors.empty())
      return;
    for (const StrandThread &t : process.threads)
      for (const StrandEvent &e : t.events)
        if (const auto factor = factors.find(e.site); factor != factors.end())
          if (e.kind == QX_STRAND_CREATE || e.kind == QX_STRAND_TEAM || e.kind == QX_STRAND_SPAWN)
            of[{e.kind, e.object}] = factor->second;
  }
  double operator()(qx_strand_kind begun, uint64_t number) const {
    const auto factor = of.find({begun, number});
    return factor == of.end() ? 1 : factor->second;
  }

private:
  std::map<std::pair<qx_strand_kind, uint64_t>, double> of;
};

/// How much more the work is of what a thread executes at the moment.
struct Executed {
  double base = 1;
  std::vector<double> teams; ///< that it made and that have not ended
  double factor() const { return teams.empty() ? base : teams.back(); }
};

/// Deals the events of threads to their own work, to the teams that they are in and to tasks.
class Dealer {
public:
  Dealer(LogicalThreads &o, Known &k, const Factors &f) : out(o), known(k), factorOf(f) {}

  void deal(const ProcessStrands &process) {
    uint32_t next = 0;
    out.firstMember = process.threads.size();
    for (const StrandThread &t : process.threads) {
      next = std::max(next, t.number + 1);
      add(t.number, t.number);
      for (const StrandEvent &e : t.events)
        if (e.kind == QX_STRAND_SPAWN && e.object != 0)
          known.tasks[e.object];
    }
    for (auto &[id, task] : known.tasks)
      task.number = next++;
    for (size_t t = 0; t < process.threads.size(); ++t)
      dealThread(process.threads[t], t, next);
    out.firstTask = out.strands.threads.size();
    for (const auto &[id, task] : known.tasks)
      addTask(task);
  }

private:
  size_t add(uint32_t number, uint32_t ranOn) {
    out.strands.threads.push_back({number, {}});
    out.ranOn.push_back(ranOn);
    return out.strands.threads.size() - 1;
  }
  std::vector<StrandEvent> &eventsOf(size_t logical) { return out.strands.threads[logical].events; }

  void dealThread(const StrandThread &thread, size_t own, uint32_t &next) {
    size_t member = own;
    uint64_t last = 0;
    Work clock, ofMember;
    TaskStretch *stretch = nullptr; ///< of the task that runs
    Executed itself{factorOf(QX_STRAND_CREATE, thread.number), {}}, other;
    Executed *executed = &itself;
    const auto leave = [&](bool ends) {
      if (ends && member != own)
        eventsOf(member).push_back({ofMember.rounded(), QX_STRAND_END, 0, 0, 0});
      stretch = nullptr;
      member = own;
      ofMember = {};
      executed = &itself;
    };
    const auto execute = [&](Executed &of, double base) {
      of.base = base;
      executed = &of;
    };
    for (const StrandEvent &e : thread.events) {
      Work &now = stretch != nullptr ? stretch->work : member != own ? ofMember : clock;
      now.add(e.clock - std::exchange(last, e.clock), executed->factor());
      if (e.kind == QX_STRAND_MEMBER) {
        leave(true);
        member = add(next++, thread.number);
        known.members[e.object].push_back(out.strands.threads.back().number);
        known.places[out.strands.threads.back().number] = {e.object, e.site, 0};
        execute(other = {}, factorOf(QX_STRAND_TEAM, e.object));
      } else if (e.kind == QX_STRAND_LEAVE && e.object == 0) {
        leave(true);
      } else if (e.kind == QX_STRAND_RUN) {
        const auto task = known.tasks.find(e.object);
        stretch =
            task == known.tasks.end()
                ? nullptr
                : &task->second.stretches.emplace_back(TaskStretch{e.order, thread.number, {}, {}});
        if (stretch != nullptr)
          execute(ofTasks[e.object], factorOf(QX_STRAND_SPAWN, e.object));
        else
          executed = member != own ? &other : &itself;
      } else if (e.kind == QX_STRAND_END) {
        leave(true);
        eventsOf(own).push_back(withClock(e, clock.rounded()));
      } else {
        (stretch != nullptr ? stretch->events : eventsOf(member))
            .push_back(withClock(e, now.rounded()));
        if (e.kind == QX_STRAND_TEAM)
          executed->teams.push_back(factorOf(QX_STRAND_TEAM, e.object));
        else if (e.kind == QX_STRAND_LEAVE && !executed->teams.empty())
          executed->teams.pop_back();
      }
    }
  }

  void addTask(const Task &task) {
    std::vector<const TaskStretch *> stretches;
    for (const TaskStretch &s : task.stretches)
      stretches.push_back(&s);
    std::ranges::stable_sort(stretches, {}, &TaskStretch::order);
    const size_t at = add(task.number, stretches.empty() ? 0 : stretches.front()->ranOn);
    uint64_t clock = 0;
    for (const TaskStretch *s : stretches) {
      for (const StrandEvent &e : s->events)
        eventsOf(at).push_back(withClock(e, clock + e.clock));
      clock += s->work.rounded();
    }
    eventsOf(at).push_back({clock, QX_STRAND_END, 0, 0, 0});
  }

  LogicalThreads &out;
  Known &known;
  const Factors &factorOf;
  std::map<Id, Executed> ofTasks; ///< which may go on in another thread
};

/// Tasks that use an address alike: all of them come after all that used it before.
struct Uses {
  uint32_t kind = 0; ///< of depend(), as OMPT has it
  std::vector<Id> now, before;
};

/// What a logical thread has not waited for, in an open group of tasks or team of its own.
struct Level {
  bool isTeam = false;
  /// It is a team of one thread within another, for loops to be dealt: nothing but work in these.
  bool isWork = false;
  Place place;                   ///< of a team, or the first level
  std::vector<Id> made, theirs;  ///< tasks that it made; those that joined ones left
  std::map<uint64_t, Uses> uses; ///< by address; of a team
  std::vector<Id> everything;    ///< who used all of memory, which all others come after
};

/// Says, in one logical thread, what it does with teams and tasks as threads say it.
class Translator {
public:
  Translator(Known &k, size_t t, const Place &place, std::vector<StrandEvent> &to,
             WithLoops withLoops)
      : known(k), thread(t), events(to), hasLoops(withLoops == WithLoops::yes) {
    levels.front().place = place;
  }

  void translate(const StrandEvent &e) {
    switch (e.kind) {
    case QX_STRAND_TEAM:
      makeTeam(e);
      break;
    case QX_STRAND_MEET:
      joinTeam(e);
      meet(e, QX_STRAND_ARRIVE);
      break;
    case QX_STRAND_PART:
      meet(e, QX_STRAND_PASS);
      break;
    case QX_STRAND_LEAVE:
      endTeam(e);
      break;
    case QX_STRAND_SPAWN:
      spawn(e);
      break;
    case QX_STRAND_USE:
    case QX_STRAND_WRITE:
      depend(e);
      break;
    case QX_STRAND_TASKWAIT:
      e.object == 0 ? wait(e) : waitForOne(e);
      break;
    case QX_STRAND_GROUP:
      levels.emplace_back();
      break;
    case QX_STRAND_GROUP_END:
      if (levels.size() > 1 && !levels.back().isTeam) {
        joinAll(e, levels.back());
        levels.pop_back();
      }
      break;
    case QX_STRAND_LOOP:
      if (!levels[team()].isWork)
        shareLoop(e);
      [[fallthrough]];
    case QX_STRAND_ITERATED:
      if (hasLoops && !levels[team()].isWork)
        events.push_back(e);
      break;
    case QX_STRAND_SERIAL:
    case QX_STRAND_ROUND:
    case QX_STRAND_SPIN: // who sets it is not known
    case QX_STRAND_FOLDED:
    case QX_STRAND_STOPPED:
      break;
    default:
      events.push_back(e);
    }
  }

  /// Tasks for which nobody has waited.
  std::vector<Id> left() const {
    std::vector<Id> all;
    for (const Level &l : levels) {
      all.insert(all.end(), l.theirs.begin(), l.theirs.end());
      all.insert(all.end(), l.made.begin(), l.made.end());
    }
    return all;
  }

private:
  enum : uint32_t { in = 1, inOutSet = 7, allMemory = 34 };

  /// No object of a record is so large.
  static uint64_t objectOf(Id team) { return uint64_t{1} << QX_STRAND_OBJECT | team; }

  void put(const StrandEvent &e, qx_strand_kind kind, uint64_t object) {
    events.push_back({e.clock, kind, e.order, e.site, object});
  }
  void meet(const StrandEvent &e, qx_strand_kind kind) {
    if (!levels[team()].isWork)
      put(e, kind, objectOf(e.object));
  }
  void joinTask(const StrandEvent &e, Id id) { put(e, QX_STRAND_JOIN, known.tasks[id].number); }

  void makeTeam(const StrandEvent &e) {
    const std::vector<uint32_t> &members = known.members[e.object];
    for (const uint32_t member : members)
      put(e, QX_STRAND_CREATE, member);
    const bool isWork = hasLoops && members.empty() && levels[team()].place.team != 0;
    if (!isWork)
      put({e.clock, e.kind, e.order, static_cast<uint32_t>(members.size()) + 1, 0},
          QX_STRAND_BARRIER, objectOf(e.object));
    Level &level = levels.emplace_back();
    level.isTeam = true;
    level.isWork = isWork;
    level.place.team = e.object;
  }

  void shareLoop(const StrandEvent &e) {
    constexpr unsigned bitsOfSchedule = 8;
    Place &place = levels[team()].place;
    if (place.team == 0 || !hasLoops)
      return;
    TeamLoop &loop = known.loops[{place.team, place.loops++}];
    const auto schedule = static_cast<uint8_t>(e.object);
    loop.site = e.site;
    loop.schedule = schedule >= QX_SCHEDULE_STATIC && schedule < QX_SCHEDULE_OTHER
                        ? static_cast<qx_schedule>(schedule)
                        : QX_SCHEDULE_OTHER;
    loop.chunk = std::min<uint64_t>(e.object >> bitsOfSchedule, UINT32_MAX);
    loop.teamSize = static_cast<uint32_t>(known.members[place.team].size()) + 1;
    loop.parts.push_back({place.member, thread, events.size()});
  }

  void endTeam(const StrandEvent &e) {
    joinTeam(e);
    meet(e, QX_STRAND_PASS);
    if (team() > 0)
      levels.resize(team());
  }

  /// Index of the level of the innermost team; 0: there is none, and tasks are of the thread.
  size_t team() const {
    size_t at = levels.size() - 1;
    while (at > 0 && !levels[at].isTeam)
      --at;
    return at;
  }

  void spawn(const StrandEvent &e) {
    spawned = e.object;
    if (spawned == 0)
      return;
    put(e, QX_STRAND_CREATE, known.tasks[spawned].number);
    if (!std::exchange(known.tasks[spawned].isMade, true))
      levels.back().made.push_back(spawned);
  }

  void joinTeam(const StrandEvent &e) {
    for (size_t l = team(); l < levels.size(); ++l)
      joinAll(e, levels[l]);
  }

  void joinAll(const StrandEvent &e, Level &level) {
    std::vector<Id> more = std::exchange(level.theirs, {});
    more.insert(more.end(), level.made.begin(), level.made.end());
    level.made.clear();
    while (!more.empty()) {
      const Id id = more.back();
      more.pop_back();
      joinTask(e, id);
      const std::vector<Id> &of = known.tasks[id].left;
      more.insert(more.end(), of.begin(), of.end());
    }
  }

  void wait(const StrandEvent &e) {
    for (size_t l = team(); l < levels.size(); ++l)
      for (const Id id : std::exchange(levels[l].made, {}))
        joinOne(e, id, levels[l]);
  }

  /// It is one of the last that were made.
  void waitForOne(const StrandEvent &e) {
    for (size_t l = levels.size(); l-- > 0;) {
      std::vector<Id> &made = levels[l].made;
      const auto at = std::find(made.rbegin(), made.rend(), e.object);
      if (at == made.rend())
        continue;
      made.erase(std::next(at).base());
      joinOne(e, e.object, levels[l]);
      return;
    }
  }

  void joinOne(const StrandEvent &e, Id id, Level &level) {
    joinTask(e, id);
    const std::vector<Id> &of = known.tasks[id].left;
    level.theirs.insert(level.theirs.end(), of.begin(), of.end());
  }

  void depend(const StrandEvent &e) {
    Level &level = levels[team()];
    if (e.site >= allMemory) {
      dependOnAll(e, level);
      return;
    }
    Uses &use = level.uses.try_emplace(e.object, Uses{0, {}, level.everything}).first->second;
    const uint32_t kind = e.kind == QX_STRAND_USE ? in : e.site;
    const bool isSet = kind == in || kind == mutexInOutSet || kind == inOutSet;
    if (!isSet || use.kind != kind) {
      if (!use.now.empty())
        use.before = std::exchange(use.now, {});
      use.kind = kind;
    }
    for (const Id id : use.before)
      after(e, id);
    use.now.push_back(spawned);
  }

  void dependOnAll(const StrandEvent &e, Level &level) {
    for (const Id id : level.everything)
      after(e, id);
    for (const auto &[address, use] : level.uses)
      for (const Id id : use.now)
        after(e, id);
    level.uses.clear();
    level.everything = {spawned};
  }

  void after(const StrandEvent &e, Id id) {
    if (id == 0 || id == spawned)
      return;
    if (spawned == 0)
      joinTask(e, id);
    else
      known.tasks[spawned].after.push_back(id);
  }

  Known &known;
  const size_t thread; ///< its index
  std::vector<StrandEvent> &events;
  const bool hasLoops;
  Id spawned = 0; ///< whose uses come next; 0: those of this logical thread
  std::vector<Level> levels{1};
};

} // namespace

LogicalThreads logicalThreads(const ProcessStrands &process, WithLoops withLoops,
                              const WorkFactors &factors) {
  LogicalThreads out{.strands = {process.isCut, {}}, .ranOn = {}, .loops = {}};
  Known known;
  Dealer(out, known, Factors(process, factors)).deal(process);
  for (const StrandThread &t : process.threads)
    for (const StrandEvent &e : t.events) {
      out.hasTeamOfOne |= e.kind == QX_STRAND_TEAM && known.members[e.object].empty();
      out.hasExclusion |= e.kind == QX_STRAND_WRITE && e.site == mutexInOutSet;
    }
  std::vector<StrandThread> &threads = out.strands.threads;
  const size_t firstTask = threads.size() - known.tasks.size();
  const auto translate = [&](size_t index, Task *task) {
    StrandThread &t = threads[index];
    const std::vector<StrandEvent> events = std::exchange(t.events, {});
    const auto place = known.places.find(t.number);
    Translator translator(known, index, place != known.places.end() ? place->second : Place{},
                          t.events, withLoops);
    for (const StrandEvent &e : events)
      translator.translate(e);
    if (task != nullptr)
      task->left = translator.left();
  };
  size_t at = threads.size();
  for (auto task = known.tasks.rbegin(); task != known.tasks.rend(); ++task)
    translate(--at, &task->second); // before who made it, as that has a lower number
  for (size_t t = 0; t < firstTask; ++t)
    translate(t, nullptr);
  for (const auto &[id, task] : known.tasks) {
    std::vector<StrandEvent> waits;
    for (const Id before : task.after)
      waits.push_back({0, QX_STRAND_JOIN, 0, 0, known.tasks[before].number});
    std::vector<StrandEvent> &events = threads[at++].events;
    events.insert(events.begin(), waits.begin(), waits.end());
  }
  for (auto &[of, loop] : known.loops)
    out.loops.push_back(std::move(loop));
  return out;
}

} // namespace quincunx
