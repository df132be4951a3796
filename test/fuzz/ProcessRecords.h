// What is promised of a process record that was accepted, whatever file it came from.
#pragma once

#include "quincunx/profile/Run.h"

namespace quincunx::fuzz {

/// Its parts are what the rest of the program takes for granted, and a corpus keeps them.
void judgeRecord(const ProcessRecord &record);
/// What `bytes` say when they are read as a file of this name; refusals are judged. Read from a
/// file and from memory they say the same.
Result<ProcessRecord> readBothWays(const std::string &bytes, const std::string &name);

} // namespace quincunx::fuzz
