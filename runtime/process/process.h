/* The layer of the process: its settings and facts, and the lock that guards all state. */
#ifndef QUINCUNX_PROCESS_H
#define QUINCUNX_PROCESS_H

#include "os/os.h"
#include "process/images.h"

/* ---- settings.c ---- */

/* Settings and facts of the process, as they were at its start. */
struct qx_process_facts {
  bool off;   /* record nothing */
  bool embed; /* put maps into the record */
  int pid;
  uint8_t identity[16];
  uint8_t parent[16]; /* identity of the process that forked this one; 0: none did */
  uint32_t forked;    /* children */
  bool incomplete;    /* there was no memory for some counts */
  char run[65];       /* name of the run; empty: the identity of the first process */
  char out[PATH_MAX]; /* QUINCUNX_OUT, or empty */
  char folder[PATH_MAX];
  char program[PATH_MAX];
  int64_t start_realtime, start_monotonic;
};
QX_HIDDEN extern struct qx_process_facts qx_process;

/* Remembers environment, folder and time; once. */
/* holds lock */ QX_HIDDEN void qx_process_start(void);
/* Begins a new process record. */
/* holds lock */ QX_HIDDEN void qx_process_reset_in_child(void);
QX_HIDDEN void qx_record_path(char *path); /* PATH_MAX bytes */
/* The same with some letters more, which keep processes apart where it does not, and an ending in
 * place of .qxraw; false: it is too long. */
QX_HIDDEN bool qx_own_path(char *path, const char *ending);

/* ---- lock.c ---- */

QX_HIDDEN extern bool qx_ready; /* threads and forks are watched */
/* takes lock */ QX_HIDDEN void qx_lock(void);
/* holds lock */ QX_HIDDEN void qx_unlock(void);
/* Makes the lock free: its holder may be a thread of the parent, which the child does not have. */
QX_HIDDEN void qx_lock_reset_in_child(void);
QX_HIDDEN bool qx_is_copy(void);
/* What a thread calls between these may be instrumented code, of a program that has a memcpy or a
 * pthread_mutex_lock of its own: that must not come back to us for words. */
QX_HIDDEN extern __thread int qx_inside __attribute__((tls_model("initial-exec")));
static inline bool qx_enter(void) { /* false: it is inside already, and must not leave */
  if (qx_inside != 0)
    return false;
  qx_inside = 1;
  __atomic_signal_fence(__ATOMIC_SEQ_CST); /* for handlers that come here */
  return true;
}
static inline void qx_leave(void) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  qx_inside = 0;
}

#endif
