// Prints who calls whom in the runs of these inputs, together: caller, callee, calls, and how many
// of them are by name.
//
//   pointer_calls CORPUS LABEL...
#include "estimate/counts/TotalCosts.h"
#include "quincunx/estimate/CountMatrix.h"
#include "quincunx/estimate/RunSource.h"
#include "quincunx/profile/Corpus.h"

#include <iostream>
#include <set>

using namespace quincunx;

int main(int count, char **arguments) {
  const std::set<std::string> labels(arguments + 2, arguments + count);
  const Result<Corpus> corpus = Corpus::open(arguments[1], Corpus::Mode::read);
  const Result<std::vector<Map>> maps = corpus ? corpus->maps() : corpus.error();
  if (!maps) {
    std::cerr << maps.error().text << "\n";
    return 1;
  }
  const Result<CountMatrix> matrix =
      readCounts(RunSource{*corpus, *maps, std::nullopt}, Corpus::ReadMask::recorders);
  if (!matrix) {
    std::cerr << matrix.error().text << "\n";
    return 1;
  }
  const TotalCosts totals(*matrix, *maps, TotalCosts::none);
  const auto name = [&](size_t f) {
    const CountMatrix::Columns &own = matrix->functions[f];
    return (*maps)[own.map].functions[own.function].name;
  };
  for (size_t f = 0; f < matrix->functions.size(); ++f)
    for (const TotalCosts::Calls &calls : totals.calls(f)) {
      double all = 0, named = 0;
      for (size_t d = 0; d < calls.times.size(); ++d)
        if (labels.contains(matrix->rows[d].label)) {
          all += calls.times[d];
          named += calls.named[d];
        }
      if (all > 0)
        std::cout << name(f) << "\t" << name(calls.callee) << "\t" << all << "\t" << named << "\n";
    }
}
