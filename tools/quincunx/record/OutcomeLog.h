// A log of how a series of runs went: outcomes are counted, the first failures have a line each,
// the last line sums up. It writes to stderr and knows no corpus.
#pragma once

#include "system/Progress.h"

#include "quincunx/profile/Run.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace quincunx::tool {

class OutcomeLog {
public:
  /// `isTimed`: of repetitions of the plain program, of which only those that ended well are kept.
  /// `goodStatuses`: exit statuses of which somebody said that they are those of good runs.
  OutcomeLog(size_t total, bool isQuiet, std::set<int> goodStatuses, bool isTimed = false)
      : progress(total, isQuiet), quiet(isQuiet), timed(isTimed), good(std::move(goodStatuses)) {}

  /// A line of its own, unless quiet.
  void say(const std::string &text);
  /// A run that is in the corpus now, or a repetition that ended. `standardError` is the file with
  /// what the program said; `missing`: processes of which counts are missing.
  void stored(const Run &run, double timeout, const std::string &standardError, size_t missing = 0);
  /// A run that ended well and left no record, for that cause.
  void lost(const std::string &label, const std::string &cause, const std::string &standardError);
  /// Takes the progress bar away.
  void clear() { progress.clear(); }
  /// Says the last line; the exit status. `corpus` is the name of the file.
  int conclude(const std::string &corpus, bool interrupted) const;

private:
  void complain(const std::string &label, const std::string &text,
                const std::string &standardError);

  Progress progress;
  bool quiet, timed;
  std::set<int> good;
  std::map<int, std::vector<std::string>> statuses; ///< labels of runs with one that is not good
  size_t kept = 0, crashed = 0, timedOut = 0, cutShort = 0, incomplete = 0, unrecorded = 0,
         complaints = 0;
};

} // namespace quincunx::tool
