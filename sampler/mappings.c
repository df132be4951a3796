/* Reads /proc/self/maps and writes down what is executable. The idea: it is read at the first
 * sample, again now and then (timers.c), and where an instruction is in nothing known; a hash of
 * what was written tells whether there is anything new. One thread reads at a time, others go on
 * without. System calls go by number: libc's are cancellation points, and a thread must not end in
 * a handler. */
#include "sampler.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST = 1024 };

static struct {
  uintptr_t begin, end;
} known[MOST];
static unsigned known_count;
static uint64_t written; /* hash of the mappings that were */
static bool is_reading;

struct mapping {
  uint64_t begin, end, offset;
  const char *path; /* empty: memory of no file */
};

static const char *hex(const char *at, uint64_t *value) {
  for (*value = 0;; ++at) {
    if (*at >= '0' && *at <= '9')
      *value = *value * 16 + (uint64_t)(*at - '0');
    else if (*at >= 'a' && *at <= 'f')
      *value = *value * 16 + (uint64_t)(*at - 'a' + 10);
    else
      return at;
  }
}

/* A line, `begin-end rwxp offset device inode   path`; false: not executable. */
static bool parse(const char *at, struct mapping *m) {
  at = hex(at, &m->begin);
  at = hex(at + 1, &m->end);
  if (strlen(at) < 6 || at[3] != 'x')
    return false;
  at = hex(at + 6, &m->offset);
  for (int field = 0; field < 3; ++field) {
    while (*at == ' ')
      ++at;
    if (field < 2)
      while (*at != ' ' && *at != '\0')
        ++at;
  }
  m->path = at;
  return true;
}

/* Calls `found` for each executable mapping; false when that could not be read. */
static bool for_each(void (*found)(const struct mapping *, void *), void *with) {
  static char line[QX_SAMPLES_BYTES + 128], piece[4096]; /* of who reads */
  int file = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
  size_t length = 0;
  long got;
  if (file < 0)
    return false;
  while ((got = syscall(SYS_read, file, piece, sizeof piece)) > 0)
    for (long i = 0; i < got; ++i) {
      struct mapping m;
      if (piece[i] != '\n') {
        line[length] = piece[i];
        length += length + 1 < sizeof line;
        continue;
      }
      line[length] = '\0';
      length = 0;
      if (parse(line, &m))
        found(&m, with);
    }
  syscall(SYS_close, file);
  return got == 0;
}

static void add_to_hash(const struct mapping *m, void *hash) { /* FNV-1a */
  uint64_t h = *(uint64_t *)hash;
  for (int i = 0; i < 64; i += 8) {
    h = (h ^ (m->begin >> i & 255)) * 0x100000001b3ull;
    h = (h ^ (m->end >> i & 255)) * 0x100000001b3ull;
  }
  for (const char *c = m->path; *c != '\0'; ++c)
    h = (h ^ (unsigned char)*c) * 0x100000001b3ull;
  *(uint64_t *)hash = h;
}

static void write_one(const struct mapping *m, void *is_complete) {
  const char *path = *m->path != '\0' ? m->path : "//anon";
  size_t size = strlen(path) + 1;
  if (known_count < MOST) {
    known[known_count].begin = m->begin;
    known[known_count].end = m->end;
    ++known_count;
  }
  struct qx_sample_record *record = size <= QX_SAMPLES_BYTES ? claim(QX_SAMPLE_MAPPED) : NULL;
  if (record == NULL) {
    *(bool *)is_complete = false;
    return;
  }
  record->begin = m->begin;
  record->length = m->end - m->begin;
  record->offset = m->offset;
  record->size = (uint32_t)size;
  memcpy(record->bytes, path, size);
  publish(record);
}

void write_mappings(void) {
  uint64_t hash = 0xcbf29ce484222325ull;
  bool is_complete = true;
  if (__atomic_exchange_n(&is_reading, true, __ATOMIC_ACQUIRE))
    return;
  if (for_each(add_to_hash, &hash) && hash != written) {
    known_count = 0;
    written = for_each(write_one, &is_complete) && is_complete ? hash : 0;
  }
  __atomic_store_n(&is_reading, false, __ATOMIC_RELEASE);
}

void forget_mappings(void) {
  known_count = 0;
  written = 0;
  is_reading = false;
}

/* While another thread reads the answer may be wrong, and what is known is then read once more. */
bool is_mapped(uintptr_t instruction) {
  for (unsigned i = 0; i < known_count; ++i)
    if (instruction >= known[i].begin && instruction < known[i].end)
      return true;
  return false;
}
