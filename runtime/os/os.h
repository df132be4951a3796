/* The layer of the operating system: memory, text, files, peak memory. It knows nothing of what is
 * recorded. System calls by number are in syscalls.h.
 *
 * All layers state locks in one form. `holds lock`: the caller has taken qx_lock(), which is one
 * layer up. `takes lock`: the function takes it, or waits for one who may, so the caller must not
 * have it. Neither: the function touches nothing that the lock guards. `under lock`: data that it
 * guards. test/runtime/locks.sh proves it. */
#ifndef QUINCUNX_OS_H
#define QUINCUNX_OS_H

#include "os/visible.h"

#include <limits.h>

/* ---- memory.c ---- */

/* Maps zeroed memory; NULL: there is none. */
QX_HIDDEN void *qx_map_memory(size_t bytes);
/* Does so in place of what is mapped at `memory`, if that is set. */
QX_HIDDEN void *qx_map_memory_at(void *memory, size_t bytes);
QX_HIDDEN size_t qx_page_size(void);
QX_HIDDEN size_t qx_whole_pages(size_t bytes); /* rounded up */
/* Returns the size of the next of several stretches, each twice the one before up to `largest`: at
 * least `least`, whole pages. `before`: 0 for the first one. */
QX_HIDDEN size_t qx_next_size(size_t before, size_t first, size_t largest, size_t least);
/* Returns zeroed memory for small things that are never freed; NULL: there is none. */
/* holds lock */ QX_HIDDEN void *qx_alloc_forever(size_t bytes);
/* Leaves what is allocated so far, where another thread of the parent may have been at work. */
/* holds lock */ QX_HIDDEN void qx_alloc_reset_in_child(void);

/* ---- bytes.c: those of <string.h>, called by their names there ---- */

QX_HIDDEN void *qx_memcpy(void *restrict to, const void *restrict from, size_t n);
QX_HIDDEN void *qx_memset(void *to, int byte, size_t n);
QX_HIDDEN int qx_memcmp(const void *a, const void *b, size_t n);
QX_HIDDEN int qx_strcmp(const char *a, const char *b);
QX_HIDDEN size_t qx_length(const char *text); /* strlen */

/* ---- text.c ---- */

/* Append to a string that ends before `end`, and return where it ends now. */
QX_HIDDEN char *qx_append(char *to, const char *end, const char *from);
QX_HIDDEN char *qx_append_number(char *to, const char *end, unsigned long n);
QX_HIDDEN char *qx_append_hex(char *to, const char *end, const uint8_t *bytes, int count);
/* Writes `parts`, which end with NULL, to stderr: once per process, where stderr is what it was. */
QX_HIDDEN void qx_complain(const char *const *parts);
QX_HIDDEN void qx_save_stderr_identity(void);
QX_HIDDEN void qx_complaints_reset_in_child(void); /* the child may write a line of its own */

/* ---- files.c ---- */

/* The file that a descriptor was opened for. Another thread of the program may close every
 * descriptor it does not know, and open a file of its own under our number. */
struct qx_file_identity {
  bool known;
  uint64_t device, inode;
};
struct stat;
/* Stores what `fd` refers to; false: nothing. */
QX_HIDDEN bool qx_identify_file(int fd, struct qx_file_identity *file);
QX_HIDDEN bool qx_is_file(const struct stat *s, const struct qx_file_identity *file);
QX_HIDDEN bool qx_still_refers_to(int fd, const struct qx_file_identity *file);
/* May a file have that size? Else a write is met with SIGXFSZ. */
QX_HIDDEN bool qx_room_for(size_t file_bytes);

/* ---- peak_memory.c ---- */

QX_HIDDEN int64_t qx_peak_memory(void); /* bytes; 0: the system does not say */

#endif
