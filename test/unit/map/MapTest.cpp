// Function records: both ways, and against damage.
#include "quincunx/map/Decode.h"
#include "quincunx/map/Encode.h"
#include "quincunx/map/Image.h"

#include "estimate/Synthetic.h"
#include "map/Graphs.h"
#include "quincunx/abi.h"

#include <cstring>
#include <gtest/gtest.h>

namespace quincunx {
namespace {

Function sample() {
  std::mt19937_64 random(3);
  Function f = test::randomFunction(random, 6, true, false);
  f.name = "_ZN3fooEv";
  f.files = {{"src/foo.cpp", {1, 2, 3}}, {"src/bar.h", {}}};
  f.scopes = {{noIndex, "_ZN3fooEv", 0, 10, 0, 0}, {0, "bar", 1, 3, 12, 7}};
  f.blocks[0].mix = {{InstructionClass::add, 3}, {InstructionClass::load, 1}};
  f.blocks[0].lines = {{11, 0, 0}, {4, 0, 1}};
  f.counterCount = 10;
  f.recorderWords = QX_RUN_WORDS + 2 * QX_BINS + QX_CALL_WORDS;
  f.callRecorder = QX_RUN_WORDS + 2 * QX_BINS;
  f.edges[0].counter = 1;
  f.blocks[1].counter = 0;
  f.branches = {{0, false, {1, 1}, 0, noIndex, false, {11, 5, 0}},
                {2, false, {2, 3}, noIndex, 1, true, {12, 9, 0}}};
  f.loops = {{1, noIndex, {1}, {2}, "(arg0 + -1)", true, noIndex, {}, {12, 1, 0}},
             {2, 0, {2}, {3}, "", false, QX_RUN_WORDS, {2, noIndex}, {}}};
  f.calls = {{0, "puts", true, {13, 2, 1}}, {1, "", true, {}}};
  f.blocks[0].memory = 2; // record=predictor
  f.branches[1].misses = 7;
  f.branches[1].limit = 64;
  f.branches[1].belowOnTrue = f.branches[1].ofIndex = true;
  f.branches[0].misses = 8;
  f.calls[1].misses = 9;
  f.calls[0].written = "printf";
  f.calls[0].bytes = ByteSource::result;
  f.calls[0].byteCounter = 8;
  f.calls[1].bytes = ByteSource::argument;
  f.calls[1].constantBytes = uint64_t{1} << 40;
  f.calls[1].type = "vpi";
  f.type = "ipl.";
  f.aliases = {"_ZN3foo1Ev", "old_foo"};
  return f;
}

std::span<const uint8_t> bytes(const std::string &s) {
  return {reinterpret_cast<const uint8_t *>(s.data()), s.size()};
}

TEST(Map, AFunctionSurvivesItsBytes) {
  const Function f = sample();
  const Result<Function> back = decode(bytes(encode(f)));
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, f);
}

/// sample() with places that all formats write alike: before 12 there were no discriminators, nor a
/// bit that says so.
Function oldSample() {
  Function f = sample();
  f.scopes[1].callColumn = 0;
  f.blocks[0].lines[1].scope = f.calls[0].at.scope = 0;
  f.calls[1].callee = "callee"; // calls through pointers have types
  f.calls[1].type.clear();
  f.type.clear();
  f.aliases.clear();
  return f;
}

/// A record as a format before 9 had it, without source blocks.
std::string encodeAs(char format, const Function &f) {
  std::string body = encode(f);
  size_t at = 2; // behind format and number of strings, both below 128
  for (int strings = body[1]; strings > 0; --strings)
    at += 1 + static_cast<size_t>(body[at]);
  body.erase(at + 1, 2); // behind the name: no type, no aliases
  body[0] = format;
  body.pop_back(); // no budgets
  if (format < 9)
    body.resize(body.size() - 2); // no assembly, no source blocks
  return body;
}

TEST(Map, DiscriminatorsSurviveTheirBytes) {
  Function f = sample();
  f.blocks[0].lines[1].discriminator = 3;
  f.blocks[0].again = {{11, 0, 0, false, 2}, {4, 0, 1, false, 1u << 20}};
  f.calls[0].at.discriminator = 5;
  f.scopes[1].callDiscriminator = 7;
  const std::string whole = encode(f);
  const Result<Function> back = decode(bytes(whole));
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, f);
  for (size_t n = 0; n < whole.size(); ++n)
    EXPECT_FALSE(decode(bytes(whole.substr(0, n)))) << n;
  f.blocks[0].again[1].scope = 2;
  EXPECT_FALSE(decode(bytes(encode(f)))) << "a place outside its scopes";
}

/// Of sample().
SourceBlocks sampleSources() {
  return {{{{1, false, false}, {2, true, true}}, true, {{11, 0, 0}, {4, 0, 1}}},
          {{}, false, {{12, 0, 0}}}};
}

TEST(Map, SourceBlocksSurviveTheirBytes) {
  const Result<SourceBlocks> back = decodeSources(bytes(encode(sample(), sampleSources())));
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, sampleSources());
}

TEST(Map, OlderMapsHaveNoSourceBlocks) {
  const Function f = oldSample();
  const std::string body = encodeAs(8, f);
  const Result<SourceBlocks> sources = decodeSources(bytes(body));
  ASSERT_TRUE(sources);
  EXPECT_TRUE(sources->empty());
}

TEST(Map, SourceBlocksLieInTheFlow) {
  const Function f = sample();
  for (const SourceBlock::Term t :
       {SourceBlock::Term{static_cast<uint32_t>(f.blocks.size()), false, false},
        SourceBlock::Term{static_cast<uint32_t>(f.edges.size()), true, false}})
    EXPECT_FALSE(decode(bytes(encode(f, {{{t}, true, {}}}))));
  EXPECT_FALSE(decode(bytes(encode(f, {{{}, true, {{1, 0, 2}}}}))));
}

TEST(Map, EveryTruncationIsAnError) {
  const std::string whole = encode(sample(), sampleSources());
  for (size_t n = 0; n < whole.size(); ++n)
    EXPECT_FALSE(decode(bytes(whole.substr(0, n)))) << n;
}

TEST(Map, NamesAreLimitedAndSoIsTheirUse) {
  constexpr size_t longest = 1 << 20;
  Function f = sample();
  f.name.assign(longest, 'x');
  EXPECT_TRUE(decode(bytes(encode(f))));
  f.name += 'x';
  EXPECT_FALSE(decode(bytes(encode(f))));
  f = sample();
  f.calls.assign(90, {0, std::string(longest, 'x'), false, {}}); // 64 MB, and 32 for the record
  EXPECT_TRUE(decode(bytes(encode(f))));
  f.calls.resize(100, f.calls[0]);
  EXPECT_FALSE(decode(bytes(encode(f))));
}

TEST(Map, NoDamagedByteLeadsOutOfBounds) {
  const std::string whole = encode(sample());
  for (size_t i = 0; i < whole.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = whole;
      bad[i] = static_cast<char>(bad[i] ^ (1 << bit));
      if (const Result<Function> f = decode(bytes(bad))) {
        EXPECT_TRUE(f->callRecorder == noIndex ||
                    f->callRecorder + QX_CALL_WORDS <= f->recorderWords);
        for (const Edge &e : f->edges) {
          EXPECT_TRUE(e.from == noIndex || e.from < f->blocks.size());
          EXPECT_TRUE(e.to == noIndex || e.to < f->blocks.size());
          EXPECT_TRUE(e.counter == noIndex || e.counter < f->counterCount);
        }
        for (const Branch &b : f->branches) {
          EXPECT_TRUE(b.recorder == noIndex || b.recorder + QX_RUN_WORDS <= f->recorderWords);
          EXPECT_TRUE(b.leaves == noIndex || f->loops.at(b.leaves).recorder != noIndex);
          EXPECT_TRUE(b.misses == noIndex || b.misses < f->counterCount);
        }
        for (const Block &b : f->blocks)
          EXPECT_TRUE(b.memory == noIndex || b.memory + memoryCounters <= f->counterCount);
        for (const Call &c : f->calls)
          EXPECT_TRUE(c.misses == noIndex || c.misses < f->counterCount);
        for (const Loop &l : f->loops)
          EXPECT_TRUE(l.recorder == noIndex ||
                      l.recorder + QX_BINS * l.exits.size() <= f->recorderWords);
      }
    }
}

TEST(Map, RecordersOutsideTheirWordsAreAnError) {
  const uint32_t end = sample().recorderWords;
  for (const uint32_t first : {end - QX_RUN_WORDS + 1, end - 1, end}) {
    Function f = sample();
    f.branches[0].recorder = first; // without room for all of it
    EXPECT_FALSE(decode(bytes(encode(f)))) << first;
  }
  Function f = sample();
  f.callRecorder += 1;
  EXPECT_FALSE(decode(bytes(encode(f))));
  f = sample();
  f.loops[1].recorder = f.recorderWords - 2 * QX_BINS;
  ASSERT_TRUE(decode(bytes(encode(f))));
  f.loops[1].exits.push_back(0); // room for two
  EXPECT_FALSE(decode(bytes(encode(f))));
  f = sample();
  f.branches[1].leaves = 0; // of which no trips are recorded
  EXPECT_FALSE(decode(bytes(encode(f))));
  f = sample();
  f.branches[1].block = 1; // no exit of that loop
  EXPECT_FALSE(decode(bytes(encode(f))));
}

TEST(Map, CountersOfThePredictorOutsideTheFunctionAreAnError) {
  Function f = sample();
  f.blocks[0].memory = f.counterCount - memoryCounters;
  EXPECT_TRUE(decode(bytes(encode(f))));
  ++f.blocks[0].memory; // room for four
  EXPECT_FALSE(decode(bytes(encode(f))));
  f = sample();
  f.branches[1].misses = f.counterCount;
  EXPECT_FALSE(decode(bytes(encode(f))));
  f = sample();
  f.calls[1].misses = f.counterCount;
  EXPECT_FALSE(decode(bytes(encode(f))));
  f = sample();
  f.calls[0].byteCounter = f.counterCount;
  EXPECT_FALSE(decode(bytes(encode(f))));
}

/// What formats before 8 did not say: which arm is true. Before 9 jumps were not followed.
void forgetSenses(Function &f) {
  f.followsJumps = false;
  for (Branch &b : f.branches)
    b.senseKnown = b.isSwitch;
}

TEST(Map, TheFormatBeforeThePredictorIsStillRead) {
  Function f = oldSample();
  forgetSenses(f);
  f.blocks[0].memory = f.branches[0].misses = f.branches[1].misses = f.calls[1].misses = noIndex;
  f.branches[1].limit = f.branches[1].belowOnTrue = 0;
  for (const char older : {5, 6, 7}) { // the same bytes where nothing of it is recorded
    const std::string body = encodeAs(older, f);
    const Result<Function> back = decode(bytes(body));
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, f);
  }
}

TEST(Map, ArmsOfOldMapsHaveNoSense) {
  Function f = oldSample();
  const std::string body = encodeAs(7, f);
  const Result<Function> back = decode(bytes(body));
  ASSERT_TRUE(back);
  EXPECT_NE(*back, f);
  forgetSenses(f);
  EXPECT_EQ(*back, f);
}

TEST(Map, WhatMemoryMetInTwoLevelsOnlyIsRefused) {
  Function f = oldSample();
  forgetSenses(f);
  std::string body = encodeAs(6, f);
  const Result<Function> old = decode(bytes(body));
  ASSERT_FALSE(old);
  EXPECT_EQ(old.error().text, "function record counts what memory met as an older quincunx did; "
                              "build the program and record again");
  f.blocks[0].memory = noIndex; // branches were counted as they are now
  body = encodeAs(6, f);
  const Result<Function> back = decode(bytes(body));
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, f);
}

TEST(Map, AssemblyThatIsNotWhollyCounted) {
  Function f = oldSample();
  Function old = f;
  old.followsJumps = false;
  EXPECT_EQ(*decode(bytes(encodeAs(8, f))), old);
  f.assemblies = {{0, true, false, {12, 3, 0}}, {1, true, true, {}}};
  EXPECT_EQ(*decode(bytes(encode(f))), f);
  f.assemblies[1].block = static_cast<uint32_t>(f.blocks.size());
  EXPECT_FALSE(decode(bytes(encode(f))));
}

TEST(Map, BudgetsOfItAndOfWhatWasInlined) {
  Function f = oldSample();
  f.budgets = {{0, "p99 < 2 ms", 0, 12}, {0, "mean calls <= 3 per request", noIndex, 0}};
  Function old = f;
  old.budgets.clear();
  EXPECT_EQ(*decode(bytes(encodeAs(10, old))), old);
  EXPECT_EQ(*decode(bytes(encode(f))), f);
  f.budgets[1].scope = static_cast<uint32_t>(f.scopes.size());
  EXPECT_FALSE(decode(bytes(encode(f))));
}

TEST(Map, CountersThatNothingHasAreRefused) {
  for (uint32_t Function::*size : {&Function::counterCount, &Function::recorderWords}) {
    Function f = sample();
    f.*size = 1u << 30; // memory would be taken for all of them
    const Result<Function> back = decode(bytes(encode(f)));
    ASSERT_FALSE(back);
    EXPECT_EQ(back.error().text, "function record claims counters that nothing in it has");
  }
}

TEST(Map, AFunctionIsEnteredInOneWay) {
  const auto isRefused = [](const Function &f) {
    const Result<Function> back = decode(bytes(encode(f)));
    return !back && back.error().text == "function record does not begin with its first block";
  };
  Function f = sample();
  ASSERT_EQ(f.edges[0].kind, EdgeKind::entry);
  f.edges[0].to = 1;
  EXPECT_TRUE(isRefused(f)) << "at another block";
  f.edges[0] = {0, 1, EdgeKind::flow, 1};
  EXPECT_TRUE(isRefused(f)) << "nowhere";
  f = sample();
  f.edges.push_back({noIndex, 0, EdgeKind::entry});
  EXPECT_TRUE(isRefused(f)) << "twice";
}

RawMap section(const Function &f, int64_t firstCounter, uint64_t counterCount) {
  std::string body = encode(f);
  qx_function_header h{
      QX_FUNCTION_MAGIC, 0, 0, f.counterCount, static_cast<uint32_t>(body.size()), {},
      f.recorderWords,   0};
  qx_hash(body.data(), body.size(), h.body_hash);
  body.resize((body.size() + 7) / 8 * 8, '\0');
  h.size = static_cast<uint32_t>(sizeof h + body.size());
  RawMap raw;
  raw.countersMinusMap = 4096;
  raw.counterCount = counterCount;
  h.counters =
      4096 + 8 * firstCounter - static_cast<int64_t>(offsetof(qx_function_header, counters));
  raw.bytes.resize(sizeof h + body.size() + 8); // and some padding of the linker's
  std::memcpy(raw.bytes.data(), &h, sizeof h);
  std::memcpy(raw.bytes.data() + sizeof h, body.data(), body.size());
  return raw;
}

TEST(Map, CountersOfTwoFunctionsAreAnError) {
  const uint32_t n = sample().counterCount;
  RawMap two = section(sample(), 0, n + 1), once = two;
  ASSERT_TRUE(decodeMap(two));
  two.bytes.insert(two.bytes.end(), once.bytes.begin(), once.bytes.end());
  EXPECT_FALSE(decodeMap(two));
}

TEST(Map, ASectionKnowsItsCounters) {
  const Result<Map> map = decodeMap(section(sample(), 5, sample().counterCount + 5));
  ASSERT_TRUE(map);
  ASSERT_EQ(map->functions.size(), 1u);
  EXPECT_EQ(map->functions[0].firstCounter, 5u);
  EXPECT_EQ(map->counterCount, sample().counterCount + 5);
}

TEST(Map, CountersLieInTheirSectionWhereverAFileSaysItIs) {
  RawMap raw = section(sample(), 5, sample().counterCount + 5);
  for (const int64_t apart : {INT64_MIN, INT64_MIN + 8, int64_t{-8}, INT64_MAX - 7}) {
    raw.countersMinusMap = apart;
    EXPECT_FALSE(decodeMap(raw)) << apart;
  }
}

TEST(Map, ASectionOfFewFunctionsHasFewCounters) {
  const Result<Map> map = decodeMap(section(sample(), 5, 1u << 30));
  ASSERT_FALSE(map);
  EXPECT_EQ(map.error().text, "map claims more counters than its functions can have");
}

TEST(Map, RecordersAreNumberedBehindAllCounters) {
  const Function f = sample();
  const Map map = test::mapOf({f, f});
  const Result<Map> back = decodeMap(test::rawOf(map.functions));
  ASSERT_TRUE(back) << back.error().text;
  EXPECT_EQ(back->counterCount, 2 * f.counterCount);
  EXPECT_EQ(back->functions[0].firstRecorder, 2 * f.counterCount);
  EXPECT_EQ(back->functions[1].firstRecorder, 2 * f.counterCount + f.recorderWords);
  EXPECT_EQ(back->wordCount, 2 * (f.counterCount + f.recorderWords));
  EXPECT_EQ(test::rawOf(map.functions).wordCount(), back->wordCount);
}

TEST(Map, AnOlderBuildIsNamed) {
  RawMap raw = section(sample(), 5, sample().counterCount + 5);
  raw.bytes[3] = '2';
  const Result<Map> map = decodeMap(raw);
  ASSERT_FALSE(map);
  EXPECT_EQ(map.error().text, "was built with an older quincunx; build the program again");
}

TEST(Map, ABodyThatIsNotTheCompiledOneIsAnError) {
  RawMap raw = section(sample(), 5, sample().counterCount + 5);
  ASSERT_TRUE(decodeMap(raw));
  for (size_t at = sizeof(qx_function_header); at + 16 < raw.bytes.size(); at += 7) {
    RawMap bad = raw;
    bad.bytes[at] ^= 4;
    EXPECT_FALSE(decodeMap(bad)) << at;
    EXPECT_EQ(bad.hash(), raw.hash()) << "bodies are named by the hashes in their headers";
  }
}

TEST(Map, TheHashNamesBodiesAndTheirCounters) {
  Function other = sample();
  other.name += "2";
  EXPECT_NE(section(sample(), 5, sample().counterCount + 5).hash(),
            section(other, 5, other.counterCount + 5).hash());
  EXPECT_NE(section(sample(), 5, sample().counterCount + 5).hash(),
            section(sample(), 4, sample().counterCount + 5).hash());
}

TEST(Map, CountersOutsideTheImageAreAnError) {
  const auto claims = [](uint32_t words) {
    RawMap raw = section(sample(), 0, sample().counterCount);
    std::memcpy(raw.bytes.data() + offsetof(qx_function_header, recorder_words), &words,
                sizeof words);
    return decodeMap(raw);
  };
  EXPECT_TRUE(claims(sample().recorderWords));
  EXPECT_FALSE(claims(sample().recorderWords + 1));
  EXPECT_FALSE(decodeMap(section(sample(), 6, sample().counterCount + 5)));
  EXPECT_FALSE(decodeMap(section(sample(), -1, sample().counterCount + 5)));
}

TEST(Map, AnotherVersionIsNamed) {
  std::string body = encode(sample());
  body[0] = recordFormat + 1;
  const Result<Function> f = decode(bytes(body));
  ASSERT_FALSE(f);
  EXPECT_NE(f.error().text.find("format " + std::to_string(recordFormat + 1)), std::string::npos);
}

TEST(Map, FilesThatAreNoInstrumentedProgramSaySo) {
  EXPECT_NE(readElf("/nonexistent").error().text.find("cannot open"), std::string::npos);
  EXPECT_NE(readElf("/bin/sh").error().text.find("not built with the quincunx flag"),
            std::string::npos);
  EXPECT_NE(readElf("/dev/zero").error().text.find("not a regular file"), std::string::npos);
  EXPECT_NE(readElf(QUINCUNX_SOURCE_DIR "/CMakeLists.txt").error().text.find("not a 64-bit ELF"),
            std::string::npos);
}

TEST(Map, ClassNamesGoBothWays) {
  for (uint32_t i = 0; i < classCount; ++i)
    EXPECT_EQ(classByName(className(static_cast<InstructionClass>(i))), i);
  EXPECT_EQ(classByName("laod"), noIndex);
}

} // namespace
} // namespace quincunx
