/* What the instrumentation pass, the runtime and the readers agree on: section names, the header of
 * a function record in an object file, and the layout of a raw record (.qxraw). C, little endian,
 * the only copy of these layouts; see docs/11-formats.md. It does not describe the body of a
 * function record (lib/map owns that) nor the corpus file (lib/profile owns that).
 */
#ifndef QUINCUNX_ABI_H
#define QUINCUNX_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define QX_STATIC_ASSERT(what, why) static_assert(what, why)
extern "C" {
#else
#define QX_STATIC_ASSERT(what, why) _Static_assert(what, why)
#endif

#define QX_ABI_VERSION 6

/* Sections of an instrumented object. All names are C identifiers, so the linker provides
 * __start_NAME and __stop_NAME. Counters: 64-bit words, zero; the copy in the image is the arena of
 * any thread that has no arena of its own. State: 64-bit words, zero, that count nothing: where a
 * thread's recorders are. Map: function records, 8-byte aligned, read-only. */
#define QX_COUNTER_SECTION "__qx_cnts"
#define QX_STATE_SECTION "__qx_state"
#define QX_MAP_SECTION "__qx_map"

/* The thread-local distances from the image's counters to this thread's arena, and from the image's
 * state to this thread's, one of each per image. The name of the first is what a linker prints when
 * the runtime is missing, so it says what to do. */
#define QX_DELTA_SYMBOL "__quincunx_runtime_missing_so_link_with_clang_and_config_quincunx_cfg"
#define QX_STATE_DELTA_SYMBOL "__quincunx_state_distance"
/* Called on entry by position-independent code while the distance is 0: gives the thread an arena.
 */
#define QX_ATTACH_SYMBOL "__quincunx_attach"
/* What quincunx_flush() of quincunx.h calls where a runtime is linked. */
#define QX_FLUSH_SYMBOL "__quincunx_flush"

/* Requests: functions with this annotation ([[quincunx::request]], QUINCUNX_REQUEST). Such a
 * function calls the runtime on entry, with its mark and the place of its frame, and on its ways
 * out, with the place of its frame. */
#define QX_REQUEST_ANNOTATION "quincunx::request"
#define QX_REQUEST_SYMBOL "__quincunx_request"
#define QX_REQUEST_DONE_SYMBOL "__quincunx_request_done"
struct qx_mark {
  uint64_t *counters; /* of the function, in its image's section */
  void *known;        /* the runtime's */
};

/* Recorders: histograms, in words that a thread gets when it first needs them, since most are never
 * needed. A block of them is a stretch of the words of one recorder. They are numbered like
 * counters, behind those of the image, function by function in the order of its map.
 *
 * A loop's recorder (record=runs) is a block; one state word says where it is, 0: nowhere yet.
 * (state word, map record, first word among the function's recorders, how many): the block. */
#define QX_RECORDER_SYMBOL "__quincunx_recorder"
/* No block has more words. */
#define QX_BLOCK_MOST (1u << 20)

/* Lengths below 16 have a bin each; then there are four bins for each power of two up to 2^28, of
 * which the last one has no upper end. */
#define QX_EXACT_BINS 16u
#define QX_BINS 112u

/* The bin of a length; never QX_BINS or more. */
static inline uint32_t qx_bin(uint64_t length) {
  if (length < QX_EXACT_BINS)
    return (uint32_t)length;
  uint32_t log = 63u - (uint32_t)__builtin_clzll(length);
  if (log >= 28)
    return QX_BINS - 1;
  return QX_EXACT_BINS + (log - 4) * 4 + (uint32_t)((length >> (log - 2)) & 3);
}
/* The smallest length of a bin below QX_BINS. */
static inline uint64_t qx_bin_low(uint32_t bin) {
  if (bin < QX_EXACT_BINS)
    return bin;
  uint32_t log = (bin - QX_EXACT_BINS) / 4 + 4;
  return (4ull + (bin - QX_EXACT_BINS) % 4) << (log - 2);
}

/* A length recorded around a word: r >= 0 in the one qx_bin(r) behind it, r < 0 in the one
 * qx_bin(-r) before it. */
static inline int64_t qx_signed_bin(int64_t r) {
  return r < 0 ? -(int64_t)qx_bin(0 - (uint64_t)r) : (int64_t)qx_bin((uint64_t)r);
}

/* A loop: for each way out of it that the map tells apart, one histogram of the backedges taken per
 * entry. A branch in a loop: four of run lengths, of which two lie mirrored before the two others,
 * so that a state (r > 0: r times true so far, r < 0: -r times false) is the distance from a word:
 *
 *   runs of false that ended, around QX_ENDED_FALSE: bins 111 ... 0
 *   runs of true that ended, around QX_ENDED_TRUE: bins 0 ... 111
 *   runs that were cut off because the loop was left, around QX_CUT: false 111 ... 1, true 0 ...
 * 111
 *
 * In bin 0 no run has its length, so it counts something else: of ENDED_FALSE entries of the loop
 * in which the first outcome was true, of ENDED_TRUE those in which it was false. That of CUT is
 * not to be read. */
#define QX_ENDED_FALSE (QX_BINS - 1u)
#define QX_ENDED_TRUE QX_BINS
#define QX_CUT (3u * QX_BINS - 1u)
#define QX_RUN_WORDS (4u * QX_BINS - 1u)

/* (block, word, r): ++block[word + qx_signed_bin(r)]. Preserves all registers on x86-64. The block
 * and a number, because one base serves all calls: thousands of addresses would be kept in
 * registers all at once. */
#define QX_TALLY_SYMBOL "__quincunx_tally"
/* Loops with many branches keep their states in memory, behind a word that says how many of them
 * are not 0; before that word, growing downwards, are the numbers of those, 32 bits each. So what
 * is not evaluated costs nothing when the loop is left. Recorders lie one behind the other from
 * word `first` on.
 * (block, first, states, outcome): branch `outcome` is true, or branch ~outcome false, and was
 * not before. */
#define QX_TURN_SYMBOL "__quincunx_turn"
/* (block, first, states): the loop is left, and what ran is cut off. */
#define QX_CUT_SYMBOL "__quincunx_cut"

/* The simulated predictor and caches (record=predictor; docs/13-machines.md). Instrumented code
 * says what it is about to do, and a counter that is passed along counts what was not foretold.
 * (counter, site, outcome): a conditional branch goes that way. A site is any 64 bits that stay the
 * same from build to build and differ from those of other sites. */
#define QX_BRANCH_SYMBOL "__quincunx_branch"
/* (counter, site, target): a switch, an indirect jump or an indirect call goes there. */
#define QX_TARGET_SYMBOL "__quincunx_target"
/* (counters, address, bytes): that much memory is read or written. The first of: */
#define QX_ACCESS_SYMBOL "__quincunx_access"
enum { QX_NEAR = 0, QX_FAR = 1, QX_BEYOND = 2, QX_STREAM = 3, QX_WALK = 4, QX_MEMORY_COUNTERS = 5 };

#define QX_FUNCTION_MAGIC 0x33465851u /* "QXF3" */

/* One function: this header, then `size - sizeof(header)` bytes of body (lib/map). The linker may
 * leave zero words between records. */
struct qx_function_header {
  uint32_t magic;
  uint32_t size;          /* of the whole record, a multiple of 8 */
  int64_t counters;       /* address of the first counter minus the address of this field */
  uint32_t counter_count; /* 64-bit words in the counter section */
  uint32_t body_size;     /* bytes of body in use */
  uint64_t body_hash[2];  /* qx_hash of them */
  uint32_t recorder_words;
  uint32_t reserved;
};
QX_STATIC_ASSERT(sizeof(struct qx_function_header) == 48, "function header is part of the format");

/* The thread's clock of block costs, one for all images of a process. */
#define QX_CLOCK_SYMBOL "__quincunx_clock"

/* What one function recorded of its calls (record=calls): the sum of their costs, and how many cost
 * how much. Buckets are exact below 128, then 64 per octave (at most 1.6 % wide) up to 2^48; the
 * last one is open. Blocks of this recorder begin with the sum and have as many buckets as there
 * was need for. Its state words: */
enum {
  QX_CALL_FRAME = 0, /* place of the outermost frame that is active */
  QX_CALL_READY = 1, /* how many buckets the block has */
  QX_CALL_BLOCK = 2, /* where it is; written before READY */
  QX_CALL_STATE_WORDS = 3,
  QX_CALL_PER_OCTAVE = 64,
  QX_CALL_BITS = 48,
  QX_CALL_BUCKETS = QX_CALL_PER_OCTAVE * (QX_CALL_BITS - 5),
  QX_CALL_WORDS = 1 + QX_CALL_BUCKETS
};
/* (state words, map record, first word among the function's recorders, cost): records one call
 * of which the bucket is not ready. Preserves all registers on x86-64. */
#define QX_CALL_SYMBOL "__quincunx_call"
static inline uint32_t qx_call_bucket(uint64_t cost) {
  const uint64_t most = (1ull << QX_CALL_BITS) - 1;
  cost = cost < most ? cost : most;
  uint32_t shift = 57u - (uint32_t)__builtin_clzll(cost | QX_CALL_PER_OCTAVE);
  return shift * QX_CALL_PER_OCTAVE + (uint32_t)(cost >> shift);
}
/* The smallest cost in a bucket. */
static inline uint64_t qx_call_bucket_low(uint32_t bucket) {
  uint32_t shift = bucket < 2 * QX_CALL_PER_OCTAVE ? 0 : bucket / QX_CALL_PER_OCTAVE - 1;
  return (uint64_t)(bucket - shift * QX_CALL_PER_OCTAVE) << shift;
}

/* A raw record: header, then chunks, each {kind, size} and `size` bytes padded to 8. Varints are
 * LEB128. */
#define QX_RAW_MAGIC 0x3157415258515841ull
#define QX_RAW_VERSION 2

struct qx_raw_header {
  uint64_t magic;
  uint32_t version;
  uint32_t header_size;
  uint64_t size;        /* of the whole record in bytes */
  uint64_t checksum[2]; /* qx_hash of everything after this field */
  uint8_t identity[16]; /* random, of this process record */
};
QX_STATIC_ASSERT(sizeof(struct qx_raw_header) == 56, "raw header is part of the format");

struct qx_raw_chunk {
  uint32_t kind;
  uint32_t reserved;
  uint64_t size; /* of the payload, without padding */
};
QX_STATIC_ASSERT(sizeof(struct qx_raw_chunk) == 16, "raw chunk is part of the format");

enum qx_chunk_kind {
  QX_CHUNK_PROCESS = 1, /* struct qx_process, then the run's name, then the program's path (no NULs;
                           lengths in the struct) */
  QX_CHUNK_IMAGE = 2, /* struct qx_image, then the image's path; the chunks after it belong to it */
  QX_CHUNK_COUNTS = 3,    /* varint pairs (gap, value): value of counter (previous index + gap), the
                             first gap from index 0, each later one from the previous index + 1;
                             counters left out are zero */
  QX_CHUNK_INHERITED = 4, /* the same: the counters as they stood in the parent when this process
                             was forked. COUNTS never includes them */
  QX_CHUNK_MAP = 5,       /* QUINCUNX_MAPS=embed: the bytes of the map section */
  QX_CHUNK_OPEN = 6,      /* no payload: the process had not ended when this was written */
  QX_CHUNK_ARENA = 7, /* live files: struct qx_arena_start, then one word per counter of its image
                         and bytes without meaning */
  QX_CHUNK_PAD = 8,   /* live files: bytes without meaning */
  QX_CHUNK_REQUESTS = 9, /* struct qx_requests_start, then entries: of records one chunk for each
                            marked function, of live files one or more */
  QX_CHUNK_SUMS = 10, /* of all requests of one marked function: its number in this file (8 bytes),
                         then for each image the hash of its map (16 bytes) and varints: how many
                         counters, and of each the gap as in COUNTS, the sum of its counts per
                         request, and the sum of their squares, low and high 64 bits */
  QX_CHUNK_FEATURES = 11, /* struct qx_feature, any number: of the run. Without a name: unused */
  QX_CHUNK_BLOCKS = 12    /* live files: struct qx_blocks_start, then blocks of recorders, each a
                             struct    qx_block_start and its words; one of 0 words is the end */
};

/* A live file: this header, then chunks as in a raw record, without COUNTS, and with the arenas in
 * which threads count. Where the process is gone it is the record. The page it begins with and the
 * arenas are mapped by the process, each arena from a page boundary on; all else is written once.
 * An image's counts are the sum over its arenas: an arena is handed from thread to thread as it
 * stands, so there is no moment at which counts are in two places or in none. */
#define QX_LIVE_MAGIC 0x3156494c58515841ull
#define QX_LIVE_VERSION 2
#define QX_LIVE_MOST (1ull << 30) /* bytes that a live file never exceeds */

struct qx_live_header {
  uint64_t magic;
  uint32_t version;
  uint32_t header_size;
  uint64_t used; /* bytes of the file that are whole; what is beyond is not read. The last store of
                    whoever adds to the file */
  uint8_t identity[16]; /* of the process record */
  uint64_t address;     /* where the process has this header in its memory */
  int64_t pid;
  uint32_t closed; /* 1: the process ended in order and could not write its record */
  uint32_t reserved;
};
QX_STATIC_ASSERT(sizeof(struct qx_live_header) == 64, "live header is part of the format");

struct qx_arena_start {
  uint32_t image; /* number of the IMAGE chunk, from 0 */
  uint32_t reserved[11];
};
QX_STATIC_ASSERT(sizeof(struct qx_arena_start) == 48, "arena chunk is part of the format");

struct qx_blocks_start {
  uint32_t image; /* number of the IMAGE chunk, from 0 */
  uint32_t reserved;
};
QX_STATIC_ASSERT(sizeof(struct qx_blocks_start) == 8, "blocks are part of the format");
struct qx_block_start {
  uint64_t first; /* number of the first word, counters of the image included */
  uint64_t words; /* stored last */
};
QX_STATIC_ASSERT(sizeof(struct qx_block_start) == 16, "blocks are part of the format");

/* Requests of one marked function. Entries follow: 8 bytes with the size of what is behind them,
 * stored last, so that 0 is the end of what is whole; and, padded to 8 bytes, varints: slot of the
 * sample, number of the request (from 0), ns of wall time, and how many features, which follow,
 * each as the 8 bytes of its value, the length of its name and the name; then, for each image, the
 * hash of its map (16 bytes), how many counters, and these as in COUNTS. A slot's last request is
 * the one with the highest number. */
struct qx_requests_start {
  uint32_t number;       /* of the marked function in this file */
  uint32_t function;     /* its first counter in its image */
  uint64_t map_hash[2];  /* of the image */
  uint64_t begun, ended; /* requests; of several chunks their sums count */
};
QX_STATIC_ASSERT(sizeof(struct qx_requests_start) == 40, "requests are part of the format");

/* The sample: so many requests of each marked function and process. Request i < QX_SLOTS takes slot
 * i; a later one takes a random slot below i + 1, if there is one of that number (algorithm R). */
#define QX_SLOTS 1024u
#define QX_NO_SLOT UINT32_MAX

#define QX_FEATURE_NAME 55u  /* bytes of a name; longer ones are cut off */
#define QX_FEATURES_MOST 63u /* of a run; of a request QX_REQUEST_FEATURES */
#define QX_REQUEST_FEATURES 16u
struct qx_feature {
  double value;
  char name[QX_FEATURE_NAME + 1];
};
QX_STATIC_ASSERT(sizeof(struct qx_feature) == 64, "features are part of the format");

struct qx_process {
  int64_t pid;
  int64_t parent;         /* pid of the parent process */
  int64_t start_realtime; /* ns since the epoch */
  int64_t wall;           /* ns */
  int64_t user;           /* ns of CPU time */
  int64_t system;         /* ns of CPU time */
  int64_t peak_memory;    /* bytes */
  uint32_t run_length;    /* bytes of the run's name: QUINCUNX_RUN, else the identity of the first
                             process    as 32 hex digits, which forked children keep */
  uint32_t program_length;
};
QX_STATIC_ASSERT(sizeof(struct qx_process) == 64, "process chunk is part of the format");

struct qx_image {
  uint64_t map_hash[2];       /* qx_map_hash of the map section */
  uint64_t counter_count;     /* 64-bit words in the counter section */
  uint64_t recorder_words;    /* numbered behind them */
  uint64_t map_size;          /* bytes in the map section */
  int64_t counters_minus_map; /* address of the counter section minus that of the map section */
  uint64_t path_length;
};
QX_STATIC_ASSERT(sizeof(struct qx_image) == 56, "image chunk is part of the format");

/* 128-bit non-cryptographic hash: two lanes of multiply-and-fold over 8-byte words. Equal bytes
 * give equal hashes on every machine; it guards against accidents, not against forgers. */
static inline uint64_t qx_fold(uint64_t a, uint64_t b) {
  unsigned __int128 p = (unsigned __int128)a * b;
  return (uint64_t)p ^ (uint64_t)(p >> 64);
}
/* The slot that request `number` takes, or QX_NO_SLOT. The same in every process. */
static inline uint32_t qx_slot(uint64_t number) {
  if (number < QX_SLOTS)
    return (uint32_t)number;
  uint64_t h = (number ^ 0x2d358dccaa6c78a5ull) * 0x9e3779b97f4a7c15ull;
  h = qx_fold(h ^ (h >> 32), 0xa0761d6478bd642full);
  h = qx_fold(h ^ number, 0xe7037ed1a0b428dbull);
  const uint64_t slot = (uint64_t)(((unsigned __int128)h * (number + 1)) >> 64);
  return slot < QX_SLOTS ? (uint32_t)slot : QX_NO_SLOT;
}

struct qx_hash_state {
  uint64_t a, b;
};
static inline void qx_hash_word(struct qx_hash_state *s, uint64_t w) {
  s->a = qx_fold(s->a ^ w, 0xa0761d6478bd642full) + s->b;
  s->b = qx_fold(s->b + w, 0xe7037ed1a0b428dbull) ^ (s->a >> 29);
}
static inline void qx_hash_finish(const struct qx_hash_state *s, uint64_t out[2]) {
  out[0] = qx_fold(s->a ^ 0x8ebc6af09c88c6e3ull, s->b | 1);
  out[1] = qx_fold(s->b ^ 0x589965cc75374cc3ull, s->a | 1);
}
static inline void qx_hash(const void *bytes, size_t size, uint64_t out[2]) {
  const unsigned char *p = (const unsigned char *)bytes; /* NOLINT(modernize-use-auto): C */
  struct qx_hash_state s = {0x9e3779b97f4a7c15ull ^ size, 0xd1b54a32d192ed03ull + size};
  while (size > 0) {
    uint64_t w = 0; /* little endian, as everything here */
    size_t n = size < 8 ? size : 8;
    if (n == 8)
      __builtin_memcpy(&w, p, 8);
    else
      __builtin_memcpy(&w, p, n);
    qx_hash_word(&s, w);
    p += n;
    size -= n;
  }
  qx_hash_finish(&s, out);
}

/* What names a map: where each function's counters are, and the hash of its body, which the
 * compiler computed. A program pays for a few words per function when it writes its record, not for
 * the whole section; who reads a map checks the bodies against their hashes. */
static inline void qx_map_hash(const void *map, size_t size, uint64_t out[2]) {
  struct qx_hash_state s = {0x9e3779b97f4a7c15ull ^ size, 0xd1b54a32d192ed03ull + size};
  for (size_t at = 0; at < size && size - at >= sizeof(struct qx_function_header);) {
    struct qx_function_header h;
    __builtin_memcpy(&h, (const char *)map + at, sizeof h);
    if (h.magic != QX_FUNCTION_MAGIC || h.size < sizeof h) { /* padding of the linker's */
      at += 8;
      continue;
    }
    qx_hash_word(&s, at);
    qx_hash_word(&s, (uint64_t)h.counters);
    qx_hash_word(&s, h.body_hash[0]);
    qx_hash_word(&s, h.body_hash[1]);
    at += h.size;
  }
  qx_hash_finish(&s, out);
}

#ifdef __cplusplus
}
#endif
#endif
