// What calls cost where they are made: one function called with other arguments from elsewhere, and
// targets of pointers that a branch in front decides. Truth: runs in which the change is made.
#include "FlowPrograms.h"

using namespace quincunx;
using namespace quincunx::test;

namespace {

/// The clock of the build, as the machine of the tests prices.
void record(Function &f) {
  f.callRecorder = 0;
  f.recorderWords = QX_CALL_WORDS;
  f.clock = {
      {InstructionClass::multiply, 5}, {InstructionClass::add, 2}, {InstructionClass::load, 10}};
}

/// Two functions call a third: `often` has it iterate 40 times, `seldom` not at all.
std::vector<Map> sharing(bool recorded) {
  Function work = looping(), often = leaf("often"), seldom = leaf("seldom"),
           shared = loopWithBranch("shared");
  work.calls = {{3, "often", false, {6, 5, 0}}, {4, "seldom", false, {7, 5, 0}}};
  often.calls = seldom.calls = {{0, "shared", false, {21, 5, 0}}};
  for (Function *f : {&work, &often, &seldom, &shared})
    if (recorded)
      record(*f);
  return {mapOf({work, often, seldom, shared})};
}

constexpr uint64_t iterations = 40;

quincunx::Run run(const Map &map, size_t i, uint64_t trues, uint64_t falses) {
  const uint64_t calls = trues + falses;
  quincunx::Run r = runOf(std::to_string(i), map,
                          {1, trues, falses, trues, falses, calls, iterations * trues, 0});
  // A call of `shared` costs 14 and 25 for each iteration, of the others 10 more.
  const uint64_t ofShared = 14 * calls + 25 * iterations * trues;
  const uint64_t sums[] = {15 * trues + 12 * falses + ofShared, (24 + 25 * iterations) * trues,
                           24 * falses, ofShared};
  const uint64_t often[] = {1, trues, falses, calls};
  for (size_t f = 0; f < 4 && map.functions[f].callRecorder != noIndex; ++f) {
    Counts &words = r.images[0].recorders;
    words.index.insert(words.index.end(),
                       {map.functions[f].firstRecorder, map.functions[f].firstRecorder + 9});
    words.value.insert(words.value.end(), {sums[f], often[f]});
  }
  return r;
}

Result<WhatIfAnswer> answer(const std::vector<Map> &maps, const Runs &runs, const char *change) {
  CountMatrixBuilder builder(maps, runs.size());
  for (const quincunx::Run &r : runs)
    EXPECT_TRUE(builder.add(r));
  const Result<CountMatrix> matrix = builder.finish();
  const Result<Machine> machine = parseMachine(costs, "test.machine");
  return whatIf(BlockCosts(*matrix, maps, *machine), *machine, {*parseChange(change)}, {});
}

} // namespace

TEST(CallContext, ACallCostsWhatItsCallerMakesOfIt) {
  const std::vector<Map> maps = sharing(true), blind = sharing(false);
  Runs runs, without, made;
  std::mt19937_64 random(1);
  for (size_t i = 0; i < 60; ++i) {
    const uint64_t n = 4 * (10 + random() % 10), trues = n / 4;
    runs.push_back(run(maps[0], i, trues, n - trues));
    without.push_back(run(blind[0], i, trues, n - trues));
    made.push_back(run(maps[0], i, 2 * trues, n - 2 * trues));
  }
  const auto told = answer(maps, runs, "p(branch prog.c:5) *= 2");
  const auto truth = answer(maps, made, "cost(seldom) *= 1");
  ASSERT_TRUE(told && truth);
  for (const char *figure : {"mean", "p50", "p90"})
    EXPECT_NEAR(after(*told, figure).value, before(*truth, figure).value,
                1e-9 * before(*truth, figure).value)
        << figure;
  // Where calls were not recorded both arms call the average: far from it.
  const auto average = answer(blind, without, "p(branch prog.c:5) *= 2");
  ASSERT_TRUE(average);
  EXPECT_LT(after(*average, "mean").value, 0.7 * before(*truth, "mean").value);
}

TEST(CallContext, CallsThatAreAsTheyWereCostWhatTheyDid) {
  const std::vector<Map> maps = sharing(true);
  Runs runs;
  for (size_t i = 0; i < 20; ++i)
    runs.push_back(run(maps[0], i, 10 + i, 90 + i));
  for (const char *same : {"p(branch prog.c:5) *= 1", "trips(loop prog.c:4) *= 1"}) {
    const auto told = answer(maps, runs, same);
    ASSERT_TRUE(told);
    for (const Compared &c : told->figures)
      EXPECT_NEAR(c.after.value, c.before.value, 1e-9 * std::fabs(c.before.value)) << c.name;
  }
}

TEST(CallContext, ABranchDecidesWhomAPointerCallsFurtherOn) {
  // Both arms lead to a call through a pointer: of `dear` behind the true one, else of `g`.
  const auto map = [] {
    Function work = looping(), dear = leaf("dear");
    work.name = "main"; // nobody calls it
    work.blocks.push_back({{}, {{8, 1, 0}}});
    work.edges[6].to = work.edges[7].to = 6;
    work.edges.push_back({6, 1, EdgeKind::flow, noIndex});
    work.loops[0].backEdges = {9};
    work.calls = {{6, "", false, {8, 5, 0}}};
    dear.blocks[0].mix[0].count = 50;
    return mapOf({work, leaf("g"), dear});
  }();
  const std::vector<Map> maps{map};
  Runs runs, made;
  std::mt19937_64 random(1);
  for (size_t i = 0; i < 60; ++i) {
    const uint64_t n = 60, trues = 10 + random() % 11;
    runs.push_back(runOf(std::to_string(i), map, {1, trues, n - trues, n - trues, trues}));
    made.push_back(
        runOf(std::to_string(i), map, {1, 2 * trues, n - 2 * trues, n - 2 * trues, 2 * trues}));
  }
  const auto told = answer(maps, runs, "p(branch prog.c:5) *= 2");
  const auto truth = answer(maps, made, "cost(g) *= 1");
  ASSERT_TRUE(told && truth);
  EXPECT_NEAR(after(*told, "mean").value, before(*truth, "mean").value,
              1e-6 * before(*truth, "mean").value);
  EXPECT_LT(after(*told, "mean").trust.high, 1.2 * after(*told, "mean").value);
  for (const Note &n : told->notes)
    EXPECT_NE(n.kind, "pointers") << n.text;
}

TEST(CallContext, OneFunctionCostsAtEachPlaceWhatItDidThere) {
  // Both arms call `shared` themselves, the true one with 40 iterations.
  const auto map = [] {
    Function work = looping(), shared = loopWithBranch("shared");
    work.calls = {{3, "shared", false, {6, 5, 0}}, {4, "shared", false, {7, 5, 0}}};
    record(work);
    record(shared);
    return mapOf({work, shared});
  }();
  const auto run = [&](size_t i, uint64_t trues, uint64_t falses) {
    const uint64_t n = trues + falses, ofShared = 14 * n + 25 * iterations * trues;
    quincunx::Run r = runOf(std::to_string(i), map, {1, trues, falses, n, iterations * trues, 0});
    const uint32_t first = map.functions[0].firstRecorder, second = map.functions[1].firstRecorder;
    r.images[0].recorders = {{first, first + 9, second, second + 9},
                             {5 * trues + 2 * falses + ofShared, 1, ofShared, n}};
    return r;
  };
  Runs runs, made;
  std::mt19937_64 random(1);
  for (size_t i = 0; i < 60; ++i) {
    const uint64_t n = 40 + random() % 40, trues = 4 + random() % 10;
    runs.push_back(run(i, trues, n - trues));
    made.push_back(run(i, 2 * trues, n - 2 * trues));
  }
  const auto told = answer({map}, runs, "p(branch prog.c:5) *= 2");
  const auto truth = answer({map}, made, "cost(shared) *= 1");
  ASSERT_TRUE(told && truth);
  EXPECT_NEAR(after(*told, "mean").value, before(*truth, "mean").value,
              1e-9 * before(*truth, "mean").value);
}

TEST(CallContext, WherePlacesAreNotToldApartTheirCostsAreOpen) {
  // Both arms call `shared`, the true one with so many iterations, and one in four is true in every
  // run: nothing but the cheapest and the dearest call tells that they differ.
  const auto map = [] {
    Function work = looping(), shared = loopWithBranch("shared");
    work.calls = {{3, "shared", false, {6, 5, 0}}, {4, "shared", false, {7, 5, 0}}};
    record(work);
    record(shared);
    return mapOf({work, shared});
  }();
  const auto runs = [&](uint64_t turns, uint64_t perCase) {
    Runs all;
    for (size_t i = 0; i < 60; ++i) {
      const uint64_t quarter = 10 + i % 17, trues = perCase * quarter, n = 4 * quarter;
      const uint64_t dear = 14 + 25 * turns, ofShared = 14 * n + 25 * turns * trues;
      quincunx::Run r = runOf(std::to_string(i), map, {1, trues, n - trues, n, turns * trues, 0});
      const uint32_t first = map.functions[0].firstRecorder,
                     second = map.functions[1].firstRecorder;
      Counts &words = r.images[0].recorders;
      words = {{first, first + 1 + qx_call_bucket(1), second, second + 1 + qx_call_bucket(14)},
               {5 * trues + 2 * (n - trues) + ofShared, 1, ofShared, turns == 0 ? n : n - trues}};
      if (turns != 0) {
        words.index.push_back(second + 1 + qx_call_bucket(dear));
        words.value.push_back(trues);
      }
      all.push_back(std::move(r));
    }
    return all;
  };
  const auto isOpen = [](const Note &n) { return n.kind == "places"; };
  for (const uint64_t turns : {iterations, uint64_t{0}}) {
    const auto told = answer({map}, runs(turns, 1), "p(branch prog.c:5) *= 2");
    const auto truth = answer({map}, runs(turns, 2), "cost(shared) *= 1");
    ASSERT_TRUE(told && truth);
    for (const char *figure : {"mean", "sd", "p50", "p90"}) {
      EXPECT_LE(after(*told, figure).trust.low, before(*truth, figure).value) << figure;
      EXPECT_GE(after(*told, figure).trust.high, before(*truth, figure).value) << figure;
    }
    EXPECT_EQ(std::any_of(told->notes.begin(), told->notes.end(), isOpen), turns != 0);
  }
}
