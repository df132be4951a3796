// Is the process of a live file still there? The process holds a flock(2) on the file through its
// mapping, which the kernel drops with the process: no pid is compared, so pids that are used again
// or belong to another container do not matter. On overlayfs the mapping keeps another file than
// the one that was locked; there the process is asked, through /proc, whether it maps the file. See
// docs/decisions/004. It reads no counts.
#include "quincunx/profile/Run.h"

#include <cerrno>
#include <fstream>
#include <string_view>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace quincunx {

namespace {

constexpr std::string_view liveSuffix = ".live.qxraw";

bool isLocked(const std::string &path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return errno == ENOENT; // it ended while we looked: its record stands now
  const bool locked = ::flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(file);
  return locked;
}

/// Shared mappings go by the file's name, which no other process uses.
bool isMapped(const std::string &path, int64_t pid) {
  const std::string name = path.substr(path.rfind('/') + 1);
  std::ifstream maps("/proc/" + std::to_string(pid) + "/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.find(" rw-s ") != std::string::npos && line.ends_with("/" + name))
      return true;
  return false;
}

} // namespace

bool isLiveName(const std::string &path) { return path.ends_with(liveSuffix); }

std::string recordOfLive(const std::string &path) {
  constexpr std::string_view letters = ".XXXXXXXX"; // random
  const size_t more = letters.size() + liveSuffix.size();
  if (!isLiveName(path) || path.size() <= more || path[path.size() - more] != '.')
    return "";
  return path.substr(0, path.size() - more) + ".qxraw";
}

bool stillCounts(const std::string &path, int64_t pid) {
  return isLocked(path) || isMapped(path, pid);
}

} // namespace quincunx
