/* Makes a thread's simulated machine (record=predictor): memory that is mapped when the thread
 * first says what it does, and given back when it ends. The idea: no lock and no malloc, since the
 * question comes from everywhere, signal handlers included. What is in it: branch_predictor.c,
 * indirect_predictor.c, caches.c, first_touch.c. See docs/13-machines.md. */
#include "simulated/simulated.h"

#include <errno.h>
#include <sys/mman.h>

static struct qx_machine *const nowhere = (struct qx_machine *)UINTPTR_MAX;

QX_HIDDEN __thread struct qx_machine *qx_simulated __attribute__((tls_model("initial-exec")));

/* Maps all its pages at once: met one by one they would be faults of the run, more or fewer with
 * its input, and two each, as sets are read before they are written. */
static struct qx_machine *map_machine(void) {
  void *made = mmap(NULL, sizeof(struct qx_machine), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  return made == MAP_FAILED ? NULL : made;
}

struct qx_machine *qx_make_machine(void) {
  if (qx_simulated == nowhere)
    return NULL;
  const int error = errno;
  struct qx_machine *made = map_machine(), *known = NULL;
  errno = error;
  if (made == NULL) {
    qx_simulated = nowhere;
    qx_complain((const char *const[]){
        "no memory for a thread's simulated predictor; it counts no misses", NULL});
    return NULL;
  }
  qx_begin_history(&made->predictor);
  made->caches.random = UINT64_MAX;
  /* A signal handler may have come here meanwhile. */
  if (__atomic_compare_exchange_n(&qx_simulated, &known, made, false, __ATOMIC_RELAXED,
                                  __ATOMIC_RELAXED))
    return made;
  munmap(made, sizeof *made);
  return known != nowhere ? known : NULL;
}

void qx_simulated_left(void) {
  struct qx_machine *mine = qx_simulated;
  qx_simulated = nowhere;
  if ((uintptr_t)mine + 1 <= 1)
    return;
  qx_forget_pages(&mine->caches.seen);
  munmap(mine, sizeof *mine);
}
