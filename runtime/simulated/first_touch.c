/* Tells which pages a thread touches for the first time (record=predictor): the system has just
 * zeroed or copied one that is touched for the first time. The idea: a bit for each page, 64 of
 * them to an entry of a table with open addressing, asked only when the TLB misses. Signal handlers
 * may come in between anywhere and ask as well: tables stay where they are until the thread ends,
 * what was copied to a larger one is copied again without harm, and at worst a page is fresh twice
 * or never. It does not know that memory was given back, or touched by another thread or by the
 * system. See docs/13-machines.md. */
#include "simulated/simulated.h"

#include <errno.h>
#include <sys/mman.h>

static const uint64_t mixer = 0x9e3779b97f4a7c15ull;

static uint64_t size_of(uint32_t index) { return 1ull << (qx_seen_least_bits + index); }

/* Mapped if it has to be; NULL when there is no memory. */
static struct qx_page_group *table_at(struct qx_seen_pages *s, uint32_t index) {
  struct qx_page_group *known = s->tables[index];
  if (known != NULL)
    return known;
  const int error = errno;
  const size_t bytes = size_of(index) * sizeof *known;
  struct qx_page_group *made = qx_map_memory(bytes);
  errno = error;
  if (made == NULL || __atomic_compare_exchange_n(&s->tables[index], &known, made, false,
                                                  __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    return made;
  munmap(made, bytes); /* a signal handler has made it meanwhile */
  return known;
}

/* Returns where the group is, or is to be; NULL: the table is full. */
static struct qx_page_group *place_of(struct qx_page_group *table, uint32_t index,
                                      uint64_t number) {
  const uint64_t size = size_of(index);
  uint64_t at = number * mixer >> (64 - qx_seen_least_bits - index);
  for (uint64_t tries = 0; tries < size; ++tries, at = (at + 1) & (size - 1))
    if (table[at].number == number || table[at].number == 0)
      return &table[at];
  return NULL;
}

/* The next table, with all that is in this one; NULL when there is no memory. */
static struct qx_page_group *grow(struct qx_seen_pages *s, uint32_t index) {
  struct qx_page_group *next = index + 1 < qx_seen_tables ? table_at(s, index + 1) : NULL;
  if (next == NULL)
    return NULL;
  const struct qx_page_group *table = s->tables[index];
  for (uint64_t i = 0; i < size_of(index); ++i) {
    const struct qx_page_group known = table[i];
    struct qx_page_group *to = known.number != 0 ? place_of(next, index + 1, known.number) : NULL;
    if (to == NULL)
      continue;
    to->number = known.number;
    to->seen |= known.seen;
  }
  if (s->latest == index)
    s->latest = index + 1;
  return next;
}

bool qx_is_fresh(struct qx_seen_pages *s, uint64_t page) {
  if (s->none)
    return false;
  const uint64_t number = (page >> qx_page_group_bits) + 1;
  const uint64_t bit = 1ull << (page & ((1u << qx_page_group_bits) - 1));
  uint32_t index = s->latest;
  struct qx_page_group *table = table_at(s, index), *group = NULL;
  if (table != NULL)
    group = place_of(table, index, number);
  if (group != NULL && group->number == 0 && 2 * ++s->groups > size_of(index)) {
    table = grow(s, index++);
    group = table != NULL ? place_of(table, index, number) : NULL;
  }
  s->none = table == NULL;
  if (group == NULL || (group->number == number && (group->seen & bit) != 0))
    return false;
  group->number = number;
  group->seen |= bit;
  return true;
}

void qx_forget_pages(struct qx_seen_pages *s) {
  for (uint32_t index = 0; index < qx_seen_tables; ++index)
    if (s->tables[index] != NULL)
      munmap(s->tables[index], size_of(index) * sizeof *s->tables[index]);
}
