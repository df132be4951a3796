// Raw records that processes left, and the maps they need in a corpus. It starts no programs.
#pragma once

#include "quincunx/profile/Corpus.h"

#include <string>
#include <vector>

namespace quincunx::tool {

/// The *.qxraw files of a folder, sorted; live files after the records.
std::vector<std::string> recordsIn(const std::string &folder);

/// Stores the maps of a record's images that the corpus does not have: the embedded one, or else
/// the one read from the image where it was, relative to `folder`. An image that has been rebuilt
/// since is an error that says so.
Status addMaps(Corpus &corpus, const ProcessRecord &record, const std::string &folder);

/// 32 random hex digits.
std::string newIdentity();

} // namespace quincunx::tool
