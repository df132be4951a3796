/* The process record: adds up the arenas of every image when the process ends and writes one .qxraw
 * file, beside its place first and then renamed into it. Settings come from the environment as it
 * was at the start. On failure one line on stderr, and the program goes on. No locale, no stdio, no
 * malloc, so that it works wherever the program is. It writes nothing in a set-user-id program. */
#define _GNU_SOURCE
#include "runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h> /* rename */
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static struct {
  bool off;   /* record nothing */
  bool embed; /* put maps into the record */
  int pid;
  uint8_t identity[16];
  char run[65];       /* name of the run; empty: the identity of the first process */
  char out[PATH_MAX]; /* QUINCUNX_OUT, or empty */
  char folder[PATH_MAX];
  char program[PATH_MAX];
  int64_t start_realtime, start_monotonic;
} self;

void *qx_map_memory(size_t bytes) {
  void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

/* ---- small text ---- */

static char *append(char *to, const char *end, const char *from) {
  while (*from != 0 && to + 1 < end)
    *to++ = *from++;
  *to = 0;
  return to;
}

static char *append_number(char *to, const char *end, unsigned long n) {
  char digits[24];
  char *at = digits + sizeof digits;
  *--at = 0;
  do
    *--at = (char)('0' + n % 10);
  while ((n /= 10) != 0);
  return append(to, end, at);
}

static char *append_hex(char *to, const char *end, const uint8_t *bytes, int count) {
  for (int i = 0; i < count; ++i) {
    char two[3] = {"0123456789abcdef"[bytes[i] >> 4], "0123456789abcdef"[bytes[i] & 15], 0};
    to = append(to, end, two);
  }
  return to;
}

void qx_complain(const char *what, const char *detail) {
  char line[2 * PATH_MAX];
  const char *end = line + sizeof line - 2;
  char *at = append(line, end, "quincunx: ");
  at = append(at, end, what);
  at = append(at, end, detail);
  *at++ = '\n';
  if (write(2, line, (size_t)(at - line)) < 0)
    return; /* nobody listens */
}

/* ---- start ---- */

static int64_t now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void identify(void) {
  if (getrandom(self.identity, sizeof self.identity, GRND_NONBLOCK) != sizeof self.identity) {
    uint64_t seed[3] = {(uint64_t)now(CLOCK_REALTIME), (uint64_t)getpid(),
                        (uint64_t)(uintptr_t)&seed};
    qx_hash(seed, sizeof seed, (uint64_t *)(void *)self.identity);
  }
  if (self.run[0] == 0)
    append_hex(self.run, self.run + sizeof self.run, self.identity, 16);
}

void qx_start(void) {
  if (getauxval(AT_SECURE) != 0) {
    self.off = true;
    return;
  }
  const char *out = getenv("QUINCUNX_OUT"), *run = getenv("QUINCUNX_RUN"),
             *maps = getenv("QUINCUNX_MAPS");
  self.off = out != NULL && *out == 0;
  self.embed = maps != NULL && strcmp(maps, "embed") == 0;
  if (out != NULL)
    append(self.out, self.out + sizeof self.out, out);
  if (run != NULL)
    append(self.run, self.run + sizeof self.run, run);
  if (getcwd(self.folder, sizeof self.folder) == NULL)
    self.folder[0] = 0;
  ssize_t n = readlink("/proc/self/exe", self.program, sizeof self.program - 1);
  self.program[n < 0 ? 0 : n] = 0;
  self.pid = getpid();
  self.start_realtime = now(CLOCK_REALTIME);
  self.start_monotonic = now(CLOCK_MONOTONIC);
  identify();
}

void qx_forked(void) {
  /* The run keeps its name: that of the first process when nothing else names it. */
  self.pid = getpid();
  self.start_realtime = now(CLOCK_REALTIME);
  self.start_monotonic = now(CLOCK_MONOTONIC);
  identify();
}

/* ---- chunks ---- */

struct buffer {
  unsigned char *at, *end;
};

static void put(struct buffer *b, const void *bytes, size_t n) {
  if ((size_t)(b->end - b->at) >= n) {
    memcpy(b->at, bytes, n);
    b->at += n;
  }
}

static unsigned char *open_chunk(struct buffer *b, uint32_t kind) {
  struct qx_raw_chunk c = {kind, 0, 0};
  unsigned char *where = b->at;
  put(b, &c, sizeof c);
  return where;
}

static void close_chunk(struct buffer *b, unsigned char *where) {
  static const char zeros[8];
  struct qx_raw_chunk c;
  memcpy(&c, where, sizeof c);
  c.size = (uint64_t)(b->at - where) - sizeof c;
  memcpy(where, &c, sizeof c);
  put(b, zeros, (8 - c.size % 8) % 8);
}

/* Bytes of an index gap (below 2^35) and a count. */
enum { max_pair = 15 };

/* Any number takes at most 10 bytes. */
static unsigned char *number_at(unsigned char *at, uint64_t v) {
  for (; v >= 0x80; v >>= 7)
    *at++ = (unsigned char)(v | 0x80);
  *at++ = (unsigned char)v;
  return at;
}

static bool eight_zeros(const uint64_t *own, const struct qx_arena *arenas, size_t i) {
  for (const uint64_t *c = own + i;; c = arenas->counters + i, arenas = arenas->next) {
    if ((c[0] | c[1] | c[2] | c[3] | c[4] | c[5] | c[6] | c[7]) != 0)
      return false;
    if (arenas == NULL)
      return true;
  }
}

static void put_counts(struct buffer *b, const struct qx_loaded_image *image, bool inherited) {
  unsigned char *chunk = open_chunk(b, inherited ? QX_CHUNK_INHERITED : QX_CHUNK_COUNTS);
  size_t n = (size_t)(image->counters_end - image->counters), next = 0;
  const uint64_t *own = inherited ? image->inherited : image->counters;
  const struct qx_arena *arenas = inherited ? NULL : image->arenas;
  unsigned char *at = b->at;
  for (size_t i = 0; i < n; ++i) {
    /* Most counters of most runs are zero: eight at a look. */
    if (i % 8 == 0 && n - i >= 8 && eight_zeros(own, arenas, i)) {
      i += 7;
      continue;
    }
    uint64_t value = own[i];
    for (const struct qx_arena *a = arenas; a != NULL; a = a->next)
      value += a->counters[i];
    if (value == 0)
      continue;
    if ((size_t)(b->end - at) < max_pair) /* image_bound() leaves room */
      break;
    at = number_at(number_at(at, i - next), value);
    next = i + 1;
  }
  b->at = at;
  close_chunk(b, chunk);
}

struct search {
  uintptr_t address;
  char *path;
};

static int find_path(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  struct search *s = data;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    uintptr_t from = info->dlpi_addr + p->p_vaddr;
    if (p->p_type != PT_LOAD || s->address < from || s->address >= from + p->p_memsz)
      continue;
    bool program = info->dlpi_name == NULL || info->dlpi_name[0] == 0;
    char *at = s->path;
    if (!program && info->dlpi_name[0] != '/') {
      at = append(at, s->path + PATH_MAX, self.folder);
      at = append(at, s->path + PATH_MAX, "/");
    }
    append(at, s->path + PATH_MAX, program ? self.program : info->dlpi_name);
    return 1;
  }
  return 0;
}

static void put_image(struct buffer *b, const struct qx_loaded_image *image) {
  char path[PATH_MAX] = "";
  struct search where = {(uintptr_t)image->counters, path};
  dl_iterate_phdr(find_path, &where);
  struct qx_image head = {0};
  size_t map_size = (size_t)(image->map_end - image->map);
  qx_map_hash(image->map, map_size, head.map_hash);
  head.counter_count = (uint64_t)(image->counters_end - image->counters);
  head.map_size = map_size;
  head.counters_minus_map = (char *)image->counters - (char *)image->map;
  head.path_length = strlen(path);
  unsigned char *chunk = open_chunk(b, QX_CHUNK_IMAGE);
  put(b, &head, sizeof head);
  put(b, path, head.path_length);
  close_chunk(b, chunk);
  put_counts(b, image, false);
  if (image->inherited != NULL)
    put_counts(b, image, true);
  if (self.embed) {
    chunk = open_chunk(b, QX_CHUNK_MAP);
    put(b, image->map, map_size);
    close_chunk(b, chunk);
  }
}

static size_t image_bound(const struct qx_loaded_image *image) {
  size_t n = (size_t)(image->counters_end - image->counters);
  size_t bytes = 4 * sizeof(struct qx_raw_chunk) + sizeof(struct qx_image) + PATH_MAX + 64;
  bytes += (n + 1) * max_pair * (image->inherited != NULL ? 2 : 1);
  return bytes + (self.embed ? (size_t)(image->map_end - image->map) : 0);
}

void qx_retire(struct qx_loaded_image *image) {
  if (self.off)
    return;
  size_t bytes = sizeof(struct qx_retired) + image_bound(image);
  struct qx_retired *r = qx_map_memory(bytes);
  if (r == NULL) {
    qx_complain("no memory to keep the counts of an unloaded library", "");
    return;
  }
  struct buffer b = {r->chunks, (unsigned char *)r + bytes};
  put_image(&b, image);
  r->bytes = bytes;
  r->size = (size_t)(b.at - r->chunks);
  r->next = qx_state.retired;
  qx_state.retired = r;
}

static void put_process(struct buffer *b) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  struct qx_process p = {0};
  p.pid = getpid();
  p.parent = getppid();
  p.start_realtime = self.start_realtime;
  p.wall = now(CLOCK_MONOTONIC) - self.start_monotonic;
  p.user = usage.ru_utime.tv_sec * 1000000000ll + usage.ru_utime.tv_usec * 1000ll;
  p.system = usage.ru_stime.tv_sec * 1000000000ll + usage.ru_stime.tv_usec * 1000ll;
  p.peak_memory = usage.ru_maxrss * 1024ll;
  p.run_length = (uint32_t)strlen(self.run);
  p.program_length = (uint32_t)strlen(self.program);
  unsigned char *chunk = open_chunk(b, QX_CHUNK_PROCESS);
  put(b, &p, sizeof p);
  put(b, self.run, p.run_length);
  put(b, self.program, p.program_length);
  close_chunk(b, chunk);
}

/* ---- the file ---- */

/* QUINCUNX_OUT: %n program, %p process, %h identity, %% per cent; a trailing / means the usual name
 * there. */
static void file_name(char *path) {
  const char *end = path + PATH_MAX - 32;
  const char *slash = strrchr(self.program, '/');
  const char *name = slash != NULL ? slash + 1 : self.program[0] != 0 ? self.program : "program";
  char *at = path;
  *at = 0;
  if (self.out[0] != '/' && self.folder[0] != 0) {
    at = append(at, end, self.folder);
    at = append(at, end, "/");
  }
  size_t length = strlen(self.out);
  bool usual = length == 0 || self.out[length - 1] == '/';
  for (const char *p = self.out; *p != 0; ++p) {
    char one[2] = {*p, 0};
    if (*p != '%' || p[1] == 0) {
      at = append(at, end, one);
      continue;
    }
    ++p;
    at = *p == 'n'   ? append(at, end, name)
         : *p == 'p' ? append_number(at, end, (unsigned long)getpid())
         : *p == 'h' ? append_hex(at, end, self.identity, 4)
                     : append(at, end, *p == '%' ? "%" : "%?");
  }
  if (usual) {
    at = append(at, end, "quincunx-");
    at = append(at, end, name);
    at = append(at, end, "-");
    at = append_number(at, end, (unsigned long)getpid());
    at = append(at, end, "-");
    at = append_hex(at, end, self.identity, 4);
    append(at, end, ".qxraw");
  }
}

static bool write_all(int fd, const unsigned char *bytes, size_t n) {
  while (n > 0) {
    ssize_t done = write(fd, bytes, n);
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      return false;
    bytes += done;
    n -= (size_t)done;
  }
  return true;
}

static bool write_file(const char *path, const unsigned char *bytes, size_t n) {
  char beside[PATH_MAX];
  char *at = append(beside, beside + sizeof beside, path);
  at = append(at, beside + sizeof beside, ".");
  append_hex(at, beside + sizeof beside, self.identity + 4, 4);
  int fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0)
    return false;
  if (fd < 3) { /* the program closed a standard stream; its number is not ours */
    int high = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    close(fd);
    fd = high;
  }
  bool ok = fd >= 0 && write_all(fd, bytes, n);
  ok = fd >= 0 && close(fd) == 0 && ok;
  ok = ok && rename(beside, path) == 0;
  int why = errno;
  if (!ok)
    unlink(beside);
  errno = why;
  return ok;
}

void qx_write_record(void) {
  if (self.off ||
      self.pid != getpid()) /* a copy made by clone() cannot tell its counts from its parent's */
    return;
  size_t bytes = sizeof(struct qx_raw_header) + sizeof(struct qx_process) + 2 * PATH_MAX;
  for (struct qx_loaded_image *i = qx_state.images; i != NULL; i = i->next)
    bytes += image_bound(i);
  for (struct qx_retired *r = qx_state.retired; r != NULL; r = r->next)
    bytes += r->size;
  unsigned char *memory = qx_map_memory(bytes);
  if (memory == NULL) {
    qx_complain("no memory to write the record of this run", "");
    return;
  }
  struct qx_raw_header head = {QX_RAW_MAGIC, QX_RAW_VERSION, sizeof head, 0, {0, 0}, {0}};
  struct buffer b = {memory + sizeof head, memory + bytes};
  put_process(&b);
  for (struct qx_loaded_image *i = qx_state.images; i != NULL; i = i->next)
    put_image(&b, i);
  for (struct qx_retired *r = qx_state.retired; r != NULL; r = r->next)
    put(&b, r->chunks, r->size);
  head.size = (uint64_t)(b.at - memory);
  memcpy(head.identity, self.identity, sizeof head.identity);
  memcpy(memory, &head, sizeof head);
  size_t covered = offsetof(struct qx_raw_header, identity);
  qx_hash(memory + covered, head.size - covered, head.checksum);
  memcpy(memory, &head, sizeof head);
  char path[PATH_MAX];
  file_name(path);
  if (!write_file(path, memory, head.size)) {
    char what[2 * PATH_MAX];
    char *at = append(what, what + sizeof what, "cannot write ");
    at = append(at, what + sizeof what, path);
    at = append(at, what + sizeof what, ": ");
    append(at, what + sizeof what, strerrordesc_np(errno));
    qx_complain(what, "; this run was not recorded");
  }
  self.off = true;
}
