// A thread's sections in a row become pieces of every kind of section (a lock, where it is had and
// where it is given up), of which each stands for as many sections as any other in the run. A job
// from a counter is a section that holds nothing. Pieces differ as sections of their kind do that
// were kept one by one: as regular ones they would find locks free more often. Where several
// threads had a lock meanwhile, in which order they did is not known any more.
#include "FoldedSections.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace quincunx {

namespace {

constexpr double mostPieces = 1 << 17; ///< of a process: far more than threads have stretches
constexpr size_t piecesInWindow = 64;  ///< of all kinds
constexpr size_t mostExamples = 1 << 12;
constexpr size_t mostInVain = 1 << 8; ///< kinds that are not there, one behind another

/// What ends jobs from a counter: sites are below 2^31.
constexpr uint32_t ofJobs = UINT32_MAX;

struct Kind {
  uint64_t object = 0;
  uint32_t site = 0, end = 0; ///< where it is had, and given up; of jobs: ofJobs
  auto operator<=>(const Kind &) const = default;
};

struct Section {
  Kind kind;
  double count = 0;             ///< that it stands for
  uint32_t order = 0, last = 0; ///< of the first of them, and of the last
  uint64_t before = 0, held = 0;
};

/// The section that begins there, and what comes behind it; nothing where none does.
struct Found {
  Section section;
  size_t behind;
};
std::optional<Found> sectionAt(const std::vector<StrandEvent> &events, size_t i, uint64_t clock) {
  const bool isFolded = events[i].kind == QX_STRAND_FOLDED;
  const double count = isFolded ? std::max(1.0, static_cast<double>(events[i].object)) : 1;
  const uint32_t last = events[i].order; // of the lock, where nothing is folded
  i += isFolded ? 1 : 0;
  if (i + 1 >= events.size())
    return std::nullopt;
  if (events[i].kind == QX_STRAND_CLAIM && events[i + 1].kind == QX_STRAND_NUMBER)
    return Found{{{events[i].object, events[i].site, ofJobs},
                  count,
                  events[i].order,
                  std::max(last, events[i].order),
                  events[i].clock - clock,
                  0},
                 i + 2};
  if (events[i].kind != QX_STRAND_LOCK || events[i + 1].kind != QX_STRAND_UNLOCK ||
      events[i].object != events[i + 1].object)
    return std::nullopt;
  const StrandEvent &lock = events[i], &unlock = events[i + 1];
  return Found{{{lock.object, lock.site, unlock.site},
                count,
                lock.order,
                std::max(last, lock.order),
                lock.clock - clock,
                unlock.clock - lock.clock},
               i + 2};
}

/// Calls `section` and `other` with what a thread met, in its order, without remarks.
template <class S, class O> void walk(const std::vector<StrandEvent> &events, S section, O other) {
  uint64_t clock = 0;
  for (size_t i = 0; i < events.size();) {
    if (const auto found = sectionAt(events, i, clock)) {
      section(found->section);
      i = found->behind;
      clock = events[i - 1].clock;
      continue;
    }
    if (!isRemark(events[i].kind)) {
      other(events[i]);
      clock = events[i].clock;
    }
    ++i;
  }
}

/// What sections do that were kept one by one: how those between two places differ, each beside
/// their mean, and which kind comes behind which.
class Examples {
public:
  void add(const Section &s) {
    std::vector<Example> &of = all[{s.kind.site, s.kind.end}];
    if (of.size() < mostExamples)
      of.push_back({static_cast<double>(s.before), static_cast<double>(s.held)});
    if (kinds.size() < mostExamples) {
      kinds.push_back(s.kind);
      known.insert(s.kind);
    }
  }
  /// The next `count` in turn, which add up to what `of` is.
  std::vector<std::pair<double, double>> next(const Section &of, size_t count) {
    const std::pair places(of.kind.site, of.kind.end);
    const std::vector<Example> &from = all[places];
    std::vector<std::pair<double, double>> out;
    double before = 0, held = 0;
    for (size_t i = 0; i < count; ++i) {
      const Example e = from.empty() ? Example{1, 1} : from[turns[places]++ % from.size()];
      out.emplace_back(e.before, e.held);
      before += e.before;
      held += e.held;
    }
    const auto even = 1 / static_cast<double>(count);
    for (auto &[b, h] : out) {
      b = static_cast<double>(of.before) * (before > 0 ? b / before : even);
      h = static_cast<double>(of.held) * (held > 0 ? h / held : even);
    }
    return out;
  }
  /// The kind that came next; nothing where none is known.
  const Kind *nextKind() const { return kinds.empty() ? nullptr : &kinds[turn % kinds.size()]; }
  void goOn() { ++turn; }
  /// Goes on to where one of that kind came.
  void goTo(const Kind &kind) {
    while (known.contains(kind) && kinds[turn % kinds.size()] != kind)
      ++turn;
  }

private:
  struct Example {
    double before, held;
  };
  using Places = std::pair<uint32_t, uint32_t>;
  std::map<Places, std::vector<Example>> all;
  std::map<Places, size_t> turns;
  std::vector<Kind> kinds; ///< as they came
  std::set<Kind> known;    ///< the same
  size_t turn = 0;
};

/// A section that stands for as many others as any.
struct Piece {
  double before, held;
  double order; ///< from the first to the last that it stands for, evenly
};

/// Of a thread: what was kept in the order in which it was, as neighbours of what is folded are
/// not.
void collect(const StrandThread &thread, Examples &examples) {
  constexpr size_t fewest = 16;
  std::vector<Section> run;
  bool isBehindFolded = false;
  const auto end = [&](bool isFolded) {
    if ((!isFolded && !isBehindFolded) || run.size() >= fewest)
      for (const Section &s : run)
        examples.add(s);
    run.clear();
    isBehindFolded = isFolded;
  };
  walk(
      thread.events,
      [&](const Section &s) {
        if (s.count > 1)
          end(true);
        else if (run.size() < mostExamples)
          run.push_back(s);
      },
      [&](const StrandEvent &) { end(false); });
  end(false);
}

class Evener {
public:
  Evener(const ProcessStrands &ran, double sections) : each(std::max(1.0, sections / mostPieces)) {
    out.isCut = ran.isCut;
    for (const StrandThread &t : ran.threads)
      collect(t, examples);
  }

  void add(const StrandThread &thread) {
    out.threads.push_back({thread.number, {}});
    clock = 0;
    walk(
        thread.events,
        [this](const Section &s) {
          if (latest)
            addToRow(*latest);
          latest = s;
        },
        [this](const StrandEvent &e) {
          endRow();
          put(e, e.order, takesLock(e.kind) || e.kind == QX_STRAND_UNLOCK);
          clock = e.clock;
        });
    endRow();
  }

  EvenSections finish() {
    for (auto &[object, events] : ordered) {
      std::ranges::stable_sort(events, {}, &Ordered::order);
      uint32_t next = 0;
      for (const Ordered &o : events)
        number(out.threads[o.thread].events, o.event, next++);
    }
    return {std::move(out), each};
  }

private:
  struct OfKind {
    Section all;              ///< those of which no pieces are made yet
    double met = 0;           ///< all of them
    size_t made = 0;          ///< pieces
    std::deque<Piece> pieces; ///< that are not written yet
    bool isTouched = false;
  };
  struct Ordered {
    double order;
    size_t thread, event;
  };

  void put(StrandEvent e, double order, bool isOfLock) {
    std::vector<StrandEvent> &events = out.threads.back().events;
    if (isOfLock)
      ordered[e.object].push_back({order, out.threads.size() - 1, events.size()});
    events.push_back(e);
  }

  static void number(std::vector<StrandEvent> &events, size_t event, uint32_t order) {
    events[event].order = order;
    if (events[event].kind == QX_STRAND_CLAIM)
      events[event + 1].object = order;
  }

  void addToRow(const Section &s) {
    if (row.empty())
      examples.goTo(s.kind);
    OfKind &of = row[s.kind];
    if (!std::exchange(of.isTouched, true))
      touched.push_back(&of);
    if (of.all.count == 0) {
      of.all = s;
    } else {
      of.all.count += s.count;
      of.all.last = std::max(of.all.last, s.last);
      of.all.before += s.before;
      of.all.held += s.held;
    }
    of.met += s.count;
    if ((inWindow += s.count) >= static_cast<double>(piecesInWindow) * each) {
      close(false);
      writeInTurn(false);
    }
  }

  /// The latest section stays as it is: a thread may have found nothing more to do in it.
  void endRow() {
    if (!latest)
      return;
    if (latest->count > 1)
      addToRow(*std::exchange(latest, std::nullopt));
    close(true);
    writeInTurn(true);
    clock += length;
    passed = 0;
    length = 0;
    row.clear();
    if (const auto s = std::exchange(latest, std::nullopt)) {
      const uint64_t had = clock + s->before;
      clock = had + s->held;
      put(s->kind, s->order, had, clock);
    }
  }

  /// Makes pieces of what the row holds, of each kind as many as are due by now.
  void close(bool isEnd) {
    if (isEnd)
      for (auto &[kind, of] : row)
        if (!of.isTouched)
          touched.push_back(&of);
    for (OfKind *const at : touched) {
      OfKind &of = *at;
      of.isTouched = false;
      const auto due = static_cast<size_t>(std::llround(of.met / each));
      const size_t count = isEnd && of.made == 0 ? std::max<size_t>(due, 1) : due - of.made;
      if (of.all.count == 0 || (count == 0 && !isEnd))
        continue;
      length += of.all.before + of.all.held;
      of.made += count;
      waiting += count;
      for (size_t i = 0; const auto &[before, held] : examples.next(of.all, count)) {
        const double share = (static_cast<double>(i++) + 0.5) / static_cast<double>(count);
        const double order = of.all.order + share * (of.all.last - of.all.order);
        of.pieces.push_back({before, held, i == count ? of.all.last : order});
      }
      of.all = {};
    }
    touched.clear();
    inWindow = 0;
  }

  /// Writes pieces as kinds came in sections that were kept: those that are there. At the end, and
  /// where others have not come for long, all of them.
  void writeInTurn(bool isEnd) {
    size_t inVain = 0;
    for (const Kind *kind = examples.nextKind(); kind != nullptr && waiting > 0;
         kind = examples.nextKind()) {
      const auto of = row.find(*kind);
      const bool isThere = of != row.end() && !of->second.pieces.empty();
      if (isThere)
        write(*kind, of->second);
      else if (!isEnd && of != row.end() && waiting <= 2 * piecesInWindow)
        return;
      inVain = isThere ? 0 : inVain + 1;
      examples.goOn();
      if (inVain == mostInVain)
        break;
    }
    if (isEnd || waiting > 2 * piecesInWindow)
      for (auto &[kind, of] : row)
        while (!of.pieces.empty())
          write(kind, of);
  }
  void write(const Kind &kind, OfKind &of) {
    const Piece p = of.pieces.front();
    of.pieces.pop_front();
    --waiting;
    const uint64_t had = clockAt(passed += p.before);
    put(kind, p.order, had, clockAt(passed += p.held));
  }
  uint64_t clockAt(double since) const {
    return clock + (since < static_cast<double>(length) ? static_cast<uint64_t>(since) : length);
  }
  void put(const Kind &kind, double order, uint64_t had, uint64_t given) {
    if (kind.end == ofJobs) {
      put({had, QX_STRAND_CLAIM, 0, kind.site, kind.object}, order, true);
      put({had, QX_STRAND_NUMBER, 0, 0, 0}, order, false); // its number follows from the order
      return;
    }
    put({had, QX_STRAND_LOCK, 0, kind.site, kind.object}, order, true);
    put({given, QX_STRAND_UNLOCK, 0, kind.end, kind.object}, order, true);
  }

  const double each; ///< sections that a piece stands for
  Examples examples;
  std::map<Kind, OfKind> row;                       ///< sections behind each other
  std::vector<OfKind *> touched;                    ///< those that came since pieces were made
  std::optional<Section> latest;                    ///< of the row, and not in it yet
  double inWindow = 0;                              ///< sections since pieces were made
  size_t waiting = 0;                               ///< pieces that are not written yet
  uint64_t clock = 0;                               ///< where the row began
  uint64_t length = 0;                              ///< of what became pieces of it
  double passed = 0;                                ///< of what is written of it
  std::map<uint64_t, std::vector<Ordered>> ordered; ///< events of each lock
  ProcessStrands out;
};

} // namespace

std::optional<EvenSections> evenSections(const ProcessStrands &ran) {
  double sections = 0;
  bool areFolded = false;
  for (const StrandThread &t : ran.threads)
    walk(
        t.events,
        [&](const Section &s) {
          sections += s.count;
          areFolded |= s.count > 1;
        },
        [](const StrandEvent &) {});
  if (!areFolded)
    return std::nullopt;
  Evener even(ran, sections);
  for (const StrandThread &t : ran.threads)
    even.add(t);
  return even.finish();
}

} // namespace quincunx
