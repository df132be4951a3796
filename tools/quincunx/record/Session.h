// Makes runs in an open corpus of a list of jobs.
#pragma once

#include "Executor.h"
#include "OutcomeLog.h"
#include "RecordRuns.h"

#include "quincunx/profile/Corpus.h"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace quincunx::tool {

class Session {
public:
  /// `recordFolder` is for records until they are in the corpus; options and corpus must outlive
  /// us.
  /// `commit`: that of the program's sources (SourceCommit.h); empty: not known.
  Session(const RecordOptions &options, std::vector<Job> todo, Corpus &into,
          std::string recordFolder, std::string commit);

  /// Runs everything; the exit status. `isKnown`: the program has left records before.
  int work(bool isKnown);

private:
  /// The files of a job that runs, and the name of its run.
  struct RunFiles {
    std::string identity, folder, standardError;
    bool isRenamed = false; ///< the folder, as the run is done
  };
  /// Processes of one run: those that ended, and what is known of those that did not, of which
  /// there may be several records.
  struct Processes {
    std::set<std::array<uint8_t, 16>> closed;
    std::map<std::array<uint8_t, 16>, ProcessRecord> open;
    MissingProcesses missing;
  };
  Result<std::string> emptyFolder();
  void rename(RunFiles &own);
  void empty(const RunFiles &own, const std::vector<std::string> &files);
  Status begin(size_t number);
  Status finish(const ChildResult &end);
  Run describe(const ChildResult &end) const;
  Result<std::optional<ProcessRecord>> readRecord(std::vector<std::string> &files, size_t i,
                                                  const Run &run, Processes &processes);
  void addStrays(const ChildResult &end, const Run &run, Processes &processes);
  Status addOpen(const ChildResult &end, Run &run, Processes &processes);
  Status collect(const ChildResult &end, std::vector<std::string> files, Run &run,
                 Processes &processes);
  Status addProcess(const ChildResult &end, Run &run, ProcessRecord &process);
  Status store(const ChildResult &end, Run &run, const Processes &processes);

  const RecordOptions &options;
  std::vector<Job> jobs;
  Corpus &corpus;
  std::string folder;
  std::string sourceCommit, host;
  OutcomeLog outcomes;
  bool granted;
  Executor executor;
  std::unordered_map<size_t, RunFiles> runFiles;
  std::vector<std::string> emptyFolders; ///< for the next runs
  size_t foldersMade = 0;
  bool anyRecord = false;
};

} // namespace quincunx::tool
