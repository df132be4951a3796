// The idea: code in user mode is what most libraries are made of, so those that are not are listed:
// POSIX and stdio by name, families of them and of C++ streams by how their names begin.
#include "quincunx/estimate/SystemCalls.h"

#include <algorithm>
#include <array>

namespace quincunx {

namespace {

constexpr std::array<std::string_view, 112> names{
    "_exit",    "abort",         "accept",   "access",    "bind",
    "brk",      "calloc",        "chdir",    "chmod",     "clock_nanosleep",
    "clone",    "close",         "closedir", "connect",   "dup",
    "dup2",     "exit",          "fclose",   "fcntl",     "fdopen",
    "fflush",   "fgetc",         "fgets",    "fileno",    "fopen",
    "fopen64",  "fork",          "fputc",    "fputs",     "fputs_unlocked",
    "fread",    "free",          "freopen",  "fseek",     "fseeko",
    "fstat",    "fsync",         "ftell",    "ftruncate", "fwrite",
    "getc",     "getc_unlocked", "getchar",  "getcwd",    "getdelim",
    "getdents", "getline",       "getpid",   "getrusage", "ioctl",
    "kill",     "link",          "listen",   "lseek",     "lseek64",
    "lstat",    "madvise",       "malloc",   "mkdir",     "mmap",
    "mmap64",   "mprotect",      "munmap",   "nanosleep", "open",
    "open64",   "openat",        "opendir",  "pclose",    "perror",
    "pipe",     "poll",          "popen",    "pread",     "pread64",
    "putc",     "putc_unlocked", "putchar",  "puts",      "pwrite",
    "pwrite64", "raise",         "read",     "readdir",   "readv",
    "realloc",  "rename",        "rmdir",    "sbrk",      "sched_yield",
    "select",   "sendfile",      "setvbuf",  "shutdown",  "sigaction",
    "signal",   "sigprocmask",   "sleep",    "socket",    "stat",
    "system",   "ungetc",        "unlink",   "usleep",    "utime",
    "vfork",    "vfprintf",      "vprintf",  "wait",      "waitpid",
    "write",    "writev"};

constexpr std::array<std::string_view, 29> beginnings{"_IO_",
                                                      "_ZNSi",
                                                      "_ZNSo",
                                                      "_ZNSt12__basic_file",
                                                      "_ZNSt13basic_filebuf",
                                                      "_ZNSt14basic_i",
                                                      "_ZNSt14basic_o",
                                                      "_ZNSt6thread",
                                                      "_ZSt16__ostream",
                                                      "_ZStls",
                                                      "_Zd",
                                                      "_Zn",
                                                      "__fprintf",
                                                      "__printf",
                                                      "__read",
                                                      "__vfprintf",
                                                      "__write",
                                                      "epoll_",
                                                      "execv",
                                                      "fprintf",
                                                      "fscanf",
                                                      "posix_spawn",
                                                      "printf",
                                                      "pthread_",
                                                      "recv",
                                                      "scanf",
                                                      "sem_",
                                                      "send",
                                                      "shm_"};

} // namespace

bool mayEnterKernel(std::string_view name) {
  return std::ranges::find(names, name) != names.end() ||
         std::ranges::any_of(beginnings,
                             [&](std::string_view begin) { return name.starts_with(begin); });
}

} // namespace quincunx
