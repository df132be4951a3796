// Two ways to the same time: the bound that is evaluated, and the simulation of the same model, for
// constant times. Random ones are in RandomTimesTest.cpp.
#include "quincunx/pamela/Check.h"
#include "quincunx/pamela/Evaluate.h"
#include "quincunx/pamela/Parse.h"
#include "quincunx/pamela/Simulate.h"

#include "Models.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

using namespace quincunx;
using namespace quincunx::pamela;
using quincunx::pamela::test::inOrder;

namespace {

/// Random processes as text.
class Writer {
public:
  Writer(uint64_t seed, bool resources) : random(seed), hasResources(resources) {}

  std::string model() {
    return "resource r(i) = fcfs(i, 1 + i mod 2)\nprocess main = " + process(4) + "\n";
  }

private:
  size_t pick(size_t n) { return random() % n; }
  std::string time() { return std::to_string(1 + pick(20)); }
  std::string process(int depth) {
    if (depth == 0 || pick(5) == 0)
      return hasResources && pick(2)
                 ? inOrder({"use(r(", std::to_string(pick(3)), "), ", time(), ")"})
                 : "delay(" + time() + ")";
    const auto part = [&] { return "{ " + process(depth - 1) + " }"; };
    const std::string count = std::to_string(1 + pick(4));
    switch (pick(6)) {
    case 0:
      return inOrder({part(), "; ", part()});
    case 1:
      return "seq (i = 1, " + count + ") " + part();
    case 2:
      return inOrder({"if (1) ", part(), " else ", part()});
    case 3:
      return inOrder({"switch (2) { 1: ", part(), ", 2: ", part(), " }"});
    case 4:
      return inOrder({part(), " || ", part()});
    default:
      return "par (i = 1, " + count + ") " + part();
    }
  }

  std::mt19937_64 random;
  bool hasResources;
};

constexpr uint64_t models = 10000;

struct Both {
  Evaluated bound;
  Simulated simulated;
};

Both both(const std::string &text) {
  const Result<Model> model = parseText(text, "random.pam");
  EXPECT_TRUE(model) << text;
  EXPECT_TRUE(check(*model).empty()) << text;
  const Result<Evaluated> e = evaluate(*model, {});
  const Result<Simulated> s = simulate(*model);
  EXPECT_TRUE(e) << text << e.error().message();
  EXPECT_TRUE(s) << text << s.error().message();
  return {*e, *s};
}

} // namespace

// van Gemund, (2) to (5): T, phi and omega are never above what really happens.
TEST(PamelaJudge, ConstantModelsAreNotFasterThanTheirBound) {
  size_t met = 0;
  for (uint64_t seed = 0; seed < models; ++seed) {
    const std::string text = Writer(seed, true).model();
    const Both b = both(text);
    const double time = b.simulated.moments.mean;
    ASSERT_LE(b.bound.T.k1, time * (1 + 1e-12)) << text;
    ASSERT_LE(b.bound.phi.k1, b.bound.T.k1 * (1 + 1e-12)) << text;
    ASSERT_LE(b.bound.omega.k1, b.bound.T.k1 * (1 + 1e-12)) << text;
    ASSERT_GE(b.bound.T.k1, 0.3 * time) << "a bound, and not just any\n" << text;
    met += b.bound.T.k1 >= time * (1 - 1e-12);
  }
  EXPECT_GT(met, models / 3) << "without contention the bound is the time";
}

TEST(PamelaJudge, ConstantModelsWithoutResourcesAreExact) {
  for (uint64_t seed = 0; seed < models; ++seed) {
    const std::string text = Writer(seed, false).model();
    const Both b = both(text);
    ASSERT_NEAR(b.bound.T.k1, b.simulated.moments.mean, 1e-9 * b.bound.T.k1) << text;
  }
}
