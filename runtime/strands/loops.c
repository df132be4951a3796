/* Loops that a team of OpenMP shares: which iterations a thread did, and what these took. The pass
 * calls this at loops as Clang hands them to OpenMP's library (passes/strands/Loops.cpp). A loop of
 * few iterations is told one by one, others by stretches of neighbours, so that what is written
 * does not grow with them; where a program goes through many loops, stretches become longer. What a
 * thread does between two iterations, asking for the next one, goes with these. */
#include "strands/strands.h"

enum { deepest = 4 };

struct loop {
  uint64_t iterations;                   /* of all threads */
  uint64_t within;                       /* numbers that differ in these bits are of one stretch */
  uint64_t first, end;                   /* done and not told: from the lowest up to the highest */
  uint64_t count;                        /* how many of those */
  uint64_t given_first, given_end, step; /* what the thread was given last */
  bool is_counted;                       /* iterations that it was given are told one by one */
  uint64_t next;                         /* the one that comes next, if they are */
  uint64_t outer_left;                   /* of the loop around this one */
};
static __thread struct {
  uint64_t left;  /* iterations up to the next end of a stretch or of what was given */
  uint32_t depth; /* of loops in teams within iterations */
  struct loop at[deepest];
} loops __attribute__((tls_model("initial-exec")));

void qx_forget_loops(void) {
  loops.depth = 0;
  loops.left = 0;
}

static struct loop *current(void) {
  if (loops.depth == 0 || loops.depth > deepest)
    return NULL;
  struct loop *l = &loops.at[loops.depth - 1];
  return l->iterations != 0 ? l : NULL;
}

/* takes lock */ static void tell(struct loop *l) {
  if (l->count == 0)
    return;
  qx_stretch_told();
  qx_strand_iterated(l->first, (uint32_t)(l->end - l->first), (uint32_t)l->count);
  l->count = 0;
}

/* Is this iteration of another stretch than those that were not told? */
static bool is_elsewhere(const struct loop *l, uint64_t iteration) {
  return ((iteration ^ l->first) & ~l->within) != 0;
}

static void add(struct loop *l, uint64_t from, uint64_t count) {
  if (l->count == 0 || from < l->first)
    l->first = from;
  if (l->count == 0 || from + count > l->end)
    l->end = from + count;
  l->count += count;
}

/* Those that the thread was given and that nobody told of are done. */
static void count_given(struct loop *l) {
  if (l->is_counted || l->given_first >= l->given_end)
    return;
  const uint64_t size = l->given_end - l->given_first;
  for (uint64_t from = l->given_first; from < l->iterations; from += l->step) {
    const uint64_t left = l->iterations - from;
    add(l, from, size < left ? size : left);
    if (l->step == 0)
      break;
  }
  l->given_end = l->given_first;
}

static enum qx_schedule schedule_of(uint32_t libomp) {
  enum { static_chunks = 33, shares = 34, dynamic = 35, guided = 36 };
  const uint32_t monotonic = 1u << 29, nonmonotonic = 1u << 30;
  switch (libomp & ~(monotonic | nonmonotonic)) {
  case static_chunks:
  case shares:
    return QX_SCHEDULE_STATIC;
  case dynamic:
    return (libomp & monotonic) != 0 ? QX_SCHEDULE_QUEUE : QX_SCHEDULE_DYNAMIC;
  case guided:
    return QX_SCHEDULE_GUIDED;
  default:
    return QX_SCHEDULE_OTHER;
  }
}

/* takes lock */ QX_HIDDEN void __quincunx_strands_loop_begins(uint32_t schedule, uint64_t chunk,
                                                               uint64_t iterations) {
  const enum qx_schedule kind = schedule_of(schedule);
  const bool has_chunk = !(kind == QX_SCHEDULE_STATIC && (schedule & 1) == 0);
  qx_strand_event(QX_STRAND_LOOP, (has_chunk ? chunk << 8 : 0) | kind);
  if (loops.depth++ >= deepest) { /* of none of these it is known where it goes round */
    loops.at[deepest - 1].iterations = 0;
    loops.left = 0;
    return;
  }
  struct loop *l = &loops.at[loops.depth - 1];
  *l = (struct loop){.outer_left = loops.left};
  loops.left = 0;
  const uint64_t most = qx_stretches();
  if (most == 0 || iterations == 0 || iterations > UINT32_MAX)
    return;
  l->iterations = iterations;
  while ((iterations - 1) / (l->within + 1) >= most)
    l->within = 2 * l->within + 1;
}

/* takes lock */ QX_HIDDEN void __quincunx_strands_loop_ends(void) {
  struct loop *l = current();
  if (l != NULL) {
    count_given(l);
    tell(l);
  }
  if (loops.depth > 0 && loops.depth-- <= deepest)
    loops.left = loops.at[loops.depth].outer_left;
}

static void look_ahead(const struct loop *l) {
  const uint64_t end = (l->next | l->within) + 1;
  loops.left = (end < l->given_end ? end : l->given_end) - l->next;
}

/* takes lock */ QX_HIDDEN void __quincunx_strands_loop_given(uint32_t is_there, uint64_t first,
                                                              uint64_t last, uint64_t stride) {
  if (is_there == 0) {
    __quincunx_strands_loop_ends();
    return;
  }
  struct loop *l = current();
  if (l == NULL)
    return;
  count_given(l);
  if (is_elsewhere(l, first))
    tell(l);
  l->given_first = first;
  l->given_end = last < l->iterations ? last + 1 : l->iterations;
  l->step = stride;
  l->is_counted = false;
  l->next = first;
  look_ahead(l);
}

/* Iterations up to this one are done, with which something ends. */
/* takes lock */ static __attribute__((noinline)) void done_up_to(uint64_t iteration) {
  struct loop *l = current();
  if (l == NULL)
    return;
  l->is_counted = true;
  add(l, l->next, iteration + 1 - l->next);
  if ((l->end & l->within) == 0)
    tell(l);
  l->next = iteration + 1;
  if (l->next == l->given_end) {
    if (l->step == 0)
      return;
    l->next = l->given_first += l->step;
    l->given_end += l->step;
    if (l->given_end > l->iterations)
      l->given_end = l->iterations;
    if (is_elsewhere(l, l->next))
      tell(l);
  }
  look_ahead(l);
}

/* takes lock */ QX_HIDDEN void __quincunx_strands_loop_done(uint64_t iteration) {
  if (--loops.left == 0)
    done_up_to(iteration);
}
