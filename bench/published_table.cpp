// Prints how far each published method is from the exact mean and fourth moment of the last of N
// tasks, and what one evaluation costs; beside them quincunx's own families, joined by joinLast.
// Every method sees four moments, or the tabled parameters its text has for the uniform, normal and
// exponential laws. Lines are tab-separated; "-" and a reason where a method refuses. Methods for
// two tasks, or for equal ones, are left out elsewhere. bench/published.py keeps the lines in
// bench/log. Reference: docs/16-published-methods.md. It judges nothing: no figure passes or fails.
#include "published/Workloads.h"
#include "quincunx/cost/Join.h"
#include "quincunx/dist/Families.h"
#include "quincunx/dist/Fit.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <optional>

using namespace quincunx;
using namespace quincunx::published;

namespace {

/// N tasks of law x1, or one of x1 and one of x2.
struct Case {
  Workload x1;
  std::optional<Workload> x2;
  double N = 2;
  const Workload &second() const { return x2 ? *x2 : x1; }
};

/// E[Y] and E[Y^4]; NaN where a method gives only the mean.
struct Answer {
  double mean, fourth;
};
Answer of(const RawMoments &m) { return {m.m1, m.m4}; }

bool named(const Workload &x, const char *law) { return x.name.starts_with(law); }

// Table 5.1 where it has the law (scaled by its moments), else a fit.
Result<Lambda> lambdaOf(const Workload &x) {
  const double mean = x.moments.mean, sd = x.moments.deviation();
  if (named(x, "uniform"))
    return uniformLambda(mean - std::numbers::sqrt3 * sd, mean + std::numbers::sqrt3 * sd);
  if (named(x, "normal"))
    return normalLambda(mean, sd);
  if (named(x, "exponential")) {
    Lambda l = exponentialLambda(1 / sd);
    l.l1 += mean - sd;
    return l;
  }
  return fitLambda(x.moments);
}

Result<Beta> betaOf(const Workload &x) { // table 5.2
  const double mean = x.moments.mean, sd = x.moments.deviation();
  if (named(x, "normal"))
    return normalBeta(mean, sd);
  if (named(x, "exponential")) {
    Beta b = exponentialBeta(1 / sd);
    b.b1 += mean - sd;
    return b;
  }
  return fitBeta(x.moments);
}

Result<Answer> heuristic(const Case &c) {
  return of(heuristicLast(rawMoments(cumulants(c.x1.moments)),
                          rawMoments(cumulants(c.second().moments))));
}

Result<Answer> gumbel(const Case &c) {
  const Result<double> mean = gumbelMean(c.x1.moments, c.N);
  return mean ? Result<Answer>(Answer{*mean, std::nan("")}) : mean.error();
}

Result<Answer> lambda(const Case &c) {
  const Result<Lambda> x = lambdaOf(c.x1);
  return x ? Result<Answer>(of(kthOf(*x, c.N, c.N))) : x.error();
}

Result<Answer> withLambdas(const Case &c, RawMoments (*join)(const Lambda &, const Lambda &)) {
  const Result<Lambda> x1 = lambdaOf(c.x1), x2 = lambdaOf(c.second());
  return x1 && x2 ? Result<Answer>(of(join(*x1, *x2))) : x1 ? x2.error() : x1.error();
}

Result<Answer> graphical(const Case &c) { return withLambdas(c, graphicalLast); }
Result<Answer> newton(const Case &c) {
  return withLambdas(
      c, [](const Lambda &x1, const Lambda &x2) { return newtonJoin(Wait::Last, x1, x2); });
}

Result<Answer> beta(const Case &c) {
  const Result<Lambda> x1 = lambdaOf(c.x1), x2 = lambdaOf(c.second());
  const Result<Beta> b1 = betaOf(c.x1), b2 = betaOf(c.second());
  if (x1 && x2 && b1 && b2)
    return of(betaJoin(Wait::Last, {*x1, *b1}, {*x2, *b2}));
  return !x1 ? x1.error() : !x2 ? x2.error() : !b1 ? b1.error() : b2.error();
}

Result<Answer> charlier(const Case &c) {
  // Standardised by the first task: the series is about a normal law of mean 0 and variance 1.
  const double mean = c.x1.moments.mean, sd = c.x1.moments.deviation();
  const auto series = [&](const Workload &x) {
    const Cumulants k = cumulants(x.moments);
    return gramCharlier(rawMoments(Cumulants{(k.k1 - mean) / sd, k.k2 / (sd * sd),
                                             k.k3 / std::pow(sd, 3), k.k4 / std::pow(sd, 4)}));
  };
  const RawMoments z = c.x2 ? lastOfTwo(series(c.x1), series(*c.x2)) : lastOf(series(c.x1), c.N);
  const double m2 = z.m2 * sd * sd, m3 = z.m3 * std::pow(sd, 3), m4 = z.m4 * std::pow(sd, 4);
  const double m1 = z.m1 * sd, a = mean;
  return Answer{a + m1, m4 + a * (4 * m3 + a * (6 * m2 + a * (4 * m1 + a)))};
}

Result<Answer> euler(const Case &c) {
  const Result<RawMoments> y = c.x2 ? eulerPearson(Wait::Last, c.x1.moments, c.x2->moments)
                                    : eulerPearson(Wait::Last, c.x1.moments, c.N);
  return y ? Result<Answer>(of(*y)) : y.error();
}

// Fit each law, join, integrate: all of it is timed.
Result<Answer> own(const std::string &family, const Case &c) {
  const double inf = std::numeric_limits<double>::infinity();
  std::vector<Task> tasks;
  for (const Workload *x : {&c.x1, c.x2 ? &*c.x2 : nullptr})
    if (x) {
      const Result<Fit> fit = fitLaw(x->moments, {-inf, inf}, family);
      if (!fit)
        return fit.error();
      tasks.push_back({fit->law, c.x2 ? 1 : c.N});
    }
  const Result<Join> y = joinLast(0, tasks);
  return y ? Result<Answer>(of(y->raw)) : y.error();
}

enum class Takes { Anything, EqualTasks, TwoTasks };
struct Method {
  std::string name;
  Takes takes;
  std::function<Result<Answer>(const Case &)> answer;
  bool fits(const Case &c) const {
    return takes == Takes::Anything || (takes == Takes::TwoTasks ? c.N == 2 : !c.x2);
  }
};

std::vector<Method> methods() {
  std::vector<Method> all = {
      {"heuristic", Takes::Anything, heuristic},    {"gumbel", Takes::EqualTasks, gumbel},
      {"graphical", Takes::TwoTasks, graphical},    {"lambda", Takes::EqualTasks, lambda},
      {"lambda, newton", Takes::TwoTasks, newton},  {"lambda, beta", Takes::TwoTasks, beta},
      {"gram-charlier", Takes::Anything, charlier}, {"pearson, euler", Takes::Anything, euler}};
  std::vector<std::string> own4 = {"auto"};
  for (const Family &f : families())
    if (f.exact) // has all four moments
      own4.emplace_back(f.name);
  for (const std::string &family : own4)
    all.push_back({"quincunx " + family, Takes::Anything,
                   [family](const Case &c) { return own(family, c); }});
  return all;
}

/// Median time of an evaluation in microseconds; at least five, at most about 50 ms of them.
double microseconds(const std::function<void()> &evaluate) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  const Clock::time_point begin = Clock::now();
  while (times.size() < 5 ||
         (times.size() < 1001 && Clock::now() - begin < std::chrono::milliseconds(50))) {
    const Clock::time_point start = Clock::now();
    evaluate();
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
  }
  std::nth_element(times.begin(), times.begin() + static_cast<long>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

void printError(double got, double exact) {
  if (std::isnan(got))
    std::printf("\t-");
  else
    std::printf("\t%.3g", 100 * (got / exact - 1));
}

void printCase(const Case &c) {
  const RawMoments exact = c.x2 ? exactLast(c.x1, *c.x2) : exactLast(c.x1, c.N);
  const std::string law = c.x2 ? c.x1.name + " | " + c.x2->name : c.x1.name;
  static const std::vector<Method> all = methods();
  for (const Method &method : all) {
    if (!method.fits(c))
      continue;
    std::printf("%s\t%.0f\t%.6g\t%.6g\t%s", law.c_str(), c.N, exact.m1, exact.m4,
                method.name.c_str());
    if (const Result<Answer> y = method.answer(c)) {
      printError(y->mean, exact.m1);
      printError(y->fourth, exact.m4);
      std::printf("\t%.3g\t\n", microseconds([&] { (void)method.answer(c); }));
    } else {
      std::printf("\t-\t-\t-\t%s\n", y.error().text.c_str());
    }
  }
  std::fflush(stdout);
}

} // namespace

int main() {
  std::printf("law\tN\tE[Y]\tE[Y^4]\tmethod\tE[Y] error %%\tE[Y^4] error %%\tmicroseconds\tnote\n");
  const std::vector<Workload> laws = workloads();
  for (const Workload &x : laws)
    for (const double N : {2, 16, 128, 1000, 10000})
      printCase({x, {}, N});
  // Reijns & van Gemund 6.2: all of mean 0 and variance 1
  const Workload u = standardised(laws[0]), &g = laws[1], e = standardised(laws[2]);
  for (const auto &[x1, x2] : {std::pair{u, g}, {u, e}, {g, e}})
    printCase({x1, x2, 2});
}
