// Why a process that ended well left no record.
#pragma once

#include "JobPlan.h"

#include <string>

namespace quincunx::tool {

struct NoRecord {
  bool notBuilt; ///< no run of this program will leave one
  std::string cause;
};

/// `folder`: where its records should be.
NoRecord whyNoRecord(const Job &job, const std::string &folder);

} // namespace quincunx::tool
