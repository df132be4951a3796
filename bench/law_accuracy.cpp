// The accuracy table of docs/09-percentiles-and-bounds.md: error in percent of E Y and E Y^4, Y the
// last of N tasks, when each family knows the four moments of a task and no more. Tab-separated;
// bench/law_accuracy.sh dates it.
#include "dist/TrueLaws.h"
#include "quincunx/cost/Join.h"

#include <cmath>
#include <cstdio>

using namespace quincunx;

int main() {
  std::printf("law\tN\tfamily\terror_mean_percent\terror_fourth_percent\n");
  for (const test::NamedLaw &named : test::trueLaws())
    for (const double n : {2.0, 128.0, 1e3, 1e4}) {
      const Task truth[] = {{named.law, n}};
      const RawMoments want = joinLast(0, truth)->raw;
      for (const char *family : {"pearson", "johnson", "gld", "maxent"})
        for (const Family &f : families()) {
          if (std::string(f.name) != family)
            continue;
          const double inf = std::numeric_limits<double>::infinity();
          const Range range{named.law->support().low, inf};
          const Result<DistributionPtr> law = f.fit(named.law->moments(), range);
          if (!law) {
            std::printf("%s\t%.0f\t%s\t-\t-\n", named.name.c_str(), n, family);
            continue;
          }
          const Task task[] = {{*law, n}};
          const RawMoments got = joinLast(0, task)->raw;
          std::printf("%s\t%.0f\t%s\t%.3g\t%.3g\n", named.name.c_str(), n, family,
                      100 * std::abs(got.m1 / want.m1 - 1), 100 * std::abs(got.m4 / want.m4 - 1));
        }
    }
}
