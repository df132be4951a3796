// One index is one resource: two names with two multiplicities are told by whoever meets them.
#include "quincunx/pamela/Analyze.h"
#include "quincunx/pamela/Check.h"
#include "quincunx/pamela/Evaluate.h"
#include "quincunx/pamela/Formula.h"
#include "quincunx/pamela/Parse.h"
#include "quincunx/pamela/Simulate.h"

#include <gtest/gtest.h>

#include <string>

using namespace quincunx;
using namespace quincunx::pamela;

namespace {

Model parsed(const std::string &text) {
  Result<Model> m = parseText(text, "m.pam");
  EXPECT_TRUE(m) << text;
  return *m;
}

template <class T> std::string errorOf(const Result<T> &r) { return r ? "" : r.error().message(); }

} // namespace

TEST(PamelaResources, ConstantsAreCompared) {
  const Model m = parsed("resource a = fcfs(0, 1)\nresource b = fcfs(0, 2)\n"
                         "process main = use(a, 1); use(b, 2)");
  const std::string said = "m.pam:2:14: error: resource fcfs(0) has multiplicity 2 here and 1 "
                           "elsewhere";
  ASSERT_EQ(check(m).size(), 1U);
  EXPECT_EQ(check(m)[0].message(), said);
  EXPECT_EQ(errorOf(evaluate(m, {})), said);
  EXPECT_EQ(errorOf(simulate(m)), said);
  EXPECT_TRUE(check(parsed("resource a = fcfs(0, 2)\nresource b = fcfs(0, 2)\n"
                           "resource c = fcfs(1, inf)\nprocess main = use(a, 1); use(b, 2)"))
                  .empty());
}

TEST(PamelaResources, WhatIsComputedIsCompared) {
  // Neither part is added to the other: only one is drawn.
  for (const std::string &process :
       {"use(a, 1); use(b(0), 2)", "use(a, 1) || use(b(0), 2)",
        "if (0.5) use(a, 1) else use(b(0), 2)", "any { use(a, 1) || use(b(0), 2) }"}) {
    const Model m = parsed("numeric parameter k = 2\nresource a = fcfs(0, 1)\n"
                           "resource b(i) = fcfs(i, k)\nprocess main = " +
                           process);
    EXPECT_TRUE(check(m).empty()) << process;
    EXPECT_NE(errorOf(evaluate(m, {})).find("m.pam:3:17: error: resource fcfs(0) has"),
              std::string::npos)
        << errorOf(evaluate(m, {})) << process;
    EXPECT_NE(errorOf(simulate(m)).find("resource fcfs(0) has"), std::string::npos) << process;
    EXPECT_FALSE(analyze(m)) << process;
    EvaluateOptions same;
    same.parameters = {{"k", 1}};
    EXPECT_TRUE(evaluate(m, same)) << process;
    Result<Formula> f = Formula::of(m, {}, {"k"});
    ASSERT_TRUE(f);
    Evaluated e;
    for (const double k : {1.0, 2.0})
      EXPECT_EQ(static_cast<bool>(f->at(std::span(&k, 1), std::span(&e, 1))), k == 1) << process;
  }
}
