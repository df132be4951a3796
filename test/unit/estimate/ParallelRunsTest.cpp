// Work and span of the runs of a corpus, what is left out of them, and which run a name means.
#include "quincunx/estimate/ParallelRuns.h"

#include "../profile/Records.h"
#include "../strands/Strands.h"

#include <gtest/gtest.h>

namespace quincunx {
namespace {

using namespace test;

quincunx::Run unrecorded(const std::string &identity, const std::string &label) {
  quincunx::Run run = makeRun(identity, {{0}, {1}});
  run.label = label;
  return run;
}

/// A thread takes `child`, of which it has a lock for as long as `held`, and so does the first one.
quincunx::Run recorded(const std::string &identity, const std::string &label, uint64_t child,
                       uint64_t held = 0) {
  quincunx::Run run = unrecorded(identity, label);
  run.strands = {written({{0, 10, QX_STRAND_CREATE, 1, 71},
                          {1, 0, QX_STRAND_LOCK, 0x5000, 72},
                          {1, held, QX_STRAND_UNLOCK, 0x5000, 73},
                          {0, 0, QX_STRAND_WAITED, 0x5000, 74},
                          {0, held, QX_STRAND_UNLOCK, 0x5000, 75},
                          {1, child, QX_STRAND_END},
                          {0, 10, QX_STRAND_JOIN, 1, 76},
                          {0, 5, QX_STRAND_END}})};
  return run;
}

class ParallelRunsTest : public testing::Test {
protected:
  Corpus corpusOf(const std::vector<quincunx::Run> &runs) {
    const std::string path = folder / (std::to_string(number++) + ".qx");
    Result<Corpus> corpus = Corpus::open(path, Corpus::Mode::write);
    EXPECT_TRUE(corpus);
    for (const quincunx::Run &run : runs)
      EXPECT_TRUE(corpus->add(run));
    return std::move(*corpus);
  }
  ParallelRuns read(const std::vector<quincunx::Run> &runs) {
    const Result<ParallelRuns> found = parallelRuns(corpusOf(runs), {});
    EXPECT_TRUE(found) << (found ? "" : found.error().text);
    return found ? *found : ParallelRuns();
  }
  std::string errorOf(const std::vector<quincunx::Run> &runs) {
    const Result<ParallelRuns> found = parallelRuns(corpusOf(runs), {});
    return found ? "none" : found.error().text;
  }

private:
  const Folder folder;
  int number = 0;
};

/// Of the parts of all runs.
const PathPart *partAt(const ParallelRuns &runs, const StrandPlace &place) {
  const auto at = std::ranges::find(runs.parts, place, &PathPart::place);
  return at == runs.parts.end() ? nullptr : &*at;
}

TEST_F(ParallelRunsTest, EachRunHasItsFigures) {
  const ParallelRuns all = read({recorded("b", "2", 100), recorded("a", "1", 40, 30)});
  ASSERT_EQ(all.runs.size(), 2u);
  EXPECT_EQ(all.runs[0].label, "1") << "in the order of the corpus";
  EXPECT_EQ(all.runs[0].identity, "a");
  EXPECT_EQ(all.runs[0].work, 10u + 30 + 40 + 30 + 10 + 5);
  EXPECT_EQ(all.runs[0].span, 10u + 30 + 40 + 5);
  EXPECT_EQ(all.runs[0].locked, 10u + 30 + 40 + 5); // longer than 10 + 30 + 30 + 10 + 5
  EXPECT_EQ(all.runs[0].threads, 2u);
  EXPECT_EQ(all.runs[0].strands, 8u);
  EXPECT_EQ(all.runs[1].span, 115u);
  EXPECT_EQ(all.notFinished + all.notRecorded + all.severalProcesses, 0u);
  const ParallelRuns held = read({recorded("a", "1", 0, 30)});
  EXPECT_EQ(held.runs[0].span, 10u + 30 + 10 + 5);
  EXPECT_EQ(held.runs[0].locked, 10u + 30 + 30 + 10 + 5);
}

TEST_F(ParallelRunsTest, SharesAreMeansOverRunsOfTheirOwnPaths) {
  // Paths of 50, 10 + 25 + 10 + 5, where the child does not matter, and of 115.
  const ParallelRuns all = read({recorded("a", "1", 35), recorded("b", "2", 100)});
  ASSERT_EQ(all.runs[0].locked, 50u);
  ASSERT_EQ(all.runs[1].locked, 115u);
  struct {
    StrandPlace place;
    double mean, atWorst;
  } const table[] = {{{0, 71, QX_STRAND_CREATE}, (10 / 50. + 10 / 115.) / 2, 10 / 115.},
                     {{71, 0, QX_STRAND_END}, (35 / 50. + 100 / 115.) / 2, 100 / 115.},
                     {{0, 0, QX_STRAND_END}, (5 / 50. + 5 / 115.) / 2, 5 / 115.}};
  ASSERT_EQ(all.parts.size(), std::size(table));
  double mean = 0, atWorst = 0;
  for (const auto &t : table) {
    const PathPart *part = partAt(all, t.place);
    ASSERT_NE(part, nullptr) << t.place.site;
    EXPECT_DOUBLE_EQ(part->mean, t.mean) << t.place.site;
    EXPECT_DOUBLE_EQ(part->atWorst, t.atWorst) << t.place.site;
    mean += part->mean;
    atWorst += part->atWorst;
  }
  EXPECT_DOUBLE_EQ(mean, 1) << "parts are the whole path";
  EXPECT_DOUBLE_EQ(atWorst, 1);
  EXPECT_TRUE(std::ranges::is_sorted(all.parts, std::greater<>(), &PathPart::mean));
}

TEST_F(ParallelRunsTest, APartThatOneRunHasIsNoneOfTheOthers) {
  const ParallelRuns all = read({recorded("a", "1", 0, 30), recorded("b", "2", 400)});
  const PathPart *held = partAt(all, {0, 75, QX_STRAND_UNLOCK}); // only the shorter one waited
  ASSERT_NE(held, nullptr);
  EXPECT_DOUBLE_EQ(held->mean, 30 / 85. / 2);
  EXPECT_EQ(held->atWorst, 0);
}

// The 99th percentile of 300 runs is the 297th: four of them are not below it.
TEST_F(ParallelRunsTest, TheWorstAreThoseFromThe99thPercentileOn) {
  std::vector<quincunx::Run> runs;
  for (uint64_t i = 1; i <= 300; ++i)
    runs.push_back(recorded(std::to_string(i), std::to_string(i), 1000 * i));
  const ParallelRuns all = read(runs);
  double expected = 0;
  for (const double child : {297000., 298000., 299000., 300000.})
    expected += child / (child + 15) / 4;
  const PathPart *part = partAt(all, {71, 0, QX_STRAND_END});
  ASSERT_NE(part, nullptr);
  EXPECT_NEAR(part->atWorst, expected, 1e-12);
}

TEST_F(ParallelRunsTest, ARunThatDidNothingHasNoParts) {
  quincunx::Run idle = unrecorded("a", "1");
  idle.strands = {written({{0, 0, QX_STRAND_END}})};
  const ParallelRuns all = read({idle, recorded("b", "2", 100)});
  ASSERT_EQ(all.runs.size(), 2u);
  EXPECT_EQ(all.runs[0].work + all.runs[0].span + all.runs[0].locked, 0u);
  EXPECT_DOUBLE_EQ(partAt(all, {71, 0, QX_STRAND_END})->mean, 100 / 115. / 2);
}

TEST_F(ParallelRunsTest, WhatIsLeftOutIsCounted) {
  quincunx::Run stopped = recorded("c", "3", 20), several = recorded("d", "4", 20),
                crashed = stopped;
  stopped.outcome = Outcome::timedOut;
  crashed.outcome = Outcome::crashed;
  crashed.identity = "e";
  several.processes = 2;
  several.strands.push_back(several.strands[0]);
  const ParallelRuns all =
      read({recorded("a", "1", 100), unrecorded("b", "2"), stopped, several, crashed});
  ASSERT_EQ(all.runs.size(), 1u);
  EXPECT_EQ(all.runs[0].label, "1");
  EXPECT_EQ(all.notRecorded, 1u);
  EXPECT_EQ(all.severalProcesses, 1u);
  EXPECT_EQ(all.notFinished, 2u);
  EXPECT_EQ(errorOf({unrecorded("b", "2"), stopped, several}),
            "no strands were recorded; compile and link with "
            "-fplugin-arg-quincunx-record=counts,calls,strands and run again");
  EXPECT_EQ(errorOf({stopped, several}), "its runs are of several processes each, and who of them "
                                         "waits for whom is not recorded");
  EXPECT_EQ(errorOf({stopped}), "no run has finished; a run that was stopped has no critical path");
  EXPECT_EQ(errorOf({}), "no run has finished; a run that was stopped has no critical path");
}

TEST_F(ParallelRunsTest, ARunOfWhichEventsAreMissingIsLeftOut) {
  quincunx::Run cut = recorded("a", "in/\n1", 20);
  cut.strands[0].isCut = true;
  const ParallelRuns all = read({recorded("b", "2", 20), cut});
  EXPECT_EQ(all.runs.size(), 1u);
  EXPECT_EQ(all.notWhole, 1u);
  EXPECT_EQ(errorOf({cut}), "run in/\\n1: events of its threads are missing: a process keeps "
                            "1048576; try a smaller input");
  cut.outcome = Outcome::cutShort;
  EXPECT_EQ(read({recorded("b", "2", 20), cut}).notFinished, 1u) << "it is left out anyway";
}

// Strands of 85 and a cost of 100: threads were at work when the process ended.
TEST_F(ParallelRunsTest, ARunOfWhichWorkIsInNoStrandIsLeftOut) {
  const Corpus corpus = corpusOf({recorded("a", "1", 20, 20), recorded("b", "2", 20, 20)});
  const Result<ParallelRuns> all = parallelRuns(corpus, {{"a", 100.0}, {"b", 85.5}});
  ASSERT_TRUE(all);
  ASSERT_EQ(all->runs.size(), 1u);
  EXPECT_EQ(all->runs[0].label, "2");
  EXPECT_EQ(all->notWhole, 1u);
  EXPECT_EQ(all->whyNot, "run 1: a part of its work is of threads of which the end is not known: "
                         "they were at work when the process ended; join them before");
  EXPECT_FALSE(parallelRun(corpus, {{"a", 100.0}}, "1"));
}

TEST_F(ParallelRunsTest, NotesSayWhatIsInNoSpan) {
  const auto kinds = [](const RunWork &run) {
    std::string all;
    for (const Note &n : notesOnWaits({}, {}, {run}))
      all += n.kind + " ";
    return all;
  };
  EXPECT_EQ(kinds(read({recorded("a", "1", 100)}).runs[0]), "");
  quincunx::Run detached = unrecorded("b", "2");
  detached.strands = {
      written({{0, 10, QX_STRAND_CREATE, 1, 71}, {1, 40, QX_STRAND_END}, {0, 5, QX_STRAND_END}})};
  EXPECT_EQ(kinds(read({detached}).runs[0]), "unjoined ");
  quincunx::Run exclusive = unrecorded("c", "3");
  exclusive.strands = {written({{0, 0, QX_STRAND_TEAM, 1},
                                {0, 0, QX_STRAND_SPAWN, 1},
                                {0, 0, QX_STRAND_WRITE, 7, 4},
                                {0, 5, QX_STRAND_END}})};
  EXPECT_EQ(kinds(read({exclusive}).runs[0]), "exclusion one-thread ");
}

TEST_F(ParallelRunsTest, ARunIsFoundByItsLabelOrItsIdentity) {
  quincunx::Run stopped = recorded("c0de", "9", 20);
  stopped.outcome = Outcome::cutShort;
  const Corpus corpus =
      corpusOf({recorded("abcdef01", "1", 100), recorded("abcdef99", "2", 200),
                recorded("ffff", "ab", 300), recorded("eeee", "7", 1), recorded("dddd", "7", 2),
                recorded("9999", "in threads=2", 3), unrecorded("0000", "8"), stopped});
  struct {
    const char *name;
    uint64_t span; ///< 0: an error
    const char *error;
  } const table[] = {
      {"1", 115, ""},
      {"abcdef01", 115, ""},
      {"abcdef9", 215, ""},
      {"ab", 315, ""},
      {"abcde", 0, "no finished run with strands is called abcde; quincunx corpus ls lists runs"},
      {"abcdef", 0,
       "2 runs are called abcdef; name one by its identity (quincunx corpus ls --json)"},
      {"7", 0, "2 runs are called 7; name one by its identity (quincunx corpus ls --json)"},
      {"", 0, "no finished run with strands is called ; quincunx corpus ls lists runs"},
      {"8", 0, "no finished run with strands is called 8; quincunx corpus ls lists runs"},
      {"9", 0, "no finished run with strands is called 9; quincunx corpus ls lists runs"},
      {"in", 0, "runs of in are called 'in threads=2'"},
  };
  for (const auto &t : table) {
    const auto found = parallelRun(corpus, {}, t.name);
    EXPECT_EQ(found ? "" : found.error().text, t.error) << t.name;
    if (!found)
      continue;
    EXPECT_EQ(found->first.span, t.span) << t.name;
    EXPECT_EQ(found->second.free.span, t.span) << "the path is that of the run";
    EXPECT_EQ(found->second.locked.span, found->first.locked);
  }
}

// f calls at line 7; at line 9 it has g inlined, which has h inlined at line 3 and calls there.
TEST(ParallelRunsSites, AreLinesOfTheFunctionThatTheyStandIn) {
  Map map;
  Function &f = map.functions.emplace_back();
  f.name = "f";
  f.files = {{"/src/f.c", {}}, {"/src/g.h", {}}};
  f.scopes = {{noIndex, "f", 0, 5, 0, 0},
              {0, "g", 1, 1, 9, 2},
              {1, "h", 1, 20, 3, 4},
              {1, "_ZNSt5mutex4lockEv", 0, 100, 4, 1}};
  f.calls.resize(4);
  f.calls[0].at = {7, 1, 0};
  f.calls[1].at = {21, 1, 2};
  f.calls[2].at = {4, 1, 1};
  f.calls[3].at = {101, 1, 3}; // of the library: g calls it
  Function &bare = map.functions.emplace_back();
  bare.name = "bare";
  bare.scopes = {{noIndex, "bare", noIndex, 0, 0, 0}};
  bare.calls.resize(1);
  const StrandSites sites = strandSites({map});
  ASSERT_EQ(sites.size(), 6u) << "two calls of one line are one site";
  struct {
    const char *function, *file;
    uint32_t line;
  } const table[] = {
      {"f", "/src/f.c", 7}, {"h", "/src/g.h", 21}, {"g", "/src/g.h", 4}, {"bare", "", 0},
      {"g", "/src/g.h", 3}, {"f", "/src/f.c", 9}}; // h and g may but pass on what they were given
  for (const auto &t : table) {
    const auto at = sites.find(qx_strand_site(t.function, std::strlen(t.function), t.line));
    ASSERT_NE(at, sites.end()) << t.function << t.line;
    EXPECT_EQ(at->second.function, t.function);
    EXPECT_EQ(at->second.file, t.file);
    EXPECT_EQ(at->second.line, t.line);
  }
  EXPECT_TRUE(strandSites({}).empty());
}

TEST(ParallelRuns, SleepingIsSaid) {
  const auto notes = notesOnWaits({"malloc", "usleep", "sleep_set"}, {}, {});
  ASSERT_EQ(notes.size(), 1u) << "one is not a call that sleeps, though its name begins like it";
  EXPECT_EQ(notes[0].kind, "sleeps");
  EXPECT_NE(notes[0].text.find("(usleep)"), std::string::npos);
  RunWork waited;
  waited.hasTimeouts = true;
  const auto ofTime = notesOnWaits({}, {}, {RunWork(), waited});
  ASSERT_EQ(ofTime.size(), 1u);
  EXPECT_EQ(ofTime[0].kind, "sleeps");
}

/// A function that calls another one.
Map callOf(const char *caller, const char *callee) {
  Function f;
  f.name = caller;
  f.calls.resize(1);
  f.calls[0].callee = callee;
  Map map;
  map.functions.push_back(std::move(f));
  return map;
}

TEST(ParallelRuns, WhatOtherTimesWouldChangeIsSaid) {
  for (const auto &[called, kind] : {std::pair<const char *, const char *>{"sched_yield", "yields"},
                                     {"pthread_rwlockattr_setkind_np", "writers"},
                                     {"__kmpc_cancel", "cancelled"}}) {
    const auto notes = notesOnWaits({called}, {callOf("main", called)}, {});
    ASSERT_EQ(notes.size(), 1u) << called;
    EXPECT_EQ(notes[0].kind, kind);
  }
  EXPECT_TRUE(
      notesOnWaits({"sched_yield"}, {callOf("_ZNSt8__detail16__thread_yieldEv", "sched_yield")}, {})
          .empty())
      << "the library looks a few times before it waits";
}

TEST(ParallelRuns, CountsThatWereNotKeptAreSaid) {
  RunWork all, some;
  some.hasUncounted = true;
  EXPECT_TRUE(notesOnWaits({}, {}, {all}).empty());
  const auto notes = notesOnWaits({}, {}, {all, some});
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].kind, "uncounted");
  EXPECT_NE(notes[0].text.find("1 of 2 runs"), std::string::npos);
}

TEST(ParallelRuns, WaitsForWhatIsSentAreSaid) {
  for (const char *called : {"poll", "recv", "sigwait"}) {
    const auto notes = notesOnWaits({called, "read"}, {}, {});
    ASSERT_EQ(notes.size(), 1u) << called;
    EXPECT_EQ(notes[0].kind, "waits");
    EXPECT_NE(notes[0].text.find(called), std::string::npos);
  }
  EXPECT_EQ(notesOnWaits({"pipe", "read"}, {}, {}).size(), 1u);
  EXPECT_TRUE(notesOnWaits({"pipe", "write"}, {}, {}).empty()) << "another process may read";
  EXPECT_TRUE(notesOnWaits({"read"}, {}, {}).empty()) << "a file";
}

} // namespace
} // namespace quincunx
