// Functions that code which was not counted calls back, where the flow that leads there changes.
// Truth: runs in which the change is made.
#include "FlowPrograms.h"

using namespace quincunx;
using namespace quincunx::test;

namespace {

/// `comparisons` are made for every true outcome, which calls `library` in place of g; `before`
/// is called once, in front of the loop.
struct Library {
  std::string name, before;
  uint64_t comparisons = 3;

  Runs runs(uint64_t times) const {
    const std::vector<Map> maps = program();
    Runs all;
    for (uint64_t i = 0; i < 40; ++i) {
      const uint64_t trues = times * (10 + i), falses = times * (7 + i % 5);
      all.push_back(runOf(std::to_string(i), maps[0], {1, trues, falses, comparisons * trues}));
    }
    return all;
  }
  Result<WhatIfAnswer> ask(const Runs &of, const std::string &change) const {
    return quincunx::test::ask(of, {change}, {}, [&](Function &work) {
      work.name = "main"; // nobody calls it
      work.calls = {{3, name, false, {6, 5, 0}}};
      if (!before.empty())
        work.calls.push_back({0, before, false, {3, 5, 0}});
    });
  }
};

bool isNoted(const WhatIfAnswer &a) {
  return std::ranges::any_of(a.notes, [](const Note &n) { return n.kind == "called-back"; });
}

void expectHeld(const WhatIfAnswer &a, const std::string &figure, double value) {
  EXPECT_LE(after(a, figure).trust.low, value) << figure;
  EXPECT_GE(after(a, figure).trust.high, value) << figure;
}

} // namespace

TEST(CalledBack, ComparisonsGrowWithWhatSortsByThem) {
  for (const char *name : {"qsort", "bsearch"}) {
    const Library library{name, "printf"};
    const auto told = library.ask(library.runs(1), "trips(loop prog.c:4) *= 2");
    const auto truth = library.ask(library.runs(2), "trips(loop prog.c:4) *= 1");
    ASSERT_TRUE(told && truth);
    EXPECT_NEAR(after(*told, "mean").value, before(*truth, "mean").value,
                1e-9 * before(*truth, "mean").value)
        << name;
    EXPECT_FALSE(isNoted(*told));
  }
}

TEST(CalledBack, WhereItIsNotKnownWhoCallsBackBothAreHeld) {
  const Library unknown{"sort_it", ""}, elsewhere{"qsort", "start_it"}, other{"log_it", "qsort"};
  for (const Library &library : {unknown, elsewhere, other}) {
    const Runs was = library.runs(1);
    const auto told = library.ask(was, "trips(loop prog.c:4) *= 3");
    const auto truth = library.ask(library.runs(3), "trips(loop prog.c:4) *= 1");
    ASSERT_TRUE(told && truth);
    EXPECT_TRUE(isNoted(*told)) << library.name;
    Library stays = library;
    stays.comparisons = 1;
    const auto one = stays.ask(stays.runs(3), "trips(loop prog.c:4) *= 1");
    ASSERT_TRUE(one);
    for (const char *figure : {"mean", "p50", "p90"})
      expectHeld(*told, figure, before(*truth, figure).value);
    // A third of the comparisons for each of three times the trips: as many as there were. What
    // is alone in the loop calls back as often as it is called, and may do so less often.
    if (!library.before.empty())
      expectHeld(*told, "mean", before(*one, "mean").value);
  }
}

TEST(CalledBack, WhatCallsNothingBackLeavesNothingOpen) {
  const Library library{"memcpy", "qsort"};
  const auto told = library.ask(library.runs(1), "trips(loop prog.c:4) *= 3");
  ASSERT_TRUE(told);
  EXPECT_FALSE(isNoted(*told));
}
