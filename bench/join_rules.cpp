// What rules say of the last or the first of several tasks, from the four moments of each: for
// bench/texts.py. A line of input is
//
//   last|first N mean variance skewness kurtosis
//   last|first 2 mean variance skewness kurtosis mean variance skewness kurtosis
//
// of N tasks of one law, or of two of different ones. Lines of output, several for each of input:
// the method, then E[Y], E[Y^2], E[Y^3], E[Y^4], or "-" and a reason. Methods: lambda, the thesis's
// (5.18) and (5.20), of two laws by Newton's iteration (5.35), (5.42); gumbel (5.44), the mean
// alone; pearson, the best that this library makes of four moments.
#include "published/Published.h"
#include "quincunx/cost/Join.h"
#include "quincunx/dist/Fit.h"

#include <cstdio>
#include <iostream>
#include <limits>
#include <sstream>

using namespace quincunx;
using namespace quincunx::published;

namespace {

struct Question {
  Wait wait = Wait::Last;
  double count = 1;
  std::vector<Moments> laws;
};

Result<RawMoments> lambda(const Question &q) {
  std::vector<Lambda> fitted;
  for (const Moments &m : q.laws) {
    const Result<Lambda> x = fitLambda(m);
    if (!x)
      return x.error();
    fitted.push_back(*x);
  }
  return fitted.size() == 2 ? newtonJoin(q.wait, fitted[0], fitted[1])
                            : kthOf(fitted[0], q.wait == Wait::Last ? q.count : 1, q.count);
}

Result<RawMoments> gumbel(const Question &q) {
  if (q.wait == Wait::First || q.laws.size() > 1)
    return Error{"the rule is one of the last of equal tasks"};
  const Result<double> mean = gumbelMean(q.laws[0], q.count);
  const double none = std::numeric_limits<double>::quiet_NaN();
  return mean ? Result<RawMoments>(RawMoments{*mean, none, none, none}) : mean.error();
}

Result<RawMoments> pearson(const Question &q) {
  std::vector<Task> tasks;
  for (const Moments &m : q.laws) {
    const Result<Fit> fit = fitLaw(m, {0, std::numeric_limits<double>::infinity()}, "pearson");
    if (!fit)
      return fit.error();
    tasks.push_back({fit->law, q.laws.size() == 2 ? 1 : q.count});
  }
  const Result<Join> y = (q.wait == Wait::Last ? joinLast : joinFirst)(0, tasks);
  return y ? Result<RawMoments>(y->raw) : y.error();
}

void print(const char *method, const Result<RawMoments> &y) {
  if (y)
    std::printf("%s\t%.17g\t%.17g\t%.17g\t%.17g\n", method, y->m1, y->m2, y->m3, y->m4);
  else
    std::printf("%s\t-\t%s\n", method, y.error().message().c_str());
}

} // namespace

int main() {
  for (std::string line, wait; std::getline(std::cin, line);) {
    std::istringstream in(line);
    Question q;
    in >> wait >> q.count;
    q.wait = wait == "first" ? Wait::First : Wait::Last;
    for (Moments m; in >> m.mean >> m.variance >> m.skewness >> m.kurtosis;)
      q.laws.push_back(m);
    if ((wait != "last" && wait != "first") || q.laws.empty() || q.laws.size() > 2)
      return std::fprintf(stderr, "join_rules: no question: %s\n", line.c_str()), 2;
    print("lambda", lambda(q));
    print("gumbel", gumbel(q));
    print("pearson", pearson(q));
  }
}
