// Timings in the corpus: what is stored comes back, merging goes by identity, timings of two
// programs do not mix, and corpora of the format before them are read and upgraded.
#include "quincunx/profile/Timing.h"

#include "profile/Corpora.h"
#include "profile/Records.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace quincunx {
namespace {

using namespace test;

std::vector<Timing> timings(const Corpus &corpus) {
  auto all = corpus.timings();
  EXPECT_TRUE(all) << all.error().text;
  return all ? std::move(*all) : std::vector<Timing>();
}

std::optional<TimedProgram> program(const Corpus &corpus) {
  auto known = corpus.timedProgram();
  EXPECT_TRUE(known) << known.error().text;
  return known ? std::move(*known) : std::nullopt;
}

std::string calibration(const Corpus &corpus) {
  const auto text = corpus.calibration();
  EXPECT_TRUE(text) << text.error().text;
  return text ? *text : "an error";
}

Timing input(const std::string &label, std::vector<std::string> arguments = {}) {
  Timing timing{"", label, std::move(arguments), "", {}};
  timing.identity = timingIdentity(timing.label, timing.arguments, timing.standardInput);
  return timing;
}

Repetition repetition(const std::string &identity, uint32_t round) {
  Repetition r;
  r.identity = identity;
  r.round = round;
  r.exitStatus = 3;
  r.start = 1e9 + round;
  r.wall = 0.5;
  r.user = 0.25 + 1e-6 * round;
  r.system = 0.125;
  r.minorFaults = 100;
  r.majorFaults = 1;
  r.voluntarySwitches = 2;
  r.involuntarySwitches = 7;
  r.peakMemory = 4096;
  return r;
}

const TimedProgram plain{"/bin/plain", std::string(32, 'a'), "a processor", false, 1, {}};

TEST(Timing, GivesBackWhatItTook) {
  const Folder folder;
  Timing a = input("a", {"x", "-y z"}), b = input("b");
  b.standardInput = "/in/b";
  Repetition counted = repetition("r3", 2);
  counted.cycles = 1e9;
  counted.instructions = 2e9;
  counted.branchMisses = 5;
  counted.cacheMisses = 0;
  TimedProgram expected = plain;
  expected.startUps = {{"s1", 1e9, 0.002, 0.001, 0.0005}, {"s2", 2e9, 0.003, 0.002, 0.0005}};
  {
    Corpus corpus = open(folder / "c.qx");
    EXPECT_FALSE(program(corpus));
    EXPECT_TRUE(timings(corpus).empty());
    ASSERT_TRUE(corpus.setTimedProgram(plain));
    ASSERT_TRUE(corpus.addRepetition(a, counted));
    ASSERT_TRUE(corpus.addRepetition(a, repetition("r2", 1)));
    ASSERT_TRUE(corpus.addRepetition(b, repetition("r1", 1)));
    ASSERT_TRUE(corpus.addRepetition(b, repetition("r2", 9))); // there already: left alone
    for (const StartUp &one : {expected.startUps[1], expected.startUps[0], expected.startUps[1]})
      ASSERT_TRUE(corpus.addStartUp(one));
  }
  a.repetitions = {repetition("r2", 1), counted};
  b.repetitions = {repetition("r1", 1)};
  std::vector<Timing> all{a, b};
  std::sort(all.begin(), all.end(),
            [](const Timing &x, const Timing &y) { return x.identity < y.identity; });
  const Corpus corpus = open(folder / "c.qx", Corpus::Mode::read);
  EXPECT_EQ(timings(corpus), all);
  EXPECT_EQ(program(corpus), expected);
}

TEST(Timing, IdentityTellsInputsApart) {
  EXPECT_EQ(timingIdentity("a", {"b"}, "c"), timingIdentity("a", {"b"}, "c"));
  const std::set<std::string> all{timingIdentity("a", {"b", "c"}, ""),
                                  timingIdentity("a", {"b"}, "c"), timingIdentity("a", {"b c"}, ""),
                                  timingIdentity("ab", {"c"}, ""), timingIdentity("a", {}, "")};
  EXPECT_EQ(all.size(), 5u);
}

TEST(Timing, MergesInAnyOrderAnyNumberOfTimes) {
  const Folder folder;
  for (const std::string name : {"a", "b"}) {
    Corpus corpus = open(folder / name);
    TimedProgram own = plain;
    own.path = "/" + name + "/plain";
    own.pinned = name == "a" ? 2 : 1;
    ASSERT_TRUE(corpus.setTimedProgram(own));
    ASSERT_TRUE(corpus.addRepetition(input("shared"), repetition("both", 1)));
    ASSERT_TRUE(corpus.addRepetition(input("shared"), repetition(name + "1", 2)));
    ASSERT_TRUE(corpus.addRepetition(input("only " + name), repetition(name + "2", 2)));
    ASSERT_TRUE(corpus.addStartUp({name, 1, 2, 3, 4}));
  }
  for (const std::string order : {"ab", "ba", "abab"}) {
    Corpus corpus = open(folder / order);
    for (const char c : order)
      ASSERT_TRUE(corpus.merge(open(folder / std::string(1, c), Corpus::Mode::read)));
  }
  const Corpus first = open(folder / "ab", Corpus::Mode::read);
  EXPECT_EQ(timings(first).size(), 3u);
  ASSERT_TRUE(program(first));
  EXPECT_EQ(program(first)->path, "/a/plain");
  EXPECT_EQ(program(first)->pinned, 1);
  EXPECT_EQ(program(first)->startUps.size(), 2u);
  for (const Timing &timing : timings(first))
    EXPECT_EQ(timing.repetitions.size(), timing.label == "shared" ? 3u : 1u);
  for (const char *order : {"ba", "abab"}) {
    const Corpus corpus = open(folder / order, Corpus::Mode::read);
    EXPECT_EQ(timings(corpus), timings(first));
    EXPECT_EQ(program(corpus), program(first));
  }
}

TEST(Timing, DoesNotMixPrograms) {
  const Folder folder;
  Corpus corpus = open(folder / "c.qx");
  TimedProgram other = plain, elsewhere = plain;
  other.md5 = std::string(32, 'b');
  elsewhere.processorModel = "another processor";
  ASSERT_TRUE(corpus.setTimedProgram(other));
  ASSERT_TRUE(corpus.addStartUp({"s", 1, 2, 3, 4}));
  ASSERT_TRUE(corpus.setTimedProgram(plain)); // the other was not timed yet
  EXPECT_EQ(program(corpus), plain);
  ASSERT_TRUE(corpus.addRepetition(input("a"), repetition("r", 1)));
  const Status refused = corpus.setTimedProgram(other);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text.find("has timings of another program"), std::string::npos);
  EXPECT_NE(refused.error().text.find("corpus rm --timings"), std::string::npos);
  EXPECT_FALSE(corpus.setTimedProgram(elsewhere));
  {
    Corpus second = open(folder / "d.qx");
    ASSERT_TRUE(second.add(makeRun("run", {{1}, {2}})));
    ASSERT_TRUE(second.setTimedProgram(other));
    ASSERT_TRUE(second.addRepetition(input("a"), repetition("r2", 1)));
  }
  EXPECT_FALSE(corpus.merge(open(folder / "d.qx", Corpus::Mode::read)));
  EXPECT_EQ(*corpus.runCount(), 0u); // nothing of it
  EXPECT_EQ(timings(corpus).size(), 1u);
}

TEST(Timing, ForgetsTextsAndGoesWhenAsked) {
  const Folder folder;
  Corpus corpus = open(folder / "c.qx");
  Timing timing = input("/secret/place/a", {"/secret/place/a"});
  timing.standardInput = "/secret/in";
  ASSERT_TRUE(corpus.setTimedProgram({"/secret/plain", plain.md5, "p", true, -1, {}}));
  ASSERT_TRUE(corpus.addRepetition(timing, repetition("r", 1)));
  ASSERT_TRUE(corpus.add(makeRun("run", {{1}, {2}})));
  ASSERT_TRUE(corpus.scrub());
  ASSERT_EQ(timings(corpus).size(), 1u);
  const Timing scrubbed = timings(corpus)[0];
  EXPECT_EQ(scrubbed.label, "a");
  EXPECT_TRUE(scrubbed.arguments.empty());
  EXPECT_EQ(scrubbed.standardInput, "");
  EXPECT_NE(scrubbed.identity, timing.identity); // arguments could be guessed from it
  EXPECT_EQ(scrubbed.repetitions, std::vector{repetition("r", 1)});
  EXPECT_EQ(program(corpus)->path, "plain");
  EXPECT_TRUE(program(corpus)->parallel);
  ASSERT_TRUE(corpus.remove({"run"}));
  EXPECT_EQ(timings(corpus).size(), 1u); // timings stay when runs go
  const Result<size_t> removed = corpus.removeTimings();
  ASSERT_TRUE(removed);
  EXPECT_EQ(*removed, 1u);
  EXPECT_TRUE(timings(corpus).empty());
  EXPECT_FALSE(program(corpus));
}

/// Makes a corpus one of format 3.
void makeOld(const std::string &path) {
  removeChecksums(path);
  sql(path,
      "DROP TABLE sample; DROP TABLE sampled; DROP TABLE place;"
      "DROP TABLE start_up; DROP TABLE repetition; DROP TABLE timed; DROP TABLE timed_program;"
      "DROP TABLE calibration; DROP TABLE text_feature; ALTER TABLE run DROP COLUMN page_faults; "
      "ALTER TABLE image DROP COLUMN build; ALTER TABLE run DROP COLUMN tag; "
      "ALTER TABLE run DROP COLUMN source_commit; ALTER TABLE run DROP COLUMN host;"
      "PRAGMA user_version=3");
}

TEST(Timing, ReadsAndUpgradesFormat3) {
  const Folder folder;
  {
    Corpus corpus = open(folder / "old.qx");
    ASSERT_TRUE(corpus.add(makeRun("a", {{1}, {2}})));
  }
  makeOld(folder / "old.qx");
  {
    const Corpus corpus = open(folder / "old.qx", Corpus::Mode::read);
    EXPECT_EQ(*corpus.runCount(), 1u);
    EXPECT_TRUE(timings(corpus).empty());
    EXPECT_FALSE(program(corpus));
    EXPECT_EQ(calibration(corpus), "");
    Corpus into = open(folder / "into.qx");
    EXPECT_TRUE(into.merge(corpus));
    EXPECT_EQ(*into.runCount(), 1u);
  }
  sql(folder / "old.qx", "CREATE TABLE timed(x); DROP TABLE timed"); // reading made none
  makeOld(folder / "into.qx");
  {
    Corpus corpus = open(folder / "old.qx");
    EXPECT_EQ(runs(corpus).at(0).images[0].counts, (Counts{{1}, {2}}));
    EXPECT_FALSE(runs(corpus).at(0).pageFaults);
    quincunx::Run later = makeRun("later", {{1}, {3}});
    later.pageFaults = 120;
    ASSERT_TRUE(corpus.add(later));
    ASSERT_TRUE(corpus.setTimedProgram(plain));
    ASSERT_TRUE(corpus.addRepetition(input("a"), repetition("r", 1)));
    ASSERT_TRUE(corpus.merge(open(folder / "into.qx", Corpus::Mode::read)));
    ASSERT_TRUE(corpus.setCalibration("add 1\n"));
  }
  const Corpus corpus = open(folder / "old.qx", Corpus::Mode::read);
  EXPECT_EQ(*corpus.runCount(), 2u);
  EXPECT_EQ(runs(corpus).at(1).pageFaults, 120);
  EXPECT_EQ(timings(corpus).size(), 1u);
  EXPECT_EQ(program(corpus), plain);
  EXPECT_EQ(calibration(corpus), "add 1\n");
}

TEST(Timing, ReadsAndUpgradesAFormat4WithoutPageFaults) {
  const Folder folder;
  {
    Corpus corpus = open(folder / "c.qx");
    ASSERT_TRUE(corpus.add(makeRun("a", {{1}, {2}})));
    ASSERT_TRUE(corpus.setTimedProgram(plain));
  }
  removeChecksums(folder / "c.qx");
  sql(folder / "c.qx",
      "ALTER TABLE run DROP COLUMN page_faults; DROP TABLE text_feature; PRAGMA user_version=4");
  {
    const Corpus corpus = open(folder / "c.qx", Corpus::Mode::read);
    EXPECT_EQ(runs(corpus).at(0).images[0].counts, (Counts{{1}, {2}}));
    EXPECT_FALSE(runs(corpus).at(0).pageFaults);
    Corpus into = open(folder / "into.qx");
    EXPECT_TRUE(into.merge(corpus));
    EXPECT_EQ(*into.runCount(), 1u);
  }
  sql(folder / "c.qx", // reading made none
      "ALTER TABLE run ADD COLUMN page_faults; ALTER TABLE run DROP COLUMN page_faults");
  quincunx::Run later = makeRun("later", {{1}, {3}});
  later.pageFaults = 120;
  ASSERT_TRUE(open(folder / "c.qx").add(later));
  const Corpus corpus = open(folder / "c.qx", Corpus::Mode::read);
  ASSERT_EQ(runs(corpus).size(), 2u);
  EXPECT_FALSE(runs(corpus)[0].pageFaults);
  EXPECT_EQ(runs(corpus)[1].pageFaults, 120);
  EXPECT_EQ(program(corpus), plain);
}

TEST(Timing, KeepsOneCalibration) {
  const Folder folder;
  Corpus corpus = open(folder / "c.qx");
  EXPECT_EQ(calibration(corpus), "");
  ASSERT_TRUE(corpus.setCalibration("name a\nadd 1\n"));
  ASSERT_TRUE(corpus.setCalibration("name b\nadd 2 # of two lines\n"));
  EXPECT_EQ(calibration(corpus), "name b\nadd 2 # of two lines\n");
  EXPECT_EQ(calibration(open(folder / "c.qx", Corpus::Mode::read)),
            "name b\nadd 2 # of two lines\n");
  ASSERT_TRUE(corpus.addRepetition(input("a"), repetition("r", 1)));
  ASSERT_TRUE(corpus.removeTimings());
  EXPECT_EQ(calibration(corpus), "") << "it goes with what it came from";
}

TEST(Timing, MergesCalibrationsInAnyOrder) {
  const Folder folder;
  open(folder / "none");
  for (const std::string name : {"a", "b"})
    ASSERT_TRUE(open(folder / name).setCalibration("name " + name + "\nadd 1\n"));
  for (const std::string order : {"ab", "ba", "abab"}) {
    Corpus corpus = open(folder / order);
    ASSERT_TRUE(corpus.merge(open(folder / "none", Corpus::Mode::read)));
    EXPECT_EQ(calibration(corpus), "");
    for (const char c : order)
      ASSERT_TRUE(corpus.merge(open(folder / std::string(1, c), Corpus::Mode::read)));
    ASSERT_TRUE(corpus.merge(open(folder / "none", Corpus::Mode::read)));
    EXPECT_EQ(calibration(corpus), "name a\nadd 1\n") << order;
  }
}

TEST(Timing, RefusesWhatCannotBe) {
  for (const char *change :
       {"UPDATE repetition SET user = -1", "UPDATE repetition SET wall = 9e999",
        "UPDATE repetition SET round = 0", "UPDATE repetition SET minor_faults = -1",
        "UPDATE repetition SET cycles = -1", "UPDATE timed SET arguments = '[broken'"}) {
    const Folder folder;
    {
      Corpus corpus = open(folder / "c.qx");
      ASSERT_TRUE(corpus.setTimedProgram(plain));
      ASSERT_TRUE(corpus.addRepetition(input("a", {"b"}), repetition("r", 1)));
    }
    sql(folder / "c.qx", change);
    const auto read = open(folder / "c.qx", Corpus::Mode::read).timings();
    EXPECT_FALSE(read) << change;
  }
}

} // namespace
} // namespace quincunx
