// The jobs that are still to be run (--resume). It changes no corpus.
#pragma once

#include "JobPlan.h"

#include "quincunx/profile/Corpus.h"

namespace quincunx::tool {

/// Takes out the jobs that the corpus has a run of: same label, same arguments (where both know
/// them). A job that stands there twice needs two runs.
Status removeDone(std::vector<Job> &jobs, const Corpus &corpus, bool noArguments);

} // namespace quincunx::tool
