// The jobs that are still to be run (--resume). It changes no corpus.
#pragma once

#include "JobPlan.h"

#include "quincunx/profile/Corpus.h"

namespace quincunx::tool {

/// Takes out the jobs that the corpus has a run of: same label, same arguments (where both know
/// them), by programs and libraries as they are now, with that tag (empty: any). A job that stands
/// there twice needs two runs. Returns how many runs are of other builds.
Result<size_t> removeDone(std::vector<Job> &jobs, const std::string &corpus, bool noArguments,
                          const std::string &tag);

} // namespace quincunx::tool
