/* Memory that is not the program's: malloc may be the program's own, and instrumented. */
#include "os/os.h"

#include <sys/auxv.h>
#include <sys/mman.h>

void *qx_map_memory_at(void *memory, size_t bytes) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | (memory != NULL ? MAP_FIXED : 0);
  void *p = mmap(memory, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

void *qx_map_memory(size_t bytes) { return qx_map_memory_at(NULL, bytes); }

size_t qx_page_size(void) { return getauxval(AT_PAGESZ); }

size_t qx_whole_pages(size_t bytes) {
  const size_t page = qx_page_size();
  return (bytes + page - 1) / page * page;
}

size_t qx_next_size(size_t before, size_t first, size_t largest, size_t least) {
  size_t bytes = before == 0 ? first : 2 * before;
  if (bytes > largest)
    bytes = largest;
  return qx_whole_pages(bytes > least ? bytes : least);
}

/* under lock */ static char *at, *end; /* what qx_alloc_forever has left */

/* holds lock */ void qx_alloc_reset_in_child(void) { at = end = NULL; }

/* holds lock */ void *qx_alloc_forever(size_t bytes) {
  bytes = (bytes + 15) & ~(size_t)15;
  if ((size_t)(end - at) < bytes) {
    size_t more = bytes > 4096 ? bytes : 4096;
    char *page = qx_map_memory(more);
    if (page == NULL)
      return NULL;
    at = page;
    end = page + more;
  }
  void *p = at;
  at += bytes;
  return p;
}
