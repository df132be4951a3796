/* The live file: the arenas of a process in a file that it has mapped, so that what was counted is
 * still there when the process is killed, calls _exit or execs. Counting costs nothing more: the
 * kernel keeps the pages.
 *
 * The file grows by chunks; the last store of each growth is `used`, so at any instant what lies
 * before `used` is whole, and while it is 0 nothing was counted. The process
 * holds a flock(2) on it without holding a descriptor: the mapping keeps the open file, and the
 * kernel drops the lock with the last mapping, however the process ends. (On overlayfs the mapping
 * keeps another file, and readers look at the process instead.)
 *
 * Space is written before it is mapped, so a full disk is an error of write(2) here and never a
 * SIGBUS in the program. That holds where written blocks stay where they are; on other file systems
 * there is no live file, and the arenas are plain memory. Not fallocate(2): ext4 then allocates at
 * once, and the end of a short program waits three milliseconds for the journal. It decides nothing
 * about records; see docs/decisions/004. */
#include "record/record.h"

#include "os/syscalls.h"

#include <linux/magic.h>
#include <string.h>
#include <sys/mman.h>

/* Up to here pages are mapped at once: dearer one by one, when they are met. */
enum { most_at_once = 1 << 16 };

/* under lock */ static struct {
  struct qx_live_header *head; /* its first page, mapped; NULL while there is none */
  bool adding;                 /* between begin_adding() and qx_live_settle() */
  int fd;                      /* then; -1 when it is lost */
  struct qx_file_identity file;
  struct qx_live_header *first; /* the same while the file is being made */
  bool refused;                 /* there can be none for this process */
  bool outside;                 /* something is counted that is not in it */
  uint64_t used;                /* with what is being added */
  uint32_t images, written;     /* numbers given, and those that are in the file */
  size_t head_bytes;            /* of the mapping that begins with `head` */
  char path[PATH_MAX];
} live = {.fd = -1};

/* holds lock */ static bool is_open(void) {
  if (live.fd >= 0 && !qx_still_refers_to(live.fd, &live.file))
    live.fd = -1;
  return live.fd >= 0;
}

/* holds lock */ static void close_file(void) {
  if (is_open())
    call_close(live.fd);
  live.fd = -1;
}

/* ---- writing ---- */

/* Bytes that come next in the file and are written with the next arena, or when all is said. */
/* under lock */ static struct {
  unsigned char *memory;
  size_t bytes, used;
} waiting;

/* holds lock */ static bool make_room(size_t bytes) {
  if (waiting.bytes - waiting.used >= bytes)
    return true;
  size_t more = waiting.used + bytes + qx_page_size();
  unsigned char *memory = qx_map_memory(more);
  if (memory == NULL)
    return false;
  if (waiting.memory != NULL) {
    memcpy(memory, waiting.memory, waiting.used);
    munmap(waiting.memory, waiting.bytes);
  }
  waiting.memory = memory;
  waiting.bytes = more;
  return true;
}

static const char zeros[4096];

/* Writes what waits, then `bytes` of zeros. */
/* holds lock */ static bool write_waiting(size_t bytes) {
  enum { most = 64 };
  const uint64_t end = live.used + waiting.used + bytes;
  if (end > QX_LIVE_MOST || !qx_room_for(end))
    return false;
  uint64_t at = live.used;
  for (bool first = true; first || bytes > 0; first = false) {
    struct iovec parts[most];
    int count = 0;
    size_t sum = 0;
    if (first)
      parts[count++] = (struct iovec){waiting.memory, sum = waiting.used};
    for (; count < most && bytes > 0; ++count) {
      size_t n = bytes < sizeof zeros ? bytes : sizeof zeros;
      parts[count] = (struct iovec){(void *)(uintptr_t)zeros, n};
      sum += n;
      bytes -= n;
    }
    if (!is_open() || call_write_at(live.fd, parts, count, at) != (ssize_t)sum)
      return false;
    at += sum;
  }
  live.used = end;
  live.written = live.images;
  waiting.used = 0;
  return true;
}

/* ---- begin and settle ---- */

/* Can a page that was written once be written again without new space? */
static bool is_steady(int fd) {
  struct statfs s;
  if (!call_statfs(fd, &s))
    return false;
  const unsigned long type = (unsigned long)s.f_type & 0xfffffffful;
  return type == TMPFS_MAGIC || type == RAMFS_MAGIC || type == EXT4_SUPER_MAGIC ||
         type == XFS_SUPER_MAGIC || type == OVERLAYFS_SUPER_MAGIC;
}

/* holds lock */ static void remove_file(void) {
  call_unlink(live.path);
  close_file();
  live.refused = true;
}

/* holds lock */ static bool create(void) {
  live.refused = true;
  if (!qx_own_path(live.path, ".live.qxraw"))
    return false;
  live.fd = call_open(live.path, O_RDWR | O_CREAT | O_EXCL);
  if (live.fd < 0)
    return false;
  qx_identify_file(live.fd, &live.file);
  live.images = live.written = 0;
  live.used = 0;
  /* Room for the image and the padding that follow, too. */
  size_t bytes = sizeof(struct qx_live_header) + qx_process_bound() + 4 * qx_page_size();
  if (!is_steady(live.fd) || !make_room(bytes)) {
    remove_file();
    return false;
  }
  live.refused = false;
  waiting.used = sizeof(struct qx_live_header);
  struct qx_buffer b = {waiting.memory + waiting.used, waiting.memory + waiting.bytes};
  qx_put_process(&b, true);
  waiting.used = (size_t)(b.at - waiting.memory);
  return true;
}

/* holds lock */ static bool reopen(void) {
  struct qx_live_header there;
  struct stat s;
  if (!call_stat_path(live.path, &s) || !qx_is_file(&s, &live.file))
    return false; /* moved away, or replaced */
  live.fd = call_open(live.path, O_RDWR);
  if (!is_open())
    return false;
  if (call_read_at(live.fd, &there, sizeof there, 0) == sizeof there &&
      memcmp(&there, live.head, sizeof there) == 0)
    return true;
  close_file();
  return false;
}

/* holds lock */ static bool begin_adding(void) {
  if (live.adding)
    return live.fd >= 0;
  /* A copy made by clone() without our knowledge shares the arenas, but must not add any. */
  if (qx_process.off || live.refused || qx_process.pid != call_pid())
    return false;
  live.adding = live.head != NULL ? reopen() : create();
  return live.adding;
}

/* The fixed part of the first chunk, which is in the first page. */
/* holds lock */ static struct qx_process *process_chunk(void) {
  return (struct qx_process *)((char *)(live.head + 1) + sizeof(struct qx_raw_chunk));
}

/* That word of the first page in which a copy of the process, which shares it and must not wait for
 * the lock, says that it lost counts. */
static uint32_t *told_by_copies;
enum { copy_lost = 2 };

void qx_live_copy_lost(void) {
  uint32_t *word = __atomic_load_n(&told_by_copies, __ATOMIC_RELAXED);
  if (word != NULL)
    __atomic_fetch_or(word, copy_lost, __ATOMIC_RELAXED);
}

/* holds lock */ void qx_live_tell(void) {
  if (live.head == NULL)
    return;
  struct qx_process *p = process_chunk();
  if (__atomic_load_n(&p->incomplete, __ATOMIC_RELAXED) & copy_lost)
    qx_process.incomplete = true;
  __atomic_store_n(&p->forked, qx_process.forked, __ATOMIC_RELAXED);
  if (live.outside || qx_process.incomplete)
    __atomic_fetch_or(&p->incomplete, 1, __ATOMIC_RELAXED);
  else
    __atomic_fetch_and(&p->incomplete, ~1u, __ATOMIC_RELAXED);
}

/* holds lock */ void qx_live_outside(void) {
  live.outside = true;
  qx_live_tell();
}

/* holds lock */ static void write_header(void) {
  live.head = live.first;
  *live.head = (struct qx_live_header){
      .magic = QX_LIVE_MAGIC,
      .version = QX_LIVE_VERSION,
      .header_size = sizeof *live.head,
      .address = (uint64_t)(uintptr_t)live.head,
      .pid = qx_process.pid,
  };
  memcpy(live.head->identity, qx_process.identity, sizeof live.head->identity);
  __atomic_store_n(&told_by_copies, &process_chunk()->incomplete, __ATOMIC_RELAXED);
  qx_live_tell();
  call_lock(live.fd);
}

/* Images that found no space are in no live file; their numbers are free again. */
/* holds lock */ static void forget_images(void) {
  for (struct qx_image_state *i = qx_images; i != NULL; i = i->next)
    if (i->number != qx_not_live && i->number >= live.written)
      i->number = qx_not_live;
  live.images = live.written;
}

/* holds lock */ void qx_live_settle(void) {
  if (live.adding) {
    if (waiting.used > 0 && !write_waiting(0))
      forget_images();
    if (live.head == NULL && live.first != NULL && is_open())
      write_header();
    if (live.head != NULL) {
      __atomic_store_n(&live.head->used, live.used, __ATOMIC_RELEASE);
      close_file();
    } else {
      remove_file(); /* it would say that nothing was counted */
    }
    live.first = NULL;
    live.adding = false;
  }
  waiting.used = 0;
}

/* ---- what is in it ---- */

/* holds lock */ void qx_live_image(struct qx_image_state *image) {
  image->number = qx_not_live;
  size_t bound = qx_image_bound(image);
  if (!begin_adding() || !make_room(bound))
    return;
  struct qx_buffer b = {waiting.memory + waiting.used, waiting.memory + waiting.bytes};
  qx_put_image(&b, image);
  waiting.used = (size_t)(b.at - waiting.memory);
  image->number = live.images++;
}

/* Fills up to a page boundary. */
/* holds lock */ static void pad(void) {
  uint64_t page = qx_page_size(), left = (page - (live.used + waiting.used) % page) % page;
  if (left == 0)
    return;
  if (left < sizeof(struct qx_raw_chunk))
    left += page;
  struct qx_raw_chunk head = {QX_CHUNK_PAD, 0, left - sizeof head};
  memcpy(waiting.memory + waiting.used, &head, sizeof head);
  waiting.used += left;
}

/* holds lock */ void *qx_live_chunk(const void *head, size_t head_size, size_t bytes,
                                     void *memory) {
  if (!begin_adding() || !make_room(2 * qx_page_size() + head_size))
    return NULL;
  size_t before = waiting.used;
  pad();
  const uint64_t at = live.used + waiting.used;
  memcpy(waiting.memory + waiting.used, head, head_size);
  waiting.used += head_size;
  if (!write_waiting(bytes - head_size)) {
    waiting.used = before;
    return NULL;
  }
  /* The first one of a new file is mapped together with what lies before it. */
  const bool fresh = live.head == NULL && live.first == NULL;
  const bool together = fresh && memory == NULL;
  const uint64_t from = together ? 0 : at;
  int flags =
      MAP_SHARED | (memory != NULL ? MAP_FIXED : 0) | (bytes <= most_at_once ? MAP_POPULATE : 0);
  if (!is_open())
    return NULL;
  char *p = mmap(memory, at - from + bytes, PROT_READ | PROT_WRITE, flags, live.fd, (off_t)from);
  if (p == MAP_FAILED)
    return NULL;
  if (fresh) {
    void *first = together ? p
                  : is_open()
                      ? mmap(NULL, qx_page_size(), PROT_READ | PROT_WRITE, MAP_SHARED, live.fd, 0)
                      : MAP_FAILED;
    live.first = first == MAP_FAILED ? NULL : first;
    live.head_bytes = together ? at : qx_page_size();
  }
  return p + (at - from);
}

/* holds lock */ void *qx_map_chunk(uint32_t kind, size_t bytes, void *memory, bool *is_live) {
  const struct qx_raw_chunk head = {kind, 0, bytes - sizeof head};
  struct qx_raw_chunk *chunk = *is_live ? qx_live_chunk(&head, sizeof head, bytes, memory) : NULL;
  *is_live = chunk != NULL;
  if (chunk == NULL)
    qx_live_outside();
  if (chunk == NULL && (chunk = qx_map_memory_at(memory, bytes)) != NULL)
    *chunk = head;
  return chunk;
}

/* ---- the end ---- */

/* holds lock */ bool qx_live_close(bool complete) {
  if (live.head == NULL)
    return false;
  live.outside = !complete;
  qx_live_tell();
  qx_measure_process(process_chunk());
  __atomic_store_n(&live.head->closed, 1, __ATOMIC_RELEASE);
  return true;
}

/* holds lock */ bool qx_live_flush(void) {
  if (live.head == NULL || !begin_adding())
    return false;
  bool ok = is_open() && call_sync(live.fd);
  qx_live_settle();
  return ok;
}

/* holds lock */ void qx_live_remove(void) {
  if (live.head != NULL)
    call_unlink(live.path);
  live.head = NULL;
  live.refused = true;
}

/* Unmaps the header alone: with the last mapping the file's lock would go. */
/* holds lock */ void qx_live_reset_in_child(void) {
  if (live.head != NULL)
    munmap(live.head, live.head_bytes);
  live.head = live.first = NULL;
  told_by_copies = NULL;
  live.refused = live.outside = false;
  close_file(); /* another thread was adding to the file */
  live.adding = false;
  memset(&waiting, 0, sizeof waiting);
}
