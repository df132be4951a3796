// Live files (.live.qxraw), which processes that were killed leave behind in any state: they have
// no checksum, and what is beyond the bytes in use means nothing. Reference: docs/11-formats.md.
#include "ProcessRecords.h"
#include "Target.h"

#include "quincunx/abi.h"

#include <cstddef>
#include <cstring>

namespace quincunx::fuzz {

namespace {

/// All of its bytes are in use.
std::string used(std::string file) {
  const uint64_t size = file.size();
  if (size >= sizeof(qx_live_header))
    std::memcpy(file.data() + offsetof(qx_live_header, used), &size, sizeof size);
  return file;
}

void judge(const std::string &input) {
  for (const std::string &file : {input, used(input)})
    if (const Result<ProcessRecord> record = readBothWays(file, "r.live.qxraw"))
      judgeRecord(*record);
}

} // namespace

const Target target{judge};

} // namespace quincunx::fuzz
