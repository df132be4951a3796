// Work, span and critical path of every run of a corpus of which strands were recorded.
// Reference: docs/28-critical-path.md. In counts; it predicts no times.
#pragma once

#include "quincunx/estimate/Note.h"
#include "quincunx/profile/Corpus.h"
#include "quincunx/strands/CriticalPath.h"

#include <map>
#include <string>
#include <vector>

namespace quincunx {

/// A call in the source that may make threads wait or let them go on.
struct StrandSite {
  std::string function; ///< linkage name
  std::string file;     ///< empty: not known
  uint32_t line = 0;    ///< 0: not known
};
/// By site (qx_strand_site); none for what no map has.
using StrandSites = std::map<uint32_t, StrandSite>;
StrandSites strandSites(const std::vector<Map> &maps);

/// Figures of one run, in the clock of counts.
struct RunWork {
  std::string label, identity;
  uint64_t work = 0;   ///< of all threads
  uint64_t span = 0;   ///< where a lock keeps nobody waiting
  uint64_t locked = 0; ///< where locks are had in the order in which they were
  size_t threads = 0, strands = 0;
  bool hasTeams = false, hasTeamOfOne = false; ///< of OpenMP
  bool hasExclusion = false;                   ///< depend(mutexinoutset)
  bool hasChunks = true;    ///< of loops, if there are any, that who was free had, or may have had
  bool hasUnjoined = false; ///< threads that nobody joined
  bool hasUnexplained = false; ///< waits that ended, and nobody had let them go on
  bool hasTimeouts = false;    ///< waits that ended as their time was over
  uint32_t spins = 0;          ///< a site at which threads look again and again; 0: there is none
  bool hasFolded = false;      ///< sections of locks stand for several
  bool hasUncounted = false;   ///< who came last at counters is not known of all
  bool hasClaims = false;      ///< jobs were taken from counters, by who was free
  bool isElsewhere = false;    ///< it took far longer than its work does: code of others, or memory
};

/// What the critical path of a run consists of, locks included.
struct PathPart {
  StrandPlace place;
  double mean = 0;    ///< share of the path, over runs
  double atWorst = 0; ///< the same over the runs from the 99th percentile of the span on
};

/// Runs of which nothing can be told.
struct LeftOut {
  size_t notFinished = 0;
  size_t notRecorded = 0;      ///< without strands
  size_t notWhole = 0;         ///< of which events are missing, or contradict each other
  std::string whyNot;          ///< of the first of them
  size_t severalProcesses = 0; ///< of which it is not known who waited for whom
};

struct ParallelRuns : LeftOut {
  std::vector<RunWork> runs;   ///< that finished, in the order of the corpus; not empty
  std::vector<PathPart> parts; ///< the largest first
};

/// On what makes spans of these runs too short, as nothing was written down of it, or too long;
/// `called`: functions that were called and not counted (Observed::library).
std::vector<Note> notesOnWaits(const std::vector<std::string> &called, const std::vector<Map> &maps,
                               const std::vector<RunWork> &runs);

/// What runs cost in the clock of counts (machine `usualMachine`), by identity: a run whose strands
/// are less has threads of which the end is not known. Of runs that are not in it nothing is asked.
using ClockCosts = std::map<std::string, double>;

/// Does any run that finished have strands?
Result<bool> hasStrands(const Corpus &corpus);
/// An error when there is no run to tell of, or the events of one are missing.
Result<ParallelRuns> parallelRuns(const Corpus &corpus, const ClockCosts &costs);
/// The run with that label or identity (its beginning is enough), with its path; an error when
/// there is none, or several.
Result<std::pair<RunWork, ParallelWork>> parallelRun(const Corpus &corpus, const ClockCosts &costs,
                                                     const std::string &name);

} // namespace quincunx
