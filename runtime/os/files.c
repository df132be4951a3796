/* Answers what the runtime asks of files before it touches them: is a descriptor still the file it
 * was opened for, and may a file grow that far? It opens and writes none. */
#include "os/os.h"

#include "os/syscalls.h"

bool qx_identify_file(int fd, struct qx_file_identity *file) {
  struct stat s;
  file->known = call_stat(fd, &s);
  file->device = s.st_dev;
  file->inode = s.st_ino;
  return file->known;
}

bool qx_is_file(const struct stat *s, const struct qx_file_identity *file) {
  return file->known && s->st_dev == file->device && s->st_ino == file->inode;
}

bool qx_still_refers_to(int fd, const struct qx_file_identity *file) {
  struct stat s;
  return call_stat(fd, &s) && qx_is_file(&s, file);
}

bool qx_room_for(size_t file_bytes) {
  struct rlimit most;
  return !call_limit(RLIMIT_FSIZE, &most) || most.rlim_cur == RLIM_INFINITY ||
         file_bytes <= most.rlim_cur;
}
