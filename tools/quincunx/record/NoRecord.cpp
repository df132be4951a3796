// Looks for the cause when a process left no record: what the system would not let it do comes
// first, how it was built last, so that nobody is told to build a program again that is well built.
// What the runtime itself said is in the program's stderr, and shown beside.
#include "NoRecord.h"

#include "ProgramPath.h"

#include "quincunx/base/Text.h"
#include "quincunx/map/Image.h"

#include <fstream>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>

namespace quincunx::tool {

namespace {

/// Does the system start it with rights that its user does not have? Nothing is recorded then.
bool isPrivileged(const std::string &program) {
  struct stat info{};
  return ::stat(program.c_str(), &info) == 0 &&
         ((info.st_mode & (S_ISUID | S_ISGID)) != 0 ||
          ::getxattr(program.c_str(), "security.capability", nullptr, 0) > 0);
}

bool isFull(const std::string &folder) {
  struct statvfs info{};
  return ::statvfs(folder.c_str(), &info) == 0 && info.f_blocks > 0 && info.f_bavail == 0;
}

bool isElf(const std::string &program) {
  char magic[4] = {};
  std::ifstream(program, std::ios::binary).read(magic, sizeof magic);
  return std::string_view(magic, sizeof magic) == "\x7f"
                                                  "ELF";
}

} // namespace

NoRecord whyNoRecord(const Job &job, const std::string &folder) {
  const std::string program = findProgram(job);
  if (isPrivileged(program))
    return {false, "nothing is recorded in a set-user-id program or one with capabilities"};
  if (isFull(folder))
    return {false, "there is no space left in " + escape(folder) + " (TMPDIR)"};
  constexpr rlim_t few = 1 << 20;
  rlimit most{};
  if (::getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur < few)
    return {false,
            "files may have " + std::to_string(most.rlim_cur) + " bytes at most here (ulimit -f)"};
  if (readElf(program))
    return {false, "it was started with an emptied environment (QUINCUNX_OUT says where records "
                   "go), or could not write there"};
  const char *const build = "build it with clang-22 --config=quincunx.cfg, also when linking";
  if (isElf(program))
    return {true, std::string("it was not built with the quincunx plugin; ") + build};
  return {true, std::string("it is no program that was built with the quincunx plugin, and none "
                            "that it started left one; ") +
                    build};
}

} // namespace quincunx::tool
