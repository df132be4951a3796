// Raw records (.qxraw). The checksum and the size in the header are made right, so that what is
// behind them is reached: they protect from disks, not from people. Reference: docs/11-formats.md.
#include "ProcessRecords.h"
#include "Target.h"

#include "quincunx/abi.h"

#include <cstddef>
#include <cstring>

namespace quincunx::fuzz {

namespace {

std::string sealed(std::string record) {
  qx_raw_header header;
  if (record.size() < sizeof header)
    return record;
  std::memcpy(&header, record.data(), sizeof header);
  if (header.magic != QX_RAW_MAGIC) // a live file is one by any name
    return record;
  header.size = record.size();
  constexpr size_t covered = offsetof(qx_raw_header, identity);
  (header.version <= QX_RAW_WITH_HASH ? qx_hash : qx_checksum)(
      record.data() + covered, record.size() - covered, header.checksum);
  std::memcpy(record.data(), &header, sizeof header);
  return record;
}

void judge(const std::string &input) {
  const Result<ProcessRecord> asItIs = readBothWays(input, "r.qxraw");
  const std::string whole = sealed(input);
  if (asItIs && whole != input)
    wrong("a record with a wrong checksum or size is accepted");
  if (const Result<ProcessRecord> record = readBothWays(whole, "r.qxraw"))
    judgeRecord(*record);
}

} // namespace

const Target target{judge};

} // namespace quincunx::fuzz
