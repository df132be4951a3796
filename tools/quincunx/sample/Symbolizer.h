// Names places of code by debug information, inlined functions included, with llvm-symbolizer as a
// child: the tool itself reads no DWARF.
#pragma once

#include "SampledAddresses.h"

#include "record/Executor.h"

#include "quincunx/profile/Samples.h"

#include <map>
#include <string>

namespace quincunx::tool {

class Symbolizer {
public:
  /// Of LLVM_SYMBOLIZER_PATH or found in PATH; an error says how to get one.
  static Result<std::string> find();
  /// `folder`: for files of ours.
  Symbolizer(std::string program, std::string folder);
  /// Names what has none yet; nothing else may run in `executor`.
  Status name(const std::map<SampledAddress, uint64_t> &addresses, Executor &executor);
  /// Of an address that has been named.
  SampledPlace placeOf(const SampledAddress &address) const;
  /// Whether any place had a line.
  bool hasLines() const { return lines; }

private:
  std::string program, folder;
  std::map<std::pair<std::string, uint64_t>, SampledPlace> known; ///< by file and address
  bool lines = false;
};

} // namespace quincunx::tool
