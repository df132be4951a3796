/* Begins every file of the runtime: which names of libc it sees, and who sees its own. */
#ifndef QUINCUNX_VISIBLE_H
#define QUINCUNX_VISIBLE_H

#define _GNU_SOURCE /* before the first header of libc */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QX_HIDDEN __attribute__((visibility("hidden")))
#define QX_VISIBLE __attribute__((visibility("default")))

#endif
