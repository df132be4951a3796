// Functions that a program calls and of which nothing was counted: those of libraries, and of parts
// that were built without the flag.
#pragma once

#include "quincunx/map/Map.h"

#include <string>
#include <vector>

namespace quincunx {

class LibraryFunctions {
public:
  explicit LibraryFunctions(const std::vector<Map> &maps);
  /// Linkage names, sorted.
  const std::vector<std::string> &names() const { return all; }
  /// Of the `i`-th of names(): where the bytes of its calls come from; none where that is not known
  /// of each.
  ByteSource bytes(size_t i) const { return byteSources[i]; }
  /// Of the same: what the source calls in its place in some calls (Call::written), sorted.
  const std::vector<std::string> &written(size_t i) const { return writtenAs[i]; }
  /// The number of a callee among names(); `noIndex`: a map has it, or the call goes through a
  /// pointer.
  uint32_t numberOf(const std::string &callee) const;

private:
  std::vector<std::string> all;
  std::vector<ByteSource> byteSources;             ///< parallel
  std::vector<std::vector<std::string>> writtenAs; ///< parallel
};

} // namespace quincunx
