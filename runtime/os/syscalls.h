/* System calls by number. They are no cancellation points, nobody's interposed open() sees them,
 * and a program that starts binds one symbol instead of a dozen, which is most of what starting
 * costs. They set errno as libc's do. */
#ifndef QUINCUNX_SYSCALLS_H
#define QUINCUNX_SYSCALLS_H

#include "os/visible.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

static inline int call_close(int fd) { return (int)syscall(SYS_close, fd); }
static inline int call_unlink(const char *path) {
  return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}
/* Never 0, 1 or 2: where the program closed a standard stream, its number is not ours. */
static inline int call_open(const char *path, int flags) {
  int fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (fd < 0 || fd > 2)
    return fd;
  int high = (int)syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 3);
  call_close(fd);
  if (high < 0 && (flags & O_EXCL)) /* we made it */
    call_unlink(path);
  return high;
}
static inline int call_rename(const char *from, const char *to) {
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
/* Not over a file that is there: EEXIST. */
static inline int call_rename_new(const char *from, const char *to) {
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}
static inline ssize_t call_write(int fd, const void *bytes, size_t n) {
  return syscall(SYS_write, fd, bytes, n);
}
static inline ssize_t call_read_at(int fd, void *bytes, size_t n, uint64_t at) {
  return syscall(SYS_pread64, fd, bytes, n, at);
}
static inline ssize_t call_write_at(int fd, const struct iovec *parts, int count, uint64_t at) {
  return syscall(SYS_pwritev, fd, parts, count, at, 0ul);
}
static inline bool call_lock(int fd) { return syscall(SYS_flock, fd, LOCK_EX | LOCK_NB) == 0; }
static inline bool call_sync(int fd) { return syscall(SYS_fdatasync, fd) == 0; }
static inline bool call_statfs(int fd, struct statfs *s) {
  return syscall(SYS_fstatfs, fd, s) == 0;
}
static inline bool call_stat(int fd, struct stat *s) { return syscall(SYS_fstat, fd, s) == 0; }
static inline bool call_stat_path(const char *path, struct stat *s) {
  return syscall(SYS_newfstatat, AT_FDCWD, path, s, AT_SYMLINK_NOFOLLOW) == 0;
}
static inline bool call_limit(int what, struct rlimit *limit) {
  return syscall(SYS_prlimit64, 0, what, NULL, limit) == 0;
}
static inline void call_usage(struct rusage *usage) { syscall(SYS_getrusage, RUSAGE_SELF, usage); }
static inline int64_t call_now(int clock) { /* ns */
  struct timespec t = {0, 0};
  syscall(SYS_clock_gettime, clock, &t);
  return t.tv_sec * 1000000000ll + t.tv_nsec;
}
static inline bool call_folder(char *path, size_t n) {
  return syscall(SYS_getcwd, path, n) > 0 && path[0] == '/';
}
static inline ssize_t call_link(const char *path, char *to, size_t n) {
  return syscall(SYS_readlinkat, AT_FDCWD, path, to, n);
}
static inline bool call_random(void *bytes, size_t n) {
  return syscall(SYS_getrandom, bytes, n, GRND_NONBLOCK) == (ssize_t)n;
}
/* Signals as bits, the kernel's own sets. */
static inline uint64_t call_mask(int how, uint64_t set) {
  uint64_t old = 0;
  syscall(SYS_rt_sigprocmask, how, &set, &old, sizeof set);
  return old;
}
static inline uint64_t call_pending(void) {
  uint64_t set = 0;
  syscall(SYS_rt_sigpending, &set, sizeof set);
  return set;
}
static inline void call_take_signal(uint64_t set) {
  struct timespec none = {0, 0};
  syscall(SYS_rt_sigtimedwait, &set, NULL, &none, sizeof set);
}
static inline int call_pid(void) { return (int)syscall(SYS_getpid); }
static inline int call_parent(void) { return (int)syscall(SYS_getppid); }
static inline int call_thread(void) { return (int)syscall(SYS_gettid); }
/* Is there a thread of that number in this process? */
static inline bool call_is_thread(int pid, int thread) {
  return syscall(SYS_tgkill, pid, thread, 0) == 0;
}

#endif
