/* The chunks of a record: the process, its images, what was counted. They are written into memory;
 * where that goes is not known here. No locale, no stdio, no malloc, so that it works wherever the
 * program is. The layouts are those of abi/record.h. */
#include "record/record.h"

#include "os/syscalls.h"

#include <link.h>
#include <string.h>

void qx_put_bytes(struct qx_buffer *b, const void *bytes, size_t n) {
  if ((size_t)(b->end - b->at) >= n) {
    memcpy(b->at, bytes, n);
    b->at += n;
  }
}

unsigned char *qx_open_chunk(struct qx_buffer *b, uint32_t kind) {
  struct qx_raw_chunk c = {kind, 0, 0};
  unsigned char *where = b->at;
  qx_put_bytes(b, &c, sizeof c);
  return where;
}

void qx_close_chunk(struct qx_buffer *b, unsigned char *where) {
  static const char zeros[8];
  struct qx_raw_chunk c;
  memcpy(&c, where, sizeof c);
  c.size = (uint64_t)(b->at - where) - sizeof c;
  memcpy(where, &c, sizeof c);
  qx_put_bytes(b, zeros, (8 - c.size % 8) % 8);
}

void qx_put_empty_chunk(struct qx_buffer *b, uint32_t kind) {
  qx_close_chunk(b, qx_open_chunk(b, kind));
}

/* ---- counts ---- */

/* Bytes of an index gap (below 2^35) and a count. */
enum { max_pair = 15 };

unsigned char *qx_encode_varint(unsigned char *at, uint64_t v) {
  for (; v >= 0x80; v >>= 7)
    *at++ = (unsigned char)(v | 0x80);
  *at++ = (unsigned char)v;
  return at;
}

/* One array of counters and those of all arenas in the list. */
struct summands {
  const uint64_t *own; /* may be NULL */
  const struct qx_arena *arenas;
};

/* holds lock */ static bool eight_zeros(struct summands s, size_t i) {
  const uint64_t *c = s.own;
  for (const struct qx_arena *a = s.arenas;; a = a->next) {
    if (c != NULL &&
        (c[i] | c[i + 1] | c[i + 2] | c[i + 3] | c[i + 4] | c[i + 5] | c[i + 6] | c[i + 7]) != 0)
      return false;
    if (a == NULL)
      return true;
    c = a->counters;
  }
}

/* False: no room, which qx_image_bound() leaves. */
bool qx_put_pair(struct qx_pairs *p, uint64_t number, uint64_t value) {
  if ((size_t)(p->end - p->at) < max_pair)
    return false;
  p->at = qx_encode_varint(qx_encode_varint(p->at, number - p->next), value);
  p->next = number + 1;
  return true;
}

/* holds lock */ static void put_sums(struct qx_pairs *p, struct summands s, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    /* Most counters of most runs are zero: eight at a look. */
    if (i % 8 == 0 && n - i >= 8 && eight_zeros(s, i)) {
      i += 7;
      continue;
    }
    uint64_t value = s.own != NULL ? s.own[i] : 0;
    for (const struct qx_arena *a = s.arenas; a != NULL; a = a->next)
      value += a->counters[i];
    if (value != 0 && !qx_put_pair(p, i, value))
      break;
  }
}

/* holds lock */ void qx_put_counters(struct qx_pairs *p, const struct qx_image_state *image) {
  const uint64_t *own = image->loaded != NULL ? image->loaded->counters : NULL;
  put_sums(p, (struct summands){own, image->arenas}, image->head.counter_count);
}

bool qx_next_function(const struct qx_loaded_image *image, size_t *at, struct qx_words *words) {
  const size_t size = (size_t)(image->map_end - image->map);
  const size_t all = (size_t)(image->counters_end - image->counters);
  while (size - *at >= sizeof(struct qx_function_header)) {
    struct qx_function_header h;
    memcpy(&h, image->map + *at, sizeof h);
    if (h.magic != QX_FUNCTION_MAGIC || h.size < sizeof h || h.size > size - *at) {
      *at += 8; /* padding of the linker's */
      continue;
    }
    uintptr_t field = (uintptr_t)image->map + *at + offsetof(struct qx_function_header, counters);
    words->first = (size_t)(field + (uintptr_t)h.counters - (uintptr_t)image->counters) / 8;
    words->at = *at;
    words->count = h.counter_count;
    words->recorders = h.recorder_words;
    *at += h.size;
    if (words->first <= all && words->count <= all - words->first)
      return true;
  }
  return false;
}

/* ---- images ---- */

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
      at = qx_append(at, s->path + PATH_MAX, qx_process.folder);
      at = qx_append(at, s->path + PATH_MAX, "/");
    }
    qx_append(at, s->path + PATH_MAX, program ? qx_process.program : info->dlpi_name);
    return 1;
  }
  return 0;
}

/* takes lock */ void qx_describe_image(struct qx_loaded_image *image, struct qx_image *head,
                                        char *path) {
  path[0] = 0;
  struct search where = {(uintptr_t)image->counters, path};
  dl_iterate_phdr(find_path, &where);
  head->map_size = (uint64_t)(image->map_end - image->map);
  qx_map_hash(image->map, head->map_size, head->map_hash);
  head->counter_count = (uint64_t)(image->counters_end - image->counters);
  struct qx_words f;
  for (size_t at = 0; qx_next_function(image, &at, &f);)
    head->recorder_words += f.recorders;
  head->counters_minus_map = (char *)image->counters - (char *)image->map;
  head->path_length = qx_length(path);
}

/* holds lock */ void qx_put_image(struct qx_buffer *b, const struct qx_image_state *image) {
  unsigned char *chunk = qx_open_chunk(b, QX_CHUNK_IMAGE);
  qx_put_bytes(b, &image->head, sizeof image->head);
  qx_put_bytes(b, image->path, image->head.path_length);
  qx_close_chunk(b, chunk);
  if (image->inherited != NULL) {
    chunk = qx_open_chunk(b, QX_CHUNK_INHERITED);
    struct qx_pairs p = {b->at, b->end, 0};
    put_sums(&p, (struct summands){image->inherited, NULL}, image->head.counter_count);
    b->at = p.at;
    qx_close_chunk(b, chunk);
  }
  if (image->map != NULL) {
    chunk = qx_open_chunk(b, QX_CHUNK_MAP);
    qx_put_bytes(b, image->map, image->head.map_size);
    qx_close_chunk(b, chunk);
  }
}

/* holds lock */ size_t qx_image_bound(const struct qx_image_state *image) {
  size_t bytes = 4 * sizeof(struct qx_raw_chunk) + sizeof(struct qx_image) + 64;
  bytes += image->head.path_length;
  bytes += (image->head.counter_count + 1) * max_pair * (image->inherited != NULL ? 2 : 1);
  bytes += image->held_words * max_pair;
  return bytes + (image->map != NULL ? image->head.map_size : 0);
}

/* ---- the process ---- */

void qx_measure_process(struct qx_process *p) {
  struct rusage usage;
  call_usage(&usage);
  p->wall = call_now(CLOCK_MONOTONIC) - qx_process.start_monotonic;
  p->user = usage.ru_utime.tv_sec * 1000000000ll + usage.ru_utime.tv_usec * 1000ll;
  p->system = usage.ru_stime.tv_sec * 1000000000ll + usage.ru_stime.tv_usec * 1000ll;
  p->peak_memory = qx_peak_memory();
  if (p->peak_memory == 0)
    p->peak_memory = usage.ru_maxrss * 1024ll;
}

size_t qx_process_bound(void) {
  return sizeof(struct qx_raw_chunk) + sizeof(struct qx_process) + sizeof qx_process.run + PATH_MAX;
}

void qx_put_process(struct qx_buffer *b, bool begins) {
  struct qx_process p = {0};
  p.pid = qx_process.pid;
  p.parent = call_parent();
  p.start_realtime = qx_process.start_realtime;
  if (!begins)
    qx_measure_process(&p);
  p.run_length = (uint32_t)qx_length(qx_process.run);
  p.program_length = (uint32_t)qx_length(qx_process.program);
  memcpy(p.parent_identity, qx_process.parent, sizeof p.parent_identity);
  p.forked = qx_process.forked;
  p.incomplete = qx_process.incomplete;
  unsigned char *chunk = qx_open_chunk(b, QX_CHUNK_PROCESS);
  qx_put_bytes(b, &p, sizeof p);
  qx_put_bytes(b, qx_process.run, p.run_length);
  qx_put_bytes(b, qx_process.program, p.program_length);
  qx_close_chunk(b, chunk);
}
