// Features of runs that mean something here, and not to their users alone.
#pragma once

namespace quincunx {

/// How many threads a run was asked to have (`run --threads`).
inline constexpr const char *threadsFeature = "threads";

} // namespace quincunx
