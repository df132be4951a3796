/* Samples the program that this library is preloaded into (LD_PRELOAD), where the kernel samples
 * for nobody. The idea: each thread has a timer of its own time in user mode (timer_create(2)),
 * whose signal stops it where it is; a handler writes that down in a file which the tool maps as
 * well (abi/samples.h). The kernel looks at such timers at its ticks, so a tick in user mode is a
 * sample, and its signal comes right there: no system call is ever interrupted. A process timer
 * would not do: before Linux 6.4 its signals go to the first thread, whichever runs.
 *
 * The program must not notice: nothing here prints, changes errno, or calls in a handler what is
 * not async-signal-safe; the signal is hidden (interposed.c). It knows no files and no symbols, and
 * cannot reach programs that are linked statically. Layers: ring, mappings, timers, interposed;
 * each calls those before it. */
#ifndef QUINCUNX_SAMPLER_H
#define QUINCUNX_SAMPLER_H

#include "quincunx/abi/samples.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* ring.c: the file. Async-signal-safe, and without effect where there is none. */
bool open_ring(const char *path);
const struct qx_samples *ring(void); /* NULL: nobody wants samples */
/* A free record with its kind and process, NULL when all are in use; publish() gives it to the
 * reader. */
struct qx_sample_record *claim(enum qx_sample_kind kind);
void publish(struct qx_sample_record *record);
void count_lost(void);
void say_untimed(int reason);
void say_signal_is_taken(void);

/* mappings.c: what code is where. Async-signal-safe. */
/* Writes down what is mapped, where that is not what was written last. */
void write_mappings(void);
bool is_mapped(uintptr_t instruction);
/* In the child of a fork: nothing is written yet. */
void forget_mappings(void);

/* timers.c */
/* Of the process' first thread; `arguments` of main. */
void start_first_timer(char **arguments);
/* Of the calling thread, which is at its start. */
void start_timer(void);
void stop_timer(void); /* at its end */
/* Of all threads, for good. */
void stop_all_timers(void);
void start_timer_after_fork(void); /* in the child, of its one thread */
void take_sample(int signal, siginfo_t *info, void *context);

#endif
