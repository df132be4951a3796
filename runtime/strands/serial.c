/* Loops that one thread goes through, whose iterations a build asked for (option loop=). How many
 * iterations there will be is not known: the first are told one by one, then twice as many at a
 * time after each 512, so that what is told at once is a small part of what came before. What is
 * known of a loop lies in the frame that goes through it: left by an exception, it is forgotten,
 * and its last iterations are told by nobody. */
#include "strands/strands.h"

enum { most_stretches = 1 << 10 };
static uint32_t told; /* stretches of all loops of the process */

void qx_stretch_told(void) { __atomic_fetch_add(&told, 1, __ATOMIC_RELAXED); }

uint64_t qx_stretches(void) {
  const uint32_t so_far = __atomic_load_n(&told, __ATOMIC_RELAXED);
  return so_far < QX_STRANDS_MOST / 8   ? most_stretches
         : so_far < QX_STRANDS_MOST / 4 ? most_stretches / 8
         : so_far < QX_STRANDS_MOST / 2 ? most_stretches / 64
                                        : 0;
}

static uint64_t loops; /* of the process that one thread goes through */

/* takes lock */ QX_HIDDEN void __quincunx_strands_serial_begins(struct qx_serial_loop *l) {
  l->number = __atomic_add_fetch(&loops, 1, __ATOMIC_RELAXED);
  const uint64_t most = qx_stretches();
  l->stretch = most != 0 ? most_stretches / most : UINT64_MAX;
  l->left = l->stretch;
  l->told = 0;
  qx_strand_event(QX_STRAND_SERIAL, l->number);
}

/* takes lock */ static __attribute__((noinline)) void tell(struct qx_serial_loop *l) {
  enum { of_one_size = 512 };
  qx_stretch_told();
  qx_strand_round(l->number, (uint32_t)l->stretch);
  if (++l->told % of_one_size == 0 && l->stretch < UINT32_MAX / 2)
    l->stretch *= 2;
  l->left = l->stretch;
}

/* takes lock */ QX_HIDDEN void __quincunx_strands_serial_round(struct qx_serial_loop *l) {
  if (--l->left == 0)
    tell(l);
}

/* More iterations than 32 bits hold are as many as these hold: where all are told at once, only
 * what they took together is known. */
/* takes lock */ QX_HIDDEN void __quincunx_strands_serial_ends(struct qx_serial_loop *l,
                                                               uint32_t in_the_middle) {
  if (l->number == 0)
    return;
  const uint64_t count = l->stretch - l->left + in_the_middle;
  qx_strand_round(l->number, count < UINT32_MAX ? (uint32_t)count : UINT32_MAX);
  l->number = 0;
  l->left = 0;
}
