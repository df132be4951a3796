// Makes the folder for records, TMPDIR/quincunx-run-XXXXXX, on which its process holds a flock(2).
// The idea: the kernel drops that lock however the process ends, SIGKILL included, so a folder
// whose lock can be had belongs to nobody, and the next `quincunx run` removes it. The folder
// itself is locked, not a file in it, so that one that was removed in part is still found; it gets
// its name when it is locked. No pid is compared, because pids are used again and mean nothing
// across containers that share a folder.
//
// Why there and not beside the corpus: records are written while a program is being measured, and a
// corpus may lie on a network file system or on a disk that is nearly full. The price is that only
// a run with the same TMPDIR finds what was left.
//
// What it does not do: it does not look into folders of other users, or on file systems without
// locks. Those it leaves alone, also when they are ours.
#include "RecordFolder.h"

#include "quincunx/base/Text.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace quincunx::tool {

namespace fs = std::filesystem;

namespace {

constexpr const char *prefix = "quincunx-run-";
constexpr const char *unlockedPrefix = "quincunx-unlocked-"; // of those without locks, too
constexpr size_t randomLetters = 6;                          // of mkdtemp(3)

std::string temporaryFolder() {
  const char *base = std::getenv("TMPDIR");
  const fs::path path = base != nullptr && *base != '\0' ? base : "/tmp";
  std::error_code no;
  return fs::absolute(path, no).string();
}

/// A folder that only we can have made: its name, its owner, and nobody else may write there.
bool looksLikeOurs(const fs::path &path) {
  const std::string name = path.filename().string();
  struct stat info{};
  return name.starts_with(prefix) && name.size() == std::strlen(prefix) + randomLetters &&
         ::lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == ::geteuid() &&
         (info.st_mode & 0777) == 0700;
}

/// Opens and locks a folder; -1 when another process holds it, or there are no locks.
int lockFolder(const std::string &folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (file >= 0 && ::flock(file, LOCK_EX | LOCK_NB) == 0)
    return file;
  if (file >= 0)
    ::close(file);
  return -1;
}

/// Earlier versions locked a file in the folder instead, and may still be at work.
bool isInUse(const std::string &folder) {
  const int file = ::open((folder + "/lock").c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  const bool inUse = file >= 0 && ::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (file >= 0)
    ::close(file);
  return inUse;
}

size_t sweep(const std::string &base) {
  size_t removed = 0;
  std::error_code no;
  const fs::directory_options options = fs::directory_options::skip_permission_denied;
  for (fs::directory_iterator at(base, options, no), end; !no && at != end; at.increment(no)) {
    if (!looksLikeOurs(at->path()))
      continue;
    const int lock = lockFolder(at->path().string());
    if (lock < 0)
      continue;
    std::error_code problem;
    if (!isInUse(at->path().string()))
      removed += fs::remove_all(at->path(), problem) > 0 && !problem; // does not follow links
    ::close(lock);
  }
  return removed;
}

} // namespace

RecordFolder::RecordFolder() {
  const std::string base = temporaryFolder();
  removed = sweep(base);
  name = base + "/" + unlockedPrefix + std::string(randomLetters, 'X');
  if (::mkdtemp(name.data()) == nullptr)
    reason = errno;
  else
    hold(base);
}

/// Locked first and named then, so that nobody ever finds it unlocked while we live. Where there
/// are no locks it keeps the name under which nobody removes it but us.
void RecordFolder::hold(const std::string &base) {
  lock = lockFolder(name);
  const std::string locked =
      base + "/" + prefix + name.substr(name.size() - randomLetters, randomLetters);
  if (lock >= 0 && ::rename(name.c_str(), locked.c_str()) == 0)
    name = locked;
}

RecordFolder::~RecordFolder() {
  std::error_code no;
  if (reason == 0)
    fs::remove_all(name, no);
  if (lock >= 0)
    ::close(lock);
}

Status RecordFolder::status() const {
  if (reason != 0)
    return Error{"cannot make " + escape(name) + ": " + std::strerror(reason)};
  return Done{};
}

} // namespace quincunx::tool
