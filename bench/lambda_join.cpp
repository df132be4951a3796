// What the thesis's rule says of the last or the first of several tasks, from the four moments of
// each: for bench/texts.py. A line of input is
//
//   last|first N mean variance skewness kurtosis
//   last|first 2 mean variance skewness kurtosis mean variance skewness kurtosis
//
// of N tasks of one law, (5.18) and (5.20), or of two of different ones, by Newton's iteration,
// (5.35) and (5.42). A line of output is E[Y], E[Y^2], E[Y^3], E[Y^4], or "-" and a reason.
#include "published/Published.h"

#include <cstdio>
#include <iostream>
#include <sstream>

using namespace quincunx;
using namespace quincunx::published;

namespace {

Result<RawMoments> joined(Wait wait, double count, const std::vector<Moments> &laws) {
  std::vector<Lambda> fitted;
  for (const Moments &m : laws) {
    const Result<Lambda> x = fitLambda(m);
    if (!x)
      return x.error();
    fitted.push_back(*x);
  }
  return fitted.size() == 2 ? newtonJoin(wait, fitted[0], fitted[1])
                            : kthOf(fitted[0], wait == Wait::Last ? count : 1, count);
}

} // namespace

int main() {
  for (std::string line, wait; std::getline(std::cin, line);) {
    std::istringstream in(line);
    double count = 1;
    std::vector<Moments> laws;
    in >> wait >> count;
    for (Moments m; in >> m.mean >> m.variance >> m.skewness >> m.kurtosis;)
      laws.push_back(m);
    if ((wait != "last" && wait != "first") || laws.empty() || laws.size() > 2)
      return std::fprintf(stderr, "lambda_join: no question: %s\n", line.c_str()), 2;
    const Result<RawMoments> y = joined(wait == "last" ? Wait::Last : Wait::First, count, laws);
    if (y)
      std::printf("%.17g\t%.17g\t%.17g\t%.17g\n", y->m1, y->m2, y->m3, y->m4);
    else
      std::printf("-\t%s\n", y.error().text.c_str());
  }
}
