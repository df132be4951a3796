/* Blocks of recorders: words that a thread gets when it first needs them, from pools of its arena
 * that are mapped from the live file where there is one. Where a block is stands in the thread's
 * state, which is memory of this process alone: what is shared through the live file, with its
 * readers or with a copy of the process, counts and points nowhere. Blocks never move, and go only
 * with their arena; a block that became too small is left as it is, and a larger one goes on beside
 * it: what a recorder holds is the sum of all its blocks. Instrumented code never sees a null
 * block: where there is no memory, or in a copy of the process that we do not know, it counts into
 * words that nobody reads. */
#include "counting/counting.h"

#include <string.h>
#include <sys/mman.h>

enum { first_pool = 1 << 14, largest_pool = 1 << 18 };

struct qx_pool {
  struct qx_pool *next;
  unsigned char *memory; /* a chunk as in live files */
  size_t bytes, used;
  bool live;
};

struct qx_block {
  struct qx_block *next;      /* of those of one function, in ascending order of `first` */
  struct qx_block *next_held; /* an earlier one of the same holder */
  uint64_t *state;            /* where it is said to be; of calls the first of their state words */
  bool of_calls;
  struct qx_block_start *start; /* its words follow */
  uint64_t first, words;
};

/* The functions of an image that have recorders, in the order of its map. */
struct qx_recorded {
  size_t count;
  struct recorded {
    uint32_t at;    /* of the record in the map, in units of 8 bytes */
    uint32_t first; /* number of the first word of its recorders */
    struct qx_block *blocks;
  } function[];
};

/* ---- numbers of words ---- */

/* holds lock */ static struct qx_recorded *recorded_of(struct qx_image_state *image) {
  if (image->recorded != NULL || image->loaded == NULL)
    return image->recorded;
  struct qx_words f;
  size_t n = 0;
  for (size_t at = 0; qx_next_function(image->loaded, &at, &f);)
    n += f.recorders > 0;
  struct qx_recorded *all = qx_alloc_forever(sizeof *all + n * sizeof(struct recorded));
  if (all == NULL)
    return NULL;
  uint64_t first = image->head.counter_count;
  for (size_t at = 0; qx_next_function(image->loaded, &at, &f); first += f.recorders)
    if (f.recorders > 0)
      all->function[all->count++] = (struct recorded){(uint32_t)(f.at / 8), (uint32_t)first, NULL};
  return image->recorded = all;
}

/* holds lock */ static struct recorded *find(struct qx_image_state *image, const void *record) {
  struct qx_recorded *all = recorded_of(image);
  const size_t at = (size_t)((const unsigned char *)record - image->loaded->map) / 8;
  size_t from = 0, to = all != NULL ? all->count : 0;
  while (from < to) {
    const size_t middle = from + (to - from) / 2;
    if (all->function[middle].at == at)
      return &all->function[middle];
    if (all->function[middle].at < at)
      from = middle + 1;
    else
      to = middle;
  }
  return NULL;
}

/* ---- pools ---- */

/* Maps a pool: from the live file, if it may be; at its place, if it has one. */
/* holds lock */ static bool map_pool(struct qx_pool *pool, const struct qx_image_state *image,
                                      bool live) {
  pool->live = live && image->number != qx_not_live;
  struct qx_raw_chunk *chunk =
      qx_map_chunk(QX_CHUNK_BLOCKS, pool->bytes, pool->memory, &pool->live);
  if (chunk == NULL)
    return false;
  pool->memory = (unsigned char *)chunk;
  ((struct qx_blocks_start *)(chunk + 1))->image = image->number;
  return true;
}

enum { pool_head = sizeof(struct qx_raw_chunk) + sizeof(struct qx_blocks_start) };

/* holds lock */ static struct qx_pool *add_pool(struct qx_holder *holder, size_t least) {
  struct qx_pool *pool = qx_alloc_forever(sizeof *pool);
  if (pool == NULL)
    return NULL;
  pool->bytes = qx_next_size(holder->pools != NULL ? holder->pools->bytes : 0, first_pool,
                             largest_pool, pool_head + least);
  pool->used = pool_head;
  if (!map_pool(pool, holder->image, holder->live))
    return NULL;
  pool->next = holder->pools;
  holder->pools = pool;
  return pool;
}

/* Its length is stored last: what is there is whole. */
static void announce(const struct qx_block *b) {
  b->start->first = b->first;
  __atomic_store_n(&b->start->words, b->words, __ATOMIC_RELEASE);
}

/* holds lock */ static void enter(struct qx_image_state *image, struct recorded *function,
                                   struct qx_block *b) {
  struct qx_block **at = &function->blocks;
  while (*at != NULL && (*at)->first < b->first)
    at = &(*at)->next;
  b->next = *at;
  *at = b;
  image->held_words += b->words;
}

static void point_to(const struct qx_block *b) {
  const uint64_t words = (uint64_t)(b->start + 1);
  if (!b->of_calls) {
    *b->state = words;
    return;
  }
  b->state[QX_CALL_BLOCK] = words;
  __atomic_store_n(&b->state[QX_CALL_READY], b->words - 1, __ATOMIC_RELEASE);
}

/* holds lock */ static void take(struct qx_holder *holder, uint64_t *state, bool of_calls,
                                  const void *record, uint64_t first, uint64_t words) {
  const size_t bytes = sizeof(struct qx_block_start) + words * sizeof(uint64_t);
  struct recorded *function = find(holder->image, record);
  struct qx_block *b = function != NULL ? qx_alloc_forever(sizeof *b) : NULL;
  struct qx_pool *pool = holder->pools;
  if (b != NULL && (pool == NULL || pool->bytes - pool->used < bytes))
    pool = add_pool(holder, bytes);
  if (b == NULL || pool == NULL) {
    holder->exhausted = qx_process.incomplete = true;
    qx_live_tell();
    qx_complain((const char *const[]){
        "no memory for histograms; what they record may be too little", NULL});
    return;
  }
  b->first = function->first + first;
  b->words = words;
  b->state = state;
  b->of_calls = of_calls;
  b->start = (struct qx_block_start *)(void *)(pool->memory + pool->used);
  pool->used += bytes;
  b->next_held = holder->blocks;
  holder->blocks = b;
  announce(b);
  enter(holder->image, function, b);
  point_to(b);
}

/* holds lock */ void qx_renew_state(struct qx_arena *arena) {
  if (arena->state == NULL)
    return;
  memset(arena->state, 0, arena->image->state_bytes);
  for (const struct qx_block *b = arena->recorders.blocks; b != NULL; b = b->next_held)
    if (b->state[b->of_calls ? QX_CALL_BLOCK : 0] == 0) /* no larger one, as those come first */
      point_to(b);
}

/* ---- what instrumented code asks for ---- */

/* Returns who has the state at hand: an arena, or the image itself for threads without one. */
/* holds lock */ static struct qx_holder *holder_of(const struct qx_loaded_image *loaded,
                                                    const uint64_t *state) {
  const size_t n = (size_t)(loaded->state_end - loaded->state);
  struct qx_arena *a = loaded->known->arenas;
  while (a != NULL && !(a->state <= state && state < a->state + n))
    a = a->next;
  return a != NULL ? &a->recorders : &loaded->known->recorders;
}

/* Gives words that nobody reads, now and later. */
static void spill(const struct qx_loaded_image *loaded, uint64_t *state, bool of_calls) {
  state[of_calls ? QX_CALL_BLOCK : 0] = (uint64_t)loaded->spill;
  if (of_calls)
    __atomic_store_n(&state[QX_CALL_READY], QX_CALL_BUCKETS, __ATOMIC_RELEASE);
}

/* holds lock */ static void provide(const struct qx_loaded_image *loaded, uint64_t *state,
                                     bool of_calls, const void *record, uint64_t first,
                                     uint64_t words) {
  if (loaded->known == NULL)
    return;
  struct qx_holder *holder = holder_of(loaded, state);
  if (!holder->exhausted)
    take(holder, state, of_calls, record, first, words);
  if (holder->exhausted)
    spill(loaded, state, of_calls);
}

/* takes lock */ uint64_t *qx_find_recorder(const struct qx_loaded_image *loaded, uint64_t *state,
                                            const void *record, uint64_t first, uint64_t words) {
  if (!qx_enter())
    return loaded->spill;
  uint64_t *block = loaded->spill;
  if (!qx_is_copy()) {
    qx_lock();
    if (*state == 0)
      provide(loaded, state, false, record, first, words);
    if (*state != 0)
      block = (uint64_t *)*state;
    qx_live_settle();
    qx_unlock();
  }
  qx_leave();
  return block;
}

bool qx_count_call(uint64_t *state, uint64_t cost) {
  const uint64_t bucket = qx_call_bucket(cost);
  if (__atomic_load_n(&state[QX_CALL_READY], __ATOMIC_ACQUIRE) <= bucket)
    return false;
  uint64_t *block = (uint64_t *)state[QX_CALL_BLOCK];
  block[0] += cost;
  ++block[1 + bucket];
  return true;
}

/* holds lock */ static void record_call(const struct qx_loaded_image *loaded, uint64_t *state,
                                         const void *record, uint64_t first, uint64_t cost) {
  if (qx_count_call(state, cost))
    return;
  /* One octave more than is needed now. */
  const uint64_t octaves = qx_call_bucket(cost) / QX_CALL_PER_OCTAVE + 2;
  const uint64_t buckets = octaves * QX_CALL_PER_OCTAVE;
  provide(loaded, state, true, record, first,
          1 + (buckets < QX_CALL_BUCKETS ? buckets : QX_CALL_BUCKETS));
  qx_count_call(state, cost);
}

/* takes lock */ void qx_record_call(const struct qx_loaded_image *loaded, uint64_t *state,
                                     const void *record, uint64_t first, uint64_t cost) {
  if (!qx_enter())
    return;
  if (!qx_is_copy()) {
    qx_lock();
    record_call(loaded, state, record, first, cost);
    qx_live_settle();
    qx_unlock();
  }
  qx_leave();
}

/* ---- the record ---- */

/* holds lock */ bool qx_recorders_are_live(const struct qx_holder *holder) {
  for (const struct qx_pool *p = holder->pools; p != NULL; p = p->next)
    if (!p->live)
      return false;
  return true;
}

static const uint64_t *words_of(const struct qx_block *b) {
  return (const uint64_t *)(b->start + 1);
}

/* holds lock */ static struct qx_pool *room_among(struct qx_pool *from, size_t bytes) {
  struct qx_pool *p = from;
  while (p != NULL && (!p->live || p->bytes - p->used < bytes))
    p = p->next;
  return p;
}

/* A pool of the live file with so much room; NULL: none has. */
/* holds lock */ static struct qx_pool *pool_with(const struct qx_image_state *image,
                                                  size_t bytes) {
  struct qx_pool *p = room_among(image->recorders.pools, bytes);
  for (const struct qx_arena *a = image->arenas; p == NULL && a != NULL; a = a->next)
    p = room_among(a->recorders.pools, bytes);
  return p;
}

/* holds lock */ static bool copy_block(const struct qx_image_state *image, struct qx_block *b) {
  uint64_t *words = (uint64_t *)(b->start + 1);
  uint64_t n = b->words;
  while (n > 0 && words[n - 1] == 0)
    --n;
  if (n == 0)
    return true;
  const size_t bytes = sizeof(struct qx_block_start) + n * sizeof(uint64_t);
  struct qx_pool *pool = pool_with(image, bytes);
  if (pool == NULL)
    return false;
  struct qx_block_start *to = (struct qx_block_start *)(void *)(pool->memory + pool->used);
  pool->used += bytes;
  memcpy(to + 1, words, n * sizeof(uint64_t));
  memset(words, 0, n * sizeof(uint64_t));
  to->first = b->first;
  __atomic_store_n(&to->words, n, __ATOMIC_RELEASE);
  return true;
}

/* holds lock */ static bool is_in_live_pool(const struct qx_holder *holder,
                                             const struct qx_block *b) {
  const unsigned char *at = (const unsigned char *)b->start;
  for (const struct qx_pool *p = holder->pools; p != NULL; p = p->next)
    if (p->live && p->memory <= at && at < p->memory + p->bytes)
      return true;
  return false;
}

/* holds lock */ static bool gather_blocks(const struct qx_holder *holder) {
  bool all = true;
  for (struct qx_block *b = holder->blocks; b != NULL; b = b->next_held)
    all = (is_in_live_pool(holder, b) || copy_block(holder->image, b)) && all;
  return all;
}

/* holds lock */ bool qx_gather_recorders(struct qx_image_state *image) {
  bool all = gather_blocks(&image->recorders);
  for (const struct qx_arena *a = image->arenas; a != NULL; a = a->next)
    all = gather_blocks(&a->recorders) && all;
  return all;
}

/* Are the eight words from `i` on zero in all blocks that have them? */
/* holds lock */ static bool eight_zeros(const struct qx_block *from, const struct qx_block *to,
                                         uint64_t i) {
  uint64_t any = 0;
  for (const struct qx_block *b = from; b != to && any == 0; b = b->next)
    if (i < b->words) {
      const uint64_t *w = words_of(b) + i;
      any = i + 8 > b->words || (w[0] | w[1] | w[2] | w[3] | w[4] | w[5] | w[6] | w[7]) != 0;
    }
  return any == 0;
}

/* Blocks with the same first word are of the same recorder: their sum. */
/* holds lock */ static void put_recorder(struct qx_pairs *p, const struct qx_block *from,
                                          const struct qx_block *to) {
  uint64_t words = 0;
  for (const struct qx_block *b = from; b != to; b = b->next)
    words = b->words > words ? b->words : words;
  for (uint64_t i = 0; i < words; ++i) {
    if (i % 8 == 0 && eight_zeros(from, to, i)) { /* most are */
      i += 7;
      continue;
    }
    uint64_t value = 0;
    for (const struct qx_block *b = from; b != to; b = b->next)
      value += i < b->words ? words_of(b)[i] : 0;
    if (value != 0)
      qx_put_pair(p, from->first + i, value);
  }
}

/* holds lock */ void qx_put_recorders(struct qx_pairs *p, const struct qx_image_state *image) {
  for (size_t f = 0; image->recorded != NULL && f < image->recorded->count; ++f)
    for (const struct qx_block *b = image->recorded->function[f].blocks, *end; b != NULL; b = end) {
      for (end = b; end != NULL && end->first == b->first;)
        end = end->next;
      put_recorder(p, b, end);
    }
}

/* ---- fork ---- */

/* holds lock */ void qx_forget_recorders(struct qx_holder *holder) {
  for (const struct qx_pool *p = holder->pools; p != NULL; p = p->next)
    munmap(p->memory, p->bytes);
  holder->pools = NULL;
  holder->blocks = NULL;
}

/* holds lock */ void qx_forget_blocks(struct qx_image_state *image) {
  for (size_t f = 0; image->recorded != NULL && f < image->recorded->count; ++f)
    image->recorded->function[f].blocks = NULL;
  image->held_words = 0;
}

/* holds lock */ static struct recorded *function_with(struct qx_image_state *image,
                                                       uint64_t word) {
  size_t from = 0, to = image->recorded->count; /* the last one that begins at or before it */
  while (to - from > 1) {
    const size_t middle = from + (to - from) / 2;
    if (image->recorded->function[middle].first <= word)
      from = middle;
    else
      to = middle;
  }
  return &image->recorded->function[from];
}

/* holds lock */ void qx_renew_recorders(struct qx_holder *holder) {
  for (struct qx_pool *p = holder->pools; p != NULL; p = p->next)
    map_pool(p, holder->image, holder->live);
  for (struct qx_block *b = holder->blocks; b != NULL; b = b->next_held) {
    announce(b);
    enter(holder->image, function_with(holder->image, b->first), b);
  }
}
