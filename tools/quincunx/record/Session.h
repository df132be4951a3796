// A list of jobs becomes runs in an open corpus.
#pragma once

#include "Executor.h"
#include "OutcomeLog.h"
#include "RecordRuns.h"

#include "quincunx/profile/Corpus.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace quincunx::tool {

class Session {
public:
  /// `recordFolder` is for records until they are in the corpus; options and corpus must outlive
  /// us.
  Session(const RecordOptions &options, std::vector<Job> todo, Corpus &into,
          std::string recordFolder);

  /// Runs everything; the exit status. `isKnown`: the program has left records before.
  int work(bool isKnown);

private:
  /// Of a job that runs.
  struct RunFiles {
    std::string identity, folder, standardError;
  };
  Status begin(size_t number);
  Status finish(const ChildResult &end);
  Run describe(const ChildResult &end) const;
  Result<bool> collect(const ChildResult &end, Run &run);
  Status addProcess(const ChildResult &end, Run &run, const ProcessRecord &process);
  Status store(const ChildResult &end, Run &run, bool hasRecord);

  const RecordOptions &options;
  std::vector<Job> jobs;
  Corpus &corpus;
  std::string folder;
  OutcomeLog outcomes;
  bool granted;
  Executor executor;
  std::unordered_map<size_t, RunFiles> runFiles;
  bool anyRecord = false;
};

} // namespace quincunx::tool
