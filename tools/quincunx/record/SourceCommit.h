// Which commit the sources of a program are of.
#pragma once

#include "JobPlan.h"

#include <string>

namespace quincunx::tool {

struct SourceCommit {
  std::string name; ///< "+changes" behind it where files differ from it; empty: not known
  std::string
      why; ///< a sentence, where sources are under git and the commit is not that of the program
};
/// Asks git about the folder of the sources that the program of `job` was built from; `folder` is
/// for what it says. Where there is no git, or no source, nothing is known and nothing takes time.
SourceCommit sourceCommitOf(const Job &job, const std::string &folder);

} // namespace quincunx::tool
