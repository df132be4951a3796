// A log of how a series of runs went: outcomes are counted, the first failures have a line each,
// the last line sums up. It writes to stderr and knows no corpus.
#pragma once

#include "system/Progress.h"

#include "quincunx/profile/Run.h"

#include <map>
#include <string>
#include <utility>

namespace quincunx::tool {

class OutcomeLog {
public:
  /// `isTimed`: of repetitions of the plain program, of which only those that ended well are kept.
  /// `toldStatuses`: somebody said which exit statuses are those of good runs.
  OutcomeLog(size_t total, bool isQuiet, bool toldStatuses, bool isTimed = false)
      : progress(total, isQuiet), quiet(isQuiet), told(toldStatuses), timed(isTimed) {}

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
  bool quiet, told, timed;
  std::map<int, std::pair<size_t, std::string>>
      statuses; ///< other than 0: how many runs, the first
  size_t kept = 0, crashed = 0, timedOut = 0, cutShort = 0, incomplete = 0, unrecorded = 0,
         complaints = 0;
};

} // namespace quincunx::tool
