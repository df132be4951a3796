/* Raw records (.qxraw) and live files (.live.qxraw), which the runtime writes and lib/profile
 * reads: headers, chunks, and the sample of requests. Little endian; docs/11-formats.md. It does
 * not describe the corpus file; lib/profile owns that. */
#ifndef QUINCUNX_ABI_RECORD_H
#define QUINCUNX_ABI_RECORD_H

#include "quincunx/abi/checksum.h"

#include <assert.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A raw record is a header, then chunks, each {kind, size} and `size` bytes padded to 8. Varints
 * are LEB128. */
#define QX_RAW_MAGIC 0x3157415258515841ull
#define QX_RAW_VERSION 4
#define QX_RAW_WITH_HASH 3      /* its checksum is qx_hash, and of versions before */
#define QX_RAW_WITHOUT_FAMILY 2 /* its struct qx_process ends before parent_identity */

struct qx_raw_header {
  uint64_t magic;
  uint32_t version;
  uint32_t header_size;
  uint64_t size;        /* of the whole record in bytes */
  uint64_t checksum[2]; /* qx_checksum of everything after this field */
  uint8_t identity[16]; /* random, of this process record */
};
static_assert(sizeof(struct qx_raw_header) == 56, "raw header is part of the format");

struct qx_raw_chunk {
  uint32_t kind;
  uint32_t reserved;
  uint64_t size; /* of the payload, without padding */
};
static_assert(sizeof(struct qx_raw_chunk) == 16, "raw chunk is part of the format");

/* What a chunk holds. "Pairs" are varints (gap, value): value of counter (previous index + gap),
 * the first gap from index 0, each later one from the previous index + 1; what is left out is zero.
 */
enum qx_chunk_kind {
  QX_CHUNK_PROCESS = 1,   /* struct qx_process, name of the run, path of the program (no NULs) */
  QX_CHUNK_IMAGE = 2,     /* struct qx_image, its path; the chunks that follow belong to it */
  QX_CHUNK_COUNTS = 3,    /* pairs */
  QX_CHUNK_INHERITED = 4, /* pairs, as they stood in the parent when this process was forked; COUNTS
                             never includes them */
  QX_CHUNK_MAP = 5,       /* the bytes of the map section (QUINCUNX_MAPS=embed) */
  QX_CHUNK_OPEN = 6,      /* nothing: the process had not ended when this was written */
  QX_CHUNK_ARENA = 7, /* live files: struct qx_arena_start, one word per counter of its image, bytes
                         without meaning */
  QX_CHUNK_PAD = 8,   /* live files: bytes without meaning */
  QX_CHUNK_REQUESTS = 9, /* struct qx_requests_start, entries; one chunk for each marked function,
                            in live files one or more */
  /* Sums over all requests of one marked function: its number in this file (8 bytes), then for each
   * image the hash of its map (16 bytes) and varints: how many counters, and for each the gap as in
   * pairs, the sum of its counts per request, the sum of their squares, low and high 64 bits. */
  QX_CHUNK_SUMS = 10,
  QX_CHUNK_FEATURES = 11, /* of the run: struct qx_feature, any number; without a name: unused */
  QX_CHUNK_BLOCKS = 12    /* live files: struct qx_blocks_start, then blocks of recorders, each a
                             struct qx_block_start and its words; one of 0 words is the end */
};

struct qx_process {
  int64_t pid;
  int64_t parent;         /* pid of the parent process */
  int64_t start_realtime; /* ns since the epoch */
  int64_t wall;           /* ns */
  int64_t user;           /* ns of CPU time */
  int64_t system;         /* ns of CPU time */
  int64_t peak_memory;    /* bytes */
  /* Bytes of the run's name: QUINCUNX_RUN, else the identity of the first process as 32 hex digits,
   * which forked children keep. */
  uint32_t run_length;
  uint32_t program_length;
  uint8_t parent_identity[16]; /* of the record of the process that forked this one; 0: none did */
  uint32_t forked;             /* children that it forked, each with a record of its own */
  uint32_t incomplete;         /* not 0: some of what was counted is not in this file */
};
static_assert(sizeof(struct qx_process) == 88, "process chunk is part of the format");
#define QX_PROCESS_WITHOUT_FAMILY 64u

struct qx_image {
  uint64_t map_hash[2];       /* qx_map_hash of the map section */
  uint64_t counter_count;     /* 64-bit words in the counter section */
  uint64_t recorder_words;    /* numbered behind them */
  uint64_t map_size;          /* bytes in the map section */
  int64_t counters_minus_map; /* address of the counter section minus that of the map section */
  uint64_t path_length;
};
static_assert(sizeof(struct qx_image) == 56, "image chunk is part of the format");

/* A live file is this header, then chunks as in a raw record, without COUNTS, and with the arenas
 * in which threads count. Once the process is gone it is the record. The page it begins with and
 * the arenas are mapped by the process, each arena from a page boundary on; all else is written
 * once. An image's counts are the sum over its arenas: an arena is handed from thread to thread as
 * it stands, so there is no moment at which counts are in two places or in none. */
#define QX_LIVE_MAGIC 0x3156494c58515841ull
#define QX_LIVE_VERSION 3
#define QX_LIVE_WITHOUT_FAMILY 2
#define QX_LIVE_MOST (1ull << 30) /* bytes that a live file never exceeds */

struct qx_live_header {
  uint64_t magic;
  uint32_t version;
  uint32_t header_size;
  /* Bytes of the file that are whole; what is beyond is not read. Whoever adds to the file stores
   * this last. */
  uint64_t used;
  uint8_t identity[16]; /* of the process record */
  uint64_t address;     /* where the process has this header in its memory */
  int64_t pid;
  uint32_t closed; /* 1: the process ended in order and could not write its record */
  uint32_t reserved;
};
static_assert(sizeof(struct qx_live_header) == 64, "live header is part of the format");

struct qx_arena_start {
  uint32_t image; /* number of the IMAGE chunk, from 0 */
  uint32_t reserved[11];
};
static_assert(sizeof(struct qx_arena_start) == 48, "arena chunk is part of the format");

struct qx_blocks_start {
  uint32_t image; /* number of the IMAGE chunk, from 0 */
  uint32_t reserved;
};
static_assert(sizeof(struct qx_blocks_start) == 8, "blocks are part of the format");
struct qx_block_start {
  uint64_t first; /* number of the first word, counters of the image included */
  uint64_t words; /* stored last */
};
static_assert(sizeof(struct qx_block_start) == 16, "blocks are part of the format");

/* Begins the requests of one marked function. Entries follow: the size of what is behind (8 bytes,
 * stored last, so that 0 is the end of what is whole), then, padded to 8 bytes, varints: slot of
 * the sample, number of the request (from 0), ns of wall time, and how many features, which follow,
 * each as the 8 bytes of its value, the length of its name and the name; then, for each image, the
 * hash of its map (16 bytes), how many counters, and these as pairs. The last request of a slot
 * is the one with the highest number. */
struct qx_requests_start {
  uint32_t number;       /* of the marked function in this file */
  uint32_t function;     /* its first counter in its image */
  uint64_t map_hash[2];  /* of the image */
  uint64_t begun, ended; /* requests; of several chunks their sums count */
};
static_assert(sizeof(struct qx_requests_start) == 40, "requests are part of the format");

/* The sample has so many requests of each marked function and process. Request i < QX_SLOTS takes
 * slot i; a later one takes a random slot below i + 1, if there is one of that number (algorithm
 * R). */
#define QX_SLOTS 1024u
#define QX_NO_SLOT UINT32_MAX
/* Returns the slot that request `number` takes, in every process the same; or QX_NO_SLOT. */
static inline uint32_t qx_slot(uint64_t number) {
  if (number < QX_SLOTS)
    return (uint32_t)number;
  uint64_t h = (number ^ 0x2d358dccaa6c78a5ull) * 0x9e3779b97f4a7c15ull;
  h = qx_fold(h ^ (h >> 32), 0xa0761d6478bd642full);
  h = qx_fold(h ^ number, 0xe7037ed1a0b428dbull);
  h = qx_high(h, number + 1);
  return h < QX_SLOTS ? (uint32_t)h : QX_NO_SLOT;
}

#define QX_FEATURE_NAME 55u  /* bytes of a name; longer ones are cut off */
#define QX_FEATURES_MOST 63u /* of a run; of a request QX_REQUEST_FEATURES */
#define QX_REQUEST_FEATURES 16u
struct qx_feature {
  double value;
  char name[QX_FEATURE_NAME + 1];
};
static_assert(sizeof(struct qx_feature) == 64, "features are part of the format");

#ifdef __cplusplus
}
#endif
#endif
