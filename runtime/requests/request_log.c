/* Marked functions and the samples of their requests: an append-only log for each, in segments that
 * are mapped from the live file where there is one, so that they outlive the process. An entry's
 * size is stored last: what is there is whole. Entries whose slot was taken again stay where they
 * are; there are few (1024 (1 + ln(n/1024)) in all for n requests). All of it is guarded by the
 * lock. */
#include "requests/requests.h"

#include "os/syscalls.h"

#include <string.h>
#include <sys/mman.h>

struct qx_segment {
  struct qx_segment *next; /* an earlier one */
  unsigned char *memory;   /* a chunk as in files */
  size_t bytes, used;
  bool live;
};
enum { first_segment = 1 << 16, largest_segment = 1 << 20 };

bool qx_requests_closed;
/* under lock */ static struct qx_marked *all_marked;
/* under lock */ static struct {
  struct qx_feature *table;
  struct qx_raw_chunk *chunk;
  bool live;
} of_run;

/* ---- the log ---- */

/* holds lock */ static bool add_segment(struct qx_marked *m, size_t least) {
  const size_t head = sizeof(struct qx_raw_chunk) + sizeof(struct qx_requests_start);
  struct qx_segment *s = qx_alloc_forever(sizeof *s);
  if (s == NULL)
    return false;
  s->bytes = qx_next_size(m->log != NULL ? m->log->bytes : 0, first_segment, largest_segment,
                          least + head + sizeof(uint64_t));
  s->used = head;
  s->live = true;
  if ((s->memory = qx_map_chunk(QX_CHUNK_REQUESTS, s->bytes, NULL, &s->live)) == NULL)
    return false;
  struct qx_requests_start *start = (void *)(s->memory + sizeof(struct qx_raw_chunk));
  *start = (struct qx_requests_start){m->number, m->function, {0, 0}, 0, 0};
  memcpy(start->map_hash, m->image->head.map_hash, sizeof start->map_hash);
  if (m->log == NULL)
    m->start = start;
  s->next = m->log;
  m->log = s;
  return true;
}

/* holds lock */ unsigned char *qx_reserve_entry(struct qx_marked *m, size_t bytes) {
  bytes += 2 * sizeof(uint64_t); /* its size before, the end of the log behind it */
  if ((m->log == NULL || m->log->bytes - m->log->used < bytes) && !add_segment(m, bytes)) {
    qx_complain((const char *const[]){"no memory for the sample of requests", NULL});
    return NULL;
  }
  return m->log->memory + m->log->used + sizeof(uint64_t);
}

/* holds lock */ void qx_commit_entry(struct qx_marked *m, uint32_t slot, uint64_t number,
                                      const unsigned char *end) {
  unsigned char *entry = m->log->memory + m->log->used;
  const uint64_t size = (uint64_t)(end - entry) - sizeof size;
  __atomic_store_n((uint64_t *)(void *)entry, size, __ATOMIC_RELEASE);
  m->log->used += sizeof size + (size + 7) / 8 * 8;
  if (m->kept[slot].number <= number)
    m->kept[slot] = (struct qx_kept){number + 1, entry};
}

/* ---- functions ---- */

/* holds lock */ static struct qx_marked *find_or_add(const uint64_t *counters) {
  struct qx_image_state *image = qx_images;
  while (image != NULL && (image->loaded == NULL || counters < image->loaded->counters ||
                           counters >= image->loaded->counters_end))
    image = image->next;
  if (image == NULL)
    return NULL;
  const uint32_t function = (uint32_t)(counters - image->loaded->counters);
  for (struct qx_marked *m = all_marked; m != NULL; m = m->next)
    if (m->image == image && m->function == function)
      return m;
  struct qx_marked *m = qx_alloc_forever(sizeof *m);
  if (m == NULL)
    return NULL;
  m->image = image;
  m->function = function;
  m->number = all_marked != NULL ? all_marked->number + 1 : 0;
  m->next = all_marked;
  all_marked = m;
  return m;
}

/* holds lock */ struct qx_marked *qx_marked_of(struct qx_mark *mark) {
  struct qx_marked *m = mark->known != NULL ? mark->known : find_or_add(mark->counters);
  if (m == NULL || (m->start == NULL && !add_segment(m, 0)))
    return NULL;
  __atomic_store_n((struct qx_marked **)&mark->known, m, __ATOMIC_RELEASE);
  return m;
}

/* holds lock */ bool qx_marked_are_live(void) {
  for (const struct qx_marked *m = all_marked; m != NULL; m = m->next)
    for (const struct qx_segment *s = m->log; s != NULL; s = s->next)
      if (!s->live)
        return false;
  return of_run.table == NULL || of_run.live;
}

/* Unmaps what is of the parent's live file, and with it gives up the lock on that file. */
/* holds lock */ void qx_marked_reset_in_child(bool keep) {
  for (struct qx_marked *m = all_marked; m != NULL; m = m->next) {
    for (const struct qx_segment *s = m->log; s != NULL && !keep; s = s->next)
      munmap(s->memory, s->bytes);
    m->start = NULL;
    m->log = NULL;
    memset(m->kept, 0, sizeof m->kept);
    m->incomplete = false;
  }
  if (of_run.table != NULL)
    munmap(of_run.chunk, qx_whole_pages(1));
  memset(&of_run, 0, sizeof of_run);
}

/* ---- features ---- */

void qx_set_feature(struct qx_feature *table, unsigned most, const char *name, double value) {
  char padded[QX_FEATURE_NAME + 1] = {0};
  for (unsigned i = 0; i < QX_FEATURE_NAME && name[i] != 0; ++i)
    padded[i] = name[i];
  unsigned at = 0;
  while (at < most && table[at].name[0] != 0 && memcmp(table[at].name, padded, sizeof padded) != 0)
    ++at;
  if (at == most)
    return;
  const bool fresh = table[at].name[0] == 0;
  __atomic_store(&table[at].value, &value, __ATOMIC_RELEASE);
  if (!fresh)
    return;
  if (at + 1 < most)
    table[at + 1].name[0] = 0;
  memcpy(table[at].name + 1, padded + 1, sizeof padded - 1);
  __atomic_store_n(&table[at].name[0], padded[0], __ATOMIC_RELEASE);
}

/* holds lock */ void qx_run_feature(const char *name, double value) {
  if (of_run.table == NULL) {
    of_run.live = true;
    of_run.chunk = qx_map_chunk(QX_CHUNK_FEATURES, qx_whole_pages(1), NULL, &of_run.live);
    if (of_run.chunk == NULL)
      return;
    of_run.table = (void *)(of_run.chunk + 1);
  }
  qx_set_feature(of_run.table, QX_FEATURES_MOST, name, value);
}

/* ---- the record ---- */

enum { max_sum = 5 + 3 * qx_varint_most };

/* holds lock */ size_t qx_marked_bound(void) {
  size_t bytes = sizeof(struct qx_raw_chunk) + QX_FEATURES_MOST * sizeof(struct qx_feature);
  for (const struct qx_marked *m = all_marked; m != NULL; m = m->next) {
    bytes += 2 * sizeof(struct qx_raw_chunk) + sizeof(struct qx_requests_start) + 24;
    for (uint32_t slot = 0; slot < QX_SLOTS; ++slot)
      if (m->kept[slot].number != 0)
        bytes += 16 + *(const uint64_t *)(const void *)m->kept[slot].entry;
    for (const struct qx_image_state *i = qx_images; i != NULL; i = i->next)
      bytes += 16 + qx_varint_most + i->head.counter_count * (size_t)max_sum;
  }
  return bytes;
}

/* holds lock */ static void put_sample(struct qx_buffer *b, const struct qx_marked *m) {
  unsigned char *chunk = qx_open_chunk(b, QX_CHUNK_REQUESTS);
  qx_put_bytes(b, m->start, sizeof *m->start);
  for (uint32_t slot = 0; slot < QX_SLOTS; ++slot)
    if (m->kept[slot].number != 0) {
      const unsigned char *entry = m->kept[slot].entry;
      const uint64_t size = *(const uint64_t *)(const void *)entry;
      qx_put_bytes(b, entry, sizeof size + (size + 7) / 8 * 8);
    }
  qx_close_chunk(b, chunk);
}

/* Sums one counter over all arenas of the image. */
/* holds lock */ static struct qx_sum sum_of(const struct qx_image_state *image,
                                             const struct qx_marked *m, size_t counter) {
  struct qx_sum sum = {0, 0, 0};
  for (const struct qx_arena *a = image->arenas; a != NULL; a = a->next)
    for (const struct qx_sums *s = a->sums; s != NULL; s = s->next)
      if (s->of == m) {
        const struct qx_sum *more = &s->counter[counter];
        sum.x += more->x;
        sum.low += more->low;
        sum.high += more->high + (sum.low < more->low);
      }
  return sum;
}

/* holds lock */ static void put_image_sums(struct qx_buffer *b, const struct qx_image_state *image,
                                            const struct qx_marked *m) {
  size_t hit = 0;
  for (size_t c = 0; c < image->head.counter_count; ++c)
    hit += sum_of(image, m, c).x != 0;
  if (hit == 0 || (size_t)(b->end - b->at) < 16 + qx_varint_most + hit * max_sum)
    return;
  qx_put_bytes(b, image->head.map_hash, sizeof image->head.map_hash);
  unsigned char *at = qx_encode_varint(b->at, hit);
  uint64_t next = 0;
  for (size_t c = 0; c < image->head.counter_count; ++c) {
    const struct qx_sum sum = sum_of(image, m, c);
    if (sum.x == 0)
      continue;
    at = qx_encode_varint(qx_encode_varint(at, c - next), sum.x);
    at = qx_encode_varint(qx_encode_varint(at, sum.low), sum.high);
    next = c + 1;
  }
  b->at = at;
}

/* holds lock */ void qx_put_marked(struct qx_buffer *b) {
  for (const struct qx_marked *m = all_marked; m != NULL; m = m->next) {
    if (m->start == NULL)
      continue;
    put_sample(b, m);
    if (!qx_requests_closed || m->incomplete)
      continue;
    unsigned char *chunk = qx_open_chunk(b, QX_CHUNK_SUMS);
    const uint64_t number = m->number;
    qx_put_bytes(b, &number, sizeof number);
    for (const struct qx_image_state *i = qx_images; i != NULL; i = i->next)
      put_image_sums(b, i, m);
    qx_close_chunk(b, chunk);
  }
  if (of_run.table == NULL)
    return;
  unsigned char *chunk = qx_open_chunk(b, QX_CHUNK_FEATURES);
  for (unsigned i = 0; i < QX_FEATURES_MOST && of_run.table[i].name[0] != 0; ++i)
    qx_put_bytes(b, &of_run.table[i], sizeof of_run.table[i]);
  qx_close_chunk(b, chunk);
}
