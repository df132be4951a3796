// The folder in which programs leave their records until they are in the corpus.
#pragma once

#include "quincunx/base/Result.h"

#include <string>

namespace quincunx::tool {

/// A folder of our own for records, removed with all that is in it.
class RecordFolder {
public:
  RecordFolder();
  ~RecordFolder();
  RecordFolder(const RecordFolder &) = delete;
  RecordFolder &operator=(const RecordFolder &) = delete;
  Status status() const;
  const std::string &path() const { return name; }

private:
  std::string name;
  int reason = 0;
};

} // namespace quincunx::tool
