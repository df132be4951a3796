// Requests in place of runs: what each stands for, means over all of them, and that with as many
// kept as there were the figures are those of runs with the same counts.
#include "quincunx/estimate/ObserveCorpus.h"

#include "Synthetic.h"

#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace quincunx;
using namespace quincunx::test;

namespace {

/// A corpus on disk with the functions f (marked) and g, and one run per process list.
class RequestEstimates : public testing::Test {
protected:
  RequestEstimates() {
    std::filesystem::remove(path);
    map = *decodeMap(raw);
  }
  ~RequestEstimates() override { std::filesystem::remove(path); }

  /// Counters of f: entry, two ways back. Request i of `n` has i of the first.
  static Counts counts(uint64_t i) { return {{0, 1}, {1, i + 1}}; }

  /// `n` requests ended, of which the numbers in `kept` were kept.
  MarkedFunction marked(uint64_t n, const std::vector<uint64_t> &kept, bool sums) const {
    MarkedFunction f;
    f.map = map.hash;
    f.begun = n + 2;
    f.ended = n;
    for (const uint64_t i : kept)
      f.sample.push_back({i, 1000 * i, {{"i", static_cast<double>(i)}}, {{map.hash, counts(i)}}});
    if (sums) {
      uint64_t sum = 0;
      for (uint64_t i = 0; i < n; ++i)
        sum += i + 1;
      f.sums = {{map.hash, {{0, 1}, {n, sum}}, {{n, 0}, {0, 0}}}};
    }
    return f;
  }

  Corpus corpusOf(const std::vector<std::vector<MarkedFunction>> &runs) {
    auto corpus = Corpus::open(path, Corpus::Mode::write);
    EXPECT_TRUE(corpus && corpus->addMap(raw, "/bin/prog"));
    for (size_t r = 0; r < runs.size(); ++r) {
      quincunx::Run run =
          runOf("run" + std::to_string(r), map, {1, 2, 3, 1, 2, 3}, Outcome::cutShort);
      run.requests = runs[r];
      EXPECT_TRUE(corpus->add(run));
    }
    return std::move(*corpus);
  }

  Result<Observed> observed(const Corpus &corpus, const Machine &machine) {
    const auto functions = requestFunctions(corpus, {map});
    EXPECT_TRUE(functions && functions->size() == 1 && functions->front().name == "f");
    return observeRequests(corpus, {map}, machine, functions->front());
  }

  const std::string path =
      testing::TempDir() + "quincunx-requests-" + std::to_string(getpid()) + ".qx";
  const RawMap raw = rawOf({loopWithBranch("f"), loopWithBranch("g", 3)});
  Map map;
};

std::vector<uint64_t> upTo(uint64_t n) {
  std::vector<uint64_t> all;
  for (uint64_t i = 0; i < n; ++i)
    all.push_back(i);
  return all;
}

std::string noteOf(const Observed &o, const std::string &kind) {
  for (const Note &n : o.notes)
    if (n.kind == kind)
      return n.text;
  return "";
}

TEST_F(RequestEstimates, AreFiguredLikeRuns) {
  const Corpus corpus = corpusOf({{marked(40, upTo(40), true)}});
  const Result<Machine> random = parseMachine("load moments(4,9,3,12)\nadd 1\ncall 0.5", "m");
  for (const Machine &machine : {*machineByName("x86-64"), *random}) {
    const Result<Observed> requests = observed(corpus, machine);
    ASSERT_TRUE(requests) << requests.error().text;
    const std::vector<Map> maps{map};
    Observer runs(maps, machine, 40);
    for (uint64_t i = 0; i < 40; ++i)
      ASSERT_TRUE(runs.add(runOf(std::to_string(i), map, {1, i + 1})));
    const Result<Observed> same = runs.finish();
    ASSERT_TRUE(same);
    EXPECT_NEAR(requests->program.moments.mean, same->program.moments.mean, 1e-9);
    EXPECT_EQ(requests->program.moments.variance, same->program.moments.variance);
    for (size_t p = 0; p < 4; ++p)
      EXPECT_EQ(requests->program.percentiles[p].value, same->program.percentiles[p].value);
    ASSERT_EQ(requests->functions.size(), 1u);
    EXPECT_NEAR(requests->functions[0].share, 1, 1e-12);
    EXPECT_EQ(requests->request, "f");
    EXPECT_EQ(noteOf(*requests, "sampled"), "");
    EXPECT_TRUE(noteOf(*requests, "open").starts_with("2 requests did not end"));
    EXPECT_EQ(requests->runs[39].label, "run0#40");
    EXPECT_EQ(requests->runs[39].features.at("i"), 39);
    EXPECT_DOUBLE_EQ(requests->runs[39].wall, 39e-6);
    EXPECT_EQ(requests->runs[39].outcome, Outcome::finished) << "whatever became of the process";
  }
}

TEST_F(RequestEstimates, MeansAreOverAllOfThem) {
  const Corpus corpus = corpusOf({{marked(1000000, {3, 700, 999999}, true)}});
  const Machine machine = *machineByName("unit");
  const Result<Observed> o = observed(corpus, machine);
  ASSERT_TRUE(o) << o.error().text;
  // header = entry + ways back; two constructs each
  EXPECT_NEAR(o->program.moments.mean, 2 * (1 + 500000.5), 1e-6);
  EXPECT_NEAR(o->functions[0].cost.moments.mean, o->program.moments.mean, 1e-6);
  EXPECT_EQ(o->functions[0].calls.moments.mean, 1);
  EXPECT_EQ(o->program.percentiles[0].value, 2 * (1 + 701));
  EXPECT_EQ(noteOf(*o, "sampled"),
            "3 of 1,000,000 requests were kept, drawn at random; means are over all of them");
}

TEST_F(RequestEstimates, OfAKilledProcessAreASample) {
  const Corpus corpus = corpusOf({{marked(1000, {0, 2}, false)}});
  const Result<Observed> o = observed(corpus, *machineByName("unit"));
  ASSERT_TRUE(o);
  EXPECT_EQ(o->program.moments.mean, 2 * (1 + 2));
  EXPECT_TRUE(noteOf(*o, "sampled").ends_with("means are theirs"));
}

TEST_F(RequestEstimates, HaveTheWeightOfThoseTheyStandFor) {
  // 30 requests of cost 2 (1 + 1), and 10 of 2 (1 + 5), of which two each were kept
  MarkedFunction many = marked(30, {0, 1}, false), few = marked(10, {0, 1}, false);
  many.sample[1].images[0].counts = counts(0);
  for (Request &r : few.sample)
    r.images[0].counts = counts(4);
  const Corpus corpus = corpusOf({{many}, {few}});
  const Result<Observed> o = observed(corpus, *machineByName("unit"));
  ASSERT_TRUE(o);
  EXPECT_DOUBLE_EQ(o->program.moments.mean, (30 * 4 + 10 * 12) / 40.0);
  EXPECT_DOUBLE_EQ(o->program.moments.variance, (30 * 4.0 + 10 * 36.0) / 40);
  EXPECT_EQ(o->program.percentiles[0].value, 4);
  EXPECT_EQ(o->program.percentiles[1].value, 12);
  EXPECT_DOUBLE_EQ(o->functions[0].share, 1);
  EXPECT_EQ(o->runs[0].weight, 15);
}

TEST_F(RequestEstimates, OfNoneThatEndedThereIsNoEstimate) {
  const Corpus corpus = corpusOf({{marked(0, {}, true)}});
  const Result<Observed> o = observed(corpus, *machineByName("unit"));
  ASSERT_FALSE(o);
  EXPECT_EQ(o.error().text, "no request ended");
}

TEST_F(RequestEstimates, ThatCountWhatTheirMapLacksAreRefused) {
  MarkedFunction f = marked(1, {0}, true);
  f.sums->front().sum = {{6}, {1}};
  f.sums->front().squares.resize(1);
  const Corpus corpus = corpusOf({{f}});
  EXPECT_FALSE(observed(corpus, *machineByName("unit")));
}

} // namespace
