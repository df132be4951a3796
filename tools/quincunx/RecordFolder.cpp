// A folder with a random name in TMPDIR, so that runs at the same time cannot mix.
#include "RecordFolder.h"

#include "quincunx/base/Text.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace quincunx::tool {

namespace fs = std::filesystem;

RecordFolder::RecordFolder() {
  const char *base = std::getenv("TMPDIR");
  name = std::string(base != nullptr && *base != '\0' ? base : "/tmp") + "/quincunx-XXXXXX";
  if (name.front() != '/')
    name = fs::absolute(name).string();
  if (::mkdtemp(name.data()) == nullptr)
    reason = errno;
}

RecordFolder::~RecordFolder() {
  std::error_code no;
  if (reason == 0)
    fs::remove_all(name, no);
}

Status RecordFolder::status() const {
  if (reason != 0)
    return Error{"cannot make " + escape(name) + ": " + std::strerror(reason)};
  return Done{};
}

} // namespace quincunx::tool
