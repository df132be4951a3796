// What a corpus says of its runs beside their counts: how they ended, of which builds they are, and
// how their times by the clock on the wall and on the processor differ. A run that ended with a
// status other than 0 counts like others unless `--ok-status` says which are good, and whoever
// reads figures has to know of it. Reference: docs/03-runs-kept-apart.md. It leaves no run out.
#pragma once

#include "quincunx/estimate/Note.h"
#include "quincunx/profile/Corpus.h"

#include <set>
#include <span>
#include <string>
#include <vector>

namespace quincunx {

/// Runs that ended in one way: with a status other than 0, or as a crash.
struct RunsByStatus {
  int status = 0; ///< exit code, or -signal
  Outcome outcome = Outcome::finished;
  bool isGood = false;             ///< somebody said that this status is that of good runs
  std::vector<std::string> labels; ///< one per run
};

/// Time by the clock on the wall beside processor time, of all threads and processes of a run.
struct WallTime {
  bool ofPlain = false;  ///< of timed runs of the plain program; else of counted runs
  size_t runs = 0;       ///< that finished, and took processor time; 0: nothing is known
  size_t busy = 0;       ///< of them, with more than 1.1 times their wall time of processor time
  double ratio = 0;      ///< wall to processor time, median
  double difference = 0; ///< wall less processor time, seconds, median
  /// Most runs keep several processors busy.
  bool isParallel() const { return 2 * busy > runs; }
};

/// Of the runs that reading sees.
struct Provenance {
  std::vector<RunsByStatus> exits;   ///< ordered by outcome and status
  std::vector<Corpus::Build> builds; ///< all that there are
  std::vector<std::string> fittedTo; ///< ProgramFit::builds of the prices
  WallTime wall;
};
Result<Provenance> provenanceOf(const Corpus &corpus);

/// The fact of corpora that says which statuses are good: a list a line, "0,1".
inline constexpr const char *goodStatusFact = "ok-status";
/// The statuses in it; what is no number is none.
Result<std::set<int>> goodStatuses(const Corpus &corpus);

/// The first three of them, each once and escaped, and how many more there are.
std::string firstFew(std::span<const std::string> labels);

/// Says in notes which runs ended with a status of which nobody said that it is good, and in that
/// on crashes how they ended; where costs are times (`unit`: "ns" to "s"), also what the clock on
/// the wall says.
void addNotes(const Provenance &provenance, const std::string &unit, std::vector<Note> &notes);

} // namespace quincunx
