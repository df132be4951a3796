// The folder in which programs leave their records until they are in the corpus. It knows no
// records and no corpus.
#pragma once

#include "quincunx/base/Result.h"

#include <string>
#include <vector>

namespace quincunx::tool {

/// A folder of our own, removed with all that is in it; the next one removes what a killed process
/// left.
class RecordFolder {
public:
  RecordFolder();
  ~RecordFolder();
  RecordFolder(const RecordFolder &) = delete;
  RecordFolder &operator=(const RecordFolder &) = delete;
  Status status() const;
  const std::string &path() const { return name; }
  /// How many folders of killed processes were removed.
  size_t swept() const { return removed; }

private:
  void hold(const std::string &base);
  std::string name;
  int reason = 0; ///< errno of what could not be done
  int lock = -1;
  size_t removed = 0;
};

} // namespace quincunx::tool
