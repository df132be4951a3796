// The verbs of `quincunx corpus` that have files of their own. Each returns an exit status and has
// said on stderr what went wrong.
#pragma once

#include "verbs/Verbs.h"

#include "quincunx/profile/Corpus.h"

#include "arguments/PricingOptions.h"

#include <string>
#include <vector>

namespace quincunx::tool {

/// Everything as text, one record a line: CorpusDump.cpp.
int dumpCorpus(const std::string &path);
/// Its lines about timed runs: CorpusDumpTimings.cpp.
Status dumpTimings(const Corpus &corpus);
/// A table of runs, and an overview: CorpusList.cpp.
int listCorpus(const std::string &path, bool json);
int showCorpus(const std::string &path, bool json);

/// What cannot be read, and a copy of the rest: CorpusDamage.cpp.
int checkCorpus(const std::string &path, bool json);
int salvageCorpus(const std::string &path, const std::string &out, bool json);

/// Its builds, and which of them changed what runs cost: CorpusLog.cpp.
int logCorpus(const std::string &path, const PricingOptions &pricing, bool json);

struct AddOptions {
  std::string corpus, label;
  std::vector<std::string> files, features;
};
/// Raw records into runs: CorpusAdd.cpp.
int addRecords(const AddOptions &options);

/// "finished", "timed-out", "crashed" or "cut-short".
const char *outcomeName(Outcome outcome);

} // namespace quincunx::tool
