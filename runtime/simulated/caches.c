/* Caches, TLB and streams of the simulated machine (record=predictor). The idea: every line that
 * code touches is looked up in three levels; one that misses the first is the next of a stream that
 * is known, and then could have been there in time, or it is not, and then it is told which level
 * had it. Sets of two levels and of the TLB are lists with the latest line first, so that looking
 * up, moving to the front and evicting are one pass. The third evicts at random: what is a little
 * larger than such a level still hits for a good part, as on processors. It knows no time, no
 * writes back, no other threads, and no physical addresses. See docs/13-machines.md. */
#include "simulated/simulated.h"

/* The most lines of one access: a length beyond is a mistake that the program is about to make. */
static const uint64_t most_lines = 1ull << 30;

/* Is it there? It is from now on, before all others; the last one goes if it must. */
static bool touch(uint32_t *set, unsigned ways, uint64_t number) {
  const uint32_t wanted = (uint32_t)number + 1;
  uint32_t before = wanted;
  if (set[0] == wanted)
    return true;
  for (unsigned w = 0; w < ways; ++w) {
    const uint32_t here = set[w];
    set[w] = before;
    if (here == wanted)
      return true;
    before = here;
  }
  return false;
}

/* Does so in the third level, where any other one goes if one must. */
static bool touch_third(struct qx_caches *c, uint64_t line) {
  uint32_t *set = c->third[line % qx_third_sets];
  const uint32_t wanted = (uint32_t)(line / qx_third_sets) + 1;
  uint32_t had = 0;
  for (unsigned w = 0; w < qx_third_ways; ++w)
    had |= set[w] == wanted;
  if (had != 0)
    return true;
  unsigned way = qx_third_ways - 1;
  if (set[way] != 0)
    way = (unsigned)(qx_draw(&c->random) >> 32) & way;
  else
    while (way > 0 && set[way - 1] == 0) /* they fill from the first one on */
      --way;
  set[way] = wanted;
  return false;
}

/* Which of the two has it? Both from now on. */
static unsigned bring(struct qx_caches *c, uint64_t line) {
  if (touch(c->second[line % qx_second_sets], qx_second_ways, line / qx_second_sets))
    return QX_L2_HIT;
  return touch_third(c, line) ? QX_L3_HIT : QX_MEMORY_ACCESS;
}

/* Is this line, which missed, the next one of a stream: one stride on, or the neighbour of the
 * latest? If not, it may tell the stride of a stream near by, or begin one. Lines modulo 2^32. */
static bool is_next(struct qx_known_streams *k, uint32_t line) {
  const uint32_t far = 2 * qx_longest_stride;
  uint32_t follows = qx_streams, beside = qx_streams, near = qx_streams, oldest = 0, age = 0;
  for (uint32_t s = 0; s < qx_streams; ++s)
    follows = k->next[s] == line ? s : follows;
  if (follows == qx_streams)
    for (uint32_t s = 0; s < qx_streams; ++s) {
      const uint32_t step = line - k->line[s];
      beside = step + 1 == 0 || step == 1 ? s : beside;
      near = step + qx_longest_stride <= far ? s : near;
      oldest = k->uses - k->used[s] > age ? s : oldest;
      age = k->uses - k->used[s] > age ? k->uses - k->used[s] : age;
    }
  const bool is = follows < qx_streams || beside < qx_streams;
  const bool known = is || near < qx_streams;
  const uint32_t s = follows < qx_streams  ? follows
                     : beside < qx_streams ? beside
                     : near < qx_streams   ? near
                                           : oldest;
  const uint32_t step = line - k->line[s];
  k->line[s] = line;
  k->next[s] = known && step != 0 ? line + step : ~line; /* or none that comes soon */
  k->used[s] = ++k->uses;
  return is;
}

/* The system has zeroed or copied a page right before it is touched for the first time. */
static __attribute__((noinline)) void walk(struct qx_caches *c, uint64_t *met, uint64_t page) {
  const uint64_t lines = 1u << (qx_page_bits - qx_line_bits);
  ++met[QX_PAGE_WALK];
  if (qx_is_fresh(&c->seen, page))
    for (uint64_t i = 0; i < lines; ++i)
      bring(c, page * lines + i);
}

static void meet(struct qx_caches *c, uint64_t *met, uint64_t line) {
  const uint64_t page = line >> (qx_page_bits - qx_line_bits);
  c->line = line + 1;
  if (page + 1 != c->page) {
    c->page = page + 1;
    if (!touch(c->pages[page % qx_page_sets], qx_page_ways, page / qx_page_sets))
      walk(c, met, page);
  }
  if (touch(c->first[line % qx_first_sets], qx_first_ways, line / qx_first_sets))
    return;
  const unsigned where = bring(c, line);
  ++met[is_next(&c->streams, (uint32_t)line) ? QX_PREFETCHED_LINE : where];
}

QX_HIDDEN void __quincunx_access(uint64_t *met, const void *address, uint64_t bytes) {
  struct qx_machine *m = qx_machine_here();
  if (m == NULL || bytes == 0)
    return;
  struct qx_caches *c = &m->caches;
  uint64_t line = (uintptr_t)address >> qx_line_bits;
  uint64_t more = (((uintptr_t)address & ((1u << qx_line_bits) - 1)) + bytes - 1) >> qx_line_bits;
  if (more == 0 && line + 1 == c->line)
    return; /* where the last access was */
  if (more >= most_lines)
    more = most_lines - 1;
  for (;; ++line, --more) {
    meet(c, met, line);
    if (more == 0)
      return;
  }
}
