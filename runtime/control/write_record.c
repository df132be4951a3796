/* The process record: adds up the arenas of every image when the process ends and writes one .qxraw
 * file, beside its place first and then renamed into it. On failure the live file is the record, or
 * else one line on stderr says so, and the program goes on. It does not decide when. */
#include "control/control.h"

#include "os/syscalls.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/* ---- the file ---- */

static bool write_all(int fd, const unsigned char *bytes, size_t n) {
  while (n > 0) {
    ssize_t done = call_write(fd, bytes, n);
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      return false;
    bytes += done;
    n -= (size_t)done;
  }
  return true;
}

/* Is there a record of another process of this run? */
static bool is_of_this_run(const char *path) {
  struct {
    struct qx_raw_header header;
    struct qx_raw_chunk chunk;
    struct qx_process process;
    char run[sizeof qx_process.run];
  } there;
  const int fd = call_open(path, O_RDONLY | O_NONBLOCK);
  const ssize_t n = fd >= 0 ? call_read_at(fd, &there, sizeof there, 0) : 0;
  if (fd >= 0)
    call_close(fd);
  const size_t length = qx_length(qx_process.run);
  return n >= (ssize_t)(offsetof(__typeof__(there), run) + length) &&
         there.header.magic == QX_RAW_MAGIC && there.header.version == QX_RAW_VERSION &&
         there.process.run_length == length && memcmp(there.run, qx_process.run, length) == 0 &&
         memcmp(there.header.identity, qx_process.identity, sizeof there.header.identity) != 0;
}

/* A record never replaces one of its own run: processes for which QUINCUNX_OUT is one name get some
 * letters more, those of their live files. */
/* holds lock */ static bool put_in_place(const char *beside, const char *path) {
  static char own[PATH_MAX];
  if (call_rename_new(beside, path) == 0)
    return true;
  if (errno == EEXIST && is_of_this_run(path) && qx_own_path(own, ".qxraw"))
    path = own;
  return call_rename(beside, path) == 0;
}

/* `safe`: it is on the disk then. */
/* holds lock */ static bool write_file(const char *path, const unsigned char *bytes, size_t n,
                                        bool safe) {
  static char beside[PATH_MAX]; /* a thread's stack may be small */
  char *at = qx_append(beside, beside + sizeof beside, path);
  at = qx_append(at, beside + sizeof beside, ".");
  qx_append_hex(at, beside + sizeof beside, qx_process.identity + 4, 4);
  if (!qx_room_for(n)) { /* a signal would end the program */
    errno = EFBIG;
    return false;
  }
  int fd = call_open(beside, O_WRONLY | O_CREAT | O_EXCL);
  bool ok = fd >= 0 && write_all(fd, bytes, n) && (!safe || call_sync(fd));
  ok = fd >= 0 && call_close(fd) == 0 && ok;
  ok = ok && put_in_place(beside, path);
  int why = errno;
  if (!ok)
    call_unlink(beside);
  errno = why;
  return ok;
}

/* holds lock */ static void put_counts(struct qx_buffer *b, const struct qx_image_state *image) {
  unsigned char *chunk = qx_open_chunk(b, QX_CHUNK_COUNTS);
  struct qx_pairs p = {b->at, b->end, 0};
  qx_put_counters(&p, image);
  qx_put_recorders(&p, image);
  b->at = p.at;
  qx_close_chunk(b, chunk);
}

/* holds lock */ int qx_write_record(bool open) {
  size_t bytes = sizeof(struct qx_raw_header) + qx_process_bound() + sizeof(struct qx_raw_chunk);
  for (const struct qx_image_state *i = qx_images; i != NULL; i = i->next)
    bytes += qx_image_bound(i);
  bytes += qx_marked_bound();
  bytes += qx_strands_bound();
  unsigned char *memory = qx_map_memory(bytes);
  if (memory == NULL)
    return ENOMEM;
  struct qx_raw_header head = {QX_RAW_MAGIC, QX_RAW_VERSION, sizeof head, 0, {0, 0}, {0}};
  struct qx_buffer b = {memory + sizeof head, memory + bytes};
  qx_put_process(&b, false);
  if (open)
    qx_put_empty_chunk(&b, QX_CHUNK_OPEN);
  for (const struct qx_image_state *i = qx_images; i != NULL; i = i->next) {
    qx_put_image(&b, i);
    put_counts(&b, i);
  }
  qx_put_marked(&b);
  qx_put_strands(&b);
  head.size = (uint64_t)(b.at - memory);
  memcpy(head.identity, qx_process.identity, sizeof head.identity);
  memcpy(memory, &head, sizeof head);
  size_t covered = offsetof(struct qx_raw_header, identity);
  qx_checksum(memory + covered, head.size - covered, head.checksum);
  memcpy(memory, &head, sizeof head);
  static char path[PATH_MAX];
  qx_record_path(path);
  int why = write_file(path, memory, head.size, open) ? 0 : errno;
  if (open)
    munmap(memory, bytes);
  return why;
}

/* ---- the live file as the record ---- */

/* Is all that was counted in the live file? While other threads run it cannot be moved there. */
/* holds lock */ static bool holds_everything(void) {
  for (const struct qx_image_state *i = qx_images; i != NULL; i = i->next) {
    if (i->number == qx_not_live || !qx_recorders_are_live(&i->recorders) ||
        !qx_is_section_empty(i))
      return false;
    for (const struct qx_arena *a = i->arenas; a != NULL; a = a->next)
      if (!a->live || !qx_recorders_are_live(&a->recorders))
        return false;
  }
  return qx_marked_are_live();
}

/* holds lock */ void qx_close_live_file(int why) {
  bool complete = qx_marked_are_live() && !qx_process.incomplete;
  for (struct qx_image_state *i = qx_images; i != NULL; i = i->next)
    complete =
        i->number != qx_not_live && qx_gather_counts(i) && qx_gather_recorders(i) && complete;
  const bool stands = qx_live_close(complete);
  if (stands && complete)
    return;
  static char path[PATH_MAX];
  qx_record_path(path);
  const char *left =
      stands ? "; some of what this process counted is missing" : "; this process was not recorded";
  qx_complain((const char *const[]){"cannot write ", path, ": ", strerrordesc_np(why), left, NULL});
}

/* holds lock */ bool qx_flush_live_file(void) { return holds_everything() && qx_live_flush(); }
