/* The layer of control: when images, threads and forks come and go, and when the record is written.
 * All that instrumented code calls arrives here, but for what the simulated machine is told. */
#ifndef QUINCUNX_CONTROL_H
#define QUINCUNX_CONTROL_H

#include "control/registry.h"
#include "requests/requests.h"
#include "simulated/simulated.h"
#include "strands/strands.h"

/* ---- registry.c ---- */

/* Writes the record; false: another copy's registry is in use. */
/* takes lock */ QX_HIDDEN bool qx_end(void);

/* ---- fork.c ---- */

/* Around calls that copy the process as fork() does. */
/* takes lock */ QX_HIDDEN void qx_copies(void);
/* takes lock */ QX_HIDDEN void qx_copied(long result);
QX_HIDDEN bool qx_watch_forks(void);

/* ---- threads.c ---- */

QX_HIDDEN void qx_find_pthread_create(void);
/* Forgets threads that were to start: they do not. */
/* holds lock */ QX_HIDDEN void qx_starts_reset_in_child(void);

/* Called from rare sides, in innermost loops with all registers in use: to their callers they are
 * preserve_most, which gcc has under another name. */
#if !defined(__x86_64__)
#define QX_PRESERVES
#elif defined(__clang__)
#define QX_PRESERVES __attribute__((preserve_most))
#else
#define QX_PRESERVES __attribute__((no_caller_saved_registers))
#endif

/* ---- image.c ---- */

QX_HIDDEN extern struct qx_loaded_image qx_this_image;
/* Makes this image known: before its constructors where a thread starts earlier, and then again. */
/* takes lock */ QX_HIDDEN void qx_load_image(void);

/* takes lock */ QX_HIDDEN uint64_t *qx_ask_recorder(uint64_t *state, const void *record,
                                                     uint64_t first, uint64_t words);
/* takes lock */ QX_HIDDEN void qx_ask_call(uint64_t *state, const void *record, uint64_t first,
                                            uint64_t cost);

/* ---- write_record.c ---- */

/* Writes the record, of a process that goes on if `open`; returns 0 or errno. */
/* holds lock */ QX_HIDDEN int qx_write_record(bool open);
/* Makes the live file the record, which could not be written for that reason (errno), and says so
 * where it does not hold everything. */
/* holds lock */ QX_HIDDEN void qx_close_live_file(int why);
/* Brings the live file to the disk; false: not all counts are in it. */
/* holds lock */ QX_HIDDEN bool qx_flush_live_file(void);

#endif
