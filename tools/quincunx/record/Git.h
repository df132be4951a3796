// Questions to git about a folder.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace quincunx::tool {

/// What git says in the folder `where` when it is called with `words`; none where it fails, takes
/// more than seconds, or is not there. What it prints goes through files in `folder`.
std::optional<std::string> askGit(const std::string &where, const std::vector<std::string> &words,
                                  const std::string &folder);
/// `commits` (hashes) with the older before the newer, as the history of the repository at `where`
/// has them; those it does not know, and "" are left out. None where git fails.
std::optional<std::vector<std::string>> oldestFirst(const std::string &where,
                                                    const std::set<std::string> &commits,
                                                    const std::string &folder);

/// The commit that a revision means in the repository at `where`, and those before it, the newest
/// first. None: git knows no such thing.
std::optional<std::vector<std::string>>
historyOf(const std::string &where, const std::string &revision, const std::string &folder);

} // namespace quincunx::tool
