// Raw records that processes left, and the maps they need in a corpus. It starts no programs.
#pragma once

#include "quincunx/profile/Corpus.h"

#include <set>
#include <string>
#include <vector>

namespace quincunx::tool {

/// What is in a folder.
std::vector<std::string> filesIn(const std::string &folder);

/// Those that are called *.qxraw, sorted; live files after the records.
std::vector<std::string> recordsAmong(const std::vector<std::string> &files);

/// Records and live files in a folder, not older than `since` (seconds since the epoch), that these
/// processes left there under the names which the runtime chooses where nobody says where to write.
/// A program does so that was started with an emptied environment.
std::vector<std::string> strayRecords(const std::string &folder, const std::set<int64_t> &processes,
                                      double since);

/// readBuild() of a file that has not changed after `since` (ns since the epoch); else empty. Files
/// that stay as they are are read once.
std::string buildBefore(const std::string &path, int64_t since);

/// Stores the maps of a record's images that the corpus does not have: the embedded one, or else
/// the one read from the image where it was, relative to `folder`. An image that has been rebuilt
/// since is an error that says so. Images get their build where it is known.
Status addMaps(Corpus &corpus, ProcessRecord &record, const std::string &folder);

/// 32 random hex digits.
std::string newIdentity();

} // namespace quincunx::tool
