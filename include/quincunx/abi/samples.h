/* What the preloaded sampler writes and the tool reads while a program runs: a file that all
 * processes of an execution map, a ring of records of one size. Both are of one build, so it has no
 * version. Each record goes through the states below and belongs to one writer or to the reader at
 * a time; what a writer that was killed has claimed stays claimed. */
#ifndef QUINCUNX_ABI_SAMPLES_H
#define QUINCUNX_ABI_SAMPLES_H

#include <assert.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define QX_SAMPLES_VARIABLE "QUINCUNX_SAMPLES" /* the path of that file, for the sampler */
/* Hardly a program uses it; not SIGPROF, which those do that profile themselves. */
#define QX_SAMPLES_SIGNAL 63
#define QX_SAMPLES_MAGIC 0x314c504d41535851ull
#define QX_SAMPLES_RECORDS 1024
#define QX_SAMPLES_BYTES 4032 /* of a record's own; of the stack at most so many */

enum qx_sample_state { QX_SAMPLE_FREE = 0, QX_SAMPLE_CLAIMED = 1, QX_SAMPLE_READY = 2 };

enum qx_sample_kind {
  QX_SAMPLE_TAKEN = 1,  /* begin: instruction; bytes: of the stack, from its pointer on */
  QX_SAMPLE_MAPPED = 2, /* begin, length, offset of an executable mapping; bytes: its path */
  QX_SAMPLE_STARTED = 3 /* a process, by fork(2) or exec(2): nothing is mapped yet */
};

struct qx_sample_record {
  uint32_t state, kind;
  uint64_t sequence; /* ascending where one record was made after another */
  int32_t process;
  uint32_t size; /* of bytes */
  uint64_t begin, length, offset;
  uint64_t reserved[2];
  uint8_t bytes[QX_SAMPLES_BYTES];
};
static_assert(sizeof(struct qx_sample_record) == 4096, "a page holds a record");

struct qx_samples {
  uint64_t magic;
  uint64_t interval; /* ns of a thread's time in user mode between two samples */
  uint64_t next;     /* sequence of the next record */
  uint64_t lost;     /* samples for which no record was free */
  uint32_t untimed;  /* errno of a thread that got no timer; 0: all did */
  uint32_t taken;    /* processes that handle the sampler's signal themselves, and are left alone */
  uint8_t reserved[4056];
  struct qx_sample_record records[QX_SAMPLES_RECORDS];
};
static_assert(sizeof(struct qx_samples) == (1 + QX_SAMPLES_RECORDS) * 4096, "a head, then records");

#ifdef __cplusplus
}
#endif

#endif
