/* The file of records. The idea: a number that only ascends chooses the record, so that writers
 * never wait for each other or for the reader; where the reader is late, what was to be written is
 * lost and counted. */
#include "sampler.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct qx_samples *shared;

bool open_ring(const char *path) {
  int file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  struct stat info;
  if (file < 0)
    return false;
  if (fstat(file, &info) == 0 && info.st_size == sizeof *shared) {
    void *at = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (at != MAP_FAILED && ((struct qx_samples *)at)->magic == QX_SAMPLES_MAGIC)
      shared = at;
  }
  close(file);
  return shared != NULL;
}

const struct qx_samples *ring(void) { return shared; }

struct qx_sample_record *claim(enum qx_sample_kind kind) {
  uint64_t sequence = __atomic_fetch_add(&shared->next, 1, __ATOMIC_RELAXED);
  struct qx_sample_record *record = &shared->records[sequence % QX_SAMPLES_RECORDS];
  uint32_t state = QX_SAMPLE_FREE;
  if (!__atomic_compare_exchange_n(&record->state, &state, QX_SAMPLE_CLAIMED, false,
                                   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    return NULL;
  record->kind = kind;
  record->sequence = sequence;
  record->process = (int32_t)syscall(SYS_getpid);
  record->size = 0;
  return record;
}

void publish(struct qx_sample_record *record) {
  __atomic_store_n(&record->state, QX_SAMPLE_READY, __ATOMIC_RELEASE);
}

void count_lost(void) { __atomic_fetch_add(&shared->lost, 1, __ATOMIC_RELAXED); }

void say_untimed(int reason) {
  __atomic_store_n(&shared->untimed, (uint32_t)reason, __ATOMIC_RELAXED);
}

void say_signal_is_taken(void) { __atomic_fetch_add(&shared->taken, 1, __ATOMIC_RELAXED); }
